package collection

import (
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/views"
)

// opening opens a page about the object of the cursor's row. None of these pages changes anything before it has shown what it would do.
type opening struct {
	key, does string
	fits      func(discovery.Type) bool
	to        func(slug string, p apipath.Path) string
}

// openings are the one list of these keys: what each does, and what the help says of it.
var openings = []opening{
	{"f", "Open the row’s object with the owners of its fields", every, views.Fields.Address},
	{"d", "Describe the row’s object: how it is, and what it waits for", views.HasDescription, views.Describe.Address},
	{"y", "Open the row’s object as YAML", every, views.YAML.Address},
	{"l", "Open the logs of the row’s object", views.HasLogs, views.Logs.Address},
	{"t", "Open a terminal in the row’s Pod", views.HasShell, views.Shell.Address},
	{"e", "Edit the row’s object, and see what the edit would change before you send it", can("patch"), func(slug string, p apipath.Path) string {
		return web.Edit(slug, p.String())
	}},
	{"Delete", "Open the page that deletes the row’s object, and first shows what else is deleted", can("delete"), func(slug string, p apipath.Path) string {
		return shell.ToolAt(slug, web.Delete, p.String())
	}},
}

func every(discovery.Type) bool { return true }

func can(verb string) func(discovery.Type) bool {
	return func(t discovery.Type) bool { return t.Can(verb) }
}

// keysOfRows are the keys that fit the type, as the help lists them.
func (m Model) keysOfRows() []components.Key {
	var keys []components.Key
	for _, k := range openings {
		if k.fits(m.Type) {
			keys = append(keys, components.Key{Keys: []string{k.key}, Does: k.does})
		}
	}
	return keys
}

// openRow handles a key of a row.
func (m Model) openRow(key string) []page.Cmd {
	for _, k := range openings {
		if k.key != key || !k.fits(m.Type) {
			continue
		}
		row, there := m.live.rows.Get(m.live.cursor.uid)
		if !there {
			return []page.Cmd{page.Announce{Words: "Go to a row first, with j or k."}}
		}
		return []page.Cmd{page.Navigate{Address: k.to(m.Shell.Cluster.Slug, m.pathOf(row))}}
	}
	return nil
}
