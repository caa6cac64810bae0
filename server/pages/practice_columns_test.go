package pages

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/api"
)

// The real API server accepts a column whose JSONPath it can't parse, and then serves neither that column nor those after it. It prints <invalid>
// for a date in the future, and for a text that is no date.
func TestColumnsThatTheServerDoesNotServe(t *testing.T) {
	s := practiceSite(t)
	const name = "kettles.columns.server.example.com"
	columns := func(path string) string {
		return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"` + name + `"},"spec":{"group":"columns.server.example.com","scope":"Cluster",
			"names":{"plural":"kettles","singular":"kettle","kind":"Kettle"},"versions":[{"name":"v1","served":true,"storage":true,
			"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}},
			"additionalPrinterColumns":[{"name":"When","type":"date","jsonPath":".spec.when"},{"name":"Phase","type":"string","jsonPath":"` + path + `"},{"name":"Last","type":"string","jsonPath":".spec.last"}]}]}}`
	}
	const definitions, kettles = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "/apis/columns.server.example.com/v1/kettles"
	s.write(definitions, name, columns(`.spec.conditions[?(@.type=='x')`))
	page := func(says ...string) string {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
			text := s.get("/c/practice" + kettles).main()
			missing := ""
			for _, want := range says {
				if !strings.Contains(text, want) {
					missing = want
				}
			}
			if missing == "" {
				return text
			}
			if time.Now().After(deadline) {
				t.Fatalf("the page doesn’t say %q: %s", missing, text)
			}
		}
	}
	page("The server doesn’t serve the column Phase", ".spec.conditions[?(@.type=='x')", "It serves no column after this one either: Last.", "Open the definition")
	for object, when := range map[string]string{"future": "2036-01-01T00:00:00Z", "nodate": "yesterday"} {
		s.write(kettles, object, `{"apiVersion":"columns.server.example.com/v1","kind":"Kettle","metadata":{"name":"`+object+`"},"spec":{"when":"`+when+`"}}`)
	}
	page("<invalid> is what the API server prints for a date in the future")
	_, err := s.admin().Do(t.Context(), api.Request{
		Method: http.MethodPatch, Path: definitions + "/" + name + "?fieldManager=test&force=true", ContentType: "application/apply-patch+yaml", Body: []byte(columns(".spec.phase")),
	})
	must(t, err)
	for deadline := time.Now().Add(time.Minute); strings.Contains(s.get("/c/practice"+kettles).main(), "doesn’t serve the column"); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the page still says so after the path was corrected")
		}
	}
}
