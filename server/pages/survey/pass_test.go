package survey

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/upgrade"
)

// A page shows the worst findings first, not too many of them, and types that can't be listed as one finding.
func TestFindingsAreGroupedAndBounded(t *testing.T) {
	var all []upgrade.Finding
	for i := range 50 {
		all = append(all, upgrade.Finding{Kind: upgrade.Dropped, Type: fmt.Sprint("t", i), Manager: manager.Manager{Operation: "Apply"}, Why: "Why."})
	}
	for i := range 300 {
		all = append(all, upgrade.Finding{Kind: upgrade.Unread, Type: fmt.Sprint("u", i), Why: "Refused."})
	}
	all = append(all, upgrade.Finding{Kind: upgrade.Unread, Name: "the metrics", Why: "Refused."}, upgrade.Finding{Kind: upgrade.Unappliable, Type: "w"})
	for range 90 {
		all = append(all, upgrade.Finding{Kind: upgrade.Fading, Type: "f"}, upgrade.Finding{Kind: upgrade.Deprecated, Type: "d"})
	}
	groups := grouped(all)
	var said []string
	for _, g := range groups {
		said = append(said, fmt.Sprintf("%s %d/%d", g.Kind, len(g.Findings), g.All))
	}
	if got := strings.Join(said, ", "); got != "unappliable 1/1, dropped 20/50, unread 2/2, fading 20/90, deprecated 18/90" {
		t.Error(got)
	}
	unread := groups[2]
	if f := unread.Findings[0]; f.About != "300 types" || len(f.Notes) != mostNotes+1 || f.Notes[mostNotes] != "and 100 more types" || unread.Findings[1].About != "The metrics" || unread.Tone != components.Warn {
		t.Errorf("%+v", unread)
	}
	if f := groups[1].Findings[0]; f.Manager == nil || *f.Manager != "" || groups[0].Findings[0].Manager != nil {
		t.Error("a manager without a name is one, and no manager is none")
	}
	if one := grouped([]upgrade.Finding{{Kind: upgrade.Unread, Type: "secrets"}}); one[0].Findings[0].About != "secrets" {
		t.Errorf("%+v", one)
	}
}

func TestWhatIsSaidOfAnObject(t *testing.T) {
	o := objectOf(upgrade.Record{Type: "w.example.com", Path: "/p", Name: "w", Last: time.Unix(5, 0), Managers: []manager.Owner{
		{Manager: manager.Manager{Name: "old", Operation: "Apply", APIVersion: "example.com/v1beta1"}}, {Manager: manager.Manager{Name: "older", Operation: "Update", APIVersion: "example.com/v1alpha1"}},
	}})
	if o.Manager != "old" || o.Entries != "old (Apply) in example.com/v1beta1, older (Update) in example.com/v1alpha1" || o.Last != 5 {
		t.Errorf("%+v", o)
	}
	way := check.Way{Way: upgrade.WayClear, NotTried: true, Trial: &check.Trial{Method: "PATCH", ContentType: "application/json-patch+json", Body: []byte(`[{"op":"remove"}]`)}}
	values, err := url.ParseQuery(consoleOf("/apis/a/v1/b/c", way))
	if err != nil || values.Get("method") != "PATCH" || values.Get("path") != "/apis/a/v1/b/c?dryRun=All" || values.Get("contentType") != "json-patch" || values.Get("body") != `[{"op":"remove"}]` {
		t.Errorf("%v %v", values, err)
	}
	if got := wayOf(way); got.Tried != "not tried" || got.Title != "Remove the entry" {
		t.Errorf("%+v", got)
	}
	way.NotTried = false
	if got := wayOf(way); got.Tried != "the dry run passed" {
		t.Errorf("%+v", got)
	}
	way.Trial = nil
	if got := wayOf(way); got.Tried != "" || consoleOf("/p", way) != "" {
		t.Errorf("%+v", got)
	}
}
