package promises

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// place is where steps happen: one namespace that both sides look at, or a namespace for each.
type place struct {
	*parity
	direct, through string // namespaces
}

// namespace makes a namespace for both sides.
func (p *parity) namespace(t *testing.T, name string) place {
	t.Helper()
	full := fmt.Sprintf("parity-%s-%s", p.run, name)
	p.makeNamespace(t, full)
	return place{p, full, full}
}

// twins makes a namespace for each side, for steps that can be done only once. Their names are equally long, so that
// tables are equally wide.
func (p *parity) twins(t *testing.T, name string) place {
	t.Helper()
	full := fmt.Sprintf("parity-%s-%s", p.run, name)
	pl := place{p, full + "-1", full + "-2"}
	p.makeNamespace(t, pl.direct)
	p.makeNamespace(t, pl.through)
	return pl
}

// makeNamespace waits until the controllers have put into it what they put into every namespace.
func (p *parity) makeNamespace(t *testing.T, name string) {
	t.Helper()
	manifest := fmt.Sprintf("{apiVersion: v1, kind: Namespace, metadata: {name: %s, labels: {parity: %q}}}", name, p.run)
	p.must(t, p.direct, "", step{args: "create -f -", in: manifest})
	// kubectl wait --for=create gives up on a second object that is not there when it looks, so it is asked again and again.
	get := step{args: "get serviceaccount/default configmap/kube-root-ca.crt"}
	for end := time.Now().Add(patience); p.call(t.Context(), p.direct, name, get).code != 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: its service account and root certificate are not there in time", name)
		}
	}
	t.Cleanup(func() { // it goes while other parts are tested; the end of all waits for it
		p.call(context.Background(), p.direct, "", step{args: "delete namespace --wait=false " + name})
	})
}

// prepare does something in every namespace of the place, on the direct way.
func (pl place) prepare(t *testing.T, s step) {
	t.Helper()
	pl.must(t, pl.parity.direct, pl.direct, s)
	if pl.through != pl.direct {
		pl.must(t, pl.parity.direct, pl.through, s)
	}
}

// stage fills the namespace that is only looked at.
func (p *parity) stage(t *testing.T) {
	t.Helper()
	p.shared = p.namespace(t, "shared")
	p.shared.prepare(t, step{args: "apply -f -", in: strings.ReplaceAll(sights, "{run}", p.run)})
	p.shared.prepare(t, step{args: "patch promotion sale --subresource=status --type=merge -p {\"status\":{\"redemptions\":7}}"})
	p.shared.prepare(t, step{args: "rollout status deployment/web --timeout=60s"})
	p.shared.prepare(t, step{args: "wait --for=condition=Ready pod/one pod/desk --timeout=60s"})
	for _, name := range []string{"one", "nowhere", "web"} {
		p.shared.until(t, "get events -o name --field-selector involvedObject.name="+name, "event/")
	}
}

// sights is what there is to look at.
const sights = `
{apiVersion: v1, kind: ConfigMap, metadata: {name: apple, labels: {tier: a, parity: "{run}"}}, data: {colour: green}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: banana, labels: {tier: a, parity: "{run}"}}, data: {colour: yellow, shape: "bent: ½\n"}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: cherry, labels: {tier: b, parity: "{run}"}}, data: {colour: red}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: date, labels: {tier: b}}, binaryData: {seed: AAEC/w==}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: elder}}
---
{apiVersion: v1, kind: Secret, metadata: {name: hidden}, stringData: {word: sesame}}
---
{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}, ports: [{name: http, port: 80, targetPort: 8080}]}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 0
      containers: [{name: app, image: example.com/web:1, ports: [{containerPort: 8080}]}]
---
apiVersion: v1
kind: Pod
metadata: {name: one, labels: {app: one}}
spec:
  terminationGracePeriodSeconds: 0
  containers:
    - {name: main, image: example.com/one:1, command: [cat], stdin: true, ports: [{containerPort: 80}, {containerPort: 81}], env: [{name: WORD, valueFrom: {secretKeyRef: {name: hidden, key: word}}}]}
    - {name: side, image: example.com/two:1}
---
{apiVersion: v1, kind: Pod, metadata: {name: desk}, spec: {terminationGracePeriodSeconds: 0, containers: [{name: main, image: "example.com/one:1", command: [cat], stdin: true}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: nowhere}
spec:
  nodeSelector: {no-such: node}
  containers: [{name: main, image: example.com/one:1}]
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: "two+two:=&?#½@parity-{run}-shared"}, rules: []}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: "tea;pot"}, rules: []}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: "back\\slash"}, rules: []}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: "two\nlines"}, rules: []}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: "a?b#c"}, rules: []}
---
{apiVersion: shop.example.com/v1, kind: Promotion, metadata: {name: sale}, spec: {discountPercent: 20, active: true, products: [pots, pans]}}
`
