package promises

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	contested = "/apis/apps/v1/namespaces/contest/deployments/contested"
	webhook   = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/never"
)

// entries are an object's managedFields.
func (p *program) entries(t *testing.T, path string) ([]metav1.ManagedFieldsEntry, error) {
	t.Helper()
	got, err := p.request(t, admin, http.MethodGet, path, "application/json", "")
	if err != nil {
		return nil, err
	}
	var object metav1.PartialObjectMetadata
	if err := json.Unmarshal(got.body, &object); err != nil || got.code != http.StatusOK {
		return nil, fmt.Errorf("%d %w: %s", got.code, err, got.body)
	}
	return object.ManagedFields, nil
}

// writes waits until an object's managedFields say that someone wrote a field.
func (p *program) writes(t *testing.T, path, manager string, operation metav1.ManagedFieldsOperationType, subresource, field string) {
	t.Helper()
	eventually(t, fmt.Sprintf("%s owns %s", manager, field), func() error {
		entries, err := p.entries(t, path)
		for _, e := range entries {
			if e.Manager == manager && e.Operation == operation && e.Subresource == subresource && strings.Contains(e.FieldsV1.GetRawString(), field) {
				return nil
			}
		}
		return errors.Join(err, fmt.Errorf("%v", entries))
	})
}

// actor is what status says of one actor.
func (p *program) actor(t *testing.T, scenario, name string) map[string]any {
	t.Helper()
	status, _ := p.get(t, admin, "/apis/practice.fieldmark.dev/v1alpha1/scenarios/"+scenario).object(t)["status"].(map[string]any)
	actors, _ := status["actors"].([]any)
	for _, actor := range actors {
		if a := actor.(map[string]any); a["name"] == name {
			return a
		}
	}
	return nil
}

// goesOn waits until an actor has written again.
func (p *program) goesOn(t *testing.T, scenario, name string) {
	t.Helper()
	before, _ := p.actor(t, scenario, name)["updated"].(float64)
	eventually(t, name+" goes on", func() error {
		if now := p.actor(t, scenario, name); now == nil || now["updated"].(float64) <= before || now["message"] != nil {
			return fmt.Errorf("%v", now)
		}
		return nil
	})
}

// has waits until a Deployment asks for so many replicas.
func (p *program) has(t *testing.T, name string, replicas int32) {
	t.Helper()
	eventually(t, fmt.Sprintf("%s has %d replicas", name, replicas), func() error {
		got, err := p.client(t, admin).AppsV1().Deployments("contest").Get(t.Context(), name, metav1.GetOptions{})
		if err == nil && *got.Spec.Replicas != replicas {
			err = fmt.Errorf("%d", *got.Spec.Replicas)
		}
		return err
	})
}

const allActors = `{actors: [
  {name: truth, gitops: {namespace: contest, name: contested, replicas: 3, everySeconds: 1}},
  {name: load, autoscaler: {namespace: contest, name: contested, min: 5, max: 6, everySeconds: 1}},
  {name: certificates, injector: {name: never, everySeconds: 1}},
  {name: habit, legacy: {namespace: contest, name: old, replicas: 2, everySeconds: 1}},
  {name: peace, gitops: {namespace: contest, name: peaceful, everySeconds: 1, manager: flux}},
  {name: more, autoscaler: {namespace: contest, name: peaceful, min: 4, max: 4, everySeconds: 1}},
  {name: alone, autoscaler: {namespace: contest, name: scaled, min: 1, max: 2, everySeconds: 1, manager: hpa}},
]}`

func TestActorsLeaveTheirNames(t *testing.T) {
	p := sharedCluster(t)
	p.apply(t, "all-actors", allActors)
	p.holds(t, "all-actors")
	const replicas = `"f:replicas"`
	for range 2 { // each takes the field back from the other
		p.writes(t, contested, "gitops", metav1.ManagedFieldsOperationApply, "", replicas)
		p.writes(t, contested, "autoscaler", metav1.ManagedFieldsOperationUpdate, "scale", replicas)
	}
	p.writes(t, webhook, "ca-injector", metav1.ManagedFieldsOperationUpdate, "", `"f:caBundle"`)
	const old = "/apis/apps/v1/namespaces/contest/deployments/old"
	p.writes(t, old, "kubectl-client-side-apply", metav1.ManagedFieldsOperationUpdate, "", `"f:kubectl.kubernetes.io/last-applied-configuration"`)
	p.mustKubectl(t, "", "scale", "--namespace=contest", "deployment/old", "--replicas=7")
	p.writes(t, old, "kubectl-client-side-apply", metav1.ManagedFieldsOperationUpdate, "", replicas)
	p.writes(t, "/apis/apps/v1/namespaces/contest/deployments/scaled", "hpa", metav1.ManagedFieldsOperationUpdate, "scale", replicas)
	for range 2 { // a manifest that does not speak of replicas leaves them to the autoscaler
		p.has(t, "peaceful", 4)
		p.goesOn(t, "all-actors", "peace")
	}

	p.apply(t, "brief-outage", "{faults: [{name: down, restart: {downSeconds: 1}}]}")
	p.holds(t, "brief-outage")
	p.remove(t, "brief-outage")
	p.goesOn(t, "all-actors", "truth")
	p.goesOn(t, "all-actors", "certificates")

	p.remove(t, "all-actors")
	p.mustBeGone(t, "contest")
	if got := p.get(t, admin, webhook); got.code != http.StatusNotFound {
		t.Errorf("the webhook configuration: %d", got.code)
	}
}

func TestActorsDoNotOverwriteWhatOthersMade(t *testing.T) {
	p := sharedCluster(t)
	const ledger = "/apis/apps/v1/namespaces/payments/deployments/ledger"
	before := p.get(t, admin, ledger).object(t)["spec"]
	p.apply(t, "greedy", `{actors: [
	  {name: truth, gitops: {namespace: payments, name: ledger, replicas: 9, everySeconds: 1}},
	  {name: certificates, injector: {name: image-policy, everySeconds: 1}}]}`)
	for _, name := range []string{"truth", "certificates"} {
		eventually(t, name+" says why it does nothing", func() error {
			if got := p.actor(t, "greedy", name); !strings.Contains(fmt.Sprint(got["message"]), "did not create") {
				return fmt.Errorf("%v", got)
			}
			return nil
		})
	}
	p.remove(t, "greedy")
	if after := p.get(t, admin, ledger).object(t)["spec"]; fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("%v became %v", before, after)
	}
	if got := p.get(t, admin, strings.Replace(webhook, "never", "image-policy", 1)); got.code != http.StatusOK {
		t.Errorf("the other's webhook configuration: %d", got.code)
	}
}
