package promises

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

const fruit = `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "fruit"}, "data": {"colour": "green"}}`

const (
	redFruit  = `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "fruit"}, "data": {"colour": "red", "shape": "round"}}`
	blueFruit = `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "fruit"}, "data": {"colour": "blue"}}`
	idle      = `{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "idle"}, "spec": {"replicas": 0,
		"selector": {"matchLabels": {"app": "idle"}}, "template": {"metadata": {"labels": {"app": "idle"}}, "spec": {"containers": [
		{"name": "one", "image": "example.com/one:1"}, {"name": "two", "image": "example.com/two:1"}]}}}}`
)

func testCreate(t *testing.T, p *parity) {
	p.twins(t, "create").same(t, []step{
		{args: "create -f -", in: fruit, says: "configmap/fruit created"},
		{args: "create -f -", in: fruit, code: 1, says: "(AlreadyExists)"},
		{args: "create configmap words --from-literal=a=b -o yaml", says: "a: b", differ: made},
		{args: "create deployment web --image=example.com/web:1 --replicas=0", says: "created"},
		{args: "create service clusterip web --tcp=80:8080", says: "created"},
		{args: "create serviceaccount robot", says: "created"},
		{args: "create role reader --verb=get --resource=configmaps", says: "created"},
		{args: "create -f - --validate=warn", in: strings.Replace(fruit, `"fruit"}`, `"odd"}, "dada": {}`, 1), says: `Warning: unknown field "dada"`},
		{args: "create -f - -o name", in: `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"generateName": "a-"}}`, says: "configmap/a-", differ: []rule{generated}},
		{args: "run lonely --image=example.com/one:1", says: "pod/lonely created"},
		{args: "expose pod lonely --port=80", says: "service/lonely exposed"},
		{args: "get configmap fruit -o yaml --show-managed-fields", says: "manager: kubectl-create", differ: made},
		{args: "get deployment web -o jsonpath={.metadata.managedFields[?(@.manager==\"kubectl-create\")].operation}", says: "Update"},
	})
}

// testLarge sends and receives more than fits in any buffer, and more than the server takes.
func testLarge(t *testing.T, p *parity) {
	manifest := func(size int) string {
		text, _ := json.Marshal(strings.Repeat("All work and no play. ½\n", size/25))
		return fmt.Sprintf(`{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "large"}, "data": {"text": %s}}`, text)
	}
	tooLong := "may not be more than 1048576 bytes"
	if p.minor(t) < 32 {
		tooLong = "must have at most 1048576 bytes"
	}
	p.twins(t, "large").same(t, []step{
		{args: "create -f -", in: manifest(900_000), says: "created"},
		{args: "get configmap large -o json", says: "½", differ: made},
		{args: "replace -f -", in: manifest(1_200_000), code: 1, says: tooLong},
		{args: "replace -f -", in: manifest(8_000_000), code: 1, says: "(RequestEntityTooLarge)"},
	})
}

func testApply(t *testing.T, p *parity) {
	p.twins(t, "apply").same(t, []step{
		{args: "apply -f -", in: fruit, says: "configmap/fruit created"},
		{args: "apply -f -", in: fruit, says: "configmap/fruit unchanged"},
		{args: "apply -f - -o yaml", in: redFruit, says: "shape: round", differ: made},
		{args: "apply view-last-applied configmap/fruit", says: "shape: round"},
		{args: "apply -f -", in: blueFruit, says: "configmap/fruit configured"},
		{args: "get configmap fruit -o yaml --show-managed-fields", says: "colour: blue", differ: made},
		{args: "apply -f -", in: idle, says: "created"},
		{args: "apply -f -", in: strings.Replace(idle, "two:1", "two:2", 1), says: "configured"},
		{args: "get deployment idle -o jsonpath={.spec.template.spec}", says: "two:2"},
		{args: "apply -f - --prune -l no=such --prune-allowlist=core/v1/ConfigMap", in: strings.Replace(fruit, `"fruit"`, `"fruit", "labels": {"no": "such"}`, 1), says: "configured"},
		{
			args: "apply -f - --prune -l no=such --prune-allowlist=core/v1/ConfigMap",
			in:   strings.Replace(fruit, `"fruit"`, `"other", "labels": {"no": "such"}`, 1), says: "configmap/fruit pruned",
		},
		{args: "apply -f -", in: strings.Replace(idle, `"app": "idle"}}, "template"`, `"app": "busy"}}, "template"`, 1), code: 1, says: "`selector` does not match template `labels`"},
	})
}

func testServerSideApply(t *testing.T, p *parity) {
	p.twins(t, "ssa").same(t, []step{
		{args: "apply --server-side --field-manager=one -f -", in: fruit, says: "configmap/fruit serverside-applied"},
		{args: "apply --server-side --field-manager=two -f -", in: blueFruit, code: 1, says: `conflict with "one": .data.colour`},
		{args: "apply --server-side --field-manager=two --force-conflicts -f -", in: blueFruit, says: "serverside-applied"},
		{args: "get configmap fruit -o yaml --show-managed-fields", says: "manager: two", differ: made},
		{args: "patch configmap fruit --field-manager=hand --type=merge -p {\"data\":{\"colour\":\"grey\"}}", says: "patched"},
		{args: "apply --server-side --field-manager=two -f -", in: redFruit, code: 1, says: `conflict with "hand"`, differ: []rule{times}},
		{args: "apply --server-side --field-manager=two --force-conflicts -o yaml --show-managed-fields -f -", in: redFruit, says: "shape: round", differ: made},
		{args: "apply --server-side -f -", in: idle, says: "serverside-applied"},
		{args: "scale deployment idle --replicas=0 --current-replicas=0", says: "scaled"},
		{args: "get configmap fruit none -o yaml", code: 1, says: "(NotFound)", differ: made},
		{args: "get deployment idle -o jsonpath={.metadata.managedFields[?(@.manager==\"kubectl\")].operation}", says: "Apply"},
	})
}

func testDiff(t *testing.T, p *parity) {
	pl := p.twins(t, "diff")
	pl.prepare(t, step{args: "apply -f -", in: fruit})
	differences := append([]rule{folders}, made...)
	pl.same(t, []step{
		{args: "diff -f -", in: fruit},
		{args: "diff -f -", in: redFruit, code: 1, says: "+  colour: red", differ: differences},
		{args: "diff --server-side --force-conflicts --show-managed-fields -f -", in: redFruit, code: 1, says: "+  colour: red", differ: differences},
		{args: "diff --server-side --field-manager=other -f -", in: redFruit, code: 2, says: `conflict with "kubectl-client-side-apply"`, differ: []rule{logHeads}},
		{args: "diff -f -", in: strings.Replace(fruit, `"fruit"`, `"other"`, 1), code: 1, says: "+  colour: green", differ: differences},
		{args: "diff -f -", in: strings.Replace(fruit, `"fruit"`, `"No Name"`, 1), code: 2, says: "RFC 1123", differ: differences},
		{args: "get configmaps -o name", says: "configmap/fruit"},
	})
}

func testDryRun(t *testing.T, p *parity) {
	pl := p.twins(t, "dry")
	pl.prepare(t, step{args: "create -f -", in: idle})
	pl.same(t, []step{
		{args: "create -f - --dry-run=server -o yaml", in: fruit, says: "uid:", differ: made},
		{args: "apply -f - --dry-run=server", in: fruit, says: "created (server dry run)"},
		{args: "apply --server-side -f - --dry-run=server", in: fruit, says: "serverside-applied (server dry run)"},
		{args: "create serviceaccount robot --dry-run=server -o name", says: "serviceaccount/robot"},
		{args: "get configmap fruit", code: 1, says: "(NotFound)"},
		{args: "scale deployment idle --replicas=5 --dry-run=server", says: "scaled (server dry run)"},
		{args: "label deployment idle a=b --dry-run=server", says: "labeled (server dry run)"},
		{args: "delete deployment idle --dry-run=server", says: "deleted"},
		{args: "get deployment idle -o jsonpath={.spec.replicas}{.metadata.labels}", says: "0"},
	})
}
