package app

import (
	"slices"
	"testing"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// closing is a page that Escape closes something in, once.
type closing struct {
	page.Page
	opened bool
}

func (c closing) Update(page.Msg) (page.Page, []page.Cmd) { return closing{c.Page, false}, nil }

func (c closing) Content() templ.Component {
	if c.opened {
		return templ.Raw("opened")
	}
	return templ.Raw("closed")
}

// Escape closes what is open in a page. If nothing is, it leads to the page's parent, unless something would be lost.
func TestEscapeClosesAndThenLeadsUp(t *testing.T) {
	b := start(t, pods("a"), here)
	whole := b.page
	up := web.Cluster("test")
	went := func() bool { return slices.Contains(b.screen.asked(), up) }
	b.page = closing{whole, true}
	if b.act(Key{Key: "Escape"}); went() || b.page.(closing).opened {
		t.Fatalf("with something open: %v", b.screen.asked())
	}
	b.page = unfinished{whole}
	if b.act(Key{Key: "Escape"}); b.above() != "" || went() || b.screen.left != "" {
		t.Fatalf("unfinished: %q, %v", b.above(), b.screen.asked())
	}
	b.page = closing{whole, false}
	b.act(Key{Key: "Escape"})
	b.until("the parent is asked for", went)
}
