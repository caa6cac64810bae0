// Package pagetest holds every page, in every state, to what all pages promise. Each page has its states beside it, in samples_test.go. Only tests import this package.
package pagetest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/net/html"

	"github.com/fieldmark/fieldmark/components/golden"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// errorpage is the kind of the page that says why there is no other. It has no address, so no profile.
const errorpage = "problem"

// harmless is what a cluster says in the samples, unless a test wants something else.
const harmless Text = "some-text"

// Run tests a page in all its states, and writes them for `make eye`. States have names. Those that begin with "in " are inside a cluster. Each state has the
// page's kind, as the server gives it, because the frame finds the page's profile by it.
func Run(t *testing.T, samples ...func(Text) map[string]page.Page) {
	t.Helper()
	for _, some := range samples {
		for name, p := range some(harmless) {
			if !testing.Short() { // what a Model keeps is the same on each platform
				t.Run("older "+name, func(t *testing.T) { keepsItsState(t, p) })
			}
			if kind := p.Framed().Kind; kind != errorpage && web.OfKind(kind).Title == "" {
				t.Errorf("%s: its frame has the kind %q, which no page has", name, kind)
			}
		}
		RunViews(t, func(s Text) map[string]templ.Component {
			views := map[string]templ.Component{}
			for name, p := range some(s) {
				views[name] = page.View(p)
			}
			return views
		})
	}
}

// RunViews is Run for documents that no Model of a page makes.
func RunViews(t *testing.T, samples func(Text) map[string]templ.Component) {
	t.Helper()
	states := samples(harmless)
	if len(states) == 0 {
		t.Fatal("there is no sample")
	}
	for _, name := range slices.Sorted(maps.Keys(states)) {
		t.Run(name, func(t *testing.T) {
			markup := golden.Render(t, states[name])
			checkAll(t, document{name: name, markup: markup, tree: parsed(t, markup)})
		})
	}
	for what, hostile := range hostileTexts {
		if testing.Short() && what != "unseen" { // the one that depends on how runes are read
			continue
		}
		plain := samples(harmlessLike(hostile))
		for name, view := range samples(Text(hostile)) {
			t.Run(what+" "+name, func(t *testing.T) { inert(t, Tree(t, view), Tree(t, plain[name])) })
		}
	}
	for folder, text := range looks {
		Write(t, folder, samples(text))
	}
}

// document is a page in one of its states.
type document struct {
	name, markup string
	tree         *html.Node
}

// teller is told what is wrong.
type teller interface {
	Errorf(format string, args ...any)
}

// checkAll holds a document to all checks.
func checkAll(t teller, d document) {
	for _, check := range checks {
		check(t, d)
	}
}

// inCluster tells whether the page is inside a cluster.
func (d document) inCluster() bool { return strings.HasPrefix(d.name, "in ") }
