package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/status"
)

// told are the texts of a finding's ways of a kind, joined.
func told(findings []Finding, path, way string) string {
	var all []string
	for _, f := range findings {
		for _, w := range f.Ways {
			if f.Path == path && w.Way == way {
				all = append(all, w.Text)
			}
		}
	}
	return strings.Join(all, "\n")
}

const (
	ourRule = `# fieldmark.yaml
apiVersion: fieldmark.dev/v1
kind: Expected
rules:
- finding: conflict
  match:
    kind: Deployment
    name: web
    namespace: shop
  owner: OWNER
  path: .spec.replicas
  reason: Say here why you expect this.
`
	argoRule = `# Argo CD: in the Application
spec:
  ignoreDifferences:
  - group: apps
    jsonPointers:
    - /spec/replicas
    kind: Deployment
    name: web
    namespace: shop
  syncPolicy:
    syncOptions:
    - RespectIgnoreDifferences=true
`
	fluxRule = `# Flux: in the Kustomization
spec:
  ignore:
  - paths:
    - /spec/replicas
    target:
      kind: Deployment
      name: web
      namespace: shop
`
	fluxHelmRule = `# Flux: in the HelmRelease
spec:
  driftDetection:
    ignore:
    - paths:
      - /spec/replicas
      target:
        kind: Deployment
        name: web
        namespace: shop
    mode: enabled
`
	helmRule = "# Helm: in the values, if the chart uses the names of helm create\nautoscaling:\n  enabled: true\n"
	// applies is what a manager applies of the object, but for its spec.
	appliesWeb = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
  uid: u
`
	forgetting = `kubectl patch deployment.v1.apps web -n shop --type=json -p '[{"op":"test","path":"/metadata/managedFields/1/manager","value":"eve"},` +
		`{"op":"test","path":"/metadata/managedFields/1/operation","value":"Update"},{"op":"test","path":"/metadata/managedFields/1/fieldsV1","value":{"f:spec":{"f:replicas":{}}}},` +
		`{"op":"replace","path":"/metadata/managedFields/1/fieldsV1","value":{}}]'` + "\n"
)

func ours(owner string) string { return strings.Replace(ourRule, "OWNER", owner, 1) }

// contest is a conflict of a manager with an owner over the number of replicas.
func contest(manager, owner string) judged {
	name, how, _ := strings.Cut(owner, " ")
	cause := `.spec.replicas "` + strings.TrimSuffix(name, "/scale") + `"`
	if strings.HasSuffix(name, "/scale") {
		cause += ` with subresource "scale"`
	}
	if how == "Update" {
		cause += " using apps/v1"
	}
	return judged{
		text: deployment + "  paused: true\n  replicas: 3 # three\n", manager: manager, live: web(`{"replicas":5}`, owner+" apps/v1 "+replicas),
		plain: conflict(cause), forced: web(`{"paused":true,"replicas":3}`, manager+" Apply apps/v1 "+both),
	}
}

var conflictWays = []struct {
	name, manager, owner string
	want                 map[string]string
}{
	{"with an autoscaler", "me", "kube-controller-manager/scale Update", map[string]string{
		WayGiveUp:    "--- web.yaml\n+++ web.yaml\n@@ -5,4 +5,3 @@\n   namespace: shop\n spec:\n   paused: true\n-  replicas: 3 # three\n",
		WayShare:     "--- web.yaml\n+++ web.yaml\n@@ -5,4 +5,4 @@\n   namespace: shop\n spec:\n   paused: true\n-  replicas: 3 # three\n+  replicas: 5 # three\n",
		WayOverwrite: "kubectl apply --server-side --force-conflicts --field-manager=me -f web.yaml\n",
		WayHandOver:  "", // it would take the field back
		WayRule:      ours("kube-controller-manager"),
	}},
	{"as kubectl, with Argo CD", "kubectl", "argocd-controller Apply", map[string]string{
		WayOverwrite: "kubectl apply --server-side --force-conflicts -f web.yaml\n",
		WayHandOver:  "",
		WayRule:      argoRule + "\n" + ours("argocd-controller"),
	}},
	{"as Argo CD, with a person", "argocd-controller", "eve Apply", map[string]string{
		WayOverwrite: "",
		WayHandOver: "# argocd-controller applies .spec.replicas with the live value\nkubectl apply --server-side --field-manager=argocd-controller -n shop -f - <<'EOF'\n" + appliesWeb + "spec:\n  replicas: 5\nEOF\n" +
			"# eve applies all its fields except .spec.replicas\nkubectl apply --server-side --field-manager=eve -n shop -f - <<'EOF'\n" + appliesWeb + "EOF\n",
		WayRule: argoRule + "\n" + ours("eve"),
	}},
	{"as Flux", "kustomize-controller", "eve Apply", map[string]string{WayOverwrite: "", WayRule: fluxRule + "\n" + ours("eve")}},
	{"as Flux's Helm", "helm-controller", "eve Apply", map[string]string{WayOverwrite: "", WayRule: fluxHelmRule + "\n" + ours("eve")}},
	{"as Helm", "helm", "eve Update", map[string]string{
		WayOverwrite: "helm upgrade RELEASE CHART -n shop --server-side=true --force-conflicts\n",
		WayHandOver: "# helm applies .spec.replicas with the live value\nkubectl apply --server-side --field-manager=helm -n shop -f - <<'EOF'\n" + appliesWeb + "spec:\n  replicas: 5\nEOF\n" +
			"# Remove .spec.replicas from the entry of eve (Update)\n" + forgetting,
		WayRule: helmRule + "\n" + ours("eve"),
	}},
}

func TestWaysOutOfAConflict(t *testing.T) {
	for _, c := range conflictWays {
		findings := Judge(contest(c.manager, c.owner).input(t))
		for way, want := range c.want {
			if got := told(findings, ".spec.replicas", way); got != want {
				t.Errorf("%s: %s:\n%s\nwant\n%s", c.name, way, got, want)
			}
		}
	}
}

func TestWaysOutOfOtherFindings(t *testing.T) {
	pruned := judged{
		text: deployment + "  paused: true\n", manager: "me",
		live: web(`{"replicas":3,"paused":true}`, "me Apply apps/v1 "+both), would: web(`{"replicas":1,"paused":true}`, "me Apply apps/v1 "+paused),
	}
	annotation := unchanged("", "argocd-controller", `{"a.b/c~d":"x"}`, `{"paused":true}`, nil, "", `eve Update apps/v1 {"f:metadata":{"f:annotations":{"f:a.b/c~d":{}}}}`)
	container := unchanged("", "argocd-controller", "{}", `{"paused":true,"containers":[{"name":"app","image":"x"}]}`, nil, "",
		`eve Update apps/v1 {"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:name":{},"f:image":{}}}}}`)
	unknown := judged{text: deployment + "  replica: 3\n  paused: true\n", manager: "me", plain: no(400, "BadRequest", `strict decoding error: unknown field "spec.replica"`)}
	for _, c := range []struct {
		of              judged
		path, way, want string // want begins the text, or ends it after "…"
	}{
		{pruned, ".spec.replicas", WayShare, "# add to web.yaml\nspec:\n  replicas: 3\n"},
		{
			pruned, ".spec.replicas", WayHandOver,
			"# Keep the number of replicas until a HorizontalPodAutoscaler sets it. Without this command, the number becomes 1.\nkubectl apply --server-side --field-manager=handover-to-hpa -n shop -f - <<'EOF'\n" +
				strings.Replace(appliesWeb, "  uid: u\n", "", 1) + "spec:\n  replicas: 3\nEOF\n",
		},
		{annotation, ".metadata.annotations.a.b/c~d", WayShare, "# add to web.yaml\nmetadata:\n  annotations:\n    a.b/c~d: x\n"},
		{annotation, ".metadata.annotations.a.b/c~d", WayRule, "# Argo CD: in the Application\nspec:\n  ignoreDifferences:\n  - group: apps\n    jsonPointers:\n    - /metadata/annotations/a.b~1c~0d\n"},
		{container, `.spec.containers[name="app"]`, WayRule, "# Argo CD: in the Application\nspec:\n  ignoreDifferences:\n  - group: apps\n    kind: Deployment\n    managedFieldsManagers:\n    - eve\n    name: web\n"},
		{container, `.spec.containers[name="app"]`, WayShare, "# add to web.yaml\nspec:\n  containers:\n  - image: x\n    name: app\n"},
		{unknown, ".spec.replica", WayGiveUp, "--- web.yaml\n+++ web.yaml\n@@ -4,5 +4,4 @@\n   name: web\n   namespace: shop\n spec:\n-  replica: 3\n   paused: true\n"},
		{
			unchanged("", "me", applied(statesAll), holdsAll, nil, "", clientSide), ".spec.replicas", WayHandOver,
			"# kubectl folds the entries of client-side apply into the manager's own, and applies again.\nkubectl apply --server-side --field-manager=me -f web.yaml\n",
		},
		{
			unchanged("", "me", "{}", holdsAll, nil, "", "before-first-apply Update apps/v1 "+both), ".spec.replicas", WayHandOver,
			"# Move the fields of before-first-apply (Update) to me (Apply)\nkubectl patch deployment.v1.apps web -n shop --type=json -p '[{\"op\":\"replace\",\"path\":\"/metadata/managedFields\",\"value\":[{\"apiVersion\":\"apps/v1\",",
		},
	} {
		if got := told(Judge(c.of.input(t)), c.path, c.way); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s %s:\n%s\nwant\n%s", c.path, c.way, got, c.want)
		}
	}
}

// A rule that is pasted says what it is meant to say.
func TestOurOwnRuleMatchesItsFinding(t *testing.T) {
	c := unchanged("", "me", `{"a*":"x","ab":"y"}`, `{"paused":true}`, nil, "", `eve Update apps/v1 {"f:metadata":{"f:annotations":{"f:a*":{},"f:ab":{}}}}`)
	findings := Judge(c.input(t))
	if len(findings) != 2 {
		t.Fatal(findings)
	}
	text := told(findings, ".metadata.annotations.a*", WayRule)
	rules, err := ParseRules(RulesFile, text)
	if err != nil || len(rules) != 1 || !rules[0].matches(findings[0]) || rules[0].matches(findings[1]) {
		t.Errorf("%v\n%s", err, text)
	}
}

// What a way out says of a file is a patch that the program patch takes.
func TestPatchesApply(t *testing.T) {
	program, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("NOT CHECKED: there is no program patch")
	}
	for _, text := range []string{
		deployment + "  paused: true\n  replicas: 3\n",
		deployment + "  paused: true\n  replicas: 3",
		"a: b\n---\n" + deployment + "  replicas: 3\n  paused: true\n---\nc: d\n",
		"a: b\n---\nspec: {paused: true, replicas: 3}\n" + strings.TrimSuffix(deployment, "spec:\n"),
	} {
		c := contest("me", "eve Apply")
		c.text = text
		in, contents := c.input(t)
		in.Document = documents("web.yaml", text)[min(1, strings.Count(text, "---"))]
		file := filepath.Join(t.TempDir(), "web.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		run := exec.CommandContext(t.Context(), program, "--fuzz=0", "-p0")
		run.Dir, run.Stdin = filepath.Dir(file), strings.NewReader(told(Judge(in, contents), ".spec.replicas", WayGiveUp))
		if out, err := run.CombinedOutput(); err != nil || strings.Contains(string(out), "offset") {
			t.Fatalf("%v\n%s\n%s\n%q", err, out, told(Judge(in, contents), ".spec.replicas", WayGiveUp), text)
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(got), "replicas") || len(got) < len(text)-len(", replicas: 3\n") || strings.Count(string(got), "---") != strings.Count(text, "---") {
			t.Errorf("%q of %q", got, text)
		}
	}
}

func TestHereDocumentsEndWhereTheyShould(t *testing.T) {
	if got, want := here("a: EOF\nEOF\n"), " -f - <<'EOF_'\na: EOF\nEOF\nEOF_\n"; got != want {
		t.Errorf("%q", got)
	}
}

// What a manager or a file is called never begins a line of its own, unless a shell takes it as part of a word in quotes.
func TestHostileNames(t *testing.T) {
	c := contest("me\nowned", "eve Apply")
	in, contents := c.input(t)
	in.Document.File = "a\n+++ b"
	for _, f := range Judge(in, contents) {
		for _, w := range f.Ways {
			outside := ""
			for i, part := range strings.Split(w.Text, "'") {
				if i%2 == 0 {
					outside += part
				}
			}
			if strings.Contains(outside, "\nowned") || strings.Contains(outside, "\n+++ b") {
				t.Errorf("%s:\n%s", w.Way, w.Text)
			}
		}
	}
}

// An apply that was refused elsewhere is judged by what is known of it.
func TestRefusedElsewhere(t *testing.T) {
	c := contest("me", "eve Apply")
	whole, _ := c.input(t)
	blank := Input{Plain: whole.Plain, Manager: "me"}
	named := Input{Plain: whole.Plain, Manager: "me", Live: whole.Live}
	named.Document.Source.APIVersion, named.Document.Source.Kind, named.Document.Source.Namespace, named.Document.Source.Name = "apps/v1", "Deployment", "shop", "web"
	for what, c := range map[string]struct {
		in                        Input
		finding                   string
		giveUp, overwrite, unlike string
	}{
		"all":       {whole, "conflict .spec.replicas:8 5→3 [eve (Apply)]", "--- web.yaml", "kubectl apply --server-side --force-conflicts --field-manager=me -f web.yaml\n", "FILE"},
		"an object": {named, "conflict .spec.replicas:0 5→ [eve (Apply)]", "delete .spec.replicas", "kubectl apply --server-side --force-conflicts --field-manager=me -n shop -f FILE\n", ":0"},
		"nothing":   {blank, "conflict .spec.replicas:0 → [eve (Apply)]", "delete .spec.replicas", "kubectl apply --server-side --force-conflicts --field-manager=me -f FILE\n", "fieldmark.yaml"},
	} {
		got := Refused(c.in)
		if len(got) != 1 || spell(got[0]) != c.finding || !strings.HasPrefix(told(got, ".spec.replicas", WayGiveUp), c.giveUp) || told(got, ".spec.replicas", WayOverwrite) != c.overwrite {
			t.Errorf("%s: %+v", what, got)
		}
		for _, w := range got[0].Ways {
			if strings.Contains(w.Text, c.unlike) {
				t.Errorf("%s: %s", what, w.Text)
			}
		}
	}
	blank.Plain.No = no(422, status.Invalid, "x", status.Cause{Field: ".spec.replica", Message: `unknown field "spec.replica"`})
	if got := Refused(blank); len(got) != 1 || got[0].Path != ".spec.replica" || told(got, ".spec.replica", WayGiveUp) != "delete .spec.replica" {
		t.Errorf("%+v", got)
	}
}

// kubectl folds in client-side apply at its next server-side apply, and applies again: a command with some fields alone would remove the rest.
func TestNoHandOverBeforeTheFold(t *testing.T) {
	c := contest("me", "eve Update")
	in, contents := c.input(t)
	if told(Judge(in, contents), ".spec.replicas", WayHandOver) == "" {
		t.Error("there is no way to test")
	}
	c.live = annotated(applied(statesAll), `{"replicas":5}`, "eve Update apps/v1 "+replicas, `kubectl-client-side-apply Update apps/v1 {"f:metadata":{"f:annotations":{"f:kubectl.kubernetes.io/last-applied-configuration":{}}}}`)
	in, contents = c.input(t)
	if got := told(Judge(in, contents), ".spec.replicas", WayHandOver); got != "" {
		t.Error(got)
	}
}

// A patch shows lines around those that change. They may be a Secret's.
func TestNoPatchShowsASecretBeside(t *testing.T) {
	const secret = "HUNTER2"
	for _, text := range []string{
		`{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"stringData":{"a":"HUNTER2"}},{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop"},"spec":{"paused":true,"replicas":3}}]}`,
		deployment + "  paused: true\n  replicas: 3\n---\n{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {a: HUNTER2}}\n",
		"apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\nstringData:\n  a: HUNTER2\n---\n{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}, spec: {paused: true, replicas: 3}}\n",
	} {
		c := contest("me", "eve Update")
		in, _ := c.input(t)
		parsed := source.Parse(text)
		seen := false
		for _, d := range parsed.Items().Documents {
			if d.Kind != "Deployment" {
				continue
			}
			in.Document.Source = d
			for _, w := range Judge(in, Contents{})[0].Ways {
				seen = seen || w.Way == WayGiveUp
				if strings.Contains(w.Text, secret) {
					t.Errorf("%s\n%s", text, w.Text)
				}
			}
		}
		if !seen {
			t.Errorf("nothing is told of\n%s", text)
		}
	}
}

// A long secret, and a refusal with many causes: the work stays bounded.
func TestLongSecretsAreCleanedInTime(t *testing.T) {
	text := "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  namespace: shop\nstringData:\n  a: |\n"
	var b strings.Builder
	b.WriteString(text)
	for i := range 100_000 {
		b.WriteString("    " + strconv.Itoa(i) + "\n")
	}
	var causes []status.Cause
	for range 200 {
		causes = append(causes, status.Cause{Field: "data[x]", Message: "Invalid value: 77777"})
	}
	began := time.Now()
	c := judged{text: b.String(), manager: "me", plain: no(422, status.Invalid, "is invalid", causes...)}
	in, contents := c.input(t)
	findings := Judge(in, contents)
	if took := time.Since(began); took > 20*time.Second || len(findings) == 0 || strings.Contains(findings[0].Why, "77777") {
		t.Errorf("%v, %d findings", took, len(findings))
	}
}

// What a kustomization builds is in no file, so a patch of a file would help nobody.
func TestWaysOutOfWhatAKustomizationBuilds(t *testing.T) {
	c := contest("me", "eve Apply")
	in, contents := c.input(t)
	in.Document.File, in.Document.Built = "overlays/production", true
	findings := Judge(in, contents)
	if got, want := told(findings, ".spec.replicas", WayGiveUp), "In an overlay or base of overlays/production (line 8 of the output of kubectl kustomize): delete .spec.replicas"; got != want {
		t.Errorf("%s", got)
	}
	if got, want := told(findings, ".spec.replicas", WayOverwrite), "kubectl apply --server-side --force-conflicts --field-manager=me -k overlays/production\n"; got != want {
		t.Errorf("%s", got)
	}
}

// A finding about a built document names the file that it comes from, without a line, or else the folder.
func TestPlacesOfWhatAKustomizationBuilds(t *testing.T) {
	for from, want := range map[string]string{"base/web.yaml": "base/web.yaml", "": "overlays/production"} {
		c := contest("me", "eve Apply")
		in, contents := c.input(t)
		in.Document.File, in.Document.From, in.Document.Built = "overlays/production", from, true
		findings := Judge(in, contents)
		for _, f := range findings {
			if f.File != want || f.Folder != "overlays/production" || f.Line != 0 {
				t.Errorf("%+v", f)
			}
		}
		if in.Document.At() != want || len(findings) == 0 {
			t.Errorf("%s: %+v", in.Document.At(), findings)
		}
		if from != "" && !strings.HasPrefix(told(findings, ".spec.replicas", WayGiveUp), "In base/web.yaml, or in a patch of the kustomization overlays/production (line 8 of the output") {
			t.Error(told(findings, ".spec.replicas", WayGiveUp))
		}
		rule := Rule{File: "overlays/production/fieldmark.yaml", Path: "spec.replicas", Reason: "why"}
		if idle := Expect(findings, []Rule{rule}, time.Now()); len(idle) > 0 {
			t.Errorf("the rule in the folder of the kustomization has no effect: %+v", idle)
		}
	}
}
