package pages

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"

	"github.com/fieldmark/fieldmark/server/api"
)

const storefront = "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront"

// document is the text of the page's code, line by line as it is shown.
func (p answered) document() string {
	p.t.Helper()
	var b strings.Builder
	for _, list := range p.all("ol") {
		for _, line := range all(list, "code") {
			for d := range line.Descendants() {
				if d.Type == html.TextNode {
					b.WriteString(d.Data)
				}
			}
			b.WriteString("\n")
		}
	}
	if b.Len() == 0 {
		p.t.Errorf("%s shows no document: %s", p.what, p.main())
	}
	return b.String()
}

func TestObjectAsYAMLAndJSON(t *testing.T) {
	s := practiceSite(t)
	p := s.want(http.StatusOK, storefront+"?tab=yaml").says("Deployment", "apps/v1", "Available", "Subresource scale").inert()
	if doc := p.document(); !strings.Contains(doc, "apiVersion: apps/v1\nkind: Deployment\n") || strings.Contains(doc, "managedFields") {
		t.Errorf("YAML:\n%s", doc)
	}
	if doc := s.want(http.StatusOK, p.link("Show managed fields")).document(); !strings.Contains(doc, "  managedFields:\n") {
		t.Errorf("with managed fields:\n%s", doc)
	}
	var object struct {
		Kind     string
		Metadata struct{ Name, Namespace string }
	}
	doc := s.want(http.StatusOK, p.link("JSON")).inert().document()
	if err := json.Unmarshal([]byte(doc), &object); err != nil || object.Kind != "Deployment" || object.Metadata.Namespace != "shop" {
		t.Errorf("%v: JSON:\n%s", err, doc)
	}
}

func TestObjectEvents(t *testing.T) {
	s := practiceSite(t)
	pods := s.want(http.StatusOK, "/c/practice/api/v1/namespaces/shop/pods?filter=carts-db-0").rows()
	if len(pods) != 1 {
		t.Fatalf("%v", pods)
	}
	p := s.want(http.StatusOK, "/c/practice/api/v1/namespaces/shop/pods/"+pods[0]+"?tab=events").inert()
	if n := len(p.rows()); n > 0 && !strings.Contains(p.columns(), "Reason") {
		t.Errorf("%d events under %s", n, p.columns())
	} else if n == 0 {
		p.says("No events") // they are kept for an hour
	}
	s.want(http.StatusOK, "/c/practice/api/v1/namespaces/shop?tab=events").says("No events")
}

func TestOwnersAreFollowedBothWays(t *testing.T) {
	s := practiceSite(t)
	p := s.want(http.StatusOK, storefront+"?tab=related").says("This object has no owner reference", "ReplicaSet", "Running", "3/3 ready", "Referred to by").inert()
	refs := p.all("div", "class=ref")
	if len(refs) < 5 {
		t.Fatalf("%d objects: %s", len(refs), p.main())
	}
	var pods []string
	for _, ref := range refs {
		for _, a := range all(ref, "a") {
			if href := value(a, "href"); strings.Contains(href, "/pods/storefront-") {
				pods = append(pods, href)
			}
		}
	}
	if len(pods) != 3 {
		t.Fatalf("%v", pods)
	}
	pod := s.want(http.StatusOK, pods[0]+"?tab=related").says("controller").inert()
	above := pod.all("div", "class=ref")
	if len(above) < 3 {
		t.Fatalf("%s", pod.main())
	}
	if top := value(all(above[0], "a")[0], "href"); top != storefront {
		t.Errorf("above the pod is %s", top)
	}
	owner := value(all(above[1], "a")[0], "href")
	if !strings.HasPrefix(owner, "/c/practice/apis/apps/v1/namespaces/shop/replicasets/storefront-") {
		t.Errorf("the pod's owner is %s", owner)
	}
	s.want(http.StatusOK, owner).says("ReplicaSet")
}

// A node lists its pods, and a Service its endpoints, which lead to their pods.
func TestNodesAndServicesListTheirPods(t *testing.T) {
	s := practiceSite(t)
	service := s.want(http.StatusOK, "/c/practice/api/v1/namespaces/shop/services/storefront?tab=related").says("Endpoints", "ready", "app=storefront").inert()
	rows := service.all("tr")
	if len(rows) != 4 {
		t.Fatalf("%d rows: %s", len(rows), service.main())
	}
	links := all(rows[1], "a")
	if len(links) != 2 || !strings.Contains(value(links[0], "href"), "/pods/storefront-") || !strings.Contains(value(links[1], "href"), "/api/v1/nodes/") {
		t.Fatalf("%s", service.main())
	}
	s.want(http.StatusOK, value(links[1], "href")+"?tab=related").says("Pods on this node", "Running").inert()
}

func TestSubresourceIsADocumentOfItsOwn(t *testing.T) {
	s := practiceSite(t)
	address := s.want(http.StatusOK, storefront).link("scale")
	if address != storefront+"/scale" {
		t.Errorf("it is at %s", address)
	}
	p := s.want(http.StatusOK, address).inert()
	if doc := p.document(); !strings.Contains(doc, "kind: Scale\n") || !strings.Contains(doc, "replicas:") {
		t.Errorf("%s", doc)
	}
	tabs := p.all("nav", "aria-label=Views of this object")
	if len(tabs) != 1 || len(all(tabs[0], "a")) < 3 {
		t.Fatalf("its views: %s", p.main())
	}
	for _, tab := range all(tabs[0], "a") {
		if words := text(tab); words == "Events" || words == "Related" || words == "Timeline" {
			t.Errorf("a subresource has %s", words)
		}
	}
}

// The values of Secrets are in no part of a page until they are asked for, and then alone.
func TestSecretValuesAreMaskedUntilAskedFor(t *testing.T) {
	const secret = "/c/practice/api/v1/namespaces/shop/secrets/carts-db"
	const password, user = "not-a-real-password", "carts"
	encoded := base64.StdEncoding.EncodeToString([]byte(password))
	s := practiceSite(t)
	for _, query := range []string{"", "?tab=json", "?managed=1", "?tab=json&managed=1", "?tab=related", "?tab=events", "?reveal=nope", "?reveal=", "?reveal=POSTGRES_USER"} {
		p := s.want(http.StatusOK, secret+query).inert()
		for _, leak := range []string{password, encoded, strings.TrimRight(encoded, "=")} {
			if strings.Contains(p.body, leak) {
				t.Errorf("%s holds %s", p.what, leak)
			}
		}
	}
	hidden := s.want(http.StatusOK, secret).says("POSTGRES_PASSWORD", "19 bytes", "hidden")
	if doc := hidden.document(); !strings.Contains(doc, "last-applied-configuration") || !strings.Contains(doc, "POSTGRES_PASSWORD: ") {
		t.Errorf("what may be shown is not:\n%s", doc)
	}
	shown := s.want(http.StatusOK, hidden.link("Show POSTGRES_PASSWORD"))
	if revealed := shown.all("pre"); len(revealed) != 1 || text(revealed[0]) != password {
		t.Errorf("%d values are shown: %s", len(revealed), shown.main())
	}
	if doc := shown.document(); strings.Contains(doc, password) || strings.Contains(doc, encoded) {
		t.Error("the document shows it too")
	}
	if got := shown.link("Hide"); got != secret {
		t.Errorf("hiding leads to %s", got)
	}
	if other := s.want(http.StatusOK, shown.link("Show POSTGRES_USER")).all("pre"); len(other) != 1 || text(other[0]) != user {
		t.Errorf("the other value: %d", len(other))
	}
	if list := s.want(http.StatusOK, "/c/practice/api/v1/namespaces/shop/secrets?wide=1&filter=carts"); strings.Contains(list.body, password) || strings.Contains(list.body, encoded) {
		t.Error("the collection shows it")
	}
}

// Only values that were asked for by key are shown: other objects have no such key.
func TestNothingElseIsRevealed(t *testing.T) {
	p := practiceSite(t).want(http.StatusOK, "/c/practice/api/v1/namespaces/shop/configmaps/storefront?reveal=banner")
	if len(p.all("pre")) != 0 || len(p.all("ul", "class=secrets")) != 0 {
		t.Errorf("%s", p.main())
	}
}

func TestBinarySecretIsShownAsBase64(t *testing.T) {
	s := practiceSite(t)
	namespace := s.scratch(0)
	_, err := s.admin().Do(t.Context(), api.Request{
		Method: http.MethodPost, Path: "/api/v1/namespaces/" + namespace + "/secrets", ContentType: "application/json",
		Body: []byte(`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"odd"},"data":{"key&x=<b>":"/////w==","bin":"/////w==","empty":""}}`),
	})
	if api.Code(err) != http.StatusUnprocessableEntity {
		t.Errorf("a key of such characters: %v", err)
	}
	_, err = s.admin().Do(t.Context(), api.Request{
		Method: http.MethodPost, Path: "/api/v1/namespaces/" + namespace + "/secrets", ContentType: "application/json",
		Body: []byte(`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"odd"},"data":{"bin":"/////w==","empty":""}}`),
	})
	must(t, err)
	p := s.want(http.StatusOK, "/c/practice/api/v1/namespaces/"+namespace+"/secrets/odd?reveal=bin").says("not text, shown as base64", "/////w==")
	if doc := p.document(); strings.Contains(doc, "/////w==") {
		t.Errorf("the document shows it too:\n%s", doc)
	}
}

func TestUntrustedTextIsInertAndVisible(t *testing.T) {
	const object = "/c/practice/api/v1/namespaces/platform/configmaps/untrusted-text"
	s := practiceSite(t)
	for _, address := range []string{object, object + "?tab=json", object + "?managed=1", object + "?tab=events", object + "?tab=related", "/c/practice/api/v1/namespaces/platform/configmaps?wide=1"} {
		p := s.want(http.StatusOK, address).inert()
		for n := range p.tree.Descendants() {
			if n.Type == html.TextNode && n.Parent.Data != "script" && strings.ContainsFunc(n.Data, func(r rune) bool {
				return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r))
			}) {
				t.Errorf("%s shows %+q as it is", address, n.Data)
			}
		}
	}
	for _, query := range []string{"", "?tab=json"} {
		doc := s.get(object + query).document()
		for _, words := range []string{"<script>alert(1)</script>", `onmouseover=`, "javascript:alert(1)", "fdp.exe", `202e`, `200b`, "<img src=x onerror=alert(1)>", "[31mred", strings.Repeat("unbroken", 37)} {
			if !strings.Contains(strings.ToLower(doc), words) {
				t.Errorf("%s does not show %s:\n%s", object+query, words, doc)
			}
		}
	}
}

// TestPagesOfALargeObjectAreBounded has a ConfigMap about as large as an API server takes. Each page of it embeds the object, and has at
// most two megabytes besides.
func TestPagesOfALargeObjectAreBounded(t *testing.T) {
	s := practiceSite(t)
	namespace := s.scratch(0)
	keys := make([]string, 30_000)
	for i := range keys {
		keys[i] = fmt.Sprintf(`"k%05d":"v"`, i)
	}
	collection := "/api/v1/namespaces/" + namespace + "/configmaps"
	s.write(collection, "large", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"large"},"data":{`+strings.Join(keys, ",")+`}}`)
	answer, err := s.admin().Do(t.Context(), api.Request{Path: collection + "/large"})
	must(t, err)
	path := collection + "/large"
	for address, says := range map[string]string{
		path:                                  "more lines below",
		path + "?field=.data.k29999":          "more lines above",
		path + "?filter=k2999":                "10 lines",
		path + "?tab=yaml":                    "more lines aren’t shown",
		path + "?tab=json&managed=1":          "more lines aren’t shown",
		path + "?tab=timeline":                "What this version shows",
		path + "?tab=schema":                  "",
		path + "?tab=related":                 "",
		"/-/delete?path=" + path:              "",
		"/-/assist?path=" + path:              "",
		"/-/apply?edit=" + path:               "",
		collection:                            "large",
		"/-/assist?do=hand-over&path=" + path: "",
	} {
		p := s.want(http.StatusOK, "/c/practice"+address)
		if says != "" {
			p.says(says)
		}
		t.Logf("%s: %.2f MB, of an object of %.2f MB", address, float64(len(p.body))/1e6, float64(len(answer.Body))/1e6)
		// Quotes and angle brackets of what is embedded may be escaped.
		if besides := len(p.body) - 2*len(answer.Body); besides > 2<<20 {
			t.Errorf("%s: %d bytes, of an object of %d", address, len(p.body), len(answer.Body))
		}
	}
}
