package promises

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	legacy   = "/apis/legacy.practice.fieldmark.dev/v1"
	inShop   = legacy + "/namespaces/shop/readings"
	asTable  = "application/json;as=Table;v=v1;g=meta.k8s.io"
	metaOnly = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"
)

func TestTheAggregatedAPISpeaksPlainJSONOnly(t *testing.T) {
	p := sharedCluster(t)
	for accept, code := range map[string]int{
		"application/json": 200, "*/*": 200, asTable + ",application/json": 200,
		asTable: 406, metaOnly: 406, "application/cbor": 406, "application/yaml": 406, "application/vnd.kubernetes.protobuf": 406,
	} {
		for path, kind := range map[string]string{inShop: "ReadingList", legacy + "/stations": "StationList"} {
			got, err := p.request(t, admin, http.MethodGet, path, accept, "")
			if err != nil {
				t.Fatal(err)
			}
			if code == 406 {
				kind = "Status"
			}
			if got.code != code || got.contentType != "application/json" || got.object(t)["kind"] != kind {
				t.Errorf("%s, %s: %d %s %s", path, accept, got.code, got.contentType, got.body)
			}
		}
	}
	if got := p.get(t, admin, "/openapi/v3/apis/legacy.practice.fieldmark.dev/v1"); got.code != http.StatusNotFound {
		t.Errorf("OpenAPI: %d", got.code)
	}
	if got := p.get(t, viewer, inShop); got.code != http.StatusForbidden {
		t.Errorf("the viewer: %d", got.code)
	}
}

func TestItsTypesAreDiscovered(t *testing.T) {
	p := sharedCluster(t)
	out := p.mustKubectl(t, "", "api-resources", "--api-group=legacy.practice.fieldmark.dev", "--no-headers", "-o", "wide")
	for _, words := range []string{"Reading   create,delete,get,list,watch", "Station   get,list"} {
		if !strings.Contains(out, words) {
			t.Errorf("%q is not in %s", words, out)
		}
	}
	out = p.mustKubectl(t, "", "get", "readings", "--namespace=shop", "--no-headers")
	if !strings.Contains(out, "greenhouse-temperature") {
		t.Errorf("kubectl get: %s", out)
	}
}

// TestObjectsOfTheAggregatedAPIGoWithTheirNamespace needs the controllers to get on with a server that has no metadata by itself.
func TestObjectsOfTheAggregatedAPIGoWithTheirNamespace(t *testing.T) {
	p := sharedCluster(t)
	const path = legacy + "/namespaces/measured/readings"
	body := `{"metadata":{"name":"noon"},"spec":{"value":"31"}}`
	create := func() int {
		got, err := p.request(t, admin, http.MethodPost, path, "application/json", body)
		if err != nil {
			t.Fatal(err)
		}
		return got.code
	}
	if code := create(); code != http.StatusNotFound {
		t.Errorf("in a namespace that is not there: %d", code)
	}
	p.mustKubectl(t, "", "create", "namespace", "measured")
	list := p.get(t, admin, path).object(t)
	if code := create(); code != http.StatusCreated {
		t.Fatalf("create: %d", code)
	}
	namespaces := p.client(t, admin).CoreV1().Namespaces()
	if err := namespaces.Delete(t.Context(), "measured", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the namespace is gone", func() error {
		if got := p.get(t, admin, "/api/v1/namespaces/measured"); got.code != http.StatusNotFound {
			return fmt.Errorf("%s", got.body)
		}
		return nil
	})
	version := list["metadata"].(map[string]any)["resourceVersion"]
	told := string(p.get(t, admin, fmt.Sprintf("%s?watch=1&resourceVersion=%v&timeoutSeconds=1", path, version)).body)
	if strings.Count(told, "\n") != 2 || !strings.Contains(told, `{"type":"ADDED"`) || !strings.Contains(told, `{"type":"DELETED"`) {
		t.Errorf("a watch from before on tells %s", told)
	}
}

// knock asks the aggregated API past the API server, as the owner of a certificate in the folder.
func (p *program) knock(t *testing.T, as string) error {
	t.Helper()
	ca, err := os.ReadFile(filepath.Join(p.dir, "pki", "cluster-ca.crt"))
	if err != nil {
		t.Fatal(err)
	}
	pair, err := tls.LoadX509KeyPair(filepath.Join(p.dir, "pki", as+".crt"), filepath.Join(p.dir, "pki", as+".key"))
	if err != nil {
		t.Fatal(err)
	}
	config := &tls.Config{RootCAs: x509.NewCertPool(), ServerName: "legacy-api.kube-system.svc", MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}}
	config.RootCAs.AppendCertsFromPEM(ca)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: config}, Timeout: 10 * time.Second}
	defer client.CloseIdleConnections()
	registered := p.get(t, admin, "/apis/apiregistration.k8s.io/v1/apiservices/v1.legacy.practice.fieldmark.dev").object(t)
	port := registered["spec"].(map[string]any)["service"].(map[string]any)["port"]
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("https://127.0.0.1:%v%s", port, inShop), nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Remote-User", "practice-admin")
	response, err := client.Do(request)
	if err == nil {
		_ = response.Body.Close()
	}
	return err
}

func TestOnlyTheAPIServerMayAskTheAggregatedAPI(t *testing.T) {
	p := sharedCluster(t)
	for as, good := range map[string]bool{"front-proxy-client": true, "admin": false, "viewer": false, "kubelet-client": false, "etcd-client": false} {
		if err := p.knock(t, as); (err == nil) != good {
			t.Errorf("%s: good should be %t; got %v", as, good, err)
		}
	}
}
