package whocan

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/cli/schematest"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/rbac"
)

// sample is an answer with everything that can be printed.
func sample(t *testing.T) result {
	t.Helper()
	p := rbac.Join(
		rbac.Read(rbac.List{Kind: rbac.KindClusterRole}, func(string) ([]byte, string) {
			return []byte(`{"items":[{"metadata":{"name":"edit"},"rules":[{"verbs":["update","patch"],"apiGroups":["apps"],"resources":["deployments"]}]},
				{"metadata":{"name":"act"},"rules":[{"verbs":["impersonate"],"apiGroups":[""],"resources":["users"]}]},{"metadata":{"name":"later"},"aggregationRule":{}}]}`), ""
		}),
		rbac.Read(rbac.List{Kind: rbac.KindClusterRoleBinding}, func(string) ([]byte, string) {
			return []byte(`{"items":[{"metadata":{"name":"all"},"roleRef":{"kind":"ClusterRole","name":"edit"},"subjects":[{"kind":"Group","name":"system:authenticated"},{"kind":"User","name":"=cmd()\u202e"}]},
				{"metadata":{"name":"act"},"roleRef":{"kind":"ClusterRole","name":"act"},"subjects":[{"kind":"User","name":"eve"}]},
				{"metadata":{"name":"later"},"roleRef":{"kind":"ClusterRole","name":"later"},"subjects":[{"kind":"User","name":"eve"}]},
				{"metadata":{"name":"gone"},"roleRef":{"kind":"ClusterRole","name":"nosuch"}}]}`), ""
		}),
		rbac.Read(rbac.List{Kind: rbac.KindRoleBinding, Namespace: "shop"}, func(string) ([]byte, string) {
			return []byte(`{"items":[{"metadata":{"name":"ci","namespace":"shop"},"roleRef":{"kind":"ClusterRole","name":"edit"},"subjects":[{"kind":"ServiceAccount","name":"argocd"}]},
				{"metadata":{"name":"local","namespace":"shop"},"roleRef":{"kind":"Role","name":"r"},"subjects":[{"kind":"User","name":"ada"}]}]}`), ""
		}),
		rbac.Read(rbac.List{Kind: rbac.KindRole, Namespace: "shop"}, func(string) ([]byte, string) { return nil, "roles is forbidden" }),
	)
	a := p.Who(rbac.Question{Verbs: []string{"update", "patch"}, Group: "apps", Resource: "deployments", Namespaced: true, Namespace: "shop", Name: "web"})
	account := rbac.Subject{Kind: rbac.ServiceAccount, Namespace: "shop", Name: "argocd"}
	return result{
		Answer: a, context: "practice", field: ".spec.replicas", unasked: "Fieldmark asked the API server about the first subjects only.",
		owners:    []owner{{manager.Owner{Manager: manager.Manager{Name: "argocd", Operation: manager.Apply}}, a.Candidates("argocd")}, {manager.Owner{Manager: manager.Manager{Name: "kubelet"}}, a.Candidates("kubelet")}},
		decisions: map[rbac.Subject]decision{account: {[]string{"patch"}, "denied by a webhook"}}, workloads: map[rbac.Subject][]string{account: {"ReplicaSet argocd-1"}},
	}
}

func printed(t *testing.T, form string, all ...result) string {
	t.Helper()
	var b bytes.Buffer
	if err := outputs[form](printer{out: &b, several: len(all) > 1}, all); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTextSaysWhoAndHow(t *testing.T) {
	got := printed(t, "text", sample(t))
	for _, want := range []string{
		"Who can update or patch deployments.apps web in the namespace shop?\n", "Owners of .spec.replicas now\n  argocd (Apply)", "could be ServiceAccount shop/argocd, a guess: a name like the manager’s\n",
		"could be Group system:nodes: the kubelet of a node.", "In the whole cluster, by ClusterRoleBindings\n", "  Group system:authenticated: update, patch\n    That is everybody who signs in",
		"    ClusterRoleBinding all to ClusterRole edit\n      apiGroups [apps]; resources [deployments]; verbs [update, patch]\n", "In the namespace shop, by RoleBindings\n  ServiceAccount shop/argocd: update, patch\n",
		"The API server decides otherwise: it doesn’t allow patch. denied by a webhook", "Runs as this service account: ReplicaSet argocd-1",
		"ClusterRoleBinding gone to ClusterRole nosuch\n", "RoleBinding shop/local to Role shop/r, for User ada", "ClusterRoleBinding later to ClusterRole later, for User eve",
		"roles in the namespace shop: you don’t have the permission to list roles.rbac.authorization.k8s.io in the namespace shop.", "\n\nWhat roles and bindings don’t show\n  Impersonation: These subjects may act", "    User eve\n", "  Other authorizers: ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if strings.Contains(got, "\u202e") {
		t.Error("a name acts in the terminal")
	}
}

func TestNoSubjectIsNotNobody(t *testing.T) {
	r := result{Answer: (&rbac.Policy{}).Who(rbac.Question{Verbs: []string{"update"}, Resource: "pods"})}
	for _, form := range []string{"text", "markdown"} {
		if got := printed(t, form, r); !strings.Contains(got, rbac.NoGrant) || !strings.Contains(got, rbac.UnseenTitle) {
			t.Errorf("%s: %s", form, got)
		}
	}
	if r.findings() || !sample(t).findings() {
		t.Error("findings")
	}
}

func TestDocumentsKeepToTheSchema(t *testing.T) {
	schematest.Valid(t, "whocan.v1.json", []byte(printed(t, "json", sample(t))))
	schematest.Valid(t, "whocan.v1.json", []byte(printed(t, "json", sample(t), sample(t))))
}

func TestCSVHasNoFormulas(t *testing.T) {
	all, err := csv.NewReader(strings.NewReader(printed(t, "csv", sample(t), sample(t)))).ReadAll()
	if err != nil || len(all) != 7 {
		t.Fatal(err, all)
	}
	for _, row := range all {
		for _, cell := range row {
			if strings.HasPrefix(cell, "=") {
				t.Errorf("%q is a formula", cell)
			}
		}
	}
}

func TestMarkdownIsATable(t *testing.T) {
	got := printed(t, "markdown", sample(t), sample(t))
	for _, want := range []string{"**practice: Who can update or patch", "| subject | verbs | binding | role | rule |\n|---|---|---|---|---|\n| User ", "| ServiceAccount shop/argocd | update, patch | RoleBinding shop/ci | ClusterRole edit |"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

func TestArguments(t *testing.T) {
	for args, want := range map[string]string{
		"update deployments/web":  "[update] deployments web",
		"change deployments web":  "[update patch] deployments web",
		"apply,patch,delete pods": "[patch create delete] pods ",
	} {
		a, err := options{output: "text"}.read(strings.Fields(args))
		if err != nil || strings.Join([]string{"[" + strings.Join(a.verbs, " ") + "]", a.kind, a.name}, " ") != want || a.apply != strings.HasPrefix(args, "apply") {
			t.Errorf("%s: %+v %v", args, a, err)
		}
	}
}

func TestWorkloads(t *testing.T) {
	got := workloadsOf([]byte(`{"items":[{"metadata":{"name":"a","ownerReferences":[{"kind":"ReplicaSet","name":"web-1"}]}},{"metadata":{"name":"b","ownerReferences":[{"kind":"ReplicaSet","name":"web-1"}]}},{"metadata":{"name":"c"}}]}`))
	if strings.Join(got, ",") != "ReplicaSet web-1,Pod c" {
		t.Error(got)
	}
	if got := workloadsOf([]byte("<html>")); !strings.Contains(got[0], "couldn’t be read") {
		t.Error(got)
	}
}
