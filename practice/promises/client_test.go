package promises

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	admin  = "practice"
	viewer = "practice-viewer"
)

// config returns the client configuration of one context.
func (p *program) config(t *testing.T, context string) *rest.Config {
	t.Helper()
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(
		&clientcmd.ClientConfigLoadingRules{ExplicitPath: p.kubeconfig()},
		&clientcmd.ConfigOverrides{CurrentContext: context}).ClientConfig()
	if err != nil {
		t.Fatal(err)
	}
	config.QPS = -1
	return config
}

func (p *program) client(t *testing.T, context string) kubernetes.Interface {
	t.Helper()
	client, err := kubernetes.NewForConfig(p.config(t, context))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// answer is what the API server said to one request.
type answer struct {
	code        int
	contentType string
	body        []byte
}

func (a answer) object(t *testing.T) map[string]any {
	t.Helper()
	object := map[string]any{}
	if err := json.Unmarshal(a.body, &object); err != nil {
		t.Fatalf("%v: %s", err, a.body)
	}
	return object
}

// request sends one request as the user of a context.
func (p *program) request(t *testing.T, context, method, path, accept, body string) (answer, error) {
	t.Helper()
	config := p.config(t, context)
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	defer client.CloseIdleConnections()
	request, err := http.NewRequestWithContext(t.Context(), method, config.Host+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", accept)
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header.Get("Content-Type"), data}, err
}

func (p *program) get(t *testing.T, context, path string) answer {
	t.Helper()
	got, err := p.request(t, context, http.MethodGet, path, "application/json", "")
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// holds waits until a Scenario holds in its present form.
func (p *program) holds(t *testing.T, name string) map[string]any {
	t.Helper()
	var status map[string]any
	eventually(t, "Scenario "+name+" holds", func() error {
		got, err := p.request(t, admin, http.MethodGet, "/apis/practice.fieldmark.dev/v1alpha1/scenarios/"+name, "application/json", "")
		if err != nil {
			return err
		}
		object := got.object(t)
		status, _ = object["status"].(map[string]any)
		if status == nil || status["observedGeneration"] != object["metadata"].(map[string]any)["generation"] {
			return fmt.Errorf("not looked at yet: %s", got.body)
		}
		for _, condition := range status["conditions"].([]any) {
			if c := condition.(map[string]any); c["type"] == "Holds" && c["status"] == "True" {
				return nil
			}
		}
		return fmt.Errorf("status: %v", status)
	})
	return status
}
