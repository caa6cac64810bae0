package promises

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestVersion(t *testing.T) {
	version := sharedCluster(t).get(t, admin, "/version").object(t)
	for field, want := range map[string]string{"gitVersion": "v1.37.1", "major": "1", "minor": "37", "gitTreeState": "clean"} {
		if version[field] != want {
			t.Errorf("%s: %v, want %s", field, version[field], want)
		}
	}
}

func TestRepresentations(t *testing.T) {
	p := sharedCluster(t)
	for accept, contentType := range map[string]string{
		"application/cbor":                    "application/cbor",
		"application/json":                    "application/json",
		"application/yaml":                    "application/yaml",
		"application/vnd.kubernetes.protobuf": "application/vnd.kubernetes.protobuf",
	} {
		got, err := p.request(t, admin, http.MethodGet, "/api/v1/namespaces/shop", accept, "")
		if err != nil {
			t.Fatal(err)
		}
		if got.code != http.StatusOK || got.contentType != contentType {
			t.Errorf("%s: %d %s", accept, got.code, got.contentType)
		}
	}
}

// columns returns the columns of a Table, with their priorities.
func (p *program) columns(t *testing.T, path string) []string {
	t.Helper()
	got, err := p.request(t, admin, http.MethodGet, path, "application/json;as=Table;v=v1;g=meta.k8s.io", "")
	if err != nil {
		t.Fatal(err)
	}
	table := got.object(t)
	if got.code != http.StatusOK || table["kind"] != "Table" {
		t.Fatalf("%s: %d %s", path, got.code, got.body)
	}
	var names []string
	for _, column := range table["columnDefinitions"].([]any) {
		c := column.(map[string]any)
		names = append(names, fmt.Sprintf("%v:%v", c["name"], c["priority"]))
	}
	return names
}

func TestTables(t *testing.T) {
	p := sharedCluster(t)
	if got := p.columns(t, "/api/v1/namespaces/shop/pods"); !slices.Contains(got, "IP:1") {
		t.Errorf("pods: %v", got)
	}
	if got := p.columns(t, "/apis/shop.example.com/v1/promotions"); !slices.Contains(got, "Discount:0") || !slices.Contains(got, "Products:1") {
		t.Errorf("promotions: %v", got)
	}
	if got := p.columns(t, "/apis/shop.example.com/v1/regions"); !slices.Equal(got, []string{"Name:0", "Age:0"}) {
		t.Errorf("regions: %v", got)
	}
}

func TestStreamingLists(t *testing.T) {
	got := sharedCluster(t).get(t, admin, "/api/v1/namespaces?watch=1&sendInitialEvents=true"+
		"&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=2")
	if got.code != http.StatusOK || !strings.Contains(string(got.body), `"k8s.io/initial-events-end":"true"`) {
		t.Errorf("%d %s", got.code, got.body)
	}
}

func TestNodesAreReadyAndRenewTheirLeases(t *testing.T) {
	p := sharedCluster(t)
	client := p.client(t, admin)
	nodes, err := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(nodes.Items) != 3 {
		t.Errorf("%d nodes", len(nodes.Items))
	}
	leases := client.CoordinationV1().Leases("kube-node-lease")
	before, err := leases.Get(t.Context(), nodes.Items[0].Name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the lease is renewed", func() error {
		now, err := leases.Get(t.Context(), before.Name, metav1.GetOptions{})
		if err == nil && !now.Spec.RenewTime.After(before.Spec.RenewTime.Time) {
			err = fmt.Errorf("renewed at %s", now.Spec.RenewTime)
		}
		return err
	})
}

func TestWorkloadsRunAndPodsAreReplaced(t *testing.T) {
	p := sharedCluster(t)
	client := p.client(t, admin)
	list := func() (map[string]string, error) {
		pods, err := client.CoreV1().Pods("shop").List(t.Context(), metav1.ListOptions{LabelSelector: "app=storefront"})
		if err != nil {
			return nil, err
		}
		phases := map[string]string{}
		for i := range pods.Items {
			phases[pods.Items[i].Name] = string(pods.Items[i].Status.Phase)
		}
		return phases, nil
	}
	before, err := list()
	if err != nil || len(before) != 3 {
		t.Fatalf("%v, %v", before, err)
	}
	var victim string
	for victim = range before {
		break
	}
	if err := client.CoreV1().Pods("shop").Delete(t.Context(), victim, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the pod is gone and another one runs", func() error {
		now, err := list()
		if err != nil {
			return err
		}
		if _, there := now[victim]; there || len(now) != 3 {
			return fmt.Errorf("pods: %v", now)
		}
		for name, phase := range now {
			if phase != "Running" {
				return fmt.Errorf("%s is %s", name, phase)
			}
		}
		return nil
	})
}

// managers returns who manages fields of an object, as "manager/operation/subresource".
func (p *program) managers(t *testing.T, path string) []string {
	t.Helper()
	var found []string
	entries, _ := p.get(t, admin, path).object(t)["metadata"].(map[string]any)["managedFields"].([]any)
	for _, entry := range entries {
		e := entry.(map[string]any)
		subresource, _ := e["subresource"].(string)
		found = append(found, fmt.Sprintf("%v/%v/%s", e["manager"], e["operation"], subresource))
	}
	return found
}

func TestManyHandsHaveWrittenTheContent(t *testing.T) {
	p := sharedCluster(t)
	for path, want := range map[string][]string{
		"/apis/apps/v1/namespaces/shop/deployments/storefront": {
			"argocd-controller/Apply/", "release-bot/Apply/", "kubectl-rollout/Update/", "kube-controller-manager/Update/status",
		},
		"/apis/apps/v1/namespaces/shop/deployments/catalog":                                  {"kubectl-client-side-apply/Update/", "kubectl-edit/Update/"},
		"/apis/apps/v1/namespaces/payments/deployments/settlement":                           {"argocd-controller/Apply/", "queue-autoscaler/Update/scale"},
		"/apis/shop.example.com/v1/namespaces/shop/promotions/spring-sale":                   {"argocd-controller/Apply/", "promotion-controller/Update/status"},
		"/api/v1/namespaces/shop/pods/carts-db-0":                                            {"simulated-kubelet/Update/status"},
		"/api/v1/namespaces/shop/configmaps/storefront":                                      {"argocd-controller/Apply/", "kubectl-edit/Update/"},
		"/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/image-policy": {"helm/Apply/", "ca-injector/Update/"},
	} {
		got := p.managers(t, path)
		for _, manager := range want {
			if !slices.Contains(got, manager) {
				t.Errorf("%s: %s is not among %v", path, manager, got)
			}
		}
	}
}

func TestContentToLearnFrom(t *testing.T) {
	p := sharedCluster(t)
	for path, words := range map[string][]string{
		"/api/v1/namespaces/shop/configmaps/season-archive":             {"archive.example.com/copied", "audit.example.com/signed"},
		"/apis/apps/v1/namespaces/shop/deployments/catalog":             {"kubectl.kubernetes.io/last-applied-configuration"},
		"/apis/batch/v1/namespaces/shop/jobs/import-products":           {`"type":"Complete","status":"True"`},
		"/api/v1/namespaces/platform/persistentvolumeclaims":            {`"phase":"Bound"`},
		"/api/v1/namespaces/shop/secrets/carts-db":                      {"bm90LWEtcmVhbC1wYXNzd29yZA=="},
		"/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers": {"recommendations"},
		"/apis/networking.k8s.io/v1/namespaces/shop/ingresses":          {"shop.example.com"},
		"/apis/batch/v1/namespaces/shop/cronjobs":                       {"nightly-report"},
		"/apis/shop.example.com/v1/regions":                             {"europe", "north-america", "oceania"},
	} {
		eventually(t, path, func() error { // a volume is bound a little after the rest runs
			got := string(p.get(t, admin, path).body)
			for _, word := range words {
				if !strings.Contains(got, word) {
					return fmt.Errorf("%s is not in it", word)
				}
			}
			return nil
		})
	}
}

func TestUntrustedTextIsThere(t *testing.T) {
	object, err := sharedCluster(t).client(t, admin).CoreV1().ConfigMaps("platform").Get(t.Context(), "untrusted-text", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"markup": "<script>alert(1)</script>", "link": "javascript:alert(1)", "right-to-left-override": "invoice-\u202efdp.exe",
	} {
		if got := object.Annotations["example.com/"+name]; got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := object.Annotations["example.com/unbroken"]; len(got) != 300 || strings.Contains(got, " ") {
		t.Errorf("unbroken: %d characters", len(got))
	}
}
