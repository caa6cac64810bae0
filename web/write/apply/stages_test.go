package apply

import (
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/write/aim"
)

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: sightings.field.guide
spec:
  group: field.guide
  scope: Namespaced
  names: {plural: sightings, kind: Sighting}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              bird: {type: string}
`

func sighting(name, spec string) string {
	return "apiVersion: field.guide/v1\nkind: Sighting\nmetadata:\n  name: " + name + "\n  namespace: shop\nspec:\n  " + spec + "\n"
}

// guide is an API server that serves the type after the definition was applied, and after it was asked a few times.
type guide struct {
	defined bool
	late    int  // how often the type isn't served yet
	refuses bool // the definition
	stored  map[string]bool
	asked   []string
}

func (g *guide) answer(method, path string) (int, string) {
	base, _, _ := strings.Cut(path, "?")
	dry := strings.Contains(path, "dryRun=All")
	if !strings.Contains(path, "selfsubjectaccessreviews") {
		g.asked = append(g.asked, method+" "+path)
	}
	version := ""
	if !dry {
		version = `,"resourceVersion":"1"`
	}
	switch {
	case strings.Contains(path, "selfsubjectaccessreviews"):
		return 201, `{"kind":"SelfSubjectAccessReview","status":{"allowed":true}}`
	case base == "/apis/field.guide/v1":
		if g.late--; !g.defined || g.late >= 0 {
			return 404, notFound
		}
		return 200, `{"kind":"APIResourceList","groupVersion":"field.guide/v1","resources":[{"name":"sightings","singularName":"sighting","namespaced":true,"kind":"Sighting","verbs":["get","patch","create"]}]}`
	case method == "GET" && !g.stored[base]:
		return 404, notFound
	case method == "PATCH" && strings.Contains(base, "customresourcedefinitions"):
		if !dry && g.refuses {
			return 403, `{"kind":"Status","reason":"Forbidden","code":403,"message":"no"}`
		}
		g.defined = g.defined || !dry
	case strings.Contains(base, "/sightings/") && !g.defined:
		return 404, notFound
	}
	if !dry && method == "PATCH" {
		g.stored[base] = true
	}
	name := base[strings.LastIndexByte(base, '/')+1:]
	return 200, `{"apiVersion":"v1","kind":"Any","metadata":{"name":"` + name + `","uid":"u"` + version + `}}`
}

// staged is the page with a text, and a function that tells it messages and answers it.
func staged(t *testing.T, g *guide, text string) (m *Model, tell func(...page.Msg)) {
	t.Helper()
	g.stored = map[string]bool{}
	known := catalog.Including("apiextensions.k8s.io", "v1", []discovery.Type{
		{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions", Kind: "CustomResourceDefinition", Singular: "customresourcedefinition", Verbs: all},
	})
	first := Model{Frame: page.Frame{Shell: shell.Model{Cluster: shell.Cluster{Slug: "practice"}, Catalog: known}}, Text: text, Manager: "ada", Validation: aim.Warn, Namespace: "default"}
	p, commands := first.Awake(time.Unix(1000, 0))
	now := p.(Model)
	now, _ = answered(t, now, commands, g.answer)
	m = &now
	return m, func(messages ...page.Msg) {
		for _, msg := range messages {
			p, commands := m.Update(msg)
			*m, _ = answered(t, p.(Model), commands, g.answer)
		}
	}
}

func TestATypeAndItsObjectsInStages(t *testing.T) {
	g := &guide{late: 2}
	m, tell := staged(t, g, definition+"---\n"+sighting("wren", "bird: wren")+"---\n"+sighting("robin", "brid: robin"))
	if asked := strings.Join(g.asked, "\n"); strings.Contains(asked, "sightings/") {
		t.Errorf("it asks about objects of a type that isn't served:\n%s", asked)
	}
	html := htmlOf(t, *m)
	for _, want := range []string{
		"No API server of this cluster serves Sighting in field.guide/v1. Document 1 defines the type.", "Predicted from the schema in document 1: no problem.", "Predicted from the schema in document 1: 1 problem.",
		"Warning, predicted", "waits for document 1", "Apply 1 document, stage 1 of 2", "1 new object, 2 documents in stage 2",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("before stage 1, the page doesn't say %q", want)
		}
	}
	tell(page.Acted{Action: doApply})
	if why := m.unready(); !strings.Contains(why, "waits until the API server serves the new type") {
		t.Errorf("while the type isn't served: %q", why)
	}
	tell(page.Tick{Now: time.Unix(1001, 0)}, page.Tick{Now: time.Unix(1002, 0)})
	if why := m.unready(); why != "" {
		t.Errorf("the type is served, and it can't be applied: %q", why)
	}
	if html = htmlOf(t, *m); strings.Contains(html, "redicted") || !strings.Contains(html, "Apply 2 documents, stage 2 of 2") || !strings.Contains(html, "dry runs of the API server now") {
		t.Errorf("before stage 2: %s", m.applyWords())
	}
	asked := len(g.asked)
	tell(page.Tick{Now: time.Unix(1003, 0)}, page.Acted{Action: doApply})
	var wrote []string
	for _, a := range g.asked[asked:] {
		if strings.HasPrefix(a, "PATCH") && !strings.Contains(a, "dryRun") {
			wrote = append(wrote, strings.TrimPrefix(strings.SplitN(a, "?", 2)[0], "PATCH /apis/field.guide/v1/namespaces/shop/sightings/"))
		}
	}
	if got := strings.Join(wrote, " "); got != "wren robin" {
		t.Errorf("stage 2 applies %q", got)
	}
	if got := m.stagesWords(); got != "" {
		t.Errorf("at the end it says %q", got)
	}
}

func TestAFailedStageStops(t *testing.T) {
	g := &guide{refuses: true}
	text := strings.Replace(manifestA, "name: a", "name: first", 1) + "---\n" + definition + "---\n" + sighting("wren", "bird: wren")
	m, tell := staged(t, g, text)
	tell(page.Acted{Action: doGoOn}, page.Acted{Action: doApply})
	if g.stored["/apis/field.guide/v1/namespaces/shop/sightings/wren"] {
		t.Error("stage 2 is sent")
	}
	if got, want := m.stagesWords(), "Stage 1 failed for 1 document, so stage 2 isn’t sent. What was applied stays: 1 document. Nothing is rolled back."; got != want {
		t.Errorf("it says %q", got)
	}
	for _, a := range g.asked {
		if strings.HasPrefix(a, "DELETE") {
			t.Errorf("it sends %s", a)
		}
	}
	g.refuses = false
	tell(page.Acted{Action: doApply})
	if got := m.applyWords(); got != "Apply 1 document, stage 2 of 2" || m.unready() != "" {
		t.Errorf("after stage 1 succeeded: %q, %q", got, m.unready())
	}
}

func TestATypeThatIsNeverServed(t *testing.T) {
	g := &guide{late: 1000}
	m, tell := staged(t, g, definition+"---\n"+sighting("wren", "bird: wren"))
	tell(page.Acted{Action: doApply})
	for i := range 2 * mostAsked {
		tell(page.Tick{Now: time.Unix(int64(1001+i), 0)})
	}
	n := 0
	for _, a := range g.asked {
		if a == "GET /apis/field.guide/v1" {
			n++
		}
	}
	if n > mostAsked+2 || !strings.Contains(m.unready(), "“Preview again” asks again") {
		t.Errorf("it asks %d times, and says %q", n, m.unready())
	}
	g.late = 0
	tell(page.Acted{Action: doPreview})
	if why := m.unready(); why != "" {
		t.Errorf("asked again: %q", why)
	}
}

// The order in the text doesn't matter: stage 1 is sent first.
func TestStagesInAnyOrder(t *testing.T) {
	g := &guide{}
	m, _ := staged(t, g, sighting("wren", "bird: wren")+"---\n"+definition)
	if s := m.stage(); len(s.docs) != 1 || s.docs[0] != m.live.docs[1] || s.words() != "stage 1 of 2" {
		t.Errorf("the definition is last: %+v", s)
	}
	documents := strings.Split(two, "---\n")
	late, commands := begun(t, documents[1]+"---\n"+documents[0])
	late, _ = answered(t, late, commands, zoned())
	if s := late.stage(); len(s.docs) != 1 || s.docs[0] != late.live.docs[1] || !late.later(late.live.docs[0]) {
		t.Errorf("the namespace is last: %+v", s)
	}
	if got, want := late.laterWords(late.live.docs[0]), "The namespace zone doesn’t exist yet, so no dry run could be made. Document 2 creates it."; got != want {
		t.Errorf("it says %q", got)
	}
}
