package survey

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/migrate"
	"github.com/fieldmark/fieldmark/kube/migrate/planning"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call/draft"
	"github.com/fieldmark/fieldmark/web/frame/page"
	shown "github.com/fieldmark/fieldmark/web/survey/census"
	plan "github.com/fieldmark/fieldmark/web/survey/migrate"
	"github.com/fieldmark/fieldmark/words"
)

// planTime bounds the time for the dry runs of one page.
const planTime = 30 * time.Second

// migrate serves the page with the plan for moving to server-side apply.
func (p Pages) migrate(w http.ResponseWriter, r *http.Request, slug string, tool web.Profile) {
	p.pass(w, r, slug, tool, func(session string, query url.Values) any {
		b, _ := p.owned(session, slug, plan.ParseQuery(query))
		return b
	}, nil, making.migrate)
}

// owned is what is known about owners, and the objects of a page about one of them.
func (p Pages) owned(session, slug string, q plan.Query) (b shown.Body, objects []planning.Listed) {
	all, ok := p.Censuses.Owned(session, slug, q.Owner)
	if !ok {
		return b, nil
	}
	b.State = shown.StateOf(all.Report)
	for i, o := range all.Owners {
		key := planning.OwnerKey(o.Owner)
		if key == q.Owner {
			b.All = o.Objects
		}
		if i < plan.MostOwners || key == q.Owner {
			b.Owners = append(b.Owners, shown.Owner{Key: key, Tool: o.Owner.Tool.Words(), Name: o.Owner.Key(), Objects: o.Objects, Done: o.Done})
		}
	}
	b.MoreOwners, b.Kept = len(all.Owners)-len(b.Owners), len(all.Objects)
	from := min((q.Number()-1)*plan.AtOnce, b.Kept)
	objects = all.Objects[from:min(from+plan.AtOnce, b.Kept)]
	for _, o := range objects {
		b.Objects = append(b.Objects, listedOf(o))
	}
	return b, objects
}

// listedOf is an object with the older entries of its owner.
func listedOf(o planning.Listed) shown.Object {
	s := shown.Object{Path: o.Path, Type: o.Type.FullName(), Namespace: o.Namespace, Name: o.Name, Entries: entriesIn(o.Owner.Older), Manager: o.Owner.Manager}
	if len(o.Owner.Older) > 0 {
		s.Manager = o.Owner.Older[0].Name
	}
	return s
}

func entriesIn(all []manager.Manager) string {
	var named []string
	for _, m := range all {
		named = append(named, m.Words())
	}
	return strings.Join(named, ", ")
}

// migrate is the page; a POST starts a pass first, or predicts.
func (v making) migrate() (page.Page, error) {
	if err := v.LoadSurroundings(); err != nil {
		return nil, err
	}
	m := plan.Model{Query: plan.ParseQuery(v.Request().URL.Query())}
	var elsewhere error
	if m.Pass, m.Problem, elsewhere = v.passed(web.Migrate); elsewhere != nil {
		return nil, elsewhere
	}
	var objects []planning.Listed
	m.Body, objects = Pages{v.Site()}.owned(v.Session(), v.Cluster().Slug(), m.Query)
	m.Helm = slices.ContainsFunc(objects, func(o planning.Listed) bool {
		return o.Owner.Tool == migrate.Helm || o.Owner.Tool == migrate.FluxHelm
	})
	if act := v.Request().PostFormValue(shown.FieldAct); v.Request().Method == http.MethodPost && (act == plan.Predict || act == plan.PredictStored) && len(objects) > 0 {
		m.Plan = v.planned(objects, act == plan.PredictStored)
	}
	m.Frame = v.Frame().With(m.Problem)
	return m, nil
}

// errUnserved says that no type has the kind of a manifest.
var errUnserved = errors.New("the cluster doesn’t serve this type")

// planned predicts the first server-side apply of some objects of one owner.
func (v making) planned(objects []planning.Listed, stored bool) *plan.Plan {
	ctx, stop := context.WithTimeout(v.Context(), planTime)
	defer stop()
	asker := visit.NewAsker(ctx, v.Visit)
	catalog := v.Catalog()
	read := func(ctx context.Context, target, accept string) ([]byte, *status.Status) {
		answer, err := v.Client().Do(ctx, api.Request{Path: target, Accept: accept})
		if err != nil {
			no := api.StatusOf(err)
			return nil, &no
		}
		return answer.Body, nil
	}
	p := planning.New(catalog, planning.Send{
		Get: read,
		Ask: func(_ context.Context, a check.Ask) (check.Response, error) { return asker.Send(a), ctx.Err() },
		Type: func(k schema.Kind) (discovery.Type, error) {
			if t, served := catalog.Kind(k.Group, k.Version, k.Kind); served {
				return t, nil
			}
			return discovery.Type{}, errUnserved
		},
		Schema: func(_ context.Context, k schema.Kind) *schema.Schema { return asker.Schema(k) },
	}, nil)
	made := &plan.Plan{Stored: stored}
	for _, o := range objects {
		body, no := read(ctx, o.Path, accept.Metadata+accept.OrJSON)
		if no != nil {
			p.Missing = append(p.Missing, o.Type.FullName()+" "+o.Name+" can’t be read: "+components.Sentence(no.String()))
			continue
		}
		p.Take(o.Type, body)
	}
	if n := len(objects) - len(p.Missing) - len(p.Candidates); n > 0 {
		p.Missing = append(p.Missing, words.Count(int64(n), "object has", "objects have")+" nothing left to move. Read the cluster again to update the list.")
	}
	p.ReadOptions(ctx)
	if stored {
		v.readReleases(ctx, p)
	}
	rules, _ := check.BuiltIn()
	all := make([]migrate.Object, len(p.Candidates))
	asker.Each(len(p.Candidates), func(at int) { all[at] = p.Predict(ctx, p.Candidates[at], rules, v.Now()) })
	made.Parts, made.Missing = partsOf(all, objects), p.Missing
	return made
}

// readReleases reads the releases that the candidates name, which is one, unless a tool of the cluster has moved objects between releases.
func (v making) readReleases(ctx context.Context, p *planning.Planning) {
	done := map[string]bool{}
	for _, c := range p.Candidates {
		release := migrate.ReleaseOf(c.Meta)
		if release == "" || done[release] {
			continue
		}
		done[release] = true
		if path := v.Site().Censuses.Release(v.Session(), v.Cluster().Slug(), release); path != "" {
			p.ReadRelease(ctx, path)
		} else {
			p.Missing = append(p.Missing, "The stored release "+release+" wasn’t found. Either you can’t list Secrets in its namespace, or Helm stores releases elsewhere.")
		}
	}
}

var verdictTones = map[migrate.Verdict]components.Tone{migrate.Breaks: components.Bad, migrate.Decision: components.Warn, migrate.Safe: components.Good}

// partsOf is a plan by verdict, in the order of a plan.
func partsOf(all []migrate.Object, listed []planning.Listed) (parts []plan.Part) {
	migrate.Sort(all)
	for i, o := range all {
		if i == 0 || o.Verdict != all[i-1].Verdict {
			parts = append(parts, plan.Part{Title: o.Verdict.Title(), Tone: verdictTones[o.Verdict]})
		}
		at := slices.IndexFunc(listed, func(l planning.Listed) bool {
			return l.Type.FullName() == o.Type && l.Namespace == o.Namespace && l.Name == o.Name
		})
		path := ""
		if at >= 0 { // else the API server called the object otherwise than in its list
			path = listed[at].Path
		}
		last := &parts[len(parts)-1]
		last.Objects = append(last.Objects, predictionOf(o, path))
	}
	return parts
}

func predictionOf(o migrate.Object, path string) plan.Object {
	s := plan.Object{
		Object:   shown.Object{Path: path, Type: o.Type, Namespace: o.Namespace, Name: o.Name, Manager: o.Owner.Manager, Entries: entriesIn(o.Owner.Older)},
		Manifest: o.Manifest.Words(), Why: o.Why, More: max(0, len(o.Fields)-plan.MostFields),
	}
	for _, f := range o.Findings {
		if f.Expected == nil {
			s.Findings = append(s.Findings, checkOf(f))
		}
	}
	for _, f := range o.Fields[:len(o.Fields)-s.More] {
		s.Fields = append(s.Fields, plan.Field{Path: f.Path, Before: entriesIn(f.Before), After: entriesIn(f.After), Gone: f.Gone})
	}
	for _, w := range o.Steps {
		way := shown.Way{Title: migrate.WayTitle(w), Text: w.Text}
		if w.Way == migrate.WayPreview {
			way.Console = previewOf(o.Preview)
		}
		s.Steps = append(s.Steps, way)
	}
	return s
}

func checkOf(f check.Finding) plan.Finding {
	s := plan.Finding{Kind: f.Kind.About().Title, Path: f.Path, Why: f.Why, Tone: tones[f.Kind.About().Severity]}
	if s.Tone == "" {
		s.Tone = components.Calm
	}
	if len(f.Owners) > 0 {
		s.Owners = manager.Names(f.Owners)
	}
	for _, w := range f.Ways {
		way := wayOf(w)
		way.Title = migrate.WayTitle(w)
		s.Ways = append(s.Ways, way)
	}
	return s
}

// previewOf is the query of the request console with a dry run; empty: there is none, or it is too long for an address.
func previewOf(a *check.Ask) string {
	if a == nil || len(a.Body) > web.MostInAddress {
		return ""
	}
	return draft.Draft{Method: a.Method, Target: a.Target(), ContentType: a.ContentType, Body: string(a.Body)}.Query().Encode()
}
