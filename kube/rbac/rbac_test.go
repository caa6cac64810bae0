package rbac

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// policy has roles and bindings as kubectl would show them in short: "ClusterRole edit: update,patch apps deployments,*/scale names=a,b",
// "RoleBinding shop/deployers ClusterRole edit: User ada, Group dev, ServiceAccount web".
func policy(t testing.TB, lines ...string) *Policy {
	t.Helper()
	lists := map[string][]any{}
	for _, line := range lines {
		head, rest, _ := strings.Cut(line, ": ")
		words := strings.Fields(head)
		namespace, name, in := strings.Cut(words[1], "/")
		if !in {
			namespace, name = "", namespace
		}
		one := map[string]any{"metadata": map[string]any{"name": name, "namespace": namespace}}
		if strings.HasSuffix(words[0], "Role") {
			one["rules"] = rulesOf(rest)
			if slices.Contains(words, "aggregated") {
				one["aggregationRule"] = map[string]any{}
			}
		} else {
			one["roleRef"] = map[string]any{"kind": words[2], "name": words[3]}
			one["subjects"] = subjectsOf(rest)
		}
		lists[words[0]] = append(lists[words[0]], one)
	}
	p := &Policy{}
	for kind, items := range lists {
		body, err := json.Marshal(map[string]any{"metadata": map[string]any{"continue": "more"}, "items": items})
		if err != nil {
			t.Fatal(err)
		}
		if next, err := p.Take(List{Kind: kind}, body); err != nil || next != "more" {
			t.Fatal(next, err)
		}
	}
	return p
}

func rulesOf(text string) (all []any) {
	for rule := range strings.SplitSeq(text, "; ") {
		words := strings.Fields(rule)
		if len(words) == 0 {
			continue
		}
		if words[0] == "urls" {
			all = append(all, map[string]any{"verbs": []string{"*"}, "nonResourceURLs": []string{"*"}})
			continue
		}
		one := map[string]any{"verbs": strings.Split(words[0], ","), "apiGroups": strings.Split(strings.Replace(words[1], "core", "", 1), ","), "resources": strings.Split(words[2], ",")}
		if len(words) > 3 {
			one["resourceNames"] = strings.Split(strings.TrimPrefix(words[3], "names="), ",")
		}
		all = append(all, one)
	}
	return all
}

func subjectsOf(text string) (all []any) {
	for _, subject := range strings.Split(text, ", ") {
		kind, name, _ := strings.Cut(subject, " ")
		one := map[string]any{"kind": kind, "name": name}
		if namespace, of, in := strings.Cut(name, "/"); in && kind == ServiceAccount {
			one["namespace"], one["name"] = namespace, of
		}
		all = append(all, one)
	}
	return all
}

var web = Question{Verbs: []string{"update", "patch"}, Group: "apps", Resource: "deployments", Namespaced: true, Namespace: "shop", Name: "web"}

func with(q Question, change func(*Question)) Question {
	change(&q)
	return q
}

// lines are the grants in short.
func lines(a Answer) string {
	var all []string
	for _, h := range a.Holders() {
		for _, g := range h.Grants {
			line := fmt.Sprintf("%s %s by %s to %s", h.Subject, strings.Join(a.Question.Allowed(g), "+"), g.Binding, g.Role)
			if only := g.Rules[0].Only; len(only) > 0 {
				line += " only " + strings.Join(only, "+")
			}
			all = append(all, line)
		}
	}
	return strings.Join(all, "\n")
}

// TestWhoMay: each case is a rule of RBAC.
func TestWhoMay(t *testing.T) {
	const bound = "RoleBinding shop/b ClusterRole r: User ada"
	const ada = "User ada %s by RoleBinding shop/b to ClusterRole r"
	scale := with(web, func(q *Question) { q.Subresource = "scale" })
	create := with(web, func(q *Question) { q.Verbs = []string{"create"} })
	node := Question{Verbs: []string{"update"}, Resource: "nodes", Name: "n"}
	space := Question{Verbs: []string{"update"}, Resource: "namespaces", Name: "shop"}
	for name, c := range map[string]struct {
		question Question
		lines    []string
		want     string
	}{
		"a rule":                         {web, []string{"ClusterRole r: update apps deployments", bound}, fmt.Sprintf(ada, "update")},
		"two rules":                      {web, []string{"ClusterRole r: update apps deployments; patch * *", bound}, fmt.Sprintf(ada, "update+patch")},
		"stars":                          {web, []string{"ClusterRole r: * * *", bound}, fmt.Sprintf(ada, "update+patch")},
		"another group":                  {web, []string{"ClusterRole r: * extensions deployments", bound}, ""},
		"the core group is no star":      {web, []string{"ClusterRole r: * core deployments", bound}, ""},
		"a subresource isn't the object": {web, []string{"ClusterRole r: * apps deployments/scale,*/scale,deployments/*", bound}, ""},
		"the object isn't a subresource": {scale, []string{"ClusterRole r: * apps deployments", bound}, ""},
		"a subresource":                  {scale, []string{"ClusterRole r: patch apps deployments/scale", bound}, fmt.Sprintf(ada, "patch")},
		"a subresource of all":           {scale, []string{"ClusterRole r: patch apps */scale", bound}, fmt.Sprintf(ada, "patch")},
		"all has subresources":           {scale, []string{"ClusterRole r: patch apps *", bound}, fmt.Sprintf(ada, "patch")},
		"deployments/* is no wildcard":   {scale, []string{"ClusterRole r: patch apps deployments/*", bound}, ""},
		"paths are no resources":         {web, []string{"ClusterRole r: urls", bound}, ""},
		"a name":                         {web, []string{"ClusterRole r: patch apps deployments names=web,api", bound}, fmt.Sprintf(ada, "patch")},
		"another name":                   {web, []string{"ClusterRole r: patch apps deployments names=api", bound}, ""},
		"some names of any": {
			with(web, func(q *Question) { q.Name = "" }),
			[]string{"ClusterRole r: patch apps deployments names=web,api", bound},
			fmt.Sprintf(ada, "patch") + " only web+api",
		},
		"create has no name":        {create, []string{"ClusterRole r: create apps deployments names=web", bound}, ""},
		"an apply's create has one": {with(create, func(q *Question) { q.Apply = true }), []string{"ClusterRole r: create apps deployments names=web", bound}, fmt.Sprintf(ada, "create")},
		"deletecollection, too":     {with(web, func(q *Question) { q.Verbs = []string{"deletecollection"} }), []string{"ClusterRole r: * apps deployments names=web", bound}, ""},
		"another namespace":         {with(web, func(q *Question) { q.Namespace = "other" }), []string{"ClusterRole r: * * *", bound}, ""},
		"any namespace":             {with(web, func(q *Question) { q.Namespace, q.Name = "", "" }), []string{"ClusterRole r: * * *", bound}, fmt.Sprintf(ada, "update+patch")},
		"a role of the namespace":   {web, []string{"Role shop/r: * * *", "Role other/r: ", "RoleBinding shop/b Role r: User ada"}, "User ada update+patch by RoleBinding shop/b to Role shop/r"},
		"a role of another one":     {web, []string{"Role other/r: * * *", "RoleBinding shop/b Role r: User ada"}, ""},
		"cluster-scoped":            {node, []string{"ClusterRole r: * * *", bound, "ClusterRoleBinding all ClusterRole r: Group ops"}, "Group ops update by ClusterRoleBinding all to ClusterRole r"},
		"a namespace is in itself":  {space, []string{"ClusterRole r: * * *", bound, "RoleBinding other/b ClusterRole r: User ben"}, fmt.Sprintf(ada, "update")},
		"any namespace, as an object": {
			with(space, func(q *Question) { q.Name = "" }),
			[]string{"ClusterRole r: update core namespaces names=shop", bound, "RoleBinding other/b ClusterRole r: User ben"},
			fmt.Sprintf(ada, "update"),
		},
		"a role that doesn't exist":   {web, []string{bound}, ""},
		"an account of the namespace": {web, []string{"ClusterRole r: * * *", "RoleBinding shop/b ClusterRole r: ServiceAccount web, ServiceAccount tools/ci"}, "ServiceAccount shop/web update+patch by RoleBinding shop/b to ClusterRole r\nServiceAccount tools/ci update+patch by RoleBinding shop/b to ClusterRole r"},
		"an account of no namespace":  {web, []string{"ClusterRole r: * * *", "ClusterRoleBinding b ClusterRole r: ServiceAccount web"}, ""},
		"the whole cluster first":     {web, []string{"ClusterRole r: * * *", bound, "ClusterRoleBinding z ClusterRole r: User ada"}, "User ada update+patch by ClusterRoleBinding z to ClusterRole r\n" + fmt.Sprintf(ada, "update+patch")},
	} {
		if got := lines(policy(t, c.lines...).Who(c.question)); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// TestAllowsAsTheAuthorizerDoes: users are matched by name, by groups, and as service accounts.
func TestAllowsAsTheAuthorizerDoes(t *testing.T) {
	a := policy(t, "ClusterRole r: * * *", "RoleBinding shop/b ClusterRole r: User ada, Group dev, ServiceAccount web").Who(web)
	for _, c := range []struct {
		user   string
		groups []string
		want   bool
	}{{"ada", nil, true}, {"ben", nil, false}, {"ben", []string{"dev"}, true}, {"dev", nil, false}, {"system:serviceaccount:shop:web", nil, true}, {"web", nil, false}} {
		if got := a.Allows("patch", c.user, c.groups); got != c.want {
			t.Errorf("%s %v: %t", c.user, c.groups, got)
		}
	}
	everywhere := with(web, func(q *Question) { q.Namespace, q.Name = "", "" })
	if policy(t, "ClusterRole r: * * *", "RoleBinding shop/b ClusterRole r: User ada").Who(everywhere).Allows("patch", "ada", nil) {
		t.Error("a binding in one namespace isn't enough for all of them")
	}
}

// TestWhatIsNotSeenIsSaid: never that there is nobody.
func TestWhatIsNotSeenIsSaid(t *testing.T) {
	p := policy(
		t, "ClusterRole empty aggregated: ", "ClusterRole r: patch apps deployments", "ClusterRole act: impersonate core users names=ada", "ClusterRole give: bind rbac.authorization.k8s.io clusterroles",
		"ClusterRole run: create batch jobs", "ClusterRole sign: create core serviceaccounts/token",
		"RoleBinding shop/filled-later ClusterRole empty: User ada", "RoleBinding shop/gone ClusterRole nosuch: User ben", "RoleBinding shop/b ClusterRole r: ServiceAccount web",
		"ClusterRoleBinding act ClusterRole act: User eve", "ClusterRoleBinding give ClusterRole give: Group admins",
		"RoleBinding shop/run ClusterRole run: User ada", "RoleBinding other/run ClusterRole run: User not-here", "RoleBinding shop/sign ClusterRole sign: User ci",
	)
	p.Miss(List{KindRole, "shop"}, "forbidden")
	a := p.Who(web)
	if len(a.Missing) != 1 || a.Missing[0].Role.Name != "nosuch" || len(a.Unfilled) != 1 || a.Unfilled[0].Binding.Name != "filled-later" || len(a.Unread) != 1 {
		t.Errorf("%+v", a)
	}
	want := map[string]string{UnseenImpersonate: "[User eve]", UnseenEscalate: "[Group admins]", UnseenPods: "[User ada]", UnseenTokens: "[User ci]", UnseenAuthorizers: "[]", UnseenMasters: "[]", UnseenControllers: "[]", UnseenAdmission: "[]", UnseenAggregated: "[]", UnseenElsewhere: "[]"}
	for _, u := range a.Unseen {
		if got := fmt.Sprint(u.Subjects); got != want[u.ID] || u.Title == "" || u.Words == "" {
			t.Errorf("%s: %s", u.ID, got)
		}
		delete(want, u.ID)
	}
	if len(want) > 0 {
		t.Error(want)
	}
	everywhere := with(web, func(q *Question) { q.Namespace, q.Name = "", "" })
	if slices.ContainsFunc(p.Who(everywhere).Unseen, func(u Unseen) bool { return u.ID == UnseenElsewhere }) {
		t.Error("all role bindings are read, and it says that some aren't")
	}
	p.Miss(List{Kind: KindClusterRole}, "forbidden")
	if a := p.Who(web); len(a.Missing) != 0 || len(a.Unknown) != 1 {
		t.Errorf("%+v", a)
	}
}

func TestNamesAndLists(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{fmt.Sprint(Question{Resource: "nodes", Name: "n"}.Lists()), "[{ClusterRoleBinding } {ClusterRole }]"},
		{web.Lists()[2].Path(), "/apis/rbac.authorization.k8s.io/v1/namespaces/shop/rolebindings"},
		{web.Lists()[2].Permission(), "list rolebindings.rbac.authorization.k8s.io in the namespace shop"},
		{fmt.Sprint(Question{Resource: "namespaces", Name: "shop"}.Lists()[2:]), "[{RoleBinding shop} {Role shop}]"},
		{Ref{KindRole, "shop", "r"}.Path(), "/apis/rbac.authorization.k8s.io/v1/namespaces/shop/roles/r"},
		{web.String(), "update or patch deployments.apps web in the namespace shop"},
		{Subject{Group, "", "system:serviceaccounts:shop"}.Means(), "every service account of the namespace shop"},
		{Subject{User, "", "system:serviceaccount:shop:web"}.Means(), "the user name of the service account web of the namespace shop"},
		{Subject{User, "", "ada"}.Means(), ""},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
	var p Policy
	if _, err := p.Take(List{Kind: KindRole}, []byte("<html>")); err == nil || !strings.Contains(err.Error(), "reading the roles") {
		t.Error(err)
	}
}

func TestCandidatesOfAManager(t *testing.T) {
	a := policy(t, "ClusterRole r: * * *", "RoleBinding shop/b ClusterRole r: ServiceAccount tools/argocd-application-controller, ServiceAccount web, User ada, Group argocd").Who(web)
	for manager, want := range map[string]string{
		"argocd-controller": "[]", "argocd": "[ServiceAccount tools/argocd-application-controller true]", "kubelet": "[Group system:nodes false]",
		"kube-controller-manager": "[User system:kube-controller-manager false ServiceAccount kube-system/*-controller false]", "ad": "[]", "": "[]",
	} {
		var got []string
		for _, l := range a.Candidates(manager) {
			got = append(got, fmt.Sprint(l.Subject, " ", l.Guess))
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %s", manager, got)
		}
	}
	all := known.Get()["kube-controller-manager"]
	if !all[1].Fits(Subject{User, "", "system:serviceaccount:kube-system:replicaset-controller"}) || all[1].Fits(Subject{ServiceAccount, "shop", "x-controller"}) || !all[0].Fits(all[0].Subject) {
		t.Error(all)
	}
}

// many is a policy of 5,000 bindings of 400 roles in 500 namespaces.
func many(b testing.TB) *Policy {
	var all []string
	for i := range 400 {
		all = append(all, fmt.Sprintf("ClusterRole r%d: get,list core pods; update,patch apps deployments,*/scale; create batch jobs", i))
	}
	for i := range 5000 {
		all = append(all, fmt.Sprintf("RoleBinding n%d/b%d ClusterRole r%d: User u%d, Group g%d, ServiceAccount a%d", i%500, i, i%400, i, i, i))
	}
	return policy(b, all...)
}

// BenchmarkWho answers for all namespaces with 5,000 bindings.
func BenchmarkWho(b *testing.B) {
	p := many(b)
	q := with(web, func(q *Question) { q.Namespace, q.Name = "", "" })
	for b.Loop() {
		if a := p.Who(q); len(a.Grants) != 15000 {
			b.Fatal(len(a.Grants))
		}
	}
}
