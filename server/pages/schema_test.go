package pages

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/pages/visit"
)

const aPod = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"default"},"spec":{"nodeName":"n"}}`

// publishing serves a pod, and OpenAPI as the fault has it.
func publishing(openapi http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/openapi") {
			openapi(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, aPod)
	}
}

// documents answers with a list that names the core group's document, and with that.
func documents(document string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/openapi/v3" {
			_, _ = io.WriteString(w, `{"paths":{"api/v1":{"serverRelativeURL":"/openapi/v3/api/v1?hash=1"}}}`)
			return
		}
		_, _ = io.WriteString(w, document)
	}
}

const (
	podKind   = `"x-kubernetes-group-version-kind":[{"group":"","version":"v1","kind":"Pod"}]`
	podSchema = `{"components":{"schemas":{"Pod":{"type":"object","properties":{"spec":{"type":"object","properties":{"nodeName":{"type":"string","description":"Where it runs."}}}},` + podKind + `}}}}`
)

// Whatever comes instead of a schema, the object's page stands and says what is the matter.
func TestSchemasThatAreNotToBeHad(t *testing.T) {
	large := `{"components":{"schemas":{"Pod":{"description":"` + strings.Repeat("x", visit.MaxSchema) + `",` + podKind + `}}}}`
	for name, c := range map[string]struct {
		openapi http.HandlerFunc
		says    []string
	}{
		"not served": {answers(404, "text/plain", "404 page not found"), []string{"This server doesn’t offer OpenAPI v3", "since 1.24", "Fieldmark explains only the fields that all objects have"}},
		"forbidden": {
			answers(403, "application/json", `{"kind":"Status","message":"forbidden: User \"bob\" cannot get path \"/openapi/v3\"","reason":"Forbidden","details":{},"code":403}`),
			[]string{"You don’t have permission to get /openapi/v3", "bob"},
		},
		"of another group":    {answers(200, "application/json", `{"paths":{}}`), []string{"No schema is published for v1", "Try again"}},
		"of other kinds":      {documents(`{"components":{"schemas":{}}}`), []string{"There is no schema of Pod", "doesn’t describe the kind Pod of v1"}},
		"no document":         {documents("<html>"), []string{"Fieldmark can’t read the response"}},
		"too large a schema":  {documents(large), []string{"The schema is too large to show", "4.19 MB"}},
		"too large to read":   {documents(strings.Repeat(" ", 17<<20)), []string{"The OpenAPI document is too large to read"}},
		"fails":               {answers(500, "text/plain", "boom"), []string{"The API server failed", "boom"}},
		"breaks off half way": {cut, []string{"broke before the response was complete"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := scripted(t, publishing(c.openapi))
			s.want(http.StatusOK, oddPod+"?tab=schema").says(c.says...).says("Pod · v1").inert()
		})
	}
}

func TestASchemaThatDoesNotComeHoldsThePageUpForAWhileOnly(t *testing.T) {
	come := make(chan struct{})
	s := scripted(t, publishing(func(w http.ResponseWriter, r *http.Request) {
		<-come
		documents(podSchema)(w, r)
	}), func(o *Options) { o.Patience = 300 * time.Millisecond })
	p := s.want(http.StatusOK, oddPod+"?tab=schema").says("The schema hasn’t arrived yet", "within 100ms", "Pod · v1").inert()
	close(come)
	for again := p.link("Try again"); !strings.Contains(p.main(), "nodeName"); {
		p = s.want(http.StatusOK, again)
	}
}

func TestASchemaIsAskedForOnlyWhereItIsShown(t *testing.T) {
	asked := 0
	s := scripted(t, publishing(func(w http.ResponseWriter, r *http.Request) {
		asked++
		documents(podSchema)(w, r)
	}))
	s.want(http.StatusOK, oddPod+"?tab=yaml").inert()
	if asked != 0 {
		t.Errorf("the document was asked for %d times", asked)
	}
	p := s.want(http.StatusOK, oddPod+"?tab=schema&field=.spec.nodeName").says("Where it runs.", "single value").inert()
	if !strings.Contains(text(p.all("footer")[0]), "/openapi/v3/api/v1?hash=1") {
		t.Errorf("the requests are not told: %s", text(p.all("footer")[0]))
	}
	s.want(http.StatusOK, oddPod+"?tab=schema").says("nodeName")
	s.want(http.StatusOK, oddPod+"?field=.kind").says("It identifies the object").inert()
	if asked != 2 {
		t.Errorf("the list and the document were asked for %d times", asked)
	}
}

// fields are the fields of the page's tree, by their paths.
func (p answered) fields() map[string]*html.Node {
	fields := map[string]*html.Node{}
	for _, a := range p.all("a", "data-field") {
		fields[value(a, "data-field")] = a
	}
	return fields
}

const portsField = ".spec.template.spec.containers[*].ports"

func TestPracticeSchemaOfADeployment(t *testing.T) {
	s := practiceSite(t)
	p := s.want(http.StatusOK, storefront+"?tab=schema").says("Deployment enables declarative updates", "granular object").inert()
	spec := p.fields()[".spec"]
	if spec == nil || value(spec, "aria-expanded") != "true" || p.fields()[".spec.replicas"] == nil {
		t.Fatalf("%s", p.main())
	}
	for _, next := range []string{".spec.template", ".spec.template.spec", ".spec.template.spec.containers", portsField, portsField + "[*].protocol"} {
		link := p.fields()[next]
		if link == nil {
			t.Fatalf("%s is not shown: %s", next, p.main())
		}
		p = s.want(http.StatusOK, value(link, "href")).inert()
		if now := p.fields()[next]; value(now, "aria-current") != "true" {
			t.Errorf("%s is not the current field", next)
		}
		if next == portsField {
			p.says("The list is merged by containerPort and protocol", "x-kubernetes-list-type: map", "In this object")
		}
	}
	p.says("Default TCP", "One of SCTP TCP UDP", "key")
	back := s.want(http.StatusOK, p.link("ports[*]"))
	if value(back.fields()[portsField], "aria-current") != "true" {
		t.Error("the path does not lead to the parent")
	}
}

func TestPracticeSchemasOfOtherKinds(t *testing.T) {
	s := practiceSite(t)
	for address, says := range map[string]string{
		"/c/practice/api/v1/namespaces/shop/configmaps/storefront?tab=schema&field=.data":                              "Each key can have its own owners",
		"/c/practice/api/v1/namespaces/shop/secrets/carts-db?tab=schema&field=.data":                                   "map of string to string (byte)",
		"/c/practice/apis/shop.example.com/v1/regions/europe?tab=schema&field=.spec.warehouses":                        "The list is merged as a set of values",
		storefront + "/scale?tab=schema&field=.spec.replicas":                                                          "desired number of instances",
		storefront + "/status?tab=schema&field=.status.conditions":                                                     "list by type",
		"/c/practice-viewer/apis/apps/v1/namespaces/shop/deployments/storefront?tab=schema&field=.spec.selector":       "The object has one set of owners",
		storefront + "?tab=schema&field=" + url.QueryEscape(`.spec.template.spec.containers[name="storefront"].image`): "Container image name",
	} {
		s.want(http.StatusOK, address).says(says).inert()
	}
	secret := s.want(http.StatusOK, "/c/practice/api/v1/namespaces/shop/secrets/carts-db?tab=schema&field="+url.QueryEscape(".data.POSTGRES_PASSWORD"))
	if strings.Contains(secret.body, "bm90LWEtcmVhbC1wYXNzd29yZA") {
		t.Error("the schema shows a value of a Secret")
	}
}

// A CustomResourceDefinition may say nothing of its objects.
func TestPracticeKindWithoutASchema(t *testing.T) {
	s := practiceSite(t)
	s.write("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "loosethings.schemaless.example.com", `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
		"metadata":{"name":"loosethings.schemaless.example.com"},"spec":{"group":"schemaless.example.com","scope":"Cluster","names":{"plural":"loosethings","kind":"LooseThing"},
		"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}`)
	const collection = "/apis/schemaless.example.com/v1/loosethings"
	deadline := time.Now().Add(20 * time.Second)
	for ; ; time.Sleep(100 * time.Millisecond) {
		_, err := s.admin().Do(t.Context(), api.Request{
			Method: http.MethodPost, Path: collection, ContentType: "application/json",
			Body: []byte(`{"apiVersion":"schemaless.example.com/v1","kind":"LooseThing","metadata":{"name":"one"},"spec":{"any":[1]}}`),
		})
		if err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
	p := s.get("/c/practice" + collection + "/one?tab=schema")
	for ; !strings.Contains(p.main(), "The schema doesn’t describe the fields of LooseThing"); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d: %s", p.code, p.main())
		}
		p = s.get("/c/practice" + collection + "/one?tab=schema")
	}
	p.says("x-kubernetes-preserve-unknown-fields", "Lists have one owner as a whole").inert()
	s.want(http.StatusOK, "/c/practice"+collection+"/one?tab=schema&field=.spec.any").says("but it allows unknown fields", "1 item")
}
