package pages

import (
	"net/http"
	"strings"
	"testing"
)

// A lesson shows what holds on the version of the reader's server, also to readers without scripts.
func TestALessonKnowsTheVersionOfTheServer(t *testing.T) {
	const (
		text    = "A streaming list is the one exception"
		differs = "The API server doesn’t compress a streaming list either."
		yours   = "On your server (Kubernetes 1.35)"
		newer   = "Kubernetes 1.37 and later"
		older   = "Kubernetes 1.34 to 1.36"
	)
	for name, c := range map[string]struct {
		version   http.HandlerFunc
		says, not []string
	}{
		"new":      {answers(200, "application/json", `{"gitVersion":"v1.37.1"}`), []string{text}, []string{differs, newer, older, "On your server"}},
		"provider": {answers(200, "application/json", `{"major":"1","minor":"35+","gitVersion":"v1.35.4-eks-595af52"}`), []string{text, differs, yours, newer}, []string{older}},
		"untagged": {answers(200, "application/json", `{"major":"1","minor":"35+","gitVersion":"v0.0.0-master+$Format:%H$"}`), []string{differs, yours, newer}, nil},
		"nonsense": {answers(200, "application/json", `{"gitVersion":"<b>new</b>"}`), []string{text, differs, newer, older}, []string{"On your server", "<b>new</b>"}},
		"none":     {answers(200, "application/json", `{}`), []string{text, differs, newer, older}, []string{"On your server"}},
		"refused":  {answers(403, "application/json", `{"kind":"Status","code":403}`), []string{text, differs, newer, older}, []string{"On your server"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := scripted(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/version" {
					c.version(w, r)
					return
				}
				reviews(good(oddSelf), good(oddRules))(w, r)
			})
			page := s.want(http.StatusOK, "/learn/compression?cluster=odd")
			document, _, _ := strings.Cut(page.body, `"kind":"lesson"`) // the model has the texts, too
			document = strings.ReplaceAll(document, "doesn't", "doesn’t")
			for _, words := range c.says {
				if !strings.Contains(document, words) {
					t.Errorf("the page doesn't say %q", words)
				}
			}
			for _, words := range c.not {
				if strings.Contains(document, words) {
					t.Errorf("the page says %q", words)
				}
			}
		})
	}
}
