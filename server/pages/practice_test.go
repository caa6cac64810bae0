package pages

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web"
)

func TestHomeShowsEachContextInWords(t *testing.T) {
	p := practiceSite(t).want(http.StatusOK, "/").inert()
	for _, name := range []string{cluster.Practice, cluster.PracticeViewer} {
		cards := p.all("li", "data-cluster="+name, "data-state=ready")
		if len(cards) != 1 || !strings.Contains(text(cards[0]), "v1.") {
			t.Errorf("%s has %d cards: %s", name, len(cards), p.main())
			continue
		}
		if links := all(cards[0], "a", "href=/c/"+name); len(links) != 1 {
			t.Errorf("%s cannot be opened", name)
		}
	}
}

func TestABrokenContextHurtsNoOther(t *testing.T) {
	clusters, err := cluster.Load(cluster.Options{Kubeconfig: kubeconfig(t, map[string]string{"dead": "https://127.0.0.1:1", "mistyped": "ftp://127.0.0.1"})})
	must(t, err)
	must(t, clusters.AddFile(practiceFile(t), cluster.FromPractice))
	s := newSite(t, clusters)
	p := s.want(http.StatusOK, "/")
	for name, state := range map[string]string{"practice": "ready", "dead": "unreachable", "mistyped": "misconfigured"} {
		if len(p.all("li", "data-cluster="+name, "data-state="+state)) != 1 {
			t.Errorf("%s is not told as %s: %s", name, state, p.main())
		}
	}
	s.want(http.StatusBadGateway, "/c/dead/api/v1/pods").says("doesn’t respond").inert()
	s.want(http.StatusBadGateway, "/c/mistyped/api/v1/pods").says("can’t connect to this cluster", "ftp://127.0.0.1", "Set server in the kubeconfig").inert()
	s.want(http.StatusOK, "/c/practice/api/v1/namespaces")
}

func TestDiscoveryTellsWhatTheServerHolds(t *testing.T) {
	p := practiceSite(t).want(http.StatusOK, "/c/practice/-/discovery").inert()
	for resource, atLeast := range map[string]int{"namespaces": 4, "deployments.apps": 3, "promotions.shop.example.com": 3, "secrets": 1} {
		rows := p.all("tr", "data-type="+resource)
		if len(rows) != 1 {
			t.Errorf("%s is listed %d times", resource, len(rows))
			continue
		}
		var n int
		if _, err := fmt.Sscan(text(all(rows[0], "td", "class=number")[0]), &n); err != nil || n < atLeast {
			t.Errorf("%s: %d objects (%v)", resource, n, err)
		}
	}
	if len(p.all("footer")) != 1 || !strings.Contains(text(p.all("footer")[0]), "/apis") {
		t.Error("the page does not tell what it asked")
	}
}

func TestDiscoveryPathsArePages(t *testing.T) {
	s := practiceSite(t)
	for path, c := range map[string]struct {
		heading string
		types   []string
		absent  string
	}{
		"/":                    {"practice", nil, "pods"},
		"/api":                 {"Core API group", []string{"pods"}, "deployments.apps"},
		"/api/v1":              {"Core API group, v1", []string{"pods", "bindings"}, "deployments.apps"},
		"/apis":                {"API groups", []string{"deployments.apps", "regions.shop.example.com"}, "pods"},
		"/apis/apps":           {"apps", []string{"deployments.apps", "daemonsets.apps"}, "jobs.batch"},
		"/apis/apps/v1":        {"apps/v1", []string{"deployments.apps"}, "jobs.batch"},
		"/apis/autoscaling/v1": {"autoscaling/v1", []string{"horizontalpodautoscalers.autoscaling"}, "pods"},
	} {
		p := s.want(http.StatusOK, "/c/practice"+path).inert()
		if h := text(p.all("h1")[0]); h != c.heading {
			t.Errorf("%s is headed %q", path, h)
		}
		for _, name := range c.types {
			if len(p.all("tr", "data-resource="+name)) != 1 {
				t.Errorf("%s does not list %s", path, name)
			}
		}
		if c.absent != "" && len(p.all("tr", "data-resource="+c.absent)) != 0 {
			t.Errorf("%s lists %s", path, c.absent)
		}
	}
}

func TestEveryListableTypeHasItsPage(t *testing.T) {
	s := practiceSite(t)
	c, _ := s.clusters.Get(cluster.Practice)
	catalog, err := c.Catalog(t.Context(), nil)
	must(t, err)
	types := catalog.Listable()
	if len(types) < 40 {
		t.Errorf("only %d types", len(types))
	}
	for _, of := range types {
		p := s.want(http.StatusOK, web.Page(cluster.Practice, apipath.Collection(of.Group, of.Version, "", of.Resource).String())).inert()
		if len(p.all("table")) != 1 && !strings.Contains(p.main(), "No ") {
			t.Errorf("%s shows neither objects nor that there are none: %s", of.FullName(), p.main())
		}
	}
}

func TestCollectionInAllNamespaces(t *testing.T) {
	s := practiceSite(t)
	p := s.want(http.StatusOK, "/c/practice/apis/apps/v1/deployments").inert()
	// Two more columns say what is wrong, and a Deployment of another test can be in trouble at this moment.
	if got := strings.TrimSuffix(p.columns(), ", "+table.ConditionColumn+", "+table.WhyColumn); got != "Namespace, Name, Ready, Up-to-date, Available, Age" {
		t.Errorf("columns: %s", got)
	}
	seen := map[string]bool{}
	for _, r := range p.all("tr", "data-uid", "data-rv") {
		namespace, name := value(r, "data-namespace"), value(r, "data-name")
		seen[namespace] = true
		if value(r, "data-uid") == "" || value(r, "data-rv") == "" {
			t.Errorf("%s/%s has no uid or no version", namespace, name)
		}
		if len(all(r, "a", "href=/c/practice/apis/apps/v1/namespaces/"+namespace+"/deployments/"+name)) != 1 {
			t.Errorf("%s/%s does not lead to its page", namespace, name)
		}
	}
	for _, namespace := range []string{"shop", "payments", "platform"} {
		if !seen[namespace] {
			t.Errorf("there is nothing of %s: %v", namespace, seen)
		}
	}
}

func TestCollectionInOneNamespace(t *testing.T) {
	p := practiceSite(t).want(http.StatusOK, "/c/practice/apis/apps/v1/namespaces/shop/deployments")
	if got := p.columns(); strings.Contains(got, "Namespace") {
		t.Errorf("each row repeats the namespace: %s", got)
	}
	if got := p.rows(); !slices.Contains(got, "storefront") || slices.Contains(got, "ledger") {
		t.Errorf("rows: %v", got)
	}
}

func TestAddressOfAFormLosesItsEmptyFields(t *testing.T) {
	p := practiceSite(t).want(http.StatusSeeOther, "/c/practice/api/v1/pods?filter=&labelSelector=app%3Dweb&fieldSelector=&wide=1")
	if got := p.header.Get("Location"); got != "/c/practice/api/v1/pods?labelSelector=app%3Dweb&wide=1" {
		t.Errorf("leads to %s", got)
	}
}

func TestSelectorsAreTheServersOwn(t *testing.T) {
	s := practiceSite(t)
	const deployments = "/c/practice/apis/apps/v1/deployments"
	for query, want := range map[string]string{
		"fieldSelector=" + url.QueryEscape("metadata.name=storefront"):                         "storefront",
		"fieldSelector=" + url.QueryEscape("metadata.name=ledger,metadata.namespace=payments"): "ledger",
		"labelSelector=" + url.QueryEscape("no-such-label=x"):                                  "",
		"fieldSelector=" + url.QueryEscape("metadata.name=Storefront"):                         "",
	} {
		p := s.want(http.StatusOK, deployments+"?"+query)
		if got := strings.Join(p.rows(), " "); got != want {
			t.Errorf("%s chooses %q", query, got)
		}
		if want == "" && p.says("No object matches").link("Clear the selectors") != deployments {
			t.Errorf("%s: the way back is %s", query, p.link("Clear the selectors"))
		}
	}
	for _, query := range []string{"labelSelector=a%3D%3D%3Db", "labelSelector=%26%26", "fieldSelector=spec.nope%3Dx"} {
		p := s.want(http.StatusBadRequest, deployments+"?"+query).says("Message from the server", "Check the selectors").inert()
		if got := p.link("Clear the selectors"); got != deployments {
			t.Errorf("%s: the way back is %s", query, got)
		}
		if len(p.all("input", "name=labelSelector")) != 1 {
			t.Errorf("%s: the selector cannot be corrected where it stands", query)
		}
	}
}

func TestEmptyNamespaceAndMissingNamespaceAreToldApart(t *testing.T) {
	s := practiceSite(t)
	s.want(http.StatusOK, "/c/practice/apis/batch/v1/namespaces/payments/jobs").says("No Jobs in the namespace payments")
	p := s.want(http.StatusNotFound, "/c/practice/api/v1/namespaces/no-such-place/pods").says(`There is no namespace "no-such-place"`)
	if got := p.link("Look in all namespaces"); got != "/c/practice/api/v1/pods" {
		t.Errorf("the way on is %s", got)
	}
}

// scratch makes a namespace with a number of ConfigMaps, for the time of the test.
func (s *site) scratch(count int) (namespace string) {
	s.t.Helper()
	namespace = fmt.Sprintf("pages-%d", time.Now().UnixNano())
	s.write("/api/v1/namespaces", namespace, fmt.Sprintf(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%q}}`, namespace))
	for i := range count {
		body := fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"chunk-%02d","labels":{"for":"chunks"}}}`, i)
		_, err := s.admin().Do(s.t.Context(), api.Request{
			Method: http.MethodPost, Path: "/api/v1/namespaces/" + namespace + "/configmaps", ContentType: "application/json", Body: []byte(body),
		})
		must(s.t, err)
	}
	return namespace
}

func TestChunksShowEachObjectOnce(t *testing.T) {
	s := practiceSite(t)
	next := "/c/practice/api/v1/namespaces/" + s.scratch(7) + "/configmaps?labelSelector=for%3Dchunks&limit=3&sort=-Name"
	var got []string
	for chunk := 0; next != ""; chunk++ {
		if chunk > 3 {
			t.Fatalf("the chunks do not end: %v", got)
		}
		p := s.want(http.StatusOK, next)
		rows := p.rows()
		if len(rows) == 0 || len(rows) > 3 || !slices.IsSortedFunc(rows, func(a, b string) int { return strings.Compare(b, a) }) {
			t.Errorf("chunk %d: %v", chunk, rows)
		}
		got = append(got, rows...)
		next = ""
		if links := p.all("a", "rel=next"); len(links) == 1 {
			next = value(links[0], "href")
		}
	}
	slices.Sort(got)
	if want := "chunk-00 chunk-01 chunk-02 chunk-03 chunk-04 chunk-05 chunk-06"; strings.Join(got, " ") != want {
		t.Errorf("seen: %v", got)
	}
}

func TestMalformedTokenIsToldAsSuch(t *testing.T) {
	s := practiceSite(t)
	p := s.want(http.StatusBadRequest, "/c/practice/api/v1/configmaps?continue=%3Cscript%3E&limit=2").says("Message from the server").inert()
	if got := p.link("Clear the selectors"); strings.Contains(got, "continue") {
		t.Errorf("the way back is %s", got)
	}
}

// A token from before a compaction is no longer good, and the page says so with the way on. The
// server looks for compactions every few seconds only.
func TestExpiredTokenSaysToStartAnew(t *testing.T) {
	s := practiceSite(t)
	next := s.want(http.StatusOK, "/c/practice/api/v1/configmaps?limit=1&sort=Name").all("a", "rel=next")
	if len(next) != 1 {
		t.Fatal("there is no second chunk")
	}
	address := value(next[0], "href")
	s.compact()
	p := s.want(http.StatusGone, address).says("This chunk has expired", "Start the list again").inert()
	if got := p.link("List again from the beginning"); got != "/c/practice/api/v1/configmaps?limit=1&sort=Name" {
		t.Errorf("it starts anew at %s", got)
	}
}

// compact has the practice cluster forget its history, and waits until it says that it has.
func (s *site) compact() {
	s.t.Helper()
	s.scenario(`{"name":"forget","compact":{"watchCache":"Keep"}}`)
}

// scenario makes a Scenario with one fault for the time of the test, and waits until it holds. Its name names no other.
func (s *site) scenario(fault string) (name string) {
	s.t.Helper()
	const scenarios = "/apis/practice.fieldmark.dev/v1alpha1/scenarios"
	name = fmt.Sprintf("pages-%d", time.Now().UnixNano())
	s.write(scenarios, name, fmt.Sprintf(`{"apiVersion":"practice.fieldmark.dev/v1alpha1","kind":"Scenario","metadata":{"name":%q},"spec":{"faults":[%s]}}`, name, fault))
	stream, _, err := s.admin().Stream(s.t.Context(), api.Request{Path: scenarios + "?watch=1&timeoutSeconds=120&fieldSelector=metadata.name%3D" + name})
	must(s.t, err)
	defer stream.Close()
	for events := json.NewDecoder(stream); ; {
		var e struct {
			Object struct {
				Status struct {
					Conditions []struct{ Type, Status, Reason, Message string }
				}
			}
		}
		if err := events.Decode(&e); err != nil {
			s.t.Fatalf("the scenario does not come to hold: %v", err)
		}
		for _, c := range e.Object.Status.Conditions {
			if c.Type == "Holds" && c.Status == "True" {
				return name
			}
			if c.Reason == "Failed" {
				s.t.Fatalf("the scenario failed: %s", c.Message)
			}
		}
	}
}

func TestWideColumns(t *testing.T) {
	s := practiceSite(t)
	p := s.want(http.StatusOK, "/c/practice/api/v1/namespaces/shop/pods")
	wide := s.want(http.StatusOK, p.link("All columns"))
	if narrow := p.columns(); strings.Contains(narrow, "Node") || !strings.Contains(wide.columns(), "Node") {
		t.Errorf("%s; wide: %s", narrow, wide.columns())
	}
	if back := wide.link("Fewer columns"); back != "/c/practice/api/v1/namespaces/shop/pods" {
		t.Errorf("the way back is %s", back)
	}
}

func TestSortAndFilterWithinThePage(t *testing.T) {
	s := practiceSite(t)
	const promotions = "/c/practice/apis/shop.example.com/v1/namespaces/shop/promotions"
	for query, want := range map[string]string{
		"sort=Discount":           "early-bird free-pots spring-sale",
		"sort=-Discount":          "spring-sale free-pots early-bird",
		"sort=-Name&filter=true":  "spring-sale free-pots",
		"filter=nothing-holds-it": "",
	} {
		p := s.want(http.StatusOK, promotions+"?"+query)
		if got := strings.Join(p.rows(), " "); got != want {
			t.Errorf("%s: %s", query, got)
		}
	}
	sorted := s.get(promotions+"?sort=Discount").all("th", "data-column=Discount", "aria-sort=ascending")
	if len(sorted) != 1 || value(all(sorted[0], "a")[0], "href") != promotions+"?sort=-Discount" {
		t.Error("the head does not tell how it is sorted, or does not lead to the other way round")
	}
}

func TestCustomResources(t *testing.T) {
	s := practiceSite(t)
	for address, want := range map[string]string{
		"/c/practice/apis/shop.example.com/v1/promotions":                        "Namespace, Name, Discount, Active, Ends, Age",
		"/c/practice/apis/shop.example.com/v1/namespaces/shop/promotions?wide=1": "Name, Discount, Active, Ends, Products, Age",
		"/c/practice/apis/shop.example.com/v1/regions":                           "Name, Age",
	} {
		p := s.want(http.StatusOK, address).inert()
		if got := p.columns(); got != want || len(p.rows()) < 3 {
			t.Errorf("%s: %s, rows %v", address, got, p.rows())
		}
	}
	s.want(http.StatusOK, "/c/practice/apis/shop.example.com/v1/regions/oceania").says("Region", "currency")
	s.want(http.StatusOK, "/c/practice/apis/shop.example.com/v1/namespaces/shop/promotions/free-pots").says("discountPercent")
}

// An API server behind the API server may print no Tables and publish no schema.
func TestAnAggregatedAPIThatSpeaksPlainJSONOnly(t *testing.T) {
	s := practiceSite(t)
	const readings = "/c/practice/apis/legacy.practice.fieldmark.dev/v1"
	p := s.want(http.StatusOK, readings+"/namespaces/shop/readings").says("this server has no Table for this type").inert()
	if got := p.columns(); got != "Name, Age" || len(p.rows()) < 3 {
		t.Errorf("%s, rows %v", got, p.rows())
	}
	if rows := s.want(http.StatusOK, readings+"/readings?labelSelector=station%3Dwarehouse").rows(); !slices.Equal(rows, []string{"warehouse-temperature"}) {
		t.Errorf("%v", rows)
	}
	const one = readings + "/namespaces/shop/readings/warehouse-temperature"
	s.want(http.StatusOK, one).says("No managed fields", "°C").inert()
	s.want(http.StatusOK, one+"?tab=schema").says("No schema is published").inert()
	s.want(http.StatusOK, one+"?tab=events").says("No events").inert()
	s.want(http.StatusOK, one+"?tab=related").says("This object has no owner reference").inert()
	s.want(http.StatusOK, readings+"/stations/greenhouse?tab=yaml").says("among the seedlings").inert()
	s.want(http.StatusForbidden, strings.Replace(one, "practice", "practice-viewer", 1)).says("You don’t have permission to get readings.legacy.practice.fieldmark.dev")
}

func TestForbiddenSaysWhatIsMissing(t *testing.T) {
	s := practiceSite(t)
	for path, words := range map[string][]string{
		"/api/v1/secrets":                                {"You don’t have permission to list secrets in the whole cluster", "choose a namespace above"},
		"/api/v1/namespaces/shop/secrets":                {"You don’t have permission to list secrets in the namespace shop"},
		"/api/v1/namespaces/payments/pods":               {"You don’t have permission to list pods in the namespace payments"},
		"/apis/apps/v1/namespaces/shop/statefulsets":     {"You don’t have permission to list statefulsets.apps in the namespace shop"},
		"/api/v1/nodes":                                  {"You don’t have permission to list nodes in the whole cluster"},
		"/api/v1/namespaces/shop/secrets/carts-db":       {"You don’t have permission to get secrets in the namespace shop"},
		"/apis/shop.example.com/v1/regions/oceania":      {"You don’t have permission to get regions.shop.example.com in the whole cluster"},
		"/api/v1/namespaces/shop/pods/carts-db-0/status": {"You don’t have permission to get pods/status in the namespace shop"},
	} {
		s.want(http.StatusForbidden, "/c/practice-viewer"+path).says(append(words, "Message from the server", "cannot")...).inert()
	}
	for _, path := range []string{"/api/v1/namespaces/shop/pods", "/api/v1/namespaces", "/", "/apis/apps/v1/namespaces/shop/deployments/storefront?tab=related"} {
		s.want(http.StatusOK, "/c/practice-viewer"+path)
	}
}

func TestWhatIsNotThereIsToldWithAWayOn(t *testing.T) {
	s := practiceSite(t)
	for address, c := range map[string]struct {
		code        int
		words, link string
	}{
		"/c/nope":                                        {404, `There is no cluster "nope"`, "/"},
		"/c/%3Cscript%3E/api":                            {404, `There is no cluster "<script>"`, "/"},
		"/c/practice/apis/nope.example.com":              {404, "doesn’t serve apis/nope.example.com", "/c/practice/-/discovery"},
		"/c/practice/apis/apps/v9":                       {404, "The cluster serves apps/v1.", "/c/practice/-/discovery"},
		"/c/practice/api/v2":                             {404, "doesn’t serve api/v2", "/c/practice/-/discovery"},
		"/c/practice/api/v1/deployments":                 {404, `serves no type "deployments" in v1`, "/c/practice/apis/apps/v1/deployments"},
		"/c/practice/apis/apps/v1/deploymints":           {404, `serves no type "deploymints"`, "/c/practice/apis/apps/v1/deployments"},
		"/c/practice/apis/apps/v9/deployments":           {404, "in apps/v9", "/c/practice/apis/apps/v1/deployments"},
		"/c/practice/api/v1/namespaces/shop/pods/nope":   {404, `There is no Pod "nope"`, "/c/practice/api/v1/namespaces/shop/pods"},
		"/c/practice/api/v1/nodes/nope/status":           {404, `There is no status of Node "nope"`, "/c/practice/api/v1/nodes"},
		"/c/practice/api/v1/namespaces/nope":             {404, `There is no Namespace "nope"`, "/c/practice/api/v1/namespaces"},
		"/c/practice/version":                            {404, "isn’t the path of a resource", "/clusters/practice/version"},
		"/c/practice/api/v1/namespaces/shop/pods/x/exec": {404, "There is no page for exec", "/c/practice/api/v1/namespaces/shop/pods/x"},
		"/c/practice/api/v1/pods%2f..":                   {400, "This address is ambiguous", "/c/practice"},
		"/c/practice/api//v1":                            {400, "This address is ambiguous", "/c/practice"},
		"/nowhere":                                       {404, "Page not found", "/"},
	} {
		p := s.want(c.code, address).says(c.words).inert()
		found := slices.ContainsFunc(p.all("main"), func(m *html.Node) bool { return len(all(m, "a", "href="+c.link)) > 0 })
		if !found {
			t.Errorf("%s has no link to %s: %s", address, c.link, p.main())
		}
	}
}

func TestNamesWithOddCharactersHavePages(t *testing.T) {
	const roles = "/c/practice/apis/rbac.authorization.k8s.io/v1/clusterroles"
	s := practiceSite(t)
	p := s.want(http.StatusOK, roles+"?filter=system:node-proxier").inert()
	links := p.all("a", "href="+roles+"/system:node-proxier")
	if len(links) != 1 {
		t.Fatalf("no link leads there: %v", p.rows())
	}
	s.want(http.StatusOK, value(links[0], "href")).says("system:node-proxier")
	s.want(http.StatusOK, roles+"/system%3Anode-proxier").says("system:node-proxier")
}

// Roles may have names with characters that have a meaning in paths, in queries and in selectors.
func TestEachLinkToARoleWithAnOddNameAnswers(t *testing.T) {
	const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles"
	s := practiceSite(t)
	run := fmt.Sprintf("pages-%d-", time.Now().UnixNano())
	for _, odd := range []string{"tea;pot", `back\slash`, "two\nlines", "a?b#c", "x,y=z", "100&1 ½"} {
		name := run + odd
		escaped := url.PathEscape(name)
		s.write(roles, escaped, fmt.Sprintf(`{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":%q}}`, name))
		at := "/c/practice" + apipath.Object("rbac.authorization.k8s.io", "v1", "", "clusterroles", name).String()
		list := s.want(http.StatusOK, "/c/practice"+roles+"?filter="+url.QueryEscape(name))
		if len(list.all("a", "href="+at)) == 0 {
			t.Errorf("%q: the list has no link to %s: %q", name, at, list.rows())
		}
		followed := map[string]bool{}
		for _, a := range s.want(http.StatusOK, at).says("ClusterRole").all("a", "href") {
			there, _, _ := strings.Cut(value(a, "href"), "#")
			if plain, err := url.QueryUnescape(there); err != nil || !strings.Contains(plain, run) || followed[there] {
				continue
			}
			followed[there] = true
			if code := s.get(there).code; code != http.StatusOK {
				t.Errorf("%q: %s answered %d", name, there, code)
			}
		}
		if len(followed) < 8 {
			t.Errorf("%q: only %d links on its page are about it", name, len(followed))
		}
	}
}

func TestJumpToAType(t *testing.T) {
	s := practiceSite(t)
	for word, want := range map[string]string{
		"po": "/c/practice/api/v1/pods", "pods": "/c/practice/api/v1/pods", "Pod": "/c/practice/api/v1/pods", "POD": "/c/practice/api/v1/pods",
		"deploy": "/c/practice/apis/apps/v1/deployments", "deployments.v1.apps": "/c/practice/apis/apps/v1/deployments",
		"promo": "/c/practice/apis/shop.example.com/v1/promotions", "pods.": "",
	} {
		p := s.get("/c/practice/-/find?type=" + url.QueryEscape(word))
		if got := p.header.Get("Location"); got != want || (want != "") != (p.code == http.StatusSeeOther) {
			t.Errorf("%q leads to %q (%d)", word, got, p.code)
		}
	}
	if got := s.get("/c/practice/-/find?type=%20no%20").header.Get("Location"); got != "/c/practice/api/v1/nodes" {
		t.Errorf("blanks around the word lead to %q", got)
	}
	s.want(http.StatusNotFound, "/c/practice/-/find?type=deploymint").says(`No type is called "deploymint"`).link("deployments.apps")
	s.want(http.StatusNotFound, "/c/practice/-/find?type=%3Cscript%3E").says("<script>").inert()
	s.want(http.StatusNotFound, "/c/practice/-/find").says("No type is called")
	s.want(http.StatusNotFound, "/c/nope/-/find?type=po").says("There is no cluster")
	several := s.get("/c/practice/-/find?type=events").says("Several types")
	if several.link("events.events.k8s.io") != "/c/practice/apis/events.k8s.io/v1/events" || several.link("events (v1)") != "/c/practice/api/v1/events" {
		t.Errorf("%s", several.main())
	}
}
