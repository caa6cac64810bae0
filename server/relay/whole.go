package relay

import (
	"context"
	"encoding/json"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/follow"
)

// requestCount requests the number of objects, so that pages can show progress. If the response doesn't arrive or has no count, the number
// stays unknown.
func (f *feed) requestCount(ctx context.Context, r *follow.Reflector) {
	if ctx.Err() != nil || len(f.source.Question.Selectors) > 0 { // servers don't count objects that selectors choose
		return
	}
	ctx, cancel := context.WithTimeout(ctx, f.hub.relay.following.Pace.Chunk)
	defer cancel()
	client, err := r.Client(ctx)
	if err != nil {
		return
	}
	const heads = accept.MetadataList + accept.OrJSON
	answer, err := client.Do(ctx, api.Request{Path: f.source.Question.List(1, ""), Accept: heads})
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
