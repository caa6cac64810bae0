package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
)

var (
	read = []string{"get", "list", "watch"}

	pod         = discovery.Type{Version: "v1", Resource: "pods", Kind: "Pod", Namespaced: true, Verbs: read}
	node        = discovery.Type{Version: "v1", Resource: "nodes", Kind: "Node", Verbs: read}
	binding     = discovery.Type{Version: "v1", Resource: "bindings", Kind: "Binding", Namespaced: true, Verbs: []string{"create"}}
	configMap   = discovery.Type{Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Namespaced: true, Verbs: read}
	deployment  = discovery.Type{Group: "apps", Version: "v1", Resource: "deployments", Kind: "Deployment", Namespaced: true, Verbs: read}
	daemonSet   = discovery.Type{Group: "apps", Version: "v1", Resource: "daemonsets", Kind: "DaemonSet", Namespaced: true, Verbs: read}
	otherPod    = discovery.Type{Group: "metrics.k8s.io", Version: "v1beta1", Resource: "pods", Kind: "PodMetrics", Namespaced: true, Verbs: read}
	testCatalog = discovery.Catalog{Groups: []discovery.Group{
		{Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{node, binding, configMap, pod}}}},
		{Name: "apps", Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{deployment, daemonSet}}}},
		{Name: "metrics.k8s.io", Preferred: "v1beta1", Versions: []discovery.Version{{Name: "v1beta1", Types: []discovery.Type{otherPod}}}},
	}}
)

// at is the shell of the page of an API path.
func at(t *testing.T, path string) Model {
	t.Helper()
	p, err := apipath.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	here := Cluster{Slug: "practice", Name: "practice"}
	return Model{Cluster: here, Clusters: []Cluster{here, {Slug: "b-1", Name: "b/1"}}, Catalog: testCatalog, Path: p, Namespaces: []string{"default", "shop"}}
}

func texts(links []components.Link) string {
	var all []string
	for _, l := range links {
		all = append(all, l.Text)
	}
	return strings.Join(all, " ")
}

func current(links []components.Link) string {
	return texts(slices.DeleteFunc(slices.Clone(links), func(l components.Link) bool { return !l.Current }))
}

func TestPlural(t *testing.T) {
	for want, of := range map[string][2]string{
		"ConfigMaps":               {"ConfigMap", "configmaps"},
		"EndpointSlices":           {"EndpointSlice", "endpointslices"},
		"Ingresses":                {"Ingress", "ingresses"},
		"IngressClasses":           {"IngressClass", "ingressclasses"},
		"Endpoints":                {"Endpoints", "endpoints"},
		"NetworkPolicies":          {"NetworkPolicy", "networkpolicies"},
		"StorageVersionMigrations": {"StorageVersionMigration", "storageversionmigrations"},
		"PodMetrics (pods)":        {"PodMetrics", "pods"},
		"Gateway (gw)":             {"Gateway", "gw"},
		"Octopus (octopodes)":      {"Octopus", "octopodes"},
		"Person (people)":          {"Person", "people"},
		"Thing (entirely-else)":    {"Thing", "entirely-else"},
		"\u212a (ks)":              {"\u212a", "ks"}, // U+212A, whose lower case is the plain letter
		"İİİ (i̇i̇i̇s)":            {"İİİ", "i̇i̇i̇s"},
		" (things)":                {"", "things"},
		"Thing ()":                 {"Thing", ""},
	} {
		if got := Plural(discovery.Type{Kind: of[0], Resource: of[1]}); got != want {
			t.Errorf("Plural(%s, %s) = %q, want %q", of[0], of[1], got, want)
		}
	}
}

func TestSectionsAreFavouritesThenGroupsInTheServersOrder(t *testing.T) {
	var got []string
	for _, s := range at(t, "/").Sections() {
		got = append(got, s.Title+" ("+s.Hint+"): "+texts(s.Links))
	}
	want := []string{
		"Favorites (): Pods Deployments ConfigMaps Nodes",
		"core (v1): ConfigMaps Nodes Pods", // by name, without what cannot be listed
		"apps (apps/v1): DaemonSets Deployments",
		"metrics.k8s.io (metrics.k8s.io/v1beta1): PodMetrics (pods)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Where many groups were added, those of one domain are one section, and types of the same name say their group.
func TestManyAddedGroupsAreOneSectionForEachDomain(t *testing.T) {
	m := at(t, "/")
	m.Preferences.Chosen = true
	m.Catalog = discovery.Catalog{}
	for _, words := range []string{
		"apps deployments/Deployment", "eks.aws.upbound.io clusters/Cluster nodegroups/NodeGroup", "rds.aws.upbound.io clusters/Cluster", "upbound.io things/Thing",
		"cert-manager.io certificates/Certificate", "acme.cert-manager.io orders/Order", "argoproj.io applications/Application", "a.k8s.io as/A", "b.k8s.io bs/B",
	} {
		named := strings.Fields(words)
		v := discovery.Version{Name: "v1"}
		for _, one := range named[1:] {
			resource, kind, _ := strings.Cut(one, "/")
			v.Types = append(v.Types, discovery.Type{Group: named[0], Version: "v1", Resource: resource, Kind: kind, Verbs: []string{"list"}})
		}
		m.Catalog.Groups = append(m.Catalog.Groups, discovery.Group{Name: named[0], Preferred: "v1", Versions: []discovery.Version{v}})
	}
	var got []string
	for _, s := range m.groups() {
		got = append(got, s.Title+": "+texts(m.filled(s).Links))
	}
	want := []string{
		"apps: Deployments", "upbound.io: Clusters in eks.aws Clusters in rds.aws NodeGroups Things",
		"cert-manager.io: Certificates Orders", "argoproj.io: Applications", "a.k8s.io: As", "b.k8s.io: Bs",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if s := m.groups()[1]; s.Hint != "3 API groups: eks.aws.upbound.io, rds.aws.upbound.io, upbound.io" || s.ID != "upbound.io" {
		t.Errorf("%+v", s)
	}
	m.Catalog.Groups = m.Catalog.Groups[:4]
	if s := m.groups(); len(s) != 4 || !s[1].Usual {
		t.Errorf("with three added groups: %+v", s)
	}
}

func TestSectionsWithoutFavouritesHaveNoEmptyOne(t *testing.T) {
	m := at(t, "/")
	m.Catalog = discovery.Catalog{Groups: testCatalog.Groups[2:]}
	if s := m.Sections(); len(s) != 1 || s[0].Title != "metrics.k8s.io" {
		t.Errorf("%+v", s)
	}
	m.Catalog = discovery.Catalog{}
	if s := m.Sections(); len(s) != 0 {
		t.Errorf("an empty catalog has %+v", s)
	}
}

func TestThePagesTypeIsMarkedOnce(t *testing.T) {
	for path, want := range map[string]string{
		"/":                                 "",
		"/apis/apps/v1":                     "",
		"/api/v1/pods":                      "Favorites:Pods",
		"/api/v1/namespaces/shop/pods/web":  "Favorites:Pods",
		"/apis/apps/v1/daemonsets":          "apps:DaemonSets",
		"/apis/metrics.k8s.io/v1beta1/pods": "metrics.k8s.io:PodMetrics (pods)",
	} {
		var marked []string
		for _, s := range at(t, path).Sections() {
			if c := current(s.Links); c != "" {
				marked = append(marked, s.Title+":"+c)
			}
		}
		if got := strings.Join(marked, ", "); got != want {
			t.Errorf("%s marks %q, want %q", path, got, want)
		}
	}
}

func TestTypeLinksStayInTheNamespace(t *testing.T) {
	for _, s := range at(t, "/api/v1/namespaces/shop/pods/web-1").Sections() {
		for _, l := range s.Links {
			if inShop := strings.Contains(l.Href, "/namespaces/shop/"); inShop == (l.Text == "Nodes") {
				t.Errorf("%s leads to %s", l.Text, l.Href)
			}
		}
	}
}

func TestNamespaceMenuLinks(t *testing.T) {
	for _, c := range []struct{ what, path, current, all, shop string }{
		{"a collection everywhere", "/api/v1/pods", "all", "/c/practice/api/v1/pods", "/c/practice/api/v1/namespaces/shop/pods"},
		{"a collection in a namespace", "/apis/apps/v1/namespaces/shop/deployments", "shop", "/c/practice/apis/apps/v1/deployments", "/c/practice/apis/apps/v1/namespaces/shop/deployments"},
		{"an object", "/apis/apps/v1/namespaces/default/deployments/web", "default", "/c/practice/apis/apps/v1/deployments", "/c/practice/apis/apps/v1/namespaces/shop/deployments"},
		{"a subresource", "/apis/apps/v1/namespaces/shop/deployments/web/scale", "shop", "/c/practice/apis/apps/v1/deployments", "/c/practice/apis/apps/v1/namespaces/shop/deployments"},
		{"a cluster-scoped collection", "/api/v1/nodes", "all", "/c/practice/api/v1/pods", "/c/practice/api/v1/namespaces/shop/pods"},
		{"a cluster-scoped object", "/api/v1/nodes/n-1", "all", "/c/practice/api/v1/pods", "/c/practice/api/v1/namespaces/shop/pods"},
		{"a namespace itself", "/api/v1/namespaces/shop", "all", "/c/practice/api/v1/pods", "/c/practice/api/v1/namespaces/shop/pods"},
		{"the overview", "/", "all", "/c/practice/api/v1/pods", "/c/practice/api/v1/namespaces/shop/pods"},
		{"discovery", "/apis/apps/v1", "all", "/c/practice/api/v1/pods", "/c/practice/api/v1/namespaces/shop/pods"},
		{"a type that is not known", "/apis/x.test/v1/namespaces/shop/things", "shop", "/c/practice/api/v1/pods", "/c/practice/api/v1/namespaces/shop/pods"},
	} {
		menu := at(t, c.path).NamespaceMenu()
		hrefs := map[string]string{}
		for _, l := range menu.Links {
			hrefs[l.Text] = l.Href
		}
		if menu.Current != c.current || hrefs["All namespaces"] != c.all || hrefs["shop"] != c.shop {
			t.Errorf("%s: %q %q", c.what, menu.Current, hrefs)
		}
		if marked := current(menu.Links); marked != menu.Current && (marked != "All namespaces" || menu.Current != "all") {
			t.Errorf("%s: %q is chosen, %q is marked", c.what, menu.Current, marked)
		}
	}
}

func TestNamespaceMenuThatIsCutSaysSo(t *testing.T) {
	m := at(t, "/api/v1/pods")
	m.MoreNamespaces, m.NamespacesNote = true, "a note"
	menu := m.NamespaceMenu()
	if last := menu.Links[len(menu.Links)-1]; last.Text != "More…" || last.Href != "/c/practice/api/v1/namespaces" || menu.Note != "a note" {
		t.Errorf("%+v", menu)
	}
}

func TestClusterMenu(t *testing.T) {
	menu := at(t, "/api/v1/pods").ClusterMenu()
	if got := texts(menu.Links); got != "practice b/1 All clusters…" || current(menu.Links) != "practice" || menu.Current != "practice" {
		t.Errorf("%+v", menu)
	}
	if menu.Links[1].Href != "/c/b-1" {
		t.Errorf("the link is made of something else than the slug: %s", menu.Links[1].Href)
	}
	if outside := (Model{}).ClusterMenu(); outside.Current != "choose…" || current(outside.Links) != "" {
		t.Errorf("outside any cluster: %+v", outside)
	}
}

func TestThemeChoiceGoesRound(t *testing.T) {
	m := Model{}
	var seen []string
	for range 3 {
		value, words := m.ThemeChoice()
		if words == "" {
			t.Errorf("%s has no words", value)
		}
		seen = append(seen, value)
		m.Theme = map[string]string{"auto": ""}[value]
		if value != "auto" {
			m.Theme = value
		}
	}
	if !slices.Equal(seen, []string{"light", "dark", "auto"}) {
		t.Errorf("%v", seen)
	}
}

// segments writes an anatomy as text=meaning, linked ones with an arrow to their address.
func segments(m Model) string {
	var all []string
	for _, s := range m.Anatomy() {
		text := s.Text
		if s.Href != "" {
			text += "→" + strings.TrimPrefix(s.Href, "/c/practice")
		}
		if s.Current {
			text += "!"
		}
		all = append(all, text)
	}
	return strings.Join(all, " ")
}

func TestAnatomy(t *testing.T) {
	for path, want := range map[string]string{
		"/":                    "",
		"/version":             "",
		"/apis":                "apis→/apis!",
		"/api":                 "api→/api!",
		"/api/v1":              "api→/api v1→/api/v1!",
		"/apis/apps":           "apis→/apis apps→/apis/apps!",
		"/apis/apps/v1":        "apis→/apis apps→/apis/apps v1→/apis/apps/v1!",
		"/api/v1/nodes":        "api→/api v1→/api/v1 nodes→/api/v1/nodes!",
		"/api/v1/nodes/n-1":    "api→/api v1→/api/v1 nodes→/api/v1/nodes n-1→/api/v1/nodes/n-1!",
		"/api/v1/namespaces":   "api→/api v1→/api/v1 namespaces→/api/v1/namespaces!",
		"/api/v1/namespaces/a": "api→/api v1→/api/v1 namespaces→/api/v1/namespaces a→/api/v1/namespaces/a!",
		"/api/v1/namespaces/a/pods": "api→/api v1→/api/v1 namespaces→/api/v1/namespaces a→/api/v1/namespaces/a " +
			"pods→/api/v1/namespaces/a/pods!",
		"/apis/apps/v1/namespaces/a/deployments/web/scale": "apis→/apis apps→/apis/apps v1→/apis/apps/v1 " +
			"namespaces→/api/v1/namespaces a→/api/v1/namespaces/a deployments→/apis/apps/v1/namespaces/a/deployments " +
			"web→/apis/apps/v1/namespaces/a/deployments/web scale→/apis/apps/v1/namespaces/a/deployments/web/scale!",
		"/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node": "apis→/apis rbac.authorization.k8s.io→/apis/rbac.authorization.k8s.io " +
			"v1→/apis/rbac.authorization.k8s.io/v1 clusterroles→/apis/rbac.authorization.k8s.io/v1/clusterroles " +
			"system:node→/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node!",
		"/api/v1/nodes/%3Cscript%3E": "api→/api v1→/api/v1 nodes→/api/v1/nodes <script>→/api/v1/nodes/%3Cscript%3E!",
	} {
		m := at(t, path)
		if got := segments(m); got != want {
			t.Errorf("%s:\n got %s\nwant %s", path, got, want)
		}
		for _, s := range m.Anatomy() {
			if s.Means == "" {
				t.Errorf("%s: %q is not said to be anything", path, s.Text)
			}
		}
	}
}

// Taken together, the parts are the path: nothing is hidden, nothing made up.
func TestAnatomySpellsThePath(t *testing.T) {
	for _, path := range []string{"/apis", "/api/v1", "/apis/apps/v1/namespaces/a/deployments/web/scale", "/api/v1/nodes/n-1/status"} {
		spelled := ""
		for _, s := range at(t, path).Anatomy() {
			spelled += "/" + s.Text
		}
		if spelled != path {
			t.Errorf("%s is spelled %s", path, spelled)
		}
	}
}

func TestTypeNamesAreWhatTheJumpUnderstands(t *testing.T) {
	m := at(t, "/")
	for _, name := range m.TypeNames() {
		if found := m.Catalog.Find(name); len(found) == 0 || found[0].FullName() != name {
			t.Errorf("%s is offered, and found as %v", name, found)
		}
	}
	if names := m.TypeNames(); !slices.Equal(names, []string{"nodes", "configmaps", "pods", "deployments.apps", "daemonsets.apps", "pods.metrics.k8s.io"}) {
		t.Errorf("%v", names)
	}
}

// A reader with many clusters finds the others by a search.
func TestAMenuOfManyClustersHasASearch(t *testing.T) {
	m := Model{Clusters: []Cluster{{Slug: "a", Name: "a"}}, Unlisted: 499}
	if f := m.ClusterMenu().Find; f == nil || f.Action != "/" || f.Field != "q" || f.Do != DoContexts || f.Words != "Find one of 500 contexts…" {
		t.Errorf("%+v", f)
	}
	if got, want := m.Unlisting(), "This menu lists 1 of 500 contexts. Open another context, and the menu lists it, too."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	m.Unlisted = 0
	if m.ClusterMenu().Find != nil || m.Unlisting() != "" {
		t.Error("a short menu has a search")
	}
}
