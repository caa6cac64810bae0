package whocan

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/rbac"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// policy has a role of everybody, one of a namespace, and bindings to roles that don't exist or can't be read.
func policy(name string) *rbac.Policy {
	list := func(kind, namespace string, items ...map[string]any) *rbac.Policy {
		return rbac.Read(rbac.List{Kind: kind, Namespace: namespace}, func(string) ([]byte, string) {
			body, err := json.Marshal(map[string]any{"items": items})
			if err != nil {
				return nil, err.Error()
			}
			return body, ""
		})
	}
	metadata := map[string]any{"name": name, "namespace": name}
	binding := func(role string, subjects ...any) map[string]any {
		return map[string]any{"metadata": metadata, "roleRef": map[string]any{"kind": rbac.KindClusterRole, "name": role}, "subjects": subjects}
	}
	whole := binding(name, map[string]any{"kind": rbac.User, "name": name}, map[string]any{"kind": rbac.Group, "name": "system:authenticated"})
	whole["metadata"] = map[string]any{"name": name}
	return rbac.Join(
		list(rbac.KindClusterRole, "", map[string]any{"metadata": map[string]any{"name": name}, "rules": []any{map[string]any{"verbs": []string{"*", name}, "apiGroups": []string{"*"}, "resources": []string{"*", name}}}}, map[string]any{"metadata": map[string]any{"name": "later"}, "aggregationRule": map[string]any{}}),
		list(rbac.KindClusterRoleBinding, "", whole),
		list(rbac.KindRoleBinding, "", binding(name, map[string]any{"kind": rbac.ServiceAccount, "name": name, "namespace": name}), binding("nosuch", map[string]any{"kind": rbac.User, "name": name}), binding("later")),
		rbac.Read(rbac.List{Kind: rbac.KindRole, Namespace: name}, func(string) ([]byte, string) { return nil, name }),
	)
}

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	q := Query{Path: "/apis/apps/v1/deployments", Verb: "change", Part: s.String(), Filter: ""}
	m := Model{Frame: page.Frame{Kind: Kind, Shell: s.Shell(apipath.Path{})}, Query: q, Choices: []string{"scale", "status"}}
	_, m.Target, _ = ParseQuery(url.Values{QueryPath: {q.Path}})
	question := q.Question(m.Target, true)
	some := m.Take(policy(s.String()).Who(question))
	some.Asked, some.Unasked = []Disagrees{{some.Parts[0].Holders[0].Subject, []string{s.String()}}}, s.String()
	none := m.Take((&rbac.Policy{}).Who(question))
	m.Query.Who = s.String()
	could := m.Take(policy(s.String()).Who(question))
	unlike := m.Take((&rbac.Policy{}).Who(question))
	m.Query.Filter = "nothing has these words"
	unmatched := m.Take(policy(s.String()).Who(question))
	notice := s.Notice()
	m.Problem = &notice
	m.Query.Path = s.String()
	return map[string]page.Page{"in who can": some, "in who can, no grants": none, "in who can, filtered": unmatched, "in who can, manager": could, "in who can, another manager": unlike, "in who can, problem": m, "in who can, alive": pagetest.Live(some)}
}

func TestTheQuery(t *testing.T) {
	for query, want := range map[string]string{
		"":                              "update or patch deployments.apps",
		"verb=apply&path=/api/v1/pods":  "patch or create pods",
		"verb=nosuch&path=/api/v1/pods": "update or patch pods",
		"path=/apis/apps/v1/namespaces/shop/deployments/web/scale&verb=patch": "patch deployments/scale.apps web in the namespace shop",
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		q, of, problem := ParseQuery(values)
		if got := q.Question(of, true).String(); got != want || problem != nil {
			t.Errorf("%s: %s, %v", query, got, problem)
		}
	}
	if _, of, problem := ParseQuery(url.Values{QueryPath: {"/healthz"}}); problem == nil || of.Known() {
		t.Error("/healthz is no type")
	}
}

// A manager of Kubernetes itself is known, another one is found by its name, and the page says that both prove nothing.
func TestWhichSubjectsAManagerCouldBe(t *testing.T) {
	q, target, _ := ParseQuery(url.Values{QueryWho: {"kubelet"}})
	for who, want := range map[string]int{"kubelet": 1, "app-robot": 2, "nobody-like-it": 0, "": 0} {
		q.Who = who
		if m := (Model{Query: q}).Take(policy("app-robot").Who(q.Question(target, true))); len(m.Likely) != want {
			t.Errorf("%q: %+v", who, m.Likely)
		}
	}
	q.Who = "kube-controller-manager"
	for _, l := range (Model{Query: q}).Take(policy("x").Who(q.Question(target, true))).Likely {
		if at := (Model{}).pods(l.Subject); at != "" {
			t.Errorf("%s stands for several, or for no service account, and leads to %s", l.Subject, at)
		}
	}
	if q, _, _ := ParseQuery(url.Values{QueryWho: {strings.Repeat("x", maxWho+1)}}); q.Who != "" {
		t.Error("a name that no manager can have")
	}
}

func TestTheFilterAndTheBound(t *testing.T) {
	of := Query{Path: usualPath, Verb: "change"}
	q, target, _ := ParseQuery(url.Values{})
	if q != of {
		t.Errorf("%+v", q)
	}
	answer := policy("x").Who(q.Question(target, true))
	first := answer.Grants[0]
	for i := range 2 * MostHolders {
		g := first
		g.Subject.Name = strings.Repeat("u", i+1)
		answer.Grants = append(answer.Grants, g)
	}
	m := Model{Query: Query{Path: usualPath, Filter: "uu User"}}.Take(answer)
	if m.Match != 2*MostHolders-1 || m.Total != m.Match+4 || m.cut() == "" || len(m.Parts) != 1 || len(m.Parts[0].Holders) != MostHolders {
		t.Errorf("%d of %d, %q", m.Match, m.Total, m.cut())
	}
	next, cmds := m.Update(page.Addressed{Query: url.Values{QueryFilter: {"other"}}})
	if !slices.Equal(cmds, []page.Cmd{page.Navigate{Address: "/c//-/who-can?filter=other&path=%2Fapis%2Fapps%2Fv1%2Fdeployments&verb=change"}}) || next.(Model).Query != m.Query {
		t.Errorf("%v", cmds)
	}
}
