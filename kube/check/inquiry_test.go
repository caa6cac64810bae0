package check

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/status"
)

const webPath = "/apis/apps/v1/namespaces/shop/deployments/web"

// deployments is what discovery says about Deployments, with some verbs.
func deployments(verbs ...string) Served {
	return Served{Type: discovery.Type{Group: "apps", Version: "v1", Resource: "deployments", Kind: "Deployment", Namespaced: true, Verbs: verbs}}
}

// The requests about the Deployment, as lines of sent. The body of a dry run follows.
const (
	getWeb   = "GET " + webPath
	patchWeb = "PATCH " + webPath + "?dryRun=All&fieldManager=me&fieldValidation=Warn "
	forceWeb = "PATCH " + webPath + "?dryRun=All&fieldManager=me&fieldValidation=Warn&force=true "
)

// sent are the requests of an inquiry until it has none. Refusals are by the number of the request; all others succeed with the live object.
func sent(t *testing.T, q *Inquiry, refusals map[int]*status.Status) (lines []string) {
	t.Helper()
	for {
		ask, asks := q.Next()
		if !asks {
			return lines
		}
		lines = append(lines, strings.TrimSpace(ask.Method+" "+ask.Target()+" "+string(ask.Body)))
		r := Response{No: refusals[len(lines)-1]}
		if r.No == nil {
			r.Object = parse(t, web(`{"replicas":3,"selector":{"matchLabels":{"app":"old"}}}`, `ada Apply apps/v1 {"f:spec":{"f:replicas":{}}}`))
		}
		q.Take(r)
	}
}

func textOf(source.Document) ([]byte, error) { return []byte("text"), nil }

func TestWhatACheckAsks(t *testing.T) {
	contested := conflict(`.spec.replicas "ada" using apps/v1`)
	for name, c := range map[string]struct {
		text     string
		of       Served
		plan     Plan
		refusals map[int]*status.Status
		want     []string
	}{
		"a change":                     {plan: Plan{Manager: "me"}, want: []string{getWeb, patchWeb + "text"}},
		"a new object":                 {plan: Plan{Manager: "me"}, refusals: map[int]*status.Status{0: notFound}, want: []string{getWeb, patchWeb + "text"}},
		"a conflict":                   {plan: Plan{Manager: "me"}, refusals: map[int]*status.Status{1: contested}, want: []string{getWeb, patchWeb + "text", forceWeb + "text"}},
		"a conflict of writers":        {plan: Plan{Manager: "me"}, refusals: map[int]*status.Status{1: no(409, status.Conflict, "the object has been modified")}, want: []string{getWeb, patchWeb + "text"}},
		"with force":                   {plan: Plan{Manager: "me", Force: true}, want: []string{getWeb, forceWeb + "text"}},
		"with force, a conflict":       {plan: Plan{Manager: "me", Force: true}, refusals: map[int]*status.Status{1: contested}, want: []string{getWeb, forceWeb + "text"}},
		"no manager yet":               {want: []string{getWeb}},
		"a type that isn't served":     {of: Served{}, plan: Plan{Manager: "me"}},
		"nobody knows":                 {of: Served{No: no(502, "", "slow")}, plan: Plan{Manager: "me"}},
		"a type that can't be patched": {of: deployments("get", "create"), plan: Plan{Manager: "me"}},
		"a made-up name":               {text: strings.Replace(deployment, "name:", "generateName:", 1), plan: Plan{Manager: "me"}},
		"not a manifest":               {text: "- a\n- b\n", plan: Plan{Manager: "me"}},
		"a way out": {
			text: selects, plan: Plan{Manager: "me"}, refusals: map[int]*status.Status{1: no(422, status.Invalid, "is invalid", status.Cause{Field: "spec.selector", Message: "Invalid value: field is immutable"})},
			want: []string{getWeb, patchWeb + "text", forceWeb + `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop"},"spec":{"replicas":3,"selector":{"matchLabels":{"app":"old"}}}}`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if c.text == "" {
				c.text = deployment + "  replicas: 4\n"
			}
			if c.want != nil {
				c.of = deployments()
			}
			c.plan.Body = textOf
			q := c.plan.Inquire(documents("web.yaml", c.text)[0], c.of)
			if got := sent(t, q, c.refusals); !slices.Equal(got, c.want) {
				t.Errorf("sent\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			if path, known := q.Path(); known != (c.want != nil) || known && path.String() != webPath {
				t.Error(path, known)
			}
		})
	}
}

// Without a manager, all live objects are read first. Of many, some are read again, so that memory stays bounded.
func TestASurveyChoosesTheManager(t *testing.T) {
	p, asAda := Plan{Body: textOf}, strings.Replace(patchWeb, "=me", "=ada", 1)+"text"
	var all []*Inquiry
	for range mostKept + 1 {
		q := p.Inquire(documents("web.yaml", deployment+"  replicas: 3\n")[0], deployments())
		all = append(all, q)
		if got := sent(t, q, nil); len(got) != 1 || !p.Surveys() {
			t.Fatal(got)
		}
		p.Count(q)
	}
	if c := p.Choose(); c.Manager != "ada" || p.Manager != "ada" || c.Owns != mostKept+1 || p.Surveys() {
		t.Errorf("%+v, %+v", c, p)
	}
	if got, want := sent(t, all[0], nil), []string{asAda}; !slices.Equal(got, want) {
		t.Error(got)
	}
	if got, want := sent(t, all[mostKept], nil), []string{getWeb, asAda}; !slices.Equal(got, want) {
		t.Error(got)
	}
	if found := all[mostKept].Judge(); len(found) != 0 || all[mostKept].in.Live.Object != nil {
		t.Errorf("%+v", found)
	}
}

func TestWhatCannotBeWritten(t *testing.T) {
	p := Plan{Manager: "me", Body: func(source.Document) ([]byte, error) { return nil, errors.New("no JSON") }}
	q := p.Inquire(documents("web.yaml", deployment)[0], deployments())
	if got := sent(t, q, nil); len(got) != 1 || fmt.Sprint(q.Err) != "no JSON" {
		t.Error(got, q.Err)
	}
}

// The types are often looked up after the documents were read. Documents about one object without a namespace are still compared with each other.
func TestDocumentsWithoutNamespacesAreComparedWithEachOther(t *testing.T) {
	all := documents("f", "apiVersion: v1\nkind: Namespace\nmetadata: {name: a, labels: {x: y}}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n")
	for i := range all {
		all[i].Namespace = "default"
	}
	for _, known := range []bool{false, true} {
		for i := range all {
			all[i].Clustered = known
		}
		p := Plan{Manager: "me", Contents: ContentsOf(all), Body: textOf}
		q := p.Inquire(all[1], Served{Type: discovery.Type{Version: "v1", Resource: "namespaces", Kind: "Namespace"}})
		for _, r := range []Response{{No: notFound}, {Object: parse(t, `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a"}}`)}} {
			q.Next()
			q.Take(r)
		}
		found := q.Judge()
		if len(found) == 0 || found[0].Kind != Pruned || found[0].Path != ".metadata.labels.x" || found[0].Object.Namespace != "" {
			t.Errorf("scope known before: %t: %+v", known, found)
		}
	}
}
