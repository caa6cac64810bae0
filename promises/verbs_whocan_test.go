package promises

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/cli/schematest"
	"github.com/fieldmark/fieldmark/cli/whocan"
)

// TestWhoCanOnAPracticeCluster: a subject of a new binding is found, with its field's owners, and by somebody who may read little.
func TestWhoCanOnAPracticeCluster(t *testing.T) {
	namespace := space(t)
	kubectl(t, "", "create", "serviceaccount", "deployer", "-n", namespace)
	kubectl(t, "", "create", "role", "deployer", "-n", namespace, "--verb=patch", "--resource=configmaps", "--resource-name=settings")
	kubectl(t, "", "create", "rolebinding", "deployer", "-n", namespace, "--role=deployer", "--serviceaccount="+namespace+":deployer")
	kubectl(t, "", "create", "rolebinding", "nothing", "-n", namespace, "--role=nosuch", "--user=somebody")
	kubectl(t, configMap(namespace, "settings", "data: {colour: green}\n"), "apply", "--server-side", "--field-manager=deployer", "-f", "-")
	code, out, errs := onPractice(t, "", "who-can", "change", "cm/settings", "-n", namespace, "--field", "data.colour", "--workloads", "-o", "json")
	schematest.Valid(t, "whocan.v1.json", []byte(out))
	var d whocan.Document
	if err := json.Unmarshal([]byte(out), &d); code != 0 || err != nil || errs != "" {
		t.Fatal(code, err, out, errs)
	}
	found := ""
	for _, s := range d.Subjects {
		if len(s.Otherwise) > 0 {
			t.Errorf("%s: the server decides otherwise: %v", s.Subject, s.Otherwise)
		}
		if s.Name == "deployer" {
			found = s.Subject.String() + " " + strings.Join(s.Verbs, "+") + " by " + s.Grants[0].Binding.String()
		}
	}
	if want := "ServiceAccount " + namespace + "/deployer patch by RoleBinding " + namespace + "/deployer"; found != want {
		t.Errorf("%q, want %q", found, want)
	}
	if len(d.Owners) != 1 || d.Owners[0].Name != "deployer" || len(d.Owners[0].Could) != 1 || !d.Owners[0].Could[0].Guess || len(d.Missing) != 1 || d.Unasked != "" {
		t.Errorf("%+v", d)
	}

	code, out, errs = onPractice(t, "", "who-can", "change", "cm/settings", "-n", namespace, "--as", "somebody-else")
	if code != 1 || errs != "" || !strings.Contains(out, "clusterroles: you don’t have the permission to list clusterroles.rbac.authorization.k8s.io") || !strings.Contains(out, "isn’t proof that no subject can do it") {
		t.Error(code, out, errs)
	}
	code, out, _ = onPractice(t, "", "who-can", "update", "nodes", "--contexts", "practice*", "-o", "csv")
	if code != 1 || !strings.Contains(out, "\npractice,Group,,system:masters,update,ClusterRoleBinding cluster-admin,") {
		t.Error(code, out)
	}
	if code, _, errs := onPractice(t, "", "who-can", "update", "deploymnts"); code != 2 || !strings.Contains(errs, "Did you mean deployments?") {
		t.Error(code, errs)
	}
}

// TestAnApplyKnowsTheNameThatItCreates: a rule with resourceNames can allow the create of an apply, and no plain create.
func TestAnApplyKnowsTheNameThatItCreates(t *testing.T) {
	namespace := space(t)
	kubectl(t, "", "create", "role", "applier", "-n", namespace, "--verb=patch,create", "--resource=configmaps", "--resource-name=settings")
	kubectl(t, "", "create", "rolebinding", "applier", "-n", namespace, "--role=applier", "--user=applier")
	text := configMap(namespace, "settings", "data: {colour: green}\n")
	if out, err := said(text, "create", "--as", "applier", "-f", "-"); err == nil || !strings.Contains(out, "forbidden") {
		t.Error("a plain create: ", out, err)
	}
	if out, err := said(text, "apply", "--server-side", "--as", "applier", "-f", "-"); err != nil {
		t.Error("an apply: ", out, err)
	}
	_, out, _ := onPractice(t, "", "who-can", "apply", "cm/settings", "-n", namespace)
	if !strings.Contains(out, "User applier: patch, create\n") {
		t.Error(out)
	}
	_, out, _ = onPractice(t, "", "who-can", "create", "cm/settings", "-n", namespace)
	if strings.Contains(out, "User applier:") {
		t.Error(out)
	}
}
