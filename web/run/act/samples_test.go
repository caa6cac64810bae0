package act

import (
	"testing"

	plans "github.com/fieldmark/fieldmark/kube/act"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	notice := s.Notice()
	p := apipath.Object("apps", "v1", "shop", "deployments", "web")
	scalable := discovery.Type{
		Group: "apps", Version: "v1", Resource: "deployments", Kind: s.String(), Namespaced: true, Verbs: []string{"get", "patch", "watch"},
		Subresources: []discovery.Subresource{{Name: "scale", Kind: "Scale", Verbs: []string{"patch"}}},
	}
	one := Target{Path: p, Type: scalable, Object: s.Owned(), At: pagetest.Now, Found: plans.Found{"scalers": {No: &status.Status{Code: 403, Message: s.String()}}}}
	lost := Target{Path: p, Problem: &notice, At: pagetest.Now}
	scale := Model{Frame: page.Frame{Kind: Kind, Shell: s.Shell(apipath.Path{})}, Query: Query{Act: "scale", Paths: []string{p.String()}, Chosen: plans.Chosen{"replicas": "4", s.String(): s.String()}}, Targets: []Target{one}, Now: pagetest.Now}
	scale.Shell.ReadOnly = false
	wrong, unknown, several := scale, scale, scale
	wrong.Query.Chosen = plans.Chosen{"replicas": s.String()}
	unknown.Query.Act = s.String()
	several.Targets, several.Query.Paths, several.Query.More = []Target{one, lost, one}, []string{p.String(), s.String(), p.String() + "x"}, 3
	readOnly, removing := several, several
	readOnly.Shell.ReadOnly = true
	deletable := one
	deletable.Type.Verbs = append([]string{"delete"}, one.Type.Verbs...)
	removing.Query.Act, removing.Query.Chosen, removing.Targets = "delete", plans.Chosen{}, []Target{deletable, deletable}
	forbidden := page.Response{ID: "act 1", Status: 201, Body: []byte(`{"kind":"SelfSubjectAccessReview","status":{"allowed":false,"reason":` + s.Quoted() + `}}`)}
	back := scale
	back.Query.Act, back.Query.Chosen = "rollback", plans.Chosen{}
	uid := one.Object.Meta("uid")
	owned := func(revision string) object.Object {
		return object.Object{Fields: map[string]any{
			"metadata": map[string]any{
				"annotations": map[string]any{"deployment.kubernetes.io/revision": revision, "kubernetes.io/change-cause": s.String()}, "creationTimestamp": "2026-11-20T10:00:00Z",
				"ownerReferences": []any{map[string]any{"uid": uid, "controller": true}},
			},
			"spec": map[string]any{"template": map[string]any{"spec": map[string]any{"containers": []any{map[string]any{"name": "app", "image": "app:" + revision}}}}},
		}}
	}
	back.Targets = []Target{one}
	back.Targets[0].Found = plans.Found{"revisions": {Objects: []object.Object{owned("2"), owned("1")}}}
	refusal := page.Response{ID: "act 2", Status: 409, Body: []byte(`{"kind":"Status","code":409,"message":` + s.Quoted() + `}`)}
	tried := []page.Msg{page.Response{ID: "act 2", Status: 200, Body: []byte(`{"kind":"Scale","metadata":{"name":` + s.Quoted() + `}}`)}, page.Acted{Action: "send"}}
	return map[string]page.Page{
		"in acts":                  scale,
		"in acts, a wrong option":  wrong,
		"in acts, an unknown act":  unknown,
		"in acts, several":         several,
		"in acts, roll back":       back,
		"in acts, read only":       pagetest.Live(readOnly),
		"in acts, not allowed":     pagetest.Live(several, forbidden),
		"in acts, delete several":  pagetest.Live(removing),
		"in acts, alive":           pagetest.Live(scale),
		"in acts, alive, several":  pagetest.Live(several),
		"in acts, refused":         pagetest.Live(scale, refusal),
		"in acts, before they act": pagetest.Live(scale, tried...),
	}
}
