package object

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/read/object/secrets"
)

// living are pages in the states that only a living page has, with a text of the cluster's wherever one can be.
func living(t *testing.T, text string) map[string]Model {
	t.Helper()
	quoted := fmt.Sprintf("%q", text)
	version := func(v string) string {
		return `{"apiVersion":"v1","kind":` + quoted + `,"metadata":{"name":"web","uid":"u","resourceVersion":"` + v + `","annotations":{` + quoted + `:` + quoted + `}},
"status":{"conditions":[{"type":` + quoted + `,"status":` + quoted + `,"reason":` + quoted + `,"message":` + quoted + `}]}}`
	}
	states := map[string]Model{}
	tell := func(name string, m Model, happen func(*story)) {
		s := alive(t, m)
		s.state(1, version("1"))
		happen(s)
		states[name] = s.m
	}
	changes := func(s *story) {
		s.happens(watch.Modified, strings.ReplaceAll(version("2"), `{"type"`, `{"more":1,"type"`))
	}
	tell("live", pageOf(t, path, version("1")), func(*story) {})
	tell("changed", pageOf(t, path, version("1")), changes)
	tell("faded", pageOf(t, path, version("1")), func(s *story) { changes(s); s.pass(time.Minute) })
	tell("held", pageOf(t, path, version("1")), func(s *story) { s.tell(page.Pointed{Over: true}); changes(s) })
	tell("deleted", pageOf(t, path, version("1")), func(s *story) { s.happens(watch.Deleted, version("2")) })
	tell("deleted and made anew", pageOf(t, path, version("1")), func(s *story) {
		s.happens(watch.Deleted, version("2"))
		s.happens(watch.Added, strings.Replace(version("3"), `"uid":"u"`, `"uid":"v"`, 1))
	})
	tell("as JSON", pageOf(t, path, version("1")), func(s *story) { s.tell(page.Addressed{Query: query(t, "tab=json")}); changes(s) })
	secret := pageOf(t, path, version("1"))
	secret.Secrets.Values, secret.Secrets.Reveal = secret.Object.SecretValues(), &secrets.Revealed{Key: text, Text: text}
	tell("hidden again", secret, func(s *story) {
		s.happens(watch.Modified, `{"apiVersion":"v1","kind":"Secret","metadata":{"uid":"u","resourceVersion":"2"},"data":{`+quoted+`:"YQ=="}}`)
	})
	events := eventsPage(t)
	tell("with events", events, func(s *story) {
		s.eventHappens(2, watch.Added, table.Row{UID: text, Namespace: text, Name: text, ResourceVersion: text, Cells: []table.Cell{table.Cell(text), table.Cell(text), table.Cell(text)}})
	})
	return states
}

func tree(t *testing.T, m Model) *html.Node {
	t.Helper()
	parsed, err := html.Parse(strings.NewReader(markup(t, page.View(m))))
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func TestLivingPagesKeepTheRules(t *testing.T) {
	for name, m := range living(t, "some-text") {
		t.Run(name, func(t *testing.T) {
			ids, headings, current := map[string]int{}, 0, 0
			for n := range tree(t, m).Descendants() {
				if id := attribute(n, "id"); id != "" {
					ids[id]++
				}
				if n.Data == "h1" {
					headings++
				}
				if n.Data == "a" && attribute(n.Parent, "class") == "tabs" && attribute(n, "aria-current") == "page" {
					current++
				}
			}
			for id, n := range ids {
				if n != 1 {
					t.Errorf("%d elements have the id %q", n, id)
				}
			}
			if headings != 1 || current != 1 || ids["liveness"] != 1 {
				t.Errorf("%d headings, %d current tabs, %d times told how live it is", headings, current, ids["liveness"])
			}
			for i := range m.document().Lines {
				if asText(m.Tab) && ids[fmt.Sprintf("L%d", i+1)] != 1 {
					t.Errorf("line %d has no address", i+1)
				}
			}
		})
	}
}

// What comes over the socket is as hostile as what the server reads.
func TestHostileTextIsInertOnALivingPage(t *testing.T) {
	hostile := `<script>alert(1)</script>"><img src=x onerror=alert(1)></code></li></ol><!-- `
	harmless := living(t, strings.Repeat("a", len(hostile)))
	for name, m := range living(t, hostile) {
		if got, want := skeleton(tree(t, m)), skeleton(tree(t, harmless[name])); got != want {
			t.Errorf("%s: the markup differs:\n%s\nfrom\n%s", name, got, want)
		}
	}
}

// skeleton is a tree without its texts and values.
func skeleton(tree *html.Node) string {
	var b strings.Builder
	for n := range tree.Descendants() {
		if n.Type == html.TextNode {
			continue
		}
		b.WriteString(n.Data)
		for _, a := range n.Attr {
			b.WriteString(" " + a.Key)
		}
		b.WriteString("\n")
	}
	return b.String()
}
