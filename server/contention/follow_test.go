package contention

import (
	"testing"

	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/server/follow"
)

// TestStatesOfAType is what a scan says of a type while it is followed.
func TestStatesOfAType(t *testing.T) {
	r := newRun(New(Options{}), key{}, plan(configmaps), nil)
	f := &follower{run: r}
	silent := follow.Trouble{Why: status.Status{Code: 504, Reason: status.Silent, Message: "nothing comes"}}
	for _, step := range []struct {
		what string
		do   func()
		want report.State
		why  string
	}{
		{"the whole state arrives", func() { f.Begin(t.Context(), follow.Start{Streams: true}) }, report.Reading, ""},
		{"silence", func() { f.Silent(silent) }, report.Troubled, "nothing comes"},
		{"heard again", f.Opened, report.Reading, ""},
		{"it has arrived", func() { must(t, f.Whole("7", nil)) }, report.Followed, ""},
		{"silence again", func() { f.Silent(silent) }, report.Troubled, "nothing comes"},
		{"and heard", f.Opened, report.Followed, ""},
		{"too much haste", func() { f.Wait(follow.Trouble{}) }, report.Followed, ""},
		{"an end with an error", func() { f.Wait(silent) }, report.Troubled, "nothing comes"},
		{"refused", func() { f.Stop(status.Status{Code: 403, Message: "no"}) }, report.Refused, "no"},
	} {
		step.do()
		if got := r.scan.Types()[0]; got.State != step.want || got.Why != step.why {
			t.Errorf("%s: %+v", step.what, got)
		}
	}
	if len(r.turns) != 0 {
		t.Error("it still has its turn")
	}
}
