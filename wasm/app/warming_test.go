package app

import (
	"slices"
	"testing"
)

// TestFirstKeysAreWarmedUp: nothing of it is seen, and nothing is requested.
func TestFirstKeysAreWarmedUp(t *testing.T) {
	b := start(t, pods("a", "b"), here)
	before := slices.Clone(b.screen.shows)
	if len(b.warming.left) == 0 {
		t.Fatal("nothing is warmed up after the first view")
	}
	b.until("all is warmed up", func() bool { return len(b.warming.left) == 0 })
	if !slices.Equal(b.screen.shows, before) || b.over.isOpen() || len(b.screen.sent()) > 0 {
		t.Errorf("the screen showed %v, and then %v; %d requests were sent", before, b.screen.shows, len(b.screen.sent()))
	}
	b.act(Key{Key: ":"})
	if b.screen.places[Overlay] == "" {
		t.Error("the palette doesn’t open")
	}
}

func TestAFirstKeyEndsTheWarmUp(t *testing.T) {
	b := start(t, pods("a", "b"), here)
	b.act(Key{Key: "j"})
	b.handle(warmUp{})
	if n := len(b.warming.left); n > 0 {
		t.Errorf("%d calls are left after a key", n)
	}
}

// TestAHiddenTabWarmsNothingUp until it is shown.
func TestAHiddenTabWarmsNothingUp(t *testing.T) {
	b := start(t, pods("a", "b"), here)
	b.screen.hidden = true
	all := len(b.warming.left)
	b.handle(warmUp{})
	if n := len(b.warming.left); n != all {
		t.Errorf("%d of %d calls are left in a hidden tab", n, all)
	}
	b.screen.hidden = false
	b.act(Shown{On: true})
	b.until("all is warmed up", func() bool { return len(b.warming.left) == 0 })
}

// TestThePagesWorkComesBeforeTheWarmUp.
func TestThePagesWorkComesBeforeTheWarmUp(t *testing.T) {
	b := start(t, pods("a", "b"), here)
	all := len(b.warming.left)
	b.working = true
	b.handle(warmUp{})
	if n := len(b.warming.left); n != all {
		t.Errorf("%d of %d calls are left while the page works", n, all)
	}
}
