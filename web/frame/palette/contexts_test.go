package palette

import (
	"fmt"
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// asksContexts are the addresses of the requests for contexts.
func asksContexts(commands []page.Cmd) (addresses []string) {
	for _, c := range commands {
		if c, is := c.(page.Ask); is && c.ID == contextsID {
			addresses = append(addresses, c.Address)
		}
	}
	return addresses
}

// Contexts that the document doesn't list are searched by the server, after a pause, everywhere and alone.
func TestContextsThatAreNotListedAreSearched(t *testing.T) {
	for _, scope := range []Scope{Everything, Clusters} {
		frame := frameAt(t, "/api/v1/namespaces/shop/pods")
		frame.Clusters = nil
		for i := range shell.MostClusters {
			frame.Clusters = append(frame.Clusters, shell.Cluster{Slug: fmt.Sprintf("prod-%d", i), Name: fmt.Sprintf("prod-%d", i)})
		}
		frame.Unlisted = 480
		m, _ := Open(frame, scope, nil)
		if scope == Clusters {
			if p := m.palette(); p.Label != "Find another context" || len(m.options()) != shell.MostClusters || p.Groups[0].More != "and 480 more" {
				t.Errorf("at first: %+v", p)
			}
		}
		m, commands := typing(m, "eu-77").Paused()
		if got := asksContexts(commands); !slices.Equal(got, []string{"/-/contexts?q=eu-77"}) {
			t.Fatalf("%s: requests %q", scope, got)
		}
		m, _ = m.Update(page.Response{ID: contextsID, Status: 200, Body: []byte(`{"clusters":[{"slug":"eu-77","name":"eu-77"},{"slug":"eu-770","name":"eu-770"}],"more":5}`)})
		m, _ = m.Update(page.Response{ID: contextsID, Status: 200, Body: []byte(`{"clusters":[{"slug":"eu-77","name":"eu-77"}],"more":5}`)}) // once more
		if m.found.total[Cluster] != 2 || !slices.Contains(lines(m), "Clusters: eu-77, eu-770") {
			t.Errorf("%s: %q", scope, lines(m))
		}
		for _, g := range m.groups {
			if g.kind == Cluster && g.more != 5 {
				t.Errorf("%s: %d more", scope, g.more)
			}
		}
		for _, f := range []page.Response{{ID: contextsID, Status: 500}, {ID: contextsID, Status: 200, Body: []byte("{")}} {
			if n, _ := m.Update(f); !slices.Equal(lines(n), lines(m)) {
				t.Errorf("%s: after %+v: %q", scope, f, lines(n))
			}
		}
		frame.Unlisted = 0
		m, _ = Open(frame, scope, nil)
		if _, commands := typing(m, "eu-77").Paused(); len(asksContexts(commands)) != 0 {
			t.Errorf("%s: it requests contexts although the document has all", scope)
		}
	}
	m, _ := Open(frameAt(t, "/api/v1/pods"), Clusters, nil)
	if m = typing(m, ":pods"); m.found.total[Type] != 0 || len(m.palette().Searched) != 1 {
		t.Errorf("types are found among contexts: %q", lines(m))
	}
}
