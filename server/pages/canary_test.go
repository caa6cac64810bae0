package pages

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/web"
)

// No page of an object has a secret in it, whatever the server says that the object is: neither in sight nor in the model that the browser reads.
func TestNoCanaryEscapes(t *testing.T) {
	for _, d := range canary.Documents() {
		if d.Vague {
			continue
		}
		s := scripted(t, answers(http.StatusOK, "application/json", d.JSON))
		addresses := []string{oddPod}
		for _, tab := range []string{"yaml", "json", "events", "related", "timeline", web.LogsTab, web.ShellTab} {
			addresses = append(addresses, oddPod+"?tab="+tab)
		}
		path := url.Values{"path": {"/api/v1/namespaces/default/pods/a"}}.Encode()
		for _, tool := range []string{web.Act, web.Apply, web.Delete, web.Assist} {
			addresses = append(addresses, web.Tool("odd", tool)+"?"+path)
		}
		for _, address := range addresses {
			if p := s.get(address); canary.Escapes(p.body) {
				t.Errorf("%s, %s: %s", d.Name, address, p.body)
			}
		}
	}
}
