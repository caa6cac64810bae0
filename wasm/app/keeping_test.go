package app

import (
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/palette"
	"github.com/fieldmark/fieldmark/web/frame/saved"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/read/collection"
)

func TestAStarChangesTheListOfTypesAtOnce(t *testing.T) {
	b := start(t, pods("a"), here)
	b.act(Do{Action: shell.DoFavourite + "pods"})
	if got := b.screen.cookies[shell.FavouritesCookie]; got != "deployments.apps|services|configmaps|nodes|events|namespaces" {
		t.Errorf("%q", got)
	}
	if b.screen.places[Side] == "" || strings.Contains(b.screen.places[Side], "Remove Pods") || !strings.Contains(b.main(), "Add Pods to favorites") {
		t.Error("the page and the list are as before")
	}
	b.act(Do{Action: shell.DoFavourite + "pods"})
	if got := b.screen.cookies[shell.FavouritesCookie]; !strings.HasSuffix(got, "|pods") {
		t.Errorf("%q: the second change forgets the first", got)
	}
	before := b.screen.cookies[shell.FavouritesCookie]
	b.act(Do{Action: shell.DoFavourite + "no type"})
	if b.screen.cookies[shell.FavouritesCookie] != before {
		t.Error("a name that no type has is kept")
	}
}

func TestTheThemeIsACommand(t *testing.T) {
	b := start(t, pods("a"), here)
	b.act(Key{Key: "k", Ctrl: true}, page.Typed{Field: palette.Field, Text: "colors dark"}, Key{Key: "Enter"})
	if b.screen.theme != "dark" || b.over.isOpen() {
		t.Errorf("%q", b.screen.theme)
	}
}

// served is the page of pods in a cluster that serves this type.
func served() collection.Model {
	p := pods("a")
	p.Shell.Catalog = discovery.Catalog{Groups: []discovery.Group{{Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{p.Type}}}}}}
	p.Table.Continue = "more"
	return p
}

func TestThePaletteAsksAfterAPause(t *testing.T) {
	b := start(t, served(), here)
	b.act(Key{Key: "k", Ctrl: true}, page.Typed{Field: palette.Field, Text: "spring"}, page.Typed{Field: palette.Field, Text: "spring-sale"})
	asked := func() bool {
		return slices.ContainsFunc(b.screen.asked(), func(a string) bool { return strings.Contains(a, "limit=500") })
	}
	if asked() {
		t.Error("letters ask")
	}
	b.act(pause{typed: b.typed - 1}) // of the text before
	if asked() {
		t.Error("a pause before the last letter asks")
	}
	b.act(pause{typed: b.typed})
	b.until("names are asked for", asked)
}

func TestTypesThatWereOpenedAreRemembered(t *testing.T) {
	b := start(t, served(), here)
	if got := b.screen.kept[recentKey]; got != "pods" {
		t.Errorf("%q", got)
	}
	b.screen.kept[recentKey] = "jobs.batch|pods||a|b|c|d|e|f|g"
	b.remember()
	if got := b.screen.kept[recentKey]; got != "pods|jobs.batch|a|b|c|d|e" && got != "pods|jobs.batch|a|b|c|d|e|f" {
		t.Errorf("%q", got)
	}
}

func TestViewsThatAnotherTabKeptArrive(t *testing.T) {
	b := start(t, pods("a"), here)
	b.screen.kept[saved.Key] = saved.Book{{Name: "Mine", Resource: "pods"}}.String()
	b.act(Stored{Key: "draft"})
	if strings.Contains(b.main(), "Mine") {
		t.Error("another value was news")
	}
	b.act(Stored{Key: saved.Key})
	if !strings.Contains(b.main(), "Mine") {
		t.Error("the page doesn't show the view")
	}
	b.startPage(desk{notes: &notes{}})
	b.act(Stored{Key: saved.Key})
	if k := heard[page.Kept](b.page.(desk).notes); len(k) != 1 { // when it began
		t.Errorf("%v", k)
	}
}
