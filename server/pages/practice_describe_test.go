package pages

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/describe"
)

// troubled creates a Pod whose first container ends again and again, and whose second waits for its image.
func (d *desk) troubled(namespace string) (path string) {
	d.t.Helper()
	pods := "/api/v1/namespaces/" + namespace + "/pods"
	body := []byte(`{"metadata":{"name":"a","annotations":{"practice.fieldmark.dev/crash":"OOMKilled","practice.fieldmark.dev/crash-after":"1s","practice.fieldmark.dev/waiting.proxy":"ImagePullBackOff"}},
		"spec":{"containers":[{"name":"app","image":"registry.test/app:1","readinessProbe":{"httpGet":{"path":"/healthz","port":8080}}},{"name":"proxy","image":"registry.test/proxy:0"}]}}`)
	d.until("the Pod is admitted", func() bool { return d.send(http.MethodPost, pods, "application/json", body).OK() })
	d.until("its first container waits for its next start", func() bool {
		status, _ := d.get(pods + "/a").Fields["status"].(map[string]any)
		return strings.Contains(fmt.Sprint(status["containerStatuses"]), "CrashLoopBackOff")
	})
	return pods + "/a"
}

func TestAPodThatDoesntRunSaysWhatItWaitsFor(t *testing.T) {
	d := newDesk(t, nil)
	path := d.troubled(d.namespace())
	p := d.site.want(http.StatusOK, "/c/practice"+path+"?tab=describe").inert().says(
		"The container app waits before its next start, because it ends again and again.", "exit code 137: the kernel ended it",
		"The container proxy waits for its image registry.test/proxy:0 (ImagePullBackOff).", "readiness: GET http://:8080/healthz, every 10 s, fails after 3", "Scheduled", "node-", "BestEffort",
	)
	if len(p.all("section", "id=containers")) != 1 || len(p.all("section", "id=events")) != 1 || len(p.all("section", "id=volumes")) != 1 {
		t.Error(p.main())
	}
	if len(p.all("div", "class=action-bar")) != 1 {
		t.Error("the head has no actions")
	}
}

func TestEachKindIsDescribed(t *testing.T) {
	s := practiceSite(t)
	for path, want := range map[string][]string{
		"/api/v1/nodes/node-1":                                             {"It is ready.", "Resources", "Last sign of its kubelet", "Pods", "Taints"},
		"/apis/batch/v1/namespaces/shop/jobs/import-products":              {"It is complete, and waits for nothing.", "2 of 2", "Succeeded"},
		"/api/v1/namespaces/shop/services/storefront":                      {"ready endpoint", "app=storefront", "http 80/TCP", "zone practice-"},
		"/apis/networking.k8s.io/v1/namespaces/shop/ingresses/storefront":  {"It waits for an address.", "example.com/gateway", "ready endpoints", "It waits for the Secret shop-example-com with its certificate, which doesn’t exist."},
		"/api/v1/namespaces/platform/persistentvolumeclaims/shared-images": {"Phase", "20Gi", "ReadWriteMany", "PersistentVolume"},
		"/api/v1/namespaces/kube-system/services/metrics-server":           {"It is an alias in DNS for"},
	} {
		p := s.want(http.StatusOK, "/c/practice"+path+"?tab=describe").says(want...).inert()
		own := map[string]bool{}
		for _, line := range p.all("span", "class=target") {
			if target := text(line); !strings.HasPrefix(target, "GET /api?") && target != "GET /api" && target != "GET /apis" && !strings.HasPrefix(target, "GET /api/v1/namespaces?") {
				own[target] = true
			}
		}
		if len(own) < 2 || len(own) > describe.MostRequests {
			t.Errorf("%s takes %d requests: %v", path, len(own), own)
		}
	}
	s.want(http.StatusNotFound, storefront+"?tab=describe").says("There is no view “Describe” of deployments.apps")
}

// A viewer may read Pods, and nothing of what a description has besides.
func TestAViewerIsToldWhatTheyMayNotRead(t *testing.T) {
	s := practiceSite(t)
	p := s.want(http.StatusOK, "/c/practice-viewer/api/v1/namespaces/shop/pods/carts-db-0?tab=describe").says("It is ready, and waits for nothing.").inert()
	events := p.all("section", "id=events")
	if len(events) != 1 || !strings.Contains(text(events[0]), "You don’t have permission to list events in the namespace shop.") {
		t.Error(p.main())
	}
	if strings.Contains(p.main(), "The server has no event") {
		t.Error("the page says that there are no events, which it doesn’t know")
	}
}
