package survey

import (
	"net/http"
	"net/url"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/upgrade"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call/draft"
	"github.com/fieldmark/fieldmark/web/frame/page"
	shown "github.com/fieldmark/fieldmark/web/survey/census"
	"github.com/fieldmark/fieldmark/web/survey/unappliable"
)

// unappliable serves the page of objects that can't be applied any more.
func (p Pages) unappliable(w http.ResponseWriter, r *http.Request, slug string, tool web.Profile) {
	p.pass(w, r, slug, tool, func(session string, query url.Values) any {
		return p.blocked(session, slug, unappliable.ParseQuery(query))
	}, p.allBlocked, making.unappliable)
}

// allBlocked are all objects that can't be applied, in the form in which the terminal prints them.
func (p Pages) allBlocked(session string, c *cluster.Cluster, _ url.Values) (f file, ok bool) {
	all, ok := p.Censuses.Blocked(session, c.Slug())
	r := upgrade.BlockedReport{APIVersion: upgrade.APIVersion, Kind: upgrade.BlockedKind, Clusters: []upgrade.BlockedCluster{{
		Context: c.Name(), Objects: append([]upgrade.Record{}, all.Objects...), More: all.More, Findings: append([]upgrade.Finding{}, all.Findings...),
	}}}
	return file{began: all.Report.Began, document: r, table: func() string { return plain.CSV(r.Rows()) }}, ok
}

// blocked is what is known about objects that can't be applied.
func (p Pages) blocked(session, slug string, q unappliable.Query) (b shown.Body) {
	all, ok := p.Censuses.Blocked(session, slug)
	if !ok {
		return b
	}
	b.State, b.Groups = shown.StateOf(all.Report), grouped(all.Findings)
	b.Kept, b.All = len(all.Objects), len(all.Objects)+all.More
	from := min((max(q.Page, 1)-1)*unappliable.AtOnce, b.Kept)
	for _, r := range all.Objects[from:min(from+unappliable.AtOnce, b.Kept)] {
		b.Objects = append(b.Objects, objectOf(r))
	}
	return b
}

// unappliable is the page; a POST starts a pass first, or tries the ways out for an object.
func (v making) unappliable() (page.Page, error) {
	if err := v.LoadSurroundings(); err != nil {
		return nil, err
	}
	m := unappliable.Model{Query: unappliable.ParseQuery(v.Request().URL.Query())}
	var elsewhere error
	if m.Pass, m.Problem, elsewhere = v.passed(web.Unappliable); elsewhere != nil {
		return nil, elsewhere
	}
	m.Body = Pages{v.Site()}.blocked(v.Session(), v.Cluster().Slug(), m.Query)
	if m.Query.Path != "" && m.State != nil {
		m.Chosen = v.chosen(m.Query.Path)
	}
	m.Frame = v.Frame().With(m.Problem)
	return m, nil
}

// chosen is an object with its ways out, as it is now.
func (v making) chosen(path string) *unappliable.Chosen {
	p, err := apipath.Parse(path)
	c := &unappliable.Chosen{Object: shown.Object{Path: path, Name: path}}
	if err != nil || p.Kind != apipath.KindObject {
		c.Path, c.Trouble = "", "This path isn’t that of an object."
		return c
	}
	c.Name, c.Namespace, c.Type = p.Name, p.Namespace, (discovery.Type{Group: p.Group, Resource: p.Resource}).FullName()
	facts, _ := v.Site().Censuses.Facts(v.Session(), v.Cluster().Slug(), 0)
	d, known := facts.DefinitionOf(p.Group, p.Resource)
	if !known {
		c.Trouble = "Fieldmark has no definition of this type. Read the cluster again."
		return c
	}
	body, err := v.Get(path, accept.Metadata+accept.OrJSON)
	if err != nil {
		_, notice := visit.Explain(err)
		c.Trouble = notice.Title + ". " + notice.Words
		return c
	}
	o, err := object.Parse(body)
	if err != nil {
		c.Trouble = components.Sentence(err.Error())
		return c
	}
	r, blocked := d.Blocked(o.Fields, path)
	if c.Blocked = blocked; !blocked {
		return c
	}
	c.Object = objectOf(r)
	ways := r.Ways
	if v.Request().Method == http.MethodPost {
		ways = v.tried(path, ways)
	}
	for _, w := range ways {
		way := wayOf(w)
		way.Console = consoleOf(path, w)
		c.Ways = append(c.Ways, way)
	}
	if len(ways) == 0 {
		c.Trouble = "The API server refused the dry run of each way."
	}
	return c
}

// tried are the ways that may be offered after their dry runs. Nothing is stored.
func (v making) tried(path string, ways []check.Way) []check.Way {
	tried := map[string]check.Response{}
	for _, t := range check.TrialsOf(ways) {
		answer, err := v.Client().Do(v.Context(), api.Request{Method: t.Method, Path: path + "?" + dryRun(t).Encode(), ContentType: t.ContentType, Body: t.Body})
		heard := check.Response{}
		if err != nil {
			no := api.StatusOf(err)
			heard.No = &no
		} else if o, err := object.Parse(answer.Body); err == nil {
			heard.Object = o.Fields
		}
		tried[check.Key(t)] = heard
	}
	return check.Offered(ways, tried)
}

func dryRun(t check.Trial) url.Values {
	query := url.Values{"dryRun": {"All"}}
	for name, values := range t.Query {
		query[name] = values
	}
	return query
}

// consoleOf is the query of the request console with the dry run of a way; empty: the way is no request, or too long for an address.
func consoleOf(path string, w check.Way) string {
	if w.Trial == nil || len(w.Trial.Body) > web.MostInAddress {
		return ""
	}
	return draft.Draft{
		Method: w.Trial.Method, Target: path + "?" + dryRun(*w.Trial).Encode(), ContentType: w.Trial.ContentType, Body: string(w.Trial.Body),
	}.Query().Encode()
}
