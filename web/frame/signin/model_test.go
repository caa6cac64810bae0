package signin

import (
	"testing"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

func TestLinksIn(t *testing.T) {
	for _, c := range []struct {
		what  string
		model Model
		want  []string // addresses; the first is the primary one
	}{
		{"a refusal without a way in", Model{}, nil},
		{"not signed in", Model{Link: true}, []string{"/-/sign-in"}},
		{"a page that leads on", Model{Shell: shell.Model{Refresh: "/c/a"}}, []string{"/c/a"}},
		{"come from another site", Model{Link: true, Again: "/c/practice?a=b"}, []string{"/c/practice?a=b", "/-/sign-in"}},
	} {
		links := c.model.links()
		if len(links) != len(c.want) {
			t.Errorf("%s: %+v", c.what, links)
			continue
		}
		for i, l := range links {
			if l.Href != c.want[i] || l.Primary != (i == 0) || l.Text == "" {
				t.Errorf("%s: %+v", c.what, l)
			}
		}
	}
}

func TestMainWayIn(t *testing.T) {
	one, wanted := Place{Slug: "a", Start: "/start", By: "Dex"}, Place{Slug: "b", Wanted: true, Start: "/start", By: "Dex"}
	for _, c := range []struct {
		what    string
		places  []Place // the first is looked at
		text    string
		primary bool
		open    bool
	}{
		{"the only one", []Place{one}, "Sign in with Dex", true, false},
		{"one of two", []Place{one, wanted}, "Sign in with Dex", false, false},
		{"the wanted one of two", []Place{wanted, one}, "Sign in with Dex", true, false},
		{"signed in", []Place{{Person: "ada", Wanted: true, Start: "/start", By: "Dex"}}, "Sign in again with Dex", false, false},
		{"only a token", []Place{{Token: true}}, "Sign in with ", true, true},
		{"only a token, of two", []Place{{Token: true}, one}, "Sign in with ", false, false},
	} {
		m := Model{Places: c.places}
		way := m.way(c.places[0])
		if want := (components.Link{Text: c.text, Href: c.places[0].Start, Primary: c.primary}); way != want || m.unfolded(c.places[0]) != c.open {
			t.Errorf("%s: %+v, open %v", c.what, way, m.unfolded(c.places[0]))
		}
	}
}
