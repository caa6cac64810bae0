package managers

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/manager/writer"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/words"
)

// scale are the squares of the legend.
var scale = []int{1, 100, 10_000}

func (m Model) kindChoices() []choice {
	all := []choice{{"", "any"}}
	seen := map[string]bool{}
	for _, who := range m.Sheet.Managers {
		seen[who.Writer.ID()] = true
	}
	for _, k := range writer.Kinds() {
		if value := k.ID(); seen[value] || value == m.Query.Kind {
			all = append(all, choice{value, k.Words()})
		}
	}
	return all
}

func operationChoices() []choice {
	return []choice{{"", "any"}, {manager.Apply, manager.Apply}, {manager.Update, manager.Update}}
}

func (m Model) subresourceChoices() []choice {
	var names []string
	for _, w := range m.Sheet.Ways {
		if w.Subresource != "" && !slices.Contains(names, w.Subresource) {
			names = append(names, w.Subresource)
		}
	}
	if q := m.Query.Subresource; q != "" && q != mainResource && !slices.Contains(names, q) {
		names = append(names, q)
	}
	slices.Sort(names)
	all := []choice{{"", "any"}, {mainResource, "none"}}
	for _, name := range names {
		all = append(all, choice{name, name})
	}
	return all
}

func wroteChoices() []choice {
	all := []choice{{"", "at any time"}}
	for _, s := range spans {
		all = append(all, s.choice)
	}
	return all
}

// sorted is how the table is sorted by an order, as aria-sort says it; empty: it isn't.
func (m Model) sorted(order string) string {
	current, reversed := strings.CutPrefix(m.Query.Sort, "-")
	if current == "" {
		current = byFields
	}
	if order != current {
		return ""
	}
	if reversed == (order == "name" || order == "kind") {
		return "descending"
	}
	return "ascending"
}

func (m Model) sortHref(order string) string {
	return m.href(func(q *Query) {
		switch {
		case q.Sort == order || q.Sort == "" && order == byFields:
			q.Sort = "-" + order
		default:
			q.Sort = order
		}
		q.Page = 0
	})
}

func (m Model) pageHref(n int) string { return m.href(func(q *Query) { q.Page = n }) }

// shown says which managers are shown.
func (a arranged) shown() string {
	if a.pages == 1 {
		if a.matching == a.all {
			return words.Thousands(int64(a.all))
		}
		return words.Thousands(int64(a.matching)) + " of " + words.Thousands(int64(a.all))
	}
	first := (a.page - 1) * AtOnce
	return fmt.Sprintf("%s to %s of %s", words.Thousands(int64(first+1)), words.Thousands(int64(first+len(a.rows))), words.Thousands(int64(a.matching)))
}

func (a arranged) next() string {
	return "Next " + words.Thousands(int64(min(AtOnce, a.matching-a.page*AtOnce)))
}

// leftOut says what the picture leaves out; empty: nothing.
func (m Model) leftOut(a arranged, p picture) string {
	var said []string
	if others := a.matching - len(a.rows); others > 0 {
		said = append(said, words.Count(int64(others), "more manager", "more managers"))
	}
	if p.left > 0 {
		said = append(said, words.Count(int64(p.left), "more type", "more types")+" with fewer fields")
	}
	if len(said) == 0 {
		return ""
	}
	return "And " + strings.Join(said, ", and ") + ". Filter to see them."
}

// ways is how a manager writes, for the table.
type ways struct{ how, versions, all, unserved string }

// mostVersions is how many API versions a row names.
const mostVersions = 2

func waysOf(r row) ways {
	var operations, subresources, versions, unserved []string
	note := func(all *[]string, text string) {
		if text != "" && !slices.Contains(*all, text) {
			*all = append(*all, text)
		}
	}
	for _, c := range r.cells {
		for _, e := range c.entries {
			note(&operations, e.Operation)
			note(&subresources, e.Subresource)
			note(&versions, e.APIVersion)
			if e.Unserved {
				note(&unserved, e.APIVersion)
			}
		}
	}
	slices.Sort(operations)
	slices.Sort(subresources)
	slices.SortStableFunc(versions, func(a, b string) int {
		return cmp.Or(cmp.Compare(slices.Index(unserved, b), slices.Index(unserved, a)), cmp.Compare(len(a), len(b)))
	})
	w := ways{how: strings.Join(operations, ", "), all: strings.Join(versions, ", "), unserved: strings.Join(unserved, ", ")}
	if len(subresources) > 0 {
		w.how += " · " + strings.Join(subresources, ", ")
	}
	w.versions = strings.Join(versions[:min(len(versions), mostVersions)], ", ")
	if more := len(versions) - mostVersions; more > 0 {
		w.versions += " and " + strconv.Itoa(more) + " more"
	}
	return w
}

// meetsWords name those that a manager meets on objects; empty: none.
func meetsWords(meets []met, more int) string {
	if len(meets) == 0 {
		return ""
	}
	var all []string
	for _, who := range meets {
		all = append(all, who.name+" on "+words.Count(int64(who.objects), "object", "objects"))
	}
	return manager.Listed(all, more)
}

// moment is a time for a tooltip.
func moment(at int64) string {
	if at == 0 {
		return "The entries have no time"
	}
	return time.Unix(at, 0).UTC().Format("2006-01-02 15:04:05 UTC")
}

// rowID is the id of a row: it stays the same while others come.
func rowID(r row) string {
	if r.Others {
		return "manager-others"
	}
	return "manager-" + hashed(r.Name)
}

// nameID is the id of a manager's name in its row.
func nameID(name string) string { return "name-" + hashed(name) }

func hashed(name string) string {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(name))
	return strconv.FormatUint(sum.Sum64(), 36)
}

// fieldsHref leads to the fields of an object, with those of a manager highlighted.
func (m Model) fieldsHref(path, name string) string {
	return web.WithQuery(web.Page(m.Shell.Cluster.Slug, path), url.Values{web.TabField: {"fields"}, FieldManager: {name}})
}

// objectOf names the object at a path: "Deployments shop/web".
func objectOf(path string) string {
	p, err := apipath.Parse(path)
	if err != nil || p.Name == "" {
		return path
	}
	name := p.Name
	if p.Namespace != "" {
		name = p.Namespace + "/" + name
	}
	return p.Resource + " " + name
}

func showed(f report.Finding) string {
	if f.Objects > len(f.Samples) {
		return fmt.Sprintf("%d of %s", len(f.Samples), words.Count(int64(f.Objects), "object", "objects"))
	}
	return words.Count(int64(len(f.Samples)), "object", "objects")
}

// leftOut says how many objects a finding doesn't name; empty: none.
func leftOut(f report.Finding) string {
	more := f.Objects - len(f.Samples)
	if more <= 0 {
		return ""
	}
	return "and " + words.Count(int64(more), "more object", "more objects")
}

// panelWords say how many objects or types are shown.
func (m Model) panelWords() string {
	if m.Query.Type == "" {
		return types(len(m.Sheet.cellsOf(m.Query, m.now())))
	}
	if m.Objects == nil || m.Objects.Trouble != "" {
		return ""
	}
	n := words.Count(int64(len(m.Objects.Objects)), "object", "objects")
	if m.Objects.More {
		return "the first " + n
	}
	return n
}

// whoCould leads to the subjects that the manager could be, by what they may do to the type, or to the type of which it owns most; empty: the type isn't
// served.
func (m Model) whoCould() string {
	name := m.Query.Type
	if cells := m.Sheet.cellsOf(m.Query, m.now()); name == "" && len(cells) > 0 {
		name = m.Sheet.Types[cells[0].typ].Name
	}
	for _, t := range m.Shell.Catalog.Find(name) {
		if t.FullName() == name {
			path := apipath.Collection(t.Group, t.Version, "", t.Resource).String()
			return web.WithQuery(web.Tool(m.Shell.Cluster.Slug, web.WhoCan), url.Values{web.WhoCanPath: {path}, web.WhoCanWho: {m.Query.Manager}})
		}
	}
	return ""
}

// collectionHref leads to the objects of a type. A type that the shell doesn't know leads to the search for types.
func (m Model) collectionHref(name string) string {
	return web.WithQuery(web.Tool(m.Shell.Cluster.Slug, web.Find), url.Values{"type": {name}})
}

// wayTitle names a way out of a finding.
func wayTitle(w report.Way) string {
	switch w.Way {
	case "correct":
		return "Correct it"
	case "give-up":
		return "Give it up"
	case "share":
		return "Share the value"
	default:
		return "Way out"
	}
}

func tabindex(first bool) string {
	if first {
		return "0"
	}
	return "-1"
}
