package survey

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/census/reading"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/upgrade"
	"github.com/fieldmark/fieldmark/kube/upgrade/gather"
	"github.com/fieldmark/fieldmark/server/census"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	shown "github.com/fieldmark/fieldmark/web/survey/census"
	"github.com/fieldmark/fieldmark/words"
)

// pass serves a page about the session's pass over a cluster, and starts or stops the pass. Both change only the state of this server. body is what the
// page shows of it, as far as it is known. files are its exports; nil: it has none.
func (p Pages) pass(w http.ResponseWriter, r *http.Request, slug string, tool web.Profile, body func(session string, query url.Values) any, files func(session string, c *cluster.Cluster, query url.Values) (file, bool), of func(making) (page.Page, error)) {
	c, known := p.ClustersOf(r).Get(slug)
	switch {
	case known && r.Header.Get("Accept") == shown.MediaType:
		p.SendJSON(w, r, shown.MediaType, body(p.Session(r), r.URL.Query()))
	case known && r.Method == http.MethodPost && r.PostFormValue(shown.FieldAct) == shown.Stop:
		p.Censuses.Stop(p.Session(r), slug)
		http.Redirect(w, r, here(r, slug, tool), http.StatusSeeOther)
	case known && files != nil && r.Method == http.MethodGet && r.URL.Query().Has(shown.FieldExport):
		p.export(w, r, tool, c, files)
	default:
		p.Page(w, r, slug, apipath.Path{}, tool, maker(of))
	}
}

// here is the address of the page of a request.
func here(r *http.Request, slug string, tool web.Profile) string {
	return web.WithQuery(web.Tool(slug, tool.Tool()), r.URL.Query())
}

// passed is what a page of a pass knows besides the body. If the reader started a pass, the error leads to the page of it.
func (v making) passed(tool string) (p shown.Pass, problem *components.Notice, elsewhere error) {
	p = shown.Pass{At: v.Now(), Types: len(reading.TypesOf(v.Catalog(), nil)), Others: gather.Requests}
	if v.Request().Method != http.MethodPost || v.Request().PostFormValue(shown.FieldAct) != shown.Start {
		if found, ok := v.Site().Censuses.Show(v.Session(), v.Cluster().Slug()); ok {
			p.Namespaces = strings.Join(found.Namespaces, ", ")
		}
		return p, nil, nil
	}
	p.Namespaces = v.Request().PostFormValue(shown.FieldNamespaces)
	err := v.startCensus(p.Namespaces)
	if err == nil {
		return p, nil, visit.Elsewhere(web.WithQuery(web.Tool(v.Cluster().Slug(), tool), v.Request().URL.Query()))
	}
	v.Code, problem = unstarted(err, "Fieldmark didn’t read the cluster")
	return p, problem, nil
}

func (v making) startCensus(named string) error {
	var namespaces []string
	for _, n := range strings.FieldsFunc(named, func(c rune) bool { return c == ',' || c == ' ' || c == ';' }) {
		if !isName(n) {
			return badForm{fmt.Sprintf("%q is not a valid name of a namespace", n)}
		}
		if !slices.Contains(namespaces, n) {
			namespaces = append(namespaces, n)
		}
	}
	return v.Site().Censuses.Start(v.Session(), v.Cluster().Slug(), census.Plan{Catalog: v.Catalog(), Namespaces: namespaces, Context: v.Cluster().Name()})
}

// Bounds of the findings of a page.
const (
	mostOfKind   = 20
	mostFindings = 60
	mostNotes    = 200
)

var tones = map[check.Severity]components.Tone{check.Grave: components.Bad, check.Serious: components.Warn, check.Moderate: components.Warn}

// grouped are findings as a page shows them. Types that couldn't be read are one finding.
func grouped(all []upgrade.Finding) []shown.Group {
	var groups []shown.Group
	room := mostFindings
	for _, k := range upgrade.Kinds() {
		of := slices.DeleteFunc(slices.Clone(all), func(f upgrade.Finding) bool { return f.Kind != k })
		about := k.About()
		g := shown.Group{Kind: string(k), Tone: cmp.Or(tones[about.Severity], components.Calm), Title: about.Title, Means: about.Means, Do: about.Do}
		if k == upgrade.Unread {
			of, g.Findings = unlisted(of)
		}
		g.All = len(of) + len(g.Findings)
		for _, f := range of[:min(len(of), mostOfKind, room)] {
			g.Findings = append(g.Findings, findingOf(f))
			room--
		}
		if g.All > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// unlisted makes one finding of all types that couldn't be read, and returns the other findings.
func unlisted(all []upgrade.Finding) (others []upgrade.Finding, one []shown.Finding) {
	var types []upgrade.Finding
	for _, f := range all {
		if f.Type != "" {
			types = append(types, f)
		} else {
			others = append(others, f)
		}
	}
	if len(types) < 2 {
		return all, nil
	}
	f := shown.Finding{About: words.Count(int64(len(types)), "type", "types"), Why: "Fieldmark didn’t read all of their objects, so findings about them are missing."}
	for _, t := range types[:min(len(types), mostNotes)] {
		f.Notes = append(f.Notes, t.Type+": "+t.Why)
	}
	if more := len(types) - mostNotes; more > 0 {
		f.Notes = append(f.Notes, "and "+words.Count(int64(more), "more type", "more types"))
	}
	return others, []shown.Finding{f}
}

func findingOf(f upgrade.Finding) shown.Finding {
	s := shown.Finding{About: aboutOf(f), Type: f.Type, APIVersion: f.APIVersion, Why: f.Why}
	if f.Manager.Operation != "" {
		s.Manager = &f.Manager.Name
	}
	for _, w := range f.Ways {
		s.Ways = append(s.Ways, wayOf(w))
	}
	return s
}

// aboutOf is what a finding is about. What couldn't be read begins with a capital letter, because it is in words. Names of objects stay as they are.
func aboutOf(f upgrade.Finding) string {
	about := f.About()
	if f.Kind != upgrade.Unread || f.Type != "" || about == "" {
		return about
	}
	return strings.ToUpper(about[:1]) + about[1:]
}

// wayOf is a way as a page shows it.
func wayOf(w check.Way) shown.Way {
	s := shown.Way{Title: upgrade.WayTitle(w), Text: w.Text}
	switch {
	case w.NotTried:
		s.Tried, s.Tone = "not tried", components.Calm
	case w.Trial != nil:
		s.Tried, s.Tone = "the dry run passed", components.Good
	}
	return s
}

// entriesOf says which entries block an object.
func entriesOf(r upgrade.Record) string {
	var all []string
	for _, m := range r.Managers {
		all = append(all, fmt.Sprintf("%s in %s", m.Words(), m.APIVersion))
	}
	return strings.Join(all, ", ")
}

func objectOf(r upgrade.Record) shown.Object {
	o := shown.Object{Path: r.Path, Type: r.Type, Namespace: r.Namespace, Name: r.Name, Entries: entriesOf(r)}
	if len(r.Managers) > 0 {
		o.Manager = r.Managers[0].Name
	}
	if !r.Last.IsZero() {
		o.Last = r.Last.Unix()
	}
	return o
}
