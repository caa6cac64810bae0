package pages

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// pod creates a Pod that writes so many lines a second in a style, and waits until it runs.
func (d *desk) pod(namespace, style string, rate int) (path string) {
	d.t.Helper()
	body := fmt.Sprintf(`{"metadata":{"name":"a","annotations":{"practice.fieldmark.dev/log-style":%q,"practice.fieldmark.dev/log-lines-per-second":"%d"}},
		"spec":{"containers":[{"name":"app","image":"registry.test/app:1"}]}}`, style, rate)
	pods := "/api/v1/namespaces/" + namespace + "/pods"
	d.until("the Pod is admitted", func() bool { // its service account is made after the namespace
		return d.send(http.MethodPost, pods, "application/json", []byte(body)).OK()
	})
	d.until("the Pod runs", func() bool {
		status, _ := d.get(pods + "/a").Fields["status"].(map[string]any)
		return status["phase"] == "Running"
	})
	return pods + "/a"
}

func TestLogsWithoutScripts_OnlyTheChosenNumberOfLines(t *testing.T) {
	d := newDesk(t, nil)
	path := d.pod(d.namespace(), "text", 100)
	d.until("five lines", func() bool {
		return len(d.site.want(http.StatusOK, "/c/practice"+path+"?tab=logs&tail=5").all("td", "class=log-text")) == 5
	})
}

// The newest lines of a log are shown, however long its lines are.
func TestLogsWithoutScripts_LongLinesDontHideTheNewest(t *testing.T) {
	d := newDesk(t, nil)
	path := d.pod(d.namespace(), "endless", 50)
	d.until("the page says that it has only the last lines", func() bool {
		p := d.site.want(http.StatusOK, "/c/practice"+path+"?tab=logs")
		return len(p.all("td", "class=log-text")) > 0 && strings.Contains(p.main(), "only its last lines, because they are long")
	})
}
