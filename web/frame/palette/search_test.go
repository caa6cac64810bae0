package palette

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/rounds"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

func typing(m Model, query string) Model {
	m, _ = m.Update(page.Typed{Field: Field, Text: query})
	return m
}

// lines are what a palette lists, a line for each group.
func lines(m Model) []string {
	var all []string
	for _, g := range m.groups {
		if g.hits[0].list == offerList && m.index.entry(g.hits[0]).Run != runExplain {
			continue // an offer
		}
		line := g.title + ":"
		for _, p := range g.hits {
			e := m.index.entry(p)
			line += " " + strings.TrimSpace(e.Text+" "+e.Beside) + ","
		}
		all = append(all, strings.TrimSuffix(line, ","))
	}
	return all
}

// ranked are queries, and how what they find begins.
var ranked = []struct {
	query string
	want  []string
}{
	// short names lead
	{"po", []string{"Resource types: Pods po, Poolers, PodMonitors pmon,", "Objects: podinfo default,"}},
	{"PO", []string{"Resource types: Pods po,"}},
	{"deploy", []string{"Resource types: Deployments deploy"}},
	{"svc", []string{"Resource types: Services svc, Services ksvc kservice,"}},
	{"ns", []string{"Resource types: Namespaces ns"}},
	{"no", []string{"Resource types: Nodes no,"}},
	{"ing", []string{"Resource types: Ingresses ing,"}},
	{"sa", []string{"Resource types: ServiceAccounts sa,"}},
	{"pvc", []string{"Resource types: PersistentVolumeClaims pvc"}},
	{"hpa", []string{"Resource types: HorizontalPodAutoscalers hpa"}},
	{"app", []string{"Resource types: Applications app apps,"}},
	{"cert", []string{"Resource types: Certificates cert certs, CertificateRequests cr crs, CertificateSigningRequests csr,"}},

	// plurals, singulars, kinds, full names
	{"pods", []string{"Resource types: Pods po,"}},
	{"daemonset", []string{"Resource types: DaemonSets ds"}},
	{"HTTPRoute", []string{"Resource types: HTTPRoutes"}},
	{"deployments.apps", []string{"Resource types: Deployments deploy"}},
	{"deployments.", []string{"Resource types: Deployments deploy"}},
	{"deploy.app", []string{"Resource types: Deployments deploy"}},
	{"events.events.k8s.io", []string{"Resource types: Events ev"}},
	{"pods.v1", []string{"Resource types: Pods po"}},
	{"clusters", []string{"Resource types: Clusters"}},

	// initials and scattered letters
	{"pdb", []string{"Resource types: PodDisruptionBudgets pdb"}},
	{"cj", []string{"Resource types: CronJobs cj"}},
	{"rb", []string{"Pages: rbac.authorization.k8s.io/v1", "Resource types: RoleBindings, ClusterRoleBindings, Roles,"}},
	{"dplymt", []string{"Resource types: Deployments deploy"}},

	// a group
	{"gateway.networking", []string{"Pages: gateway.networking.k8s.io/v1", "Resource types: Gateways gtw,"}},
	{"postgresql", []string{"Pages: postgresql.cnpg.io/v1", "Resource types: Backups, Poolers, Clusters"}},

	// objects: the reader's own namespace first
	{"web", []string{"Objects: web shop, web shop, web payments, web-config shop, web-7d4b9c6f5-qk8rm shop, web-7d4b9c6f5-x2x9z shop, web-canary shop-staging", "Resource types: MutatingWebhookConfigurations, ValidatingWebhookConfigurations"}},
	{"shop web", []string{"Objects: web shop, web shop, web-config shop, web-7d4b9c6f5-qk8rm shop, web-7d4b9c6f5-x2x9z shop, web-canary shop-staging"}},
	{"web shop", []string{"Objects: web shop, web shop, web-config shop,"}},
	{"payments web", []string{"Objects: web payments"}},
	{"svc web", []string{"Objects: web shop"}},
	{"service cart shop", []string{"Objects: cart shop"}},
	{"x2x9z", []string{"Objects: web-7d4b9c6f5-x2x9z shop"}},
	{"control-", []string{"Objects: control-plane, etcd-control-plane kube-system"}},
	{"ledger", []string{"Objects: ledger payments, ledger-0 payments"}},

	// namespaces, and types in them
	{"payments", []string{"Namespaces: payments", "Objects: payments, web payments,"}},
	{"kube-sys", []string{"Namespaces: kube-system", "Objects: kube-system,"}},
	{"pods shop", []string{"Resource types: Pods in shop, PodMetrics (pods) in shop, Pods in shop-staging,"}},
	{"shop deploy", []string{"Resource types: Deployments in shop, Deployments in shop-staging", "Objects: web shop, cart shop, web-canary shop-staging"}},
	{"cm kube-sys", []string{"Resource types: ConfigMaps in kube-system", "Objects: coredns kube-system,"}},
	{"po all", []string{"Resource types: Pods in all namespaces,"}},
	{"no shop", []string{}}, // nodes are in no namespace

	// clusters, pages, actions
	{"production", []string{"Clusters: production"}},
	{"stag", []string{"Clusters: staging/eu", "Namespaces: shop-staging", "Objects: shop-staging,"}},
	{"overview", []string{"Pages: Overview practice"}},
	{"choose", []string{"Pages: Choose a cluster"}},
	{"sort", []string{"Actions: Sort by Restarts"}},
	{"colours", []string{"Actions: Change colours"}},
	{"keys help", []string{"Actions: Keys and help"}},
	{"this events", []string{"Pages: Events of this object"}},

	// types alone
	{":po", []string{"Resource types: Pods po,"}},
	{":web", []string{"Resource types: MutatingWebhookConfigurations,"}},
	{": po shop", []string{"Resource types: Pods in shop,"}},
	{"zzz", nil},
	{"po zzz", nil},
}

func TestRanking(t *testing.T) {
	m := stocked(t, "/api/v1/namespaces/shop/pods")
	for _, c := range ranked {
		got := lines(typing(m, c.query))
		for i, want := range c.want {
			if i >= len(got) || !strings.HasPrefix(got[i]+",", strings.TrimSuffix(want, ",")+",") {
				t.Errorf("%q finds\n  %s\nwant it to begin with\n  %s", c.query, strings.Join(got, "\n  "), strings.Join(c.want, "\n  "))
				break
			}
		}
		if c.want == nil && len(got) > 0 {
			t.Errorf("%q finds %q", c.query, got)
		}
	}
}

// anyQuery makes queries of pieces of what there is to be found, and of what there is not.
func anyQuery(r *rand.Rand, m Model) string {
	var words []string
	for range 1 + r.IntN(3) {
		e := m.index.origin[r.IntN(len(m.index.origin))]
		from := e.Text + " " + e.Beside
		if r.IntN(2) == 0 {
			it := m.index.names[r.IntN(len(m.index.names))]
			from = it.shown + m.index.circles[it.circle].namespace
		}
		i := r.IntN(len(from))
		word := from[i:min(len(from), i+1+r.IntN(6))]
		switch r.IntN(5) {
		case 0: // letters left out
			word = strings.ReplaceAll(from, string(from[r.IntN(len(from))]), "")[:len(word)/2]
		case 1:
			word = strings.ToUpper(word)
		}
		words = append(words, word)
	}
	return []string{"", "", "", ":"}[r.IntN(4)] + strings.Join(words, " ")
}

// matches tells in a simple way whether an item is found by a word.
func matches(x *index, it *item, w string) bool {
	c := &x.circles[it.circle]
	within := func(t text) bool { return strings.Contains(t.folded, w) }
	return holds(it.shown, w) || slices.ContainsFunc(c.also, within) || slices.ContainsFunc(c.belongs, within)
}

// all are the places of what is searched, pairs aside.
func (x *index) all(scope Scope) []place {
	var all []place
	for i := range x.entries {
		if scope != Types || x.entries[i].kind == Type {
			all = append(all, place{entryList, i})
		}
	}
	for i := range x.names {
		if scope != Types {
			all = append(all, place{nameList, i})
		}
	}
	return all
}

// named tells whether a word names the type of an entry as kubectl would take it.
func named(x *index, p place, w string) bool {
	return p.list == entryList && x.origin[p.at].Kind == Type &&
		slices.ContainsFunc(x.catalog.Find(strings.TrimRight(w, ".")), sameAs(x.origin[p.at].resource))
}

func TestWhatIsFoundHoldsEveryWordAndNothingThatDoesIsMissing(t *testing.T) {
	m := stocked(t, "/api/v1/namespaces/shop/pods")
	r := rand.New(rand.NewPCG(1, 2))
	for range rounds.Of(100) {
		n := typing(m, anyQuery(r, m))
		var want [kinds]int
		for _, p := range n.index.all(n.narrow) {
			it := n.index.item(p)
			found := len(n.words) > 0 && !slices.ContainsFunc(n.words, func(w string) bool { return !matches(n.index, it, w) && !named(n.index, p, w) })
			if found {
				want[it.kind]++
			}
			suggested := slices.ContainsFunc(n.groups, func(g group) bool { return g.title == "Did you mean" && slices.Contains(g.hits, p) })
			if listed := slices.Contains(n.options(), p); listed && !found && !suggested && len(n.words) > 0 {
				t.Fatalf("%q lists %+v", n.query, n.index.entry(p))
			}
		}
		got := n.found.total
		got[Type] -= len(slices.DeleteFunc(n.found.best[Type], func(h hit) bool { return h.place.list != pairList }))
		if got != want {
			t.Fatalf("%q finds %v of the kinds, want %v", n.query, got, want)
		}
	}
}

func TestTheBestAreListedAndTheBestOfAllIsFirst(t *testing.T) {
	m := stocked(t, "/api/v1/namespaces/shop/pods")
	r := rand.New(rand.NewPCG(3, 4))
	for range 400 {
		n := typing(m, anyQuery(r, m))
		if len(n.words) == 0 {
			continue
		}
		s := newSearch(n.index, n.words)
		var hits []hit
		for _, p := range n.index.all(n.narrow) {
			if score := s.score(n.index.item(p)); score > 0 {
				hits = append(hits, hit{score, n.index.item(p).kind, p})
			}
		}
		for _, h := range n.found.best[Type] {
			if h.place.list == pairList {
				hits = append(hits, h)
			}
		}
		slices.SortFunc(hits, n.index.compare)
		checkListed(t, n, hits)
	}
}

// checkListed compares what is listed with all hits in order.
func checkListed(t *testing.T, m Model, hits []hit) {
	t.Helper()
	if len(m.options()) > mostInAll+mostMeant+1 {
		t.Fatalf("%q lists %d", m.query, len(m.options()))
	}
	if len(hits) > 0 && m.options()[0] != hits[0].place {
		t.Fatalf("%q puts %+v first, and not %+v", m.query, m.index.entry(m.options()[0]), m.index.entry(hits[0].place))
	}
	for _, g := range m.groups {
		if g.kind == besides {
			continue
		}
		var want []place
		for _, h := range hits {
			if h.kind == g.kind {
				want = append(want, h.place)
			}
		}
		if g.more != len(want)-len(g.hits) || !slices.Equal(g.hits, want[:len(g.hits)]) {
			t.Fatalf("%q lists %v of %v, and leaves out %d", m.query, g.hits, want, g.more)
		}
	}
}

func TestTypingOnFindsWhatTypingAnewDoes(t *testing.T) {
	m := stocked(t, "/api/v1/namespaces/shop/pods")
	r := rand.New(rand.NewPCG(5, 6))
	for range rounds.Of(200) {
		query := anyQuery(r, m)
		grown := m
		for i := range query {
			grown = typing(grown, query[:i])
		}
		grown, anew := typing(grown, query), typing(m, query)
		if got, want := lines(grown), lines(anew); !slices.Equal(got, want) || grown.found.total != anew.found.total {
			t.Fatalf("%q, letter by letter, finds\n%s\nat once\n%s", query, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func TestManyHitsAreCutAndCounted(t *testing.T) {
	frame := frameAt(t, "/api/v1/pods")
	m, _ := Open(frame, Everything, nil, Known{Type: kind(t, frame, "po"), Names: crowd(3000)})
	for _, c := range []struct {
		query        string
		kind         Kind
		listed, more int
	}{
		{"web-", Object, mostInAll, 300 - mostInAll}, // alone, they have all the room
		{"pod", Object, mostInGroup, 3000 - mostInGroup},
		{"pod", Cluster, 1, 0},
	} {
		n := typing(m, c.query)
		g := n.groups[slices.IndexFunc(n.groups, func(g group) bool { return g.kind == c.kind })]
		if len(g.hits) != c.listed || g.more != c.more {
			t.Errorf("%q lists %d of %s and leaves out %d, want %d and %d", c.query, len(g.hits), g.title, g.more, c.listed, c.more)
		}
	}
}
