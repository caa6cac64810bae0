package run

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/components"
	plans "github.com/fieldmark/fieldmark/kube/act"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/run/act"
)

// readAtOnce is how many requests for a page of acts are under way at the same time.
const readAtOnce = 8

// act is the page of acts on one object or several. The server requests the objects, and what the plans of the chosen act need. The browser sends
// the requests of the plans.
func (v making) act() (page.Page, error) {
	query := act.ParseQuery(v.Request().URL.Query())
	targets := make([]act.Target, len(query.Paths))
	if len(targets) == 1 {
		v.Path = ObjectAt(query.Paths[0])
	}
	switch {
	case len(targets) == 0 || len(targets) == 1 && v.Path.Kind != apipath.KindObject:
		return nil, v.NoPath(v.Request().URL.Query().Get(web.ActPath))
	case len(targets) == 1:
		a, err := v.About("get")
		if err != nil {
			return nil, err
		}
		targets[0] = act.Target{Path: a.Path, Type: a.Type, Object: a.Object, At: v.Now()}
	default:
		if err := v.LoadSurroundings(func() { v.readTargets(query.Paths, targets) }); err != nil {
			return nil, err
		}
	}
	v.readFor(query.Act, targets)
	switch query.Act {
	case "scale":
		v.WithoutTypes(v.Catalog(), feature.Autoscalers)
	case "drain":
		v.WithoutTypes(v.Catalog(), feature.Budgets)
	}
	if len(targets) == 1 {
		v.Title = fmt.Sprintf("Acts on %s", targets[0].Path.Name)
	}
	v.Path = apipath.Path{Namespace: targets[0].Path.Namespace}
	return act.Model{Frame: v.Frame(), Query: query, Targets: targets, Practice: v.Cluster().Origin() == cluster.FromPractice, Now: v.Now()}, nil
}

// ObjectAt is the path of an object; without a kind if the text isn't one.
func ObjectAt(text string) apipath.Path {
	path, err := apipath.Parse(text)
	if err != nil || path.Kind != apipath.KindObject {
		return apipath.Path{}
	}
	return path
}

// targetAt is one of several targets, without its object. If there can't be one, the target has a problem, and the others are shown.
func (v making) targetAt(text string) act.Target {
	t := act.Target{Path: ObjectAt(text), At: v.Now()}
	if t.Path.Kind != apipath.KindObject {
		t.Problem = &components.Notice{Tone: components.Warn, Title: "This isn’t the path of an object", Words: fmt.Sprintf("%q", text)}
		return t
	}
	kind, known, err := v.Cluster().Type(v.Context(), v.Client(), t.Path.Group, t.Path.Version, t.Path.Resource)
	if err == nil && !known {
		if catalog, err := v.Cluster().Catalog(v.Context(), v.Client()); err == nil {
			if _, t.Problem = v.Unread(catalog, t.Path.Group, t.Path.Version); t.Problem != nil {
				return t
			}
		}
		t.Problem = &components.Notice{Tone: components.Warn, Title: "The API server doesn’t serve this resource type", Words: t.Path.String()}
		return t
	}
	t.Type = kind
	if err != nil {
		_, notice := visit.Explain(err)
		t.Problem = &notice
	}
	return t
}

// read reads the object of a target.
func (v making) read(t act.Target) act.Target {
	raw, err := v.ReadObject(t.Path.String())
	if err == nil && t.Path.OfSecrets() && !raw.IsSecret() {
		err = errors.New("the response at the path of a Secret is not a Secret, so Fieldmark doesn’t show the response")
	}
	if err != nil {
		_, notice := visit.Explain(err)
		t.Problem = &notice
		return t
	}
	t.Object = raw.Masked()
	return t
}

// readFor requests what the plans of an act need. Plans of several objects often need the same.
func (v making) readFor(name string, targets []act.Target) {
	type want struct {
		target string
		result plans.Result
	}
	var wants []*want
	byTarget := map[string]*want{}
	for i, t := range targets {
		a, ok := plans.Find(t.Type, name)
		if !ok || t.Problem != nil {
			continue
		}
		targets[i].Found = plans.Found{}
		for _, r := range a.Reads(t.Subject()) {
			if byTarget[r.Target()] == nil {
				byTarget[r.Target()] = &want{target: r.Target()}
				wants = append(wants, byTarget[r.Target()])
			}
		}
	}
	inParallel(len(wants), func(i int) { wants[i].result = v.result(wants[i].target) })
	for _, t := range targets {
		if a, ok := plans.Find(t.Type, name); ok && t.Problem == nil {
			for _, r := range a.Reads(t.Subject()) {
				t.Found[r.Name] = byTarget[r.Target()].result
			}
		}
	}
}

// result is the response to a request that a plan needs.
func (v making) result(target string) plans.Result {
	answer, err := v.Client().Do(v.Context(), api.Request{Path: target, MaxBytes: visit.MaxObject})
	if err != nil {
		_, notice := visit.Explain(err)
		return plans.Result{No: &status.Status{Code: http.StatusBadGateway, Message: notice.Title + ". " + notice.Words}}
	}
	r, err := act.ReadResult(answer.Body)
	if err != nil {
		r.No = &status.Status{Code: http.StatusBadGateway, Message: err.Error()}
	}
	return r
}

// inParallel calls a function for each index, for a few at the same time.
func inParallel(n int, do func(i int)) {
	next := make(chan int, n)
	for i := range n {
		next <- i
	}
	close(next)
	var wg rescue.Group
	for range min(n, readAtOnce) {
		wg.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	wg.Wait()
}
