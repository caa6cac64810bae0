package glossary

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/web/frame/page"
)

func listed() Model {
	g := Model{Terms: []Term{
		{ID: "watch", Title: "watch", Text: "A GET that stays open."},
		{ID: "status", Title: "status", Text: "How things are."},
		{ID: "status-object", Title: "Status", Text: "A refusal, with a resource version of nothing."},
		{ID: "api-group", Title: "API group", Text: "Resource types."},
		{ID: "resource-version", Title: "resource version", Text: "A state, to watch from."},
	}}
	Alphabetical(g.Terms)
	return g
}

func named(terms []Term) string {
	var all []string
	for _, t := range terms {
		all = append(all, t.ID)
	}
	return strings.Join(all, " ")
}

func TestTheGlossaryIsAlphabetical(t *testing.T) {
	g := listed()
	if got := named(g.Terms); got != "api-group resource-version status-object status watch" {
		t.Error(got)
	}
	var letters []string
	for _, l := range g.letters() {
		letters = append(letters, l.Text+l.Href)
	}
	if want := []string{"A#api-group", "R#resource-version", "S#status-object", "W#watch"}; !slices.Equal(letters, want) {
		t.Errorf("%q", letters)
	}
}

func TestTermsAreFound(t *testing.T) {
	for filter, want := range map[string]string{
		"":                 "api-group resource-version status-object status watch",
		"watch":            "watch resource-version", // what is called so comes first
		"WATCH  state":     "resource-version",
		"resource version": "resource-version status-object",
		"nothing at all":   "",
	} {
		g := listed()
		p, commands := g.Update(page.Typed{Field: FilterField, Text: filter})
		g = p.(Model)
		if got := named(g.found()); got != want || len(commands) != 1 {
			t.Errorf("%q finds %q, %v", filter, got, commands)
		}
	}
}

func TestTheFilterStandsInTheAddress(t *testing.T) {
	p, _ := listed().Awake(time.Time{})
	p, commands := p.Update(page.Typed{Field: FilterField, Text: "a b"})
	if want := []page.Cmd{page.Remember{Address: "/learn/glossary?filter=a+b", Replace: true}}; !slices.Equal(commands, want) {
		t.Error(commands)
	}
	_, commands = p.Update(page.Addressed{Query: url.Values{FilterField: {"watch"}}})
	if want := []page.Cmd{page.Remember{Address: "/learn/glossary?filter=watch"}, page.Announce{Words: "2 terms"}}; !slices.Equal(commands, want) {
		t.Error(commands)
	}
	if _, commands = p.Update(page.Typed{Field: "another", Text: "x"}); len(commands) > 0 {
		t.Error(commands)
	}
}
