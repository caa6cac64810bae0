package act

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// web is a Deployment whose number of replicas Argo CD owns.
const web = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
  uid: u1
  resourceVersion: "7"
  generation: 2
  annotations: {deployment.kubernetes.io/revision: "3"}
  managedFields:
  - {manager: argocd-controller, operation: Apply, apiVersion: apps/v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:replicas": {}, "f:template": {"f:spec": {"f:containers": {'k:{"name":"app"}': {.: {}, "f:image": {}, "f:name": {}}}}}}}}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: app, image: "shop/web:1"}
`

const autoscaler = `
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web-scaler}
spec: {minReplicas: 2, maxReplicas: 6, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
`

func TestScale(t *testing.T) {
	none := Found{scalersRead: {}}
	for name, c := range map[string]struct {
		replicas string
		found    Found
		wrong    bool
		nothing  string
		note     string
	}{
		"more":             {replicas: "5", found: none},
		"the same":         {replicas: "3", found: none, nothing: "wants 3 replicas already"},
		"as it is":         {replicas: "", found: none, wrong: true},
		"negative":         {replicas: "-1", found: none, wrong: true},
		"too many":         {replicas: "2147483648", found: none, wrong: true},
		"no number":        {replicas: "3.5", found: none, wrong: true},
		"none":             {replicas: "0", found: none, note: "no Pod runs"},
		"thousands":        {replicas: "5000", found: none, note: "5000 replicas are many"},
		"within limits":    {replicas: "5", found: Found{scalersRead: all(t, autoscaler)}, note: "web-scaler (min 2, max 6) scales this object. It writes its own number within about 15s"},
		"above the limits": {replicas: "9", found: Found{scalersRead: all(t, autoscaler)}, note: "doesn’t allow 9 replicas. It writes 6 within about 15s"},
		"below the limits": {replicas: "1", found: Found{scalersRead: all(t, autoscaler)}, note: "It writes 2 within"},
		"scaler switched":  {replicas: "0", found: Found{scalersRead: all(t, autoscaler)}, note: "it stops scaling, until somebody scales to 1 or more"},
		"not read":         {replicas: "5", note: "couldn’t read all autoscalers"},
	} {
		t.Run(name, func(t *testing.T) {
			p := planned(t, "scale", subject(t, deployments, web), c.found, Chosen{"replicas": c.replicas})
			if _, wrong := p.Wrong["replicas"]; wrong != c.wrong || !strings.Contains(p.Nothing, c.nothing) || (p.Nothing == "") != (c.nothing == "") {
				t.Fatalf("wrong: %v, nothing: %q", p.Wrong, p.Nothing)
			}
			if sends := len(p.Steps) == 1; sends != (!c.wrong && c.nothing == "") {
				t.Errorf("%d steps", len(p.Steps))
			}
			contains(t, p.say(), c.note)
		})
	}
}

func TestScaleIsAPatchOfTheSubresource(t *testing.T) {
	p := planned(t, "scale", subject(t, deployments, web), nil, Chosen{"replicas": "5"})
	step, _ := only(t, p)
	if got := step.Target(); got != "/apis/apps/v1/namespaces/shop/deployments/web/scale?fieldManager=fieldmark" {
		t.Error(got)
	}
	if got := step.DryTarget(); got != "/apis/apps/v1/namespaces/shop/deployments/web/scale?dryRun=All&fieldManager=fieldmark" || step.Request.Query.Has("dryRun") {
		t.Error(got)
	}
	if got := step.Verb() + " " + step.Resource().Subresource; got != "patch scale" {
		t.Error(got)
	}
	if got := string(step.Request.Body); got != `{"metadata":{"resourceVersion":"7","uid":"u1"},"spec":{"replicas":5}}` {
		t.Error(got)
	}
	p = planned(t, "scale", subject(t, deployments, web), nil, Chosen{"replicas": "5", "only-if": "uid"})
	if step, _ := only(t, p); string(step.Request.Body) != `{"metadata":{"uid":"u1"},"spec":{"replicas":5}}` {
		t.Error(string(step.Request.Body))
	}
}

func TestScaleTakesTheFieldFromItsOwners(t *testing.T) {
	p := planned(t, "scale", subject(t, deployments, web), nil, Chosen{"replicas": "5"})
	if got := strings.Join(losers(p, ".spec.replicas"), " "); got != "argocd-controller!" || len(p.Touches) != 1 || p.Touches[0].Old != "3" || p.Touches[0].New != "5" {
		t.Errorf("%s: %+v", got, p.Touches)
	}
	step, _ := only(t, p)
	record := ownership.Parse(step.After.Fields)
	if len(record.Entries) != 2 {
		t.Fatalf("%+v", record)
	}
	o, _ := object.Parse([]byte(asJSON(step.After.Fields)))
	if got := asJSON(fields(o.Fields, "metadata")["managedFields"]); !strings.Contains(got, `{"apiVersion":"apps/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:replicas":{}}},"manager":"fieldmark","operation":"Update","subresource":"scale","time":"2026-11-23T12:00:00Z"}`) {
		t.Error(got)
	}
	if n, _ := number(fields(o.Fields, "spec"), "replicas"); n != 5 {
		t.Errorf("%d replicas", n)
	}
	if strings.Count(asJSON(o.Fields), `"f:replicas"`) != 1 || !strings.Contains(asJSON(o.Fields), `"f:image"`) {
		t.Error(asJSON(o.Fields))
	}
}

func TestADefinitionSaysWhichFieldScales(t *testing.T) {
	farm := "apiVersion: example.com/v1\nkind: Farm\nmetadata: {name: web, uid: u2}\nspec: {pool: {size: 2}}\n"
	definition := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: farms.example.com}\n" +
		"spec: {versions: [{name: v2, subresources: {scale: {specReplicasPath: .spec.other}}}, {name: v1, subresources: {scale: {specReplicasPath: .spec.pool.size}}}]}\n"
	found := Found{definitionRead: all(t, definition)}
	p := planned(t, "scale", subject(t, custom, farm), found, Chosen{"replicas": "2"})
	contains(t, p.Nothing, "wants 2 replicas already")
	p = planned(t, "scale", subject(t, custom, farm), found, Chosen{"replicas": "4"})
	if len(p.Touches) != 1 || p.Touches[0].Path != ".spec.pool.size" {
		t.Errorf("%+v", p.Touches)
	}
}
