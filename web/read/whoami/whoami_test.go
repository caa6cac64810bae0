package whoami

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/access"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

func sample() Model {
	pods := discovery.Type{Version: "v1", Resource: "pods", Kind: "Pod", Namespaced: true, Verbs: []string{"list"}}
	nodes := discovery.Type{Version: "v1", Resource: "nodes", Kind: "Node", Verbs: []string{"list"}}
	q := ParseQuery(url.Values{QueryNamespace: {"shop"}})
	return Model{
		Frame: page.Frame{Shell: shell.Model{
			Title: "Who am I", Cluster: shell.Cluster{Slug: "practice"}, Namespaces: []string{"default", "shop"},
			Catalog: discovery.Catalog{Groups: []discovery.Group{{Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{pods, nodes}}}}}},
		}},
		Query: q, Now: noon,
		User:  &access.User{Name: "ada", UID: "7", Groups: []string{"dev", "system:authenticated"}, Extra: map[string][]string{"b": {"1", "2"}, "a": {"x"}}},
		Login: Login{Facts: []components.Fact{{Name: "credential", Text: "a token in the kubeconfig"}}, Ends: noon.Add(3 * time.Hour)},
		Rules: RulesOf(rules, q),
	}
}

var rules = access.Rules{
	Resource: []access.Rule{
		{Verbs: []string{"get", "list"}, Groups: []string{""}, Resources: []string{"pods", "nodes", "pods/log"}},
		{Verbs: []string{"*"}, Groups: []string{"apps"}, Resources: []string{"*"}, Names: []string{"web", "db"}},
	},
	NonResource: []access.Rule{{Verbs: []string{"get"}, Paths: []string{"/healthz"}}},
}

func shown(t *testing.T, m Model) string {
	t.Helper()
	var b strings.Builder
	if err := page.Main(m).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestThePageSaysWhoAndWhat(t *testing.T) {
	problem := &components.Notice{Title: "Forbidden", Words: "You may not."}
	for name, c := range map[string]struct {
		change      func(*Model)
		says, hides []string
	}{
		"everything": {
			func(*Model) {},
			[]string{
				">ada<", ">7<", "1, 2", `title="Every user that the server knows is in this group."`, "a token in the kubeconfig", "ends <time", ">in 3h<",
				`href="/c/practice/api/v1/namespaces/shop/pods"`, `href="/c/practice/api/v1/nodes"`, ">pods/log", "all types of the group", "db, ", "all verbs", "<code>/healthz</code>", "5 rows",
				"kubectl auth whoami", "kubectl auth can-i --list --namespace shop", "selfsubjectreviews", "No rule in your list has the verb impersonate",
			},
			[]string{"isn’t complete", "had an error", "You are in no group"},
		},
		"no groups":       {func(m *Model) { m.User.Groups = nil }, []string{"You are in no group."}, nil},
		"over":            {func(m *Model) { m.Login.Ends = noon.Add(-time.Minute) }, []string{">60s ago<"}, nil},
		"no end":          {func(m *Model) { m.Login.Ends = time.Time{} }, nil, []string{"The credential ends"}},
		"old server":      {func(m *Model) { m.User, m.Unknown = nil, problem }, []string{"You may not."}, []string{">ada<"}},
		"incomplete":      {func(m *Model) { m.Rules.Incomplete, m.Rules.Error = true, "webhook <down>" }, []string{"isn’t complete", "webhook &lt;down&gt;"}, nil},
		"no rules":        {func(m *Model) { m.Rules = RulesOf(access.Rules{}, m.Query) }, []string{"No rule allows you anything here"}, []string{"<table"}},
		"no match":        {func(m *Model) { m.Query.Filter = "zzz"; m.Rules = RulesOf(rules, m.Query) }, []string{"No rule matches", "0 of 5 rows"}, []string{"<table"}},
		"filtered":        {func(m *Model) { m.Query.Filter = "log"; m.Rules = RulesOf(rules, m.Query) }, []string{"1 of 5 rows", "pods/log"}, []string{"/healthz"}},
		"problem":         {func(m *Model) { m.Rules, m.Problem = nil, problem }, []string{"You may not.", "You need the verb impersonate"}, []string{"<table"}},
		"may impersonate": {func(m *Model) { m.Rules.Views = true }, []string{"A rule with the verb impersonate is in your list."}, nil},
		"no namespaces":   {func(m *Model) { m.Shell.Namespaces = nil }, []string{`<input name="namespace" value="shop"`}, []string{"<select"}},
		"another":         {func(m *Model) { m.Query.Namespace = "new" }, []string{`<option value="new" selected`}, nil},
		"refused view": {
			func(m *Model) {
				m.Refuse, m.Missing, m.Asked = problem, "- verbs: [impersonate]\n", Asked{User: "ben", Groups: "ops"}
			},
			[]string{"You may not.", "- verbs: [impersonate]", `value="ben"`, `value="ops"`},
			nil,
		},
	} {
		m := sample()
		c.change(&m)
		html := shown(t, m)
		for _, words := range c.says {
			if !strings.Contains(html, words) {
				t.Errorf("%s: the page doesn't say %q", name, words)
			}
		}
		for _, words := range c.hides {
			if strings.Contains(html, words) {
				t.Errorf("%s: the page says %q", name, words)
			}
		}
	}
}

func TestManyRowsAreCut(t *testing.T) {
	var many access.Rules
	for n := range MostRows + 7 {
		many.NonResource = append(many.NonResource, access.Rule{Verbs: []string{"get"}, Paths: []string{fmt.Sprint("/", n)}})
	}
	m := sample()
	m.Rules = RulesOf(many, m.Query)
	if len(m.Rules.Rows) != MostRows || m.Rules.Match != MostRows+7 || !strings.Contains(shown(t, m), "shows the first 500 rows") {
		t.Errorf("%d of %d rows", len(m.Rules.Rows), m.Rules.Match)
	}
}

func TestRulesSayWhetherOneMayImpersonate(t *testing.T) {
	for name, c := range map[string]struct {
		rule access.Rule
		want bool
	}{
		"users":        {access.Rule{Verbs: []string{"impersonate"}, Groups: []string{""}, Resources: []string{"users"}}, true},
		"one user":     {access.Rule{Verbs: []string{"impersonate"}, Groups: []string{""}, Resources: []string{"users"}, Names: []string{"ada"}}, true},
		"all verbs":    {access.Rule{Verbs: []string{"*"}, Groups: []string{"*"}, Resources: []string{"*"}}, true},
		"accounts":     {access.Rule{Verbs: []string{"*"}, Groups: []string{""}, Resources: []string{"serviceaccounts"}}, true},
		"another verb": {access.Rule{Verbs: []string{"get"}, Groups: []string{""}, Resources: []string{"users"}}, false},
	} {
		if got := RulesOf(access.Rules{Resource: []access.Rule{c.rule}}, Query{}).Views; got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestQueries(t *testing.T) {
	for query, want := range map[string]string{
		"":                              "/c/practice/-/whoami?namespace=default",
		"namespace=shop&filter=get+pod": "/c/practice/-/whoami?filter=get+pod&namespace=shop",
		"namespace=..":                  "/c/practice/-/whoami?namespace=default",
		"filter=" + strings.Repeat("a", maxFilter+1): "/c/practice/-/whoami?namespace=default",
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if got := sample().queryAddress(ParseQuery(values)); got != want {
			t.Errorf("%s: %s", query, got)
		}
	}
}

func TestThePageFollowsItsForm(t *testing.T) {
	m := sample()
	if _, did := m.Update(page.Addressed{Query: url.Values{QueryNamespace: {"default"}}}); len(did) != 1 || did[0] != (page.Navigate{Address: "/c/practice/-/whoami?namespace=default"}) {
		t.Errorf("%+v", did)
	}
	if _, did := m.Update(page.Addressed{Query: url.Values{QueryNamespace: {"shop"}}}); len(did) != 1 || did[0] != (page.Reload{}) {
		t.Errorf("%+v", did)
	}
	opened, did := m.Update(page.Acted{Action: "api-call"})
	if len(did) == 0 || !strings.Contains(shown(t, opened.(Model)), "SelfSubjectRulesReview&#34;") {
		t.Errorf("the panel has %s", shown(t, opened.(Model)))
	}
}
