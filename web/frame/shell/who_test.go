package shell

import (
	"strings"
	"testing"
)

func TestInitials(t *testing.T) {
	for user, want := range map[string]string{
		"ada": "A", "ada.lovelace": "AL", "ada lovelace king": "AL", "ada@example.com": "A", "kubernetes-admin": "KA", "élise": "É",
		"system:serviceaccount:shop:web-1": "W1", "system:admin": "A", "https://issuer.example#ben": "B", "arn:aws:iam::1:role/team": "T",
		"": "", "::": "", "--": "", "@": "",
	} {
		if got := initials(user); got != want {
			t.Errorf("%q: %q, want %q", user, got, want)
		}
	}
}

func TestLimitSaysWhyNothingIsWritten(t *testing.T) {
	for name, c := range map[string]struct {
		model Model
		want  string
	}{
		"may write": {Model{Why: "You view it."}, ""},
		"flag":      {Model{ReadOnly: true}, "Fieldmark was started with --read-only."},
		"view":      {Model{ReadOnly: true, Why: "You view the cluster one as ada."}, "You view the cluster one as ada."},
	} {
		if got := c.model.Limit(); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// Every page says it, of which kind ever: one whose own cluster is viewed, one of another cluster, one of none.
func TestEachPageIsMarkedWhileViewing(t *testing.T) {
	seen := Viewed{Cluster: "practice", User: "ada", Groups: []string{"dev", "ops"}}
	of := func(change func(*Model)) Model {
		m := at(t, "/api/v1/pods")
		m.Here, m.View = "/c/practice/api/v1/pods", seen
		change(&m)
		return m
	}
	for name, c := range map[string]struct {
		model Model
		says  []string
	}{
		"its cluster":     {of(func(*Model) {}), []string{"You view this cluster as ada, in the groups dev, ops.", "Fieldmark only reads until you stop.", `action="/c/practice/-/whoami"`, `value="/c/practice/api/v1/pods"`, `value="stop"`}},
		"another cluster": {of(func(m *Model) { m.Cluster = Cluster{Slug: "b-1"} }), []string{"You view the cluster practice as ada", "You see this cluster as yourself.", `action="/c/practice/-/whoami"`}},
		"no cluster":      {of(func(m *Model) { m.Cluster = Cluster{} }), []string{"You view the cluster practice as ada", `action="/c/practice/-/whoami"`}},
		"one group":       {of(func(m *Model) { m.View.Groups = []string{"dev"} }), []string{"as ada, in the group dev."}},
		"many groups":     {of(func(m *Model) { m.View.Groups = make([]string, 9) }), []string{"as ada, in 9 groups."}},
		"no group":        {of(func(m *Model) { m.View.Groups = nil }), []string{"as ada."}},
		"hostile":         {of(func(m *Model) { m.View.User = "<b>\u202e" }), []string{"as &lt;b&gt;"}},
	} {
		html := body(t, c.model)
		for _, words := range c.says {
			if !strings.Contains(html, words) {
				t.Errorf("%s: the page doesn't say %q", name, words)
			}
		}
	}
	if html := body(t, of(func(m *Model) { m.View = Viewed{} })); strings.Contains(html, ViewingBar+`"`) {
		t.Error("a page is marked without a view")
	}
}

func TestTheNameLeadsToThePageAboutIt(t *testing.T) {
	m := at(t, "/api/v1/pods")
	if strings.Contains(body(t, m), `class="account"`) {
		t.Error("a name that isn't known is shown")
	}
	m.User = "kubernetes-admin"
	if html := body(t, m); !strings.Contains(html, `class="account" href="/c/practice/-/whoami"`) || !strings.Contains(html, ">kubernetes-admin<") || !strings.Contains(html, ">KA<") {
		t.Errorf("the bar is %s", html)
	}
}

func body(t *testing.T, m Model) string {
	t.Helper()
	var b strings.Builder
	if err := Body(m, Bottom(m, nil)).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
