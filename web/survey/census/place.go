package census

import (
	"net/url"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/words"
)

// Place is where a page of a pass is, for its forms and links.
type Place struct {
	Shell  shell.Model
	Action string // the page's address, with what its forms keep
}

// typeHref leads to a type by its full name.
func (p Place) typeHref(name string) string {
	return web.WithQuery(web.Tool(p.Shell.Cluster.Slug, web.Find), url.Values{"type": {name}})
}

// objectsHref leads to the objects of a type that a manager has entries of.
func (p Place) objectsHref(f Finding) string {
	return web.Tool(p.Shell.Cluster.Slug, web.Managers) + "?" + url.Values{"manager": {*f.Manager}, "type": {f.Type}}.Encode()
}

// ExportHref leads to the file with everything that the page is about.
func (p Place) ExportHref(as string) string {
	at, err := url.Parse(p.Action)
	if err != nil {
		return p.Action
	}
	query := at.Query()
	query.Set(FieldExport, as)
	at.RawQuery = query.Encode()
	return at.String()
}

// Exports are links to the files with everything that the page is about.
func Exports(p Place) []templ.Component {
	return []templ.Component{exportLink(p, JSON, "Export as JSON"), exportLink(p, CSV, "Export as CSV")}
}

func (p Place) consoleHref(w Way) string {
	return web.Tool(p.Shell.Cluster.Slug, web.Request) + "?" + w.Console
}

// FieldsHref leads to the fields of an object, with those of a manager highlighted.
func (p Place) FieldsHref(path, manager string) string {
	return web.WithQuery(web.Page(p.Shell.Cluster.Slug, path), url.Values{web.TabField: {"fields"}, "manager": {manager}})
}

// sisters are the other pages that the same pass answers.
func (p Place) sisters() []web.Profile {
	var all []web.Profile
	for _, name := range []string{web.Managers, web.UpgradeCheck, web.Unappliable, web.Migrate} {
		if of, known := web.ToolNamed(name); known && name != p.Shell.Tool {
			all = append(all, of)
		}
	}
	return all
}

// joint stands before each of some names in a sentence.
func joint(i, n int) string {
	switch i {
	case 0:
		return ""
	case n - 1:
		return " and "
	}
	return ", "
}

// openLines is how many lines of a part are shown before the others are folded.
const openLines = 4

// lines are the findings of a group.
func lines(p Place, g Group) (all []templ.Component) {
	for _, f := range g.Findings {
		all = append(all, finding(p, g, f))
	}
	return all
}

// more says what opens with a finding.
func (f Finding) more() string {
	if len(f.Ways) > 0 {
		return words.Count(int64(len(f.Ways)), "way out", "ways out")
	}
	return "Show them"
}

func more(n int) string { return words.Count(int64(n), "more finding", "more findings") }

// left says how many findings of a group aren't on the page; empty: none.
func (g Group) left() string {
	return components.LeftOut(g.All-len(g.Findings), "more finding isn’t shown.", "more findings aren’t shown.", "")
}
