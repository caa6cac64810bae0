package outline

import (
	"slices"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/read/object/tab"
)

// branchHeight is the height of a field in the tree, in pixels.
const branchHeight = 26

// Pressed handles a key: it moves the selection among the shown fields. If it returns no commands, the key has no meaning here.
func (o Outline) Pressed(key string, about tab.About) (Outline, []page.Cmd) {
	switch key {
	case "j":
		return o.walk(about, func(at, _ int) int { return at + 1 })
	case "k":
		return o.walk(about, func(at, _ int) int { return at - 1 })
	case "g":
		return o.walk(about, func(_, _ int) int { return 0 })
	case "G":
		return o.walk(about, func(_, n int) int { return n - 1 })
	default:
		return o, nil
	}
}

func (o Outline) walk(about tab.About, step func(at, n int) int) (Outline, []page.Cmd) {
	rows := flat(view{o, about}.branches())
	if len(rows) == 0 {
		return o, nil
	}
	at := min(max(step(slices.IndexFunc(rows, branch.isCurrent), len(rows)), 0), len(rows)-1)
	o = o.on(rows[at].field.Path)
	return o, []page.Cmd{
		page.Scroll{Top: at * branchHeight, Bottom: (at + 1) * branchHeight},
		page.Focus{ID: fieldID(o.Field)},
	}
}

// Bring scrolls to the selected field.
func (o Outline) Bring(about tab.About) []page.Cmd {
	if len(o.Field) == 0 {
		return nil
	}
	at := slices.IndexFunc(flat(view{o, about}.branches()), branch.isCurrent)
	return []page.Cmd{page.Scroll{Top: max(0, at-tab.Around) * branchHeight, Bottom: (at + tab.Around) * branchHeight}}
}
