package relay

import (
	"context"
	"encoding/json"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/api"
)

// stream gets the whole state with the watch that follows it.
func (f *feed) stream(ctx context.Context, gap watch.Gap) {
	f.begin(gap)
	f.columns = nil
	st := &stream{source: f.source, sink: f}
	st.whole.Store(true)
	counting, counted := context.WithCancel(ctx)
	defer counted()
	f.counted = counted
	f.hub.spawn(f, func() {
		pause(counting, f.relay.pace.count)
		f.count(counting)
	})
	w := f.learned(st.follow(ctx, "", f.sign))
	switch {
	case w.refused:
		f.machine.Refused()
	case st.whole.Load():
		f.broke(w.end)
	default:
		f.followed(w, "")
	}
}

// count asks how many objects there are, so that pages can say how far they are. An answer that doesn't come, or
// doesn't say, leaves that open.
func (f *feed) count(ctx context.Context) {
	if ctx.Err() != nil || len(f.question.selectors) > 0 { // servers don't count what selectors choose
		return
	}
	ctx, cancel := context.WithTimeout(ctx, f.relay.pace.chunk)
	defer cancel()
	client, err := f.client(ctx)
	if err != nil {
		return
	}
	const heads = accept.MetadataList + accept.OrJSON
	answer, err := client.Do(ctx, api.Request{Path: f.question.list(1, ""), Accept: heads})
	if err != nil {
		return
	}
	var list struct {
		Metadata struct {
			Remaining int64 `json:"remainingItemCount"`
		} `json:"metadata"`
		Items []struct{} `json:"items"`
	}
	if json.Unmarshal(answer.Body, &list) == nil {
		f.expect(list.Metadata.Remaining + int64(len(list.Items)))
	}
}

func (f *feed) expect(all int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.state.arriving != nil {
		f.state.arriving.expect(all)
	}
}
