package promises

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/util/csaupgrade"

	"github.com/fieldmark/fieldmark/cli/schematest"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/migrate"
	objects "github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// transfer is an object of one kind of owner, with its first server-side apply.
type transfer struct {
	kind    string   // of the object, as kubectl takes it; empty: configmap
	make    string   // commands after "kubectl -n NAMESPACE", one a line; < reads was, and > reads the next manifest
	was, is string   // the manifest before, and the one that is applied; empty: the same
	wait    string   // a jsonpath of the object
	until   string   // its value
	release string   // the method of the stored release: csa or ssa; empty: there is none
	file    bool     // the plan reads the manifest from a file
	folds   []string // managers whose updates the tool folds before it applies
	as      string   // the manager of the apply; empty: kubectl
	forces  bool

	verdict migrate.Verdict
	finds   []string // the findings that fail a plan, and those that need a decision
	owner   string
}

const (
	helmMarks = "  labels: {app.kubernetes.io/managed-by: Helm}\n  annotations: {meta.helm.sh/release-name: NAME, meta.helm.sh/release-namespace: SPACE}\n"
	argoMarks = "  annotations: {'argocd.argoproj.io/tracking-id': 'web:/ConfigMap:SPACE/NAME'}\n"
	fluxMarks = "  labels: {kustomize.toolkit.fluxcd.io/name: web, kustomize.toolkit.fluxcd.io/namespace: flux}\n"
)

func mapOf(marks, data string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: NAME\n  namespace: SPACE\n" + marks + "data: {" + data + "}\n"
}

const twoKeys, oneKey = `keep: "yes", legacy: "yes"`, `keep: "yes"`

const serving = `apiVersion: apps/v1
kind: Deployment
metadata: {name: NAME, namespace: SPACE}
spec:
  replicas: 1
  selector: {matchLabels: {app: NAME}}
  template:
    metadata: {labels: {app: NAME}}
    spec:
      containers:
      - name: app
        image: registry.example.com/web:1
        ports: [{containerPort: 80}]
`

const listening = `apiVersion: v1
kind: Service
metadata: {name: NAME, namespace: SPACE}
spec:
  selector: {app: NAME}
  ports: [{name: web, port: 80}]
`

// transfers has one object for each kind of owner.
var transfers = map[string]transfer{
	"csa":        {was: mapOf("", twoKeys), make: "apply < ", verdict: migrate.Safe, owner: "kubectl"},
	"csa-legacy": {was: mapOf("", twoKeys), is: mapOf("", oneKey), make: "apply < ", file: true, verdict: migrate.Breaks, finds: []string{"pruned .data.legacy"}, owner: "kubectl"},
	"csa-patched": {
		was: mapOf("", twoKeys), make: "apply < \n" + `patch configmap NAME --type=merge -p {"data":{"keep":"no"}}`,
		verdict: migrate.Breaks, finds: []string{"conflict .data.keep"}, owner: "kubectl",
	},
	"csa-defaults": {kind: "deployment", was: serving, make: "apply < ", wait: "{.status.observedGeneration}", until: "1", verdict: migrate.Safe, owner: "kubectl"},
	"csa-scaled": {
		kind: "deployment", was: serving, make: "apply < \nautoscale deployment NAME --min=3 --max=5 --cpu=80%", wait: "{.spec.replicas} {.status.observedGeneration}", until: "3 2",
		verdict: migrate.Breaks, finds: []string{"conflict .spec.replicas"}, owner: "kubectl",
	},
	"csa-ports": {
		kind: "service", was: listening, make: "apply < \n" + `patch service NAME --field-manager=mesh -p {"spec":{"ports":[{"name":"mesh","port":15000}]}}`,
		verdict: migrate.Decision, finds: []string{`extra .spec.ports[port=15000,protocol="TCP"]`}, owner: "kubectl",
	},
	"created": {was: mapOf("", twoKeys), is: mapOf("", oneKey), make: "create < ", file: true, verdict: migrate.Decision, finds: []string{"stuck .data.legacy"}, owner: "kubectl"},
	"helm3": {
		was: mapOf(helmMarks, twoKeys), is: mapOf(helmMarks, oneKey), make: "create --field-manager=helm < ", release: "csa", folds: []string{"helm"}, as: "helm",
		verdict: migrate.Breaks, finds: []string{"pruned .data.legacy"}, owner: "Helm SPACE/NAME",
	},
	"helm4": {
		was: mapOf(helmMarks, twoKeys), is: mapOf(helmMarks, oneKey), make: "create --field-manager=helm < \napply --server-side --field-manager=helm > ", release: "ssa", as: "helm",
		verdict: migrate.Decision, finds: []string{"stuck .data.legacy"}, owner: "Helm SPACE/NAME",
	},
	"argo": {
		was: mapOf(argoMarks, twoKeys), make: "apply --field-manager=argocd-controller < \n" + `patch configmap NAME --field-manager=kubectl-edit --type=merge -p {"data":{"keep":"no"}}`,
		as: "argocd-controller", forces: true, verdict: migrate.Decision, finds: []string{"taken .data.keep"}, owner: "Argo CD web",
	},
	"argo-legacy": {
		was: mapOf(argoMarks, twoKeys), is: mapOf(argoMarks, oneKey), make: "apply < ", file: true, folds: []string{"kubectl-client-side-apply"}, as: "argocd-controller", forces: true,
		verdict: migrate.Breaks, finds: []string{"pruned .data.legacy"}, owner: "Argo CD web",
	},
	"flux": {
		was: mapOf(fluxMarks, oneKey), make: "apply --server-side --field-manager=kustomize-controller < \n" +
			`patch configmap NAME --field-manager=kubectl-edit --type=merge -p {"data":{"edited":"yes"}}` + "\n" + `patch configmap NAME --field-manager=node-fetch --type=merge -p {"data":{"clicked":"yes"}}`,
		file: true, folds: []string{"kubectl-edit"}, as: "kustomize-controller", forces: true,
		verdict: migrate.Breaks, finds: []string{"pruned .data.edited"}, owner: "Flux (Kustomization) flux/web",
	},
	"flux-helm": {
		was: mapOf(strings.Replace(helmMarks, "{app", "{helm.toolkit.fluxcd.io/name: NAME, helm.toolkit.fluxcd.io/namespace: flux, app", 1), twoKeys), make: "create --field-manager=helm-controller < ",
		release: "csa", folds: []string{"helm-controller"}, as: "helm-controller", forces: true, verdict: migrate.Safe, owner: "Flux (HelmRelease) flux/NAME",
	},
}

// migrating is a transfer in a namespace.
type migrating struct {
	transfer

	name, namespace string
}

func (m migrating) text(text string) string {
	return strings.NewReplacer("NAME", m.name, "SPACE", m.namespace).Replace(text)
}

func (m migrating) next() string {
	if m.is == "" {
		return m.text(m.was)
	}
	return m.text(m.is)
}

func (m migrating) resource() string {
	if m.kind == "" {
		return "configmap"
	}
	return m.kind
}

// prepare makes the object as its owner does.
func (m migrating) prepare(t *testing.T) {
	t.Helper()
	for command := range strings.Lines(m.make) {
		command = m.text(strings.TrimSpace(command))
		args, stdin := strings.Fields(command), ""
		switch args[len(args)-1] {
		case "<":
			stdin = m.text(m.was)
		case ">":
			stdin = m.next()
		}
		if stdin != "" {
			args = append(args[:len(args)-1], "-f", "-")
		}
		kubectl(t, stdin, append([]string{"-n", m.namespace}, args...)...)
	}
	if m.release != "" {
		m.store(t)
	}
	if m.wait != "" {
		until(t, m.name+" is "+m.until, func() bool {
			out, err := said("", "-n", m.namespace, "get", m.resource(), m.name, "-o", "jsonpath="+m.wait)
			return err == nil && strings.TrimSpace(out) == m.until
		})
	}
}

// store writes the release as Helm does.
func (m migrating) store(t *testing.T) {
	t.Helper()
	rendered := strings.Replace(m.next(), m.text(helmMarks), "", 1) // Helm adds its marks when it applies
	text, err := json.Marshal(map[string]any{"name": m.name, "namespace": m.namespace, "version": 1, "apply_method": m.release, "manifest": "---\n# Source: web/templates/a.yaml\n" + rendered, "config": map[string]any{"token": "s3cret"}})
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(text); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	data := base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString(packed.Bytes())))
	kubectl(t, fmt.Sprintf("apiVersion: v1\nkind: Secret\ntype: helm.sh/release.v1\nmetadata:\n  name: sh.helm.release.v1.%s.v1\n  namespace: %s\n  labels: {owner: helm, name: %s, status: deployed, version: '1'}\ndata: {release: %s}\n",
		m.name, m.namespace, m.name, data), "create", "--field-manager=helm", "-f", "-")
}

// get reads the object with its record.
func (m migrating) get(t *testing.T) map[string]any {
	t.Helper()
	out, err := said("", "-n", m.namespace, "get", m.resource(), m.name, "-o", "json", "--show-managed-fields")
	if err != nil {
		t.Fatal(out)
	}
	o, err := objects.Parse([]byte(out))
	if err != nil {
		t.Fatal(err)
	}
	return o.Fields
}

// step is the first server-side apply, with what the tool folds before it. It returns the conflicts of a refusal.
func (m migrating) step(t *testing.T) (conflicts []string) {
	t.Helper()
	if len(m.folds) > 0 {
		body, err := csaupgrade.UpgradeManagedFieldsPatch(&unstructured.Unstructured{Object: m.get(t)}, sets.New(m.folds...), m.as)
		if err != nil {
			t.Fatal(err)
		}
		if body != nil {
			kubectl(t, "", "-n", m.namespace, "patch", m.resource(), m.name, "--type=json", "-p", string(body))
		}
	}
	args := []string{"apply", "--server-side", "-f", "-"}
	if m.as != "" {
		args = append(args, "--field-manager="+m.as)
	}
	if m.forces {
		args = append(args, "--force-conflicts")
	}
	out, err := said(m.next(), args...)
	if err == nil {
		return nil
	}
	if conflicts = conflictsIn(out); conflicts == nil {
		t.Fatal(out)
	}
	return conflicts
}

var (
	withWhom = regexp.MustCompile(`conflicts? with "([^"]+)"[^:]*: ?(\.\S+)?`)
	which    = regexp.MustCompile(`^- (\.\S+)`)
)

// conflictsIn are the conflicts in what kubectl says, as field and manager.
func conflictsIn(out string) (all []string) {
	whose := ""
	for line := range strings.Lines(out) {
		if found := withWhom.FindStringSubmatch(line); found != nil {
			if whose = found[1]; found[2] != "" {
				all = append(all, found[2]+" "+whose)
			}
		}
		if found := which.FindStringSubmatch(line); found != nil {
			all = append(all, found[1]+" "+whose)
		}
	}
	slices.Sort(all)
	return all
}

// TestMigrateOnAPracticeCluster plans objects of all kinds of owners, does each step for real, and compares for every field.
func TestMigrateOnAPracticeCluster(t *testing.T) {
	all := maps.Clone(transfers)
	if names := os.Getenv("FIELDMARK_TEST_FULL"); names != "" {
		maps.Copy(all, moreTransfers)
		maps.Copy(all, typesOfTransfers())
		maps.DeleteFunc(all, func(name string, _ transfer) bool { return !regexp.MustCompile(names).MatchString(name) })
	}
	prove(t, space(t), all)
}

// prove makes objects, plans them, and does the steps.
func prove(t *testing.T, namespace string, all map[string]transfer) {
	t.Helper()
	folder := t.TempDir()
	names := slices.Sorted(maps.Keys(all))
	for _, name := range names {
		m := migrating{all[name], name, namespace}
		m.prepare(t)
		if m.file {
			if err := os.WriteFile(filepath.Join(folder, name+".yaml"), []byte(m.next()), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	plan := planned(t, "-n", namespace, "--helm-releases")
	plan.Objects = slices.DeleteFunc(plan.Objects, func(o migrate.Object) bool { return all[o.Name].file })
	if slices.ContainsFunc(names, func(name string) bool { return all[name].file }) {
		plan.Objects = append(plan.Objects, planned(t, "-n", namespace, "-f", folder).Objects...)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			m := migrating{all[name], name, namespace}
			at := slices.IndexFunc(plan.Objects, func(o migrate.Object) bool { return o.Name == name && !strings.HasPrefix(o.Type, "endpoints") })
			if at < 0 {
				t.Fatal(name + " isn't in the plan")
			}
			m.says(t, plan.Objects[at])
			m.holds(t, plan.Objects[at])
		})
	}
}

// A context that doesn't respond is a row, and what a viewer may not try is said.
func TestMigrateOfSeveralClusters(t *testing.T) {
	namespace := space(t)
	code, out, errs := onKubeconfig(t, severalContexts(t), "migrate", "-n", "shop", "--contexts", "practice,practice-viewer,several-dead", "-o", "json")
	var r migrate.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 2 || len(r.Clusters) != 3 || !strings.Contains(errs, "several-dead") {
		t.Fatal(code, err, out, errs)
	}
	schematest.Valid(t, "migrate.v1.json", []byte(out))
	all, viewer, dead := r.Clusters[0], r.Clusters[1], r.Clusters[2]
	if all.Counts[migrate.Safe] == 0 || viewer.Counts[migrate.Safe] != 0 || viewer.Counts[migrate.Decision] == 0 || viewer.Kinds[check.Unknown] == 0 || dead.Problem == "" {
		t.Errorf("%+v", r)
	}
	if len(viewer.Missing) == 0 || !strings.Contains(viewer.Missing[0], "secrets") {
		t.Errorf("what the viewer may not read isn't said: %q", viewer.Missing)
	}
	if code, _, errs := onPractice(t, "", "migrate", "--as", "nobody"); code != 2 || !strings.Contains(errs, "no type can be listed") {
		t.Error(code, errs)
	}
	if code, _, errs := onPractice(t, "", "migrate", "-o", "yaml"); code != 2 || !strings.Contains(errs, "--output must be text, json, csv or markdown") {
		t.Error(code, errs)
	}
	if code, out, errs := onPractice(t, configMap(namespace, "other"), "migrate", "-f", "-"); code != 0 || errs != "" || !strings.Contains(out, "nothing to move") || !strings.Contains(out, "weren’t found, so they aren’t in the plan: ConfigMap "+namespace+"/other.") {
		t.Error("an object that doesn't exist has nothing to move:", code, out, errs)
	}
}

// planned is the plan for the practice cluster.
func planned(t *testing.T, args ...string) migrate.Cluster {
	t.Helper()
	code, out, errs := onPractice(t, "", append([]string{"migrate", "-o", "json"}, args...)...)
	var r migrate.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || code > 1 || errs != "" || len(r.Clusters) != 1 {
		t.Fatal(code, err, out, errs)
	}
	if fails := r.Fails(check.FailOn()); fails != (code == 1) {
		t.Errorf("exit code %d", code)
	}
	schematest.Valid(t, "migrate.v1.json", []byte(out))
	if strings.Contains(out, "s3cret") {
		t.Error("the plan has a value of a release")
	}
	return r.Clusters[0]
}

// says compares the plan with what is expected of it.
func (m migrating) says(t *testing.T, o migrate.Object) {
	t.Helper()
	var finds []string
	for _, f := range o.Findings {
		if f.Expected == nil && (f.Kind.About().Severity >= check.Serious || f.Kind == check.Extra && m.verdict == migrate.Decision) {
			finds = append(finds, string(f.Kind)+" "+f.Path)
		}
	}
	if o.Verdict != m.verdict || !slices.Equal(finds, m.finds) || o.Owner.Words() != m.text(m.owner) || len(o.Steps) == 0 {
		t.Errorf("%s %q, findings %q, owner %q, steps %v", o.Verdict, o.Why, finds, o.Owner.Words(), o.Steps)
	}
}

// fate is what becomes of a field.
type fate struct{ before, after string }

// fates are the fields of an object with their owners before and after. What only the server and controllers write has none.
func fates(was, is map[string]any) map[string]fate {
	wholes := map[string]bool{}
	for _, o := range []map[string]any{was, is} {
		noteWholes(o, wholes)
	}
	before, after := leafOwners(was, wholes), leafOwners(is, wholes)
	all := map[string]fate{}
	for path, owners := range before {
		now, still := after[path]
		if !still {
			now = "gone"
		}
		all[path] = fate{owners, now}
	}
	for path, owners := range after {
		if _, old := before[path]; !old && owners != "" {
			all[path] = fate{"", owners}
		}
	}
	return all
}

func recordOn(o map[string]any) *ownership.Blame {
	return ownership.Parse(o).On(manifest.Tree(objects.Object{Fields: o}.WithoutManagedFields().Fields), nil)
}

// noteWholes notes the lists and maps that somebody owns as a whole. If nobody owns them any more, the record doesn't say that they are owned like that.
func noteWholes(o map[string]any, wholes map[string]bool) {
	b := recordOn(o)
	var visit func(n *manifest.Node)
	visit = func(n *manifest.Node) {
		if whole, known := b.Whole(n); known && whole {
			wholes[b.Path(n)] = true
		}
		for _, child := range n.Children {
			visit(child)
		}
	}
	visit(b.Root)
}

func leafOwners(o map[string]any, wholes map[string]bool) map[string]string {
	b := recordOn(o)
	all := map[string]string{}
	var visit func(n *manifest.Node)
	visit = func(n *manifest.Node) {
		if path := b.Path(n); n.Parent == nil || len(n.Children) > 0 && !wholes[path] {
			for _, child := range n.Children {
				visit(child)
			}
		} else if !strings.HasPrefix(path, ".status") {
			var owners []manager.Manager
			for _, owner := range b.Owners(n) {
				owners = append(owners, owner.Identity())
			}
			all[path] = managerWords(owners)
		}
	}
	visit(b.Root)
	return all
}

func managerWords(all []manager.Manager) string {
	var names []string
	for _, m := range all {
		names = append(names, m.Words())
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}

// holds does the step, and compares for every field: conflicts, owners, what is removed and what is stuck.
func (m migrating) holds(t *testing.T, o migrate.Object) {
	t.Helper()
	was := m.get(t)
	conflicts := m.step(t)
	is := m.get(t)
	var predicted []string
	for _, f := range o.Findings {
		for _, owner := range f.Owners {
			if f.Kind == check.Conflict {
				predicted = append(predicted, f.Path+" "+owner.Name)
			}
		}
	}
	slices.Sort(predicted)
	if !slices.Equal(predicted, conflicts) {
		t.Errorf("conflicts: predicted %q, and the server says %q", predicted, conflicts)
	}
	want := fates(was, was)
	for _, f := range o.Fields {
		one := fate{want[f.Path].before, managerWords(f.After)}
		if f.Gone {
			one.after = "gone"
		}
		want[f.Path] = one
	}
	got := fates(was, is)
	for _, path := range slices.Sorted(maps.Keys(got)) {
		if got[path] != want[path] {
			t.Errorf("%s: predicted %+v, and it is %+v", path, want[path], got[path])
		}
		removed := slices.ContainsFunc(o.Findings, func(f check.Finding) bool { return f.Kind == check.Pruned && covers(f.Path, path) })
		if is := got[path].after == "gone"; conflicts == nil && is != removed && !strings.HasSuffix(path, "last-applied-configuration") {
			t.Errorf("%s: removed %v, and the findings are %v", path, is, o.Findings)
		}
	}
	for path := range want {
		if _, has := got[path]; !has {
			t.Errorf("%s: predicted %+v, and the object doesn't have the field", path, want[path])
		}
	}
	if conflicts == nil {
		m.stuck(t, o, is)
	}
}

func covers(path, of string) bool {
	rest, below := strings.CutPrefix(of, path)
	return below && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// stuck compares the fields that stay, although the manifest doesn't have them, only because of older entries of the tool.
func (m migrating) stuck(t *testing.T, o migrate.Object, is map[string]any) {
	t.Helper()
	var got, want []string
	var stated unstructured.Unstructured
	out, err := said(m.next(), "create", "--dry-run=client", "-o", "json", "-f", "-")
	if err != nil || json.Unmarshal([]byte(out), &stated.Object) != nil {
		t.Fatal(err, out)
	}
	wholes := map[string]bool{}
	noteWholes(is, wholes)
	has := leafOwners(stated.Object, wholes)
	older := map[string]bool{}
	for _, m := range o.Owner.Older {
		older[m.Words()] = m.Operation == string(metav1.ManagedFieldsOperationUpdate)
	}
	for path, owners := range leafOwners(is, wholes) {
		if _, states := has[path]; !states && older[owners] {
			got = append(got, path)
		}
	}
	for _, f := range o.Findings {
		if f.Kind == check.Stuck {
			want = append(want, f.Path)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("stuck: predicted %q, and it is %q", want, got)
	}
}
