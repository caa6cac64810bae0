package app

import (
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web/read/collection"
)

const objectAddress = "/c/test/api/v1/namespaces/shop/pods/a"

// catalogued are pods on a page that knows the cluster's types.
func catalogued(names ...string) collection.Model {
	m := pods(names...)
	t := m.Type
	m.Shell.Catalog = discovery.Catalog{Groups: []discovery.Group{{Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{t}}}}}}
	return m
}

// leaving is a page whose reader follows a link to an object, whose response the returned function lets go.
func leaving(t *testing.T) (*bench, func()) {
	t.Helper()
	b := start(t, catalogued("a", "b"), here)
	let := b.screen.holdBack(objectAddress)
	b.screen.answer(objectAddress, embedded(t, objectAddress, said("a whole page")))
	b.screen.at = Position{Rows: 300}
	b.act(Click{Address: objectAddress})
	b.until("what is known of the page", func() bool { return b.ahead != nil })
	return b, let
}

// TestThePageThatComesIsSeenAtOnce: its name and its row, in a frame that is its own. There is one step in the history, before and after it came.
func TestThePageThatComesIsSeenAtOnce(t *testing.T) {
	b, let := leaving(t)
	for _, want := range []string{`title="a"`, "Running", "Views of this object", `class="skeleton"`} {
		if !strings.Contains(b.main(), want) {
			t.Errorf("without %s: %s", want, b.main())
		}
	}
	if b.screen.title != "a · Fieldmark" || b.screen.focus != "main" || b.screen.at != (Position{}) || !slices.Equal(b.screen.steps, []string{objectAddress}) {
		t.Errorf("title %q, focus %q, at %+v, history %v", b.screen.title, b.screen.focus, b.screen.at, b.screen.steps)
	}
	let()
	b.until("the page", func() bool { return strings.Contains(b.main(), "said a whole page") })
	if !slices.Equal(b.screen.steps, []string{objectAddress}) || b.ahead != nil {
		t.Errorf("history %v", b.screen.steps)
	}
}

// TestAPageOutOfSightHearsNothing: keys wait for the page that comes, each counts once, and what scrolls isn't the rows of the page before.
func TestAPageOutOfSightHearsNothing(t *testing.T) {
	b, let := leaving(t)
	handled := b.screen.handled
	b.act(Key{Key: "s"}, Rows{Top: 50, Height: 100, Reader: true}, Focus{ID: "main"}, Do{Action: "choose"}, Key{Key: "?"})
	if b.over.isOpen() || b.App.page.(collection.Model).Query.Sort.Column != "" {
		t.Error("the page before, or its help, has heard of it")
	}
	if n := b.screen.handled - handled; n != 4 {
		t.Errorf("%d of 4 acts were handled", n)
	}
	if told := b.screen.told; len(told) != 2 || told[1] != "Waiting for the page: s ?" {
		t.Errorf("told %q", told)
	}
	let()
	b.until("the page, with its help", func() bool { return b.over.help != nil })
}

// TestGoingBackBeforeThePageComes: the page before is there at once, at its place, and the late response counts no more.
func TestGoingBackBeforeThePageComes(t *testing.T) {
	b, let := leaving(t)
	b.act(Key{Key: "s"}, Popped{Address: here, At: Position{Rows: 300}})
	if !strings.Contains(b.main(), `data-name="b"`) || b.screen.title != "Pods · Fieldmark" || b.screen.at.Rows != 300 {
		t.Errorf("title %q, at %+v, %s", b.screen.title, b.screen.at, b.main())
	}
	if told := b.screen.told; told[len(told)-1] != "Not done: s" {
		t.Errorf("told %q", told)
	}
	b.screen.answer(other, embedded(t, other, said("another page")))
	let()
	b.act(Click{Address: other})
	b.until("another page", func() bool { return strings.Contains(b.main(), "said another page") })
}

// TestALinkOfThePageThatComes: its links lead on from there, also to the address of the page before. A page that never came is no step of the history.
func TestALinkOfThePageThatComes(t *testing.T) {
	b, let := leaving(t)
	defer let()
	b.screen.answer(here, embedded(t, here, pods("fresh")))
	b.act(Click{Address: here})
	b.until("the collection", func() bool { return strings.Contains(b.main(), `data-name="fresh"`) })
	if !slices.Equal(b.screen.steps, []string{here}) {
		t.Errorf("history %v", b.screen.steps)
	}
}

// TestAnUnknownPageIsAwaitedInPlace: a page outside of the cluster, and another view of the same page.
func TestAnUnknownPageIsAwaitedInPlace(t *testing.T) {
	for _, address := range []string{"/c/elsewhere/api/v1/pods", "/learn", "/c/test/-/nothing", "/c/test/apis/none/v1/things"} {
		b := start(t, catalogued("a"), here)
		let := b.screen.holdBack(address)
		b.act(Click{Address: address})
		b.until("a page that is loading", func() bool { return b.screen.busy })
		if b.ahead != nil || !strings.Contains(b.main(), `data-name="a"`) || len(b.screen.steps) > 0 {
			t.Errorf("%s: %s", address, b.main())
		}
		let()
	}
}
