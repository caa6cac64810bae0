package check

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/assist"
	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/kube/status"
)

// applied is the annotation of client-side apply, for a spec.
func applied(spec string) string {
	note, err := json.Marshal(map[string]string{assist.LastApplied: `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":` + spec + `}`})
	if err != nil {
		panic(err) // it is made of texts
	}
	return string(note)
}

const (
	clientSide = `kubectl-client-side-apply Update apps/v1 {"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}},"f:spec":{"f:replicas":{},"f:paused":{},"f:revisionHistoryLimit":{}}}`
	statesAll  = `{"replicas":3,"paused":true}`
	holdsAll   = `{"replicas":3,"paused":true,"revisionHistoryLimit":10}`
)

// unchanged is a case in which the dry run changes nothing but the manager's own entry.
func unchanged(name, manager, annotations, spec string, want []string, why string, entries ...string) judged {
	return judged{
		name: name, manager: manager, text: deployment + "  paused: true\n",
		live: annotated(annotations, spec, entries...), would: annotated(annotations, spec, append([]string{manager + " Apply apps/v1 " + paused}, entriesBut(entries, manager)...)...), want: want, why: why,
	}
}

// builds are 120 runs of a pipeline that each applied the number of replicas under a name of its own.
func builds() (all []string) {
	for i := range 120 {
		all = append(all, fmt.Sprintf("build-%d Apply apps/v1 %s", i+1, replicas))
	}
	return all
}

// Many owners of one field are one finding, with three names, the family and advice.
func TestManyOwnersAreOneFinding(t *testing.T) {
	c := unchanged("", "me", "{}", `{"replicas":3,"paused":true}`, nil, "", append(builds(), "me Apply apps/v1 "+paused)...)
	found := Judge(c.input(t))
	if len(found) != 1 || found[0].Kind != Extra || len(found[0].Owners) != 120 {
		t.Fatalf("%+v", found)
	}
	const want = "build-1 (Apply), build-2 (Apply), build-3 (Apply) and 117 more (120 of them are named like build-*) added the field, and the manifest doesn't have the field. " +
		"A diff against the manifest doesn't show it. Each run seems to apply as another manager, and all of them stay owners. Use one constant name for all runs: --field-manager=build."
	if found[0].Why != want {
		t.Errorf("%s\nwant\n%s", found[0].Why, want)
	}
	if rule := told(found, ".spec.replicas", WayRule); strings.Count(rule, "# fieldmark.yaml") != 1 || !strings.Contains(rule, "owner: build*\n") {
		t.Error(rule)
	}
}

// firstApply is the first apply of an object that has no record, but the annotation of client-side apply, which doesn't have the replicas.
func firstApply(name, manager string, want []string, why string) judged {
	c := unchanged(name, manager, applied(`{"paused":true}`), `{"replicas":3,"paused":true}`, want, why, strings.Replace(clientSide, "kubectl-client-side-apply", "before-first-apply", 1))
	c.live = annotated(applied(`{"paused":true}`), `{"replicas":3,"paused":true}`)
	return c
}

// entriesBut are the entries but for the one that the manager applies.
func entriesBut(entries []string, manager string) []string {
	return slices.DeleteFunc(slices.Clone(entries), func(e string) bool { return strings.HasPrefix(e, manager+" Apply") })
}

var unstatedCases = []judged{
	unchanged("client-side apply keeps it", "me", applied(statesAll), holdsAll,
		[]string{"stuck .spec.replicas:6 3→ [kubectl-client-side-apply (Update)]"}, "An apply as me doesn't remove it.", clientSide),
	unchanged("client-side apply has it from a default", "me", applied(`{"paused":true}`), holdsAll, nil, "", clientSide),
	unchanged("kubectl folds client-side apply in", "kubectl", applied(statesAll), holdsAll,
		[]string{"pruned .spec.replicas:6 3→ [kubectl-client-side-apply (Update)]"}, "A dry run doesn't show this.", clientSide),
	unchanged("kubectl folds in nothing without the annotation", "kubectl", "{}", `{"replicas":3,"paused":true}`,
		[]string{"stuck .spec.replicas:6 3→ [kubectl-client-side-apply (Update)]"}, "the field stays", "kubectl-client-side-apply Update apps/v1 "+both),
	unchanged("kubectl loses an entry in another version", "kubectl", applied(statesAll), holdsAll,
		[]string{"stuck .spec.replicas:6 3→ [kubectl-client-side-apply (Update)]"}, "is lost", strings.Replace(clientSide, "apps/v1", "apps/v1beta1", 1)),
	unchanged("kubectl folds it in, and another holds it too", "kubectl", applied(statesAll), holdsAll,
		[]string{"extra .spec.replicas:6 3→ [other (Apply), kubectl-client-side-apply (Update)]"}, "", clientSide, "other Apply apps/v1 "+replicas),
	unchanged("before the first apply", "me", "{}", `{"replicas":3,"paused":true}`,
		[]string{"stuck .spec.replicas:6 3→ [before-first-apply (Update)]"}, "Somebody wrote the field before the first apply (before-first-apply). The server doesn't record who did.", "before-first-apply Update apps/v1 "+both),
	unchanged("before the first apply, and by the same tool", "me", "{}", `{"replicas":3,"paused":true}`,
		[]string{"stuck .spec.replicas:6 3→ [before-first-apply (Update), me (Update)]"}, "Earlier, the same tool wrote it as me (Update). Somebody wrote the field before the first apply", "before-first-apply Update apps/v1 "+both, "me Update apps/v1 "+both),
	unchanged("updates of the same manager", "me", "{}", `{"replicas":3,"paused":true}`,
		[]string{"stuck .spec.replicas:6 3→ [me (Update)]"}, "", "me Update apps/v1 "+both),
	unchanged("released, but an older entry keeps it", "me", "{}", `{"replicas":3,"paused":true}`,
		[]string{"stuck .spec.replicas:6 3→ [me (Update)]"}, "", "me Apply apps/v1 "+both, "me Update apps/v1 "+replicas),
	unchanged("Helm's first upgrade with server-side apply", "helm", "{}", `{"replicas":3,"paused":true}`,
		[]string{"pruned .spec.replicas:6 3→ [helm (Update)]"}, "Helm folds its client-side entry into its own", "helm Update apps/v1 "+both),
	unchanged("Helm's later upgrades", "helm", "{}", `{"replicas":3,"paused":true}`,
		[]string{"stuck .spec.replicas:6 3→ [helm (Update)]"}, "", "helm Apply apps/v1 "+paused, "helm Update apps/v1 "+both),
	unchanged("Argo CD folds client-side apply in", "argocd-controller", "{}", `{"replicas":3,"paused":true}`,
		[]string{"pruned .spec.replicas:6 3→ [kubectl-client-side-apply (Update)]"}, "Argo CD folds", "kubectl-client-side-apply Update apps/v1 "+both),
	unchanged("Flux folds in what kubectl changed", "kustomize-controller", "{}", `{"replicas":3,"paused":true}`,
		[]string{"pruned .spec.replicas:6 3→ [kubectl-edit (Update)]"}, "Flux folds", "kubectl-edit Update apps/v1 "+both),
	unchanged("Flux folds in what kubectl applied", "kustomize-controller", "{}", `{"replicas":3,"paused":true}`,
		[]string{"pruned .spec.replicas:6 3→ [kubectl (Apply)]"}, "Flux folds", "kubectl Apply apps/v1 "+both),
	unchanged("Flux folds in entries of every API version", "kustomize-controller", "{}", `{"replicas":3,"paused":true}`,
		[]string{"pruned .spec.replicas:6 3→ [kubectl-edit (Update)]"}, "Flux folds", "kustomize-controller Apply apps/v1 "+paused, "kubectl-edit Update apps/v1beta1 "+both),
	unchanged("Flux leaves what a subresource has", "kustomize-controller", "{}", `{"replicas":3,"paused":true}`,
		[]string{"extra .spec.replicas:6 3→ [kubectl (Update, scale)]"}, "", "kubectl/scale Update apps/v1 "+replicas),
	unchanged("Argo CD folds its own client-side apply in", "argocd-controller", applied(statesAll), holdsAll,
		[]string{"pruned .spec.replicas:6 3→ [argocd-controller (Update)]"}, "Argo CD folds", strings.Replace(clientSide, "kubectl-client-side-apply", "argocd-controller", 1)),
	firstApply("Argo CD removes what others wrote before its first apply", "argocd-controller",
		[]string{"pruned .spec.replicas:6 3→ [before-first-apply (Update)]"}, "before-first-apply is the server's name for all"),
	firstApply("so does kubectl", "kubectl", []string{"pruned .spec.replicas:6 3→ [before-first-apply (Update)]"}, "before-first-apply is the server's name for all"),
	firstApply("others don't", "me", []string{"stuck .spec.replicas:6 3→ [before-first-apply (Update)]"}, ""),
	unchanged("an autoscaler", "me", "{}", `{"replicas":1,"paused":true}`,
		[]string{"extra .spec.replicas:6 1→ [kube-controller-manager (Update, scale)]"}, "A diff against the manifest doesn't show it.", hpa),
	unchanged("a restart", "me", `{"restartedAt":"now"}`, `{"paused":true}`,
		[]string{`extra .metadata.annotations.restartedAt:3 "now"→ [kubectl-rollout (Update)]`}, "", `kubectl-rollout Update apps/v1 {"f:metadata":{"f:annotations":{".":{},"f:restartedAt":{}}}}`),
	unchanged("an injected container is one thing", "me", "{}", `{"paused":true,"containers":[{"name":"proxy","image":"x","stdin":true}]}`,
		[]string{`extra .spec.containers[name="proxy"]:6 {"image":"x","name":"proxy","stdin":true}→ [injector (Update)]`}, "",
		`injector Update apps/v1 {"f:spec":{"f:containers":{".":{},"k:{\"name\":\"proxy\"}":{".":{},"f:name":{},"f:image":{},"f:stdin":{}}}}}`),
	unchanged("a container of two", "me", "{}", `{"paused":true,"containers":[{"name":"proxy","image":"x"}]}`,
		[]string{`extra .spec.containers[name="proxy"].image:6 "x"→ [setter (Update)]`, `extra .spec.containers[name="proxy"].name:6 "proxy"→ [injector (Update)]`}, "",
		`injector Update apps/v1 {"f:spec":{"f:containers":{".":{},"k:{\"name\":\"proxy\"}":{".":{},"f:name":{}}}}}`, `setter Update apps/v1 {"f:spec":{"f:containers":{"k:{\"name\":\"proxy\"}":{"f:image":{}}}}}`),
	unchanged("a map in which only defaults are", "me", "{}", `{"paused":true,"struct":{"b":1}}`,
		[]string{`extra .spec.struct:6 {"b":1}→ [other (Apply)]`}, "", `other Apply apps/v1 {"f:spec":{"f:struct":{}}}`),
	unchanged("an item that the tool folds in, with a part of another manager", "helm", "{}", `{"paused":true,"containers":[{"name":"proxy","image":"x"}]}`,
		[]string{`pruned .spec.containers[name="proxy"]:6 {"image":"x","name":"proxy"}→ [helm (Update)]`}, "Helm folds",
		`helm Update apps/v1 {"f:spec":{"f:paused":{},"f:containers":{".":{},"k:{\"name\":\"proxy\"}":{".":{},"f:name":{}}}}}`, `setter Update apps/v1 {"f:spec":{"f:containers":{"k:{\"name\":\"proxy\"}":{"f:image":{}}}}}`),
	unchanged("defaults of who created it", "me", "{}", `{"paused":true,"revisionHistoryLimit":10,"selector":{}}`, nil, "", `dashboard Update apps/v1 {"f:spec":{"f:revisionHistoryLimit":{},"f:selector":{}}}`),
	unchanged("status", "me", "{}", `{"paused":true}`, nil, "", `kube-controller-manager/status Update apps/v1 {"f:status":{"f:replicas":{}}}`),
}

func TestWhatNoManifestStates(t *testing.T) {
	for _, c := range unstatedCases {
		t.Run(c.name, c.run)
	}
}

func TestAnotherDocumentStatesIt(t *testing.T) {
	c := unchanged("", "me", "{}", `{"replicas":3,"paused":true}`, nil, "", "other Update apps/v1 "+replicas)
	c.text += "---\n" + deployment + "  replicas: 3\n"
	in, contents := c.input(t)
	in.Document = documents("web.yaml", c.text)[0]
	if got := Judge(in, contents); len(got) > 0 {
		t.Errorf("%+v", got)
	}
}

// What real servers recorded: a Deployment that was applied, scaled by hand, and got another image.
func TestFindingsOfARealRecord(t *testing.T) {
	live := fixture(t, "scaled")
	text, err := manifest.YAML(change.Intent(live, applier("deployer"), nil))
	if err != nil {
		t.Fatal(err)
	}
	all := documents("scaled.yaml", string(text))
	in := Input{Document: all[0], Manager: "deployer", Live: Response{Object: live}, Plain: Response{Object: live}}
	var got []string
	for _, f := range Judge(in, ContentsOf(all)) {
		got = append(got, spell(f))
	}
	want := []string{
		`extra .metadata.annotations.deployment.kubernetes.io/revision:3 "2"→ [kube-controller-manager (Update, status)]`,
		`extra .spec.replicas:8 1→ [kubectl (Update, scale)]`,
		`extra .spec.template.spec.containers[name="app"].image:18 "nginx:1.28"→ [setter (Update)]`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), text)
	}
}

func TestVotes(t *testing.T) {
	stated := parse(t, web(`{"replicas":3,"paused":true}`))
	for _, c := range []struct {
		name    string
		live    map[string]any
		manager string
		owns    int
		of      int
	}{
		{"nothing is there", nil, "kubectl", 0, 0},
		{"who applies most", parse(t, web(`{"replicas":3,"paused":true}`, "a Apply apps/v1 "+replicas, "b Apply apps/v1 "+both)), "b", 2, 2},
		{"who applies wins a draw", parse(t, web(`{"replicas":3,"paused":true}`, "a Update apps/v1 "+both, "b Apply apps/v1 "+both)), "b", 2, 2},
		{"client-side apply is kubectl's", parse(t, annotated(applied(statesAll), holdsAll, clientSide)), "kubectl", 2, 2},
		{"one name counts once", parse(t, web(`{"replicas":3,"paused":true}`, "a Apply apps/v1 "+both, "b Apply apps/v1 "+replicas, "b Update apps/v1 "+replicas)), "a", 2, 2},
		{"controllers don't count", parse(t, web(`{"replicas":5}`, hpa)), "kubectl", 0, 0},
	} {
		got := Choose(c.live, stated, nil)
		if got != (Choice{c.manager, c.owns, c.of}) || !strings.HasPrefix(got.Words(), "Checked as the manager "+c.manager) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// One manager applies all manifests: the one that owns most of all of them.
func TestVotesOfSeveralManifests(t *testing.T) {
	var v Votes
	stated := parse(t, web(`{"replicas":3,"paused":true}`))
	for _, live := range []string{
		web(`{"replicas":3}`, "a Apply apps/v1 "+replicas), web(`{"replicas":3,"paused":true}`, "b Apply apps/v1 "+both),
		web(`{"replicas":3,"paused":true}`, "a Apply apps/v1 "+both), "",
	} {
		v.Count(parse(t, live), stated, nil)
	}
	if got := v.Choice(); got != (Choice{"a", 3, 5}) {
		t.Errorf("%+v", got)
	}
}

// Whatever holds a secret, and wherever it is said, no finding has it.
func TestNoFindingHasASecret(t *testing.T) {
	for _, document := range canary.Documents() {
		if document.Vague {
			continue
		}
		live := parse(t, document.JSON)
		text := strings.ReplaceAll(document.JSON, `"note":"`+canary.Plain, `"note":"other`)
		said := canary.Plain // what the server quotes: a value as it is in the document
		for _, secret := range []string{canary.Song, canary.Coded} {
			if strings.Contains(document.JSON, `:"`+secret+`"`) {
				said = secret
			}
		}
		refused := no(422, status.Invalid, `Invalid value: "`+said+`"`, status.Cause{Field: "data.password", Message: `Invalid value: "` + said + `"`})
		for _, in := range []Input{
			{Live: Response{No: notFound}, Plain: Response{Object: live}},
			{Live: Response{Object: live}, Plain: Response{Object: parse(t, text)}},
			{Live: Response{Object: live}, Plain: Response{No: refused}},
			{Live: Response{Object: live}, Plain: Response{No: conflict(`.data.password "other"`)}, Forced: &Response{Object: live}},
			{Live: Response{Object: live}, Plain: Response{No: no(503, "", "the value is "+said)}},
		} {
			all := documents("secret.yaml", document.JSON)
			in.Document, in.Manager = all[0], "me"
			found, err := json.Marshal(ReportOf("me", 1, Judge(in, ContentsOf(all))))
			if err != nil || canary.Escapes(string(found)) {
				t.Errorf("%s: %v\n%s", document.Name, err, found)
			}
		}
	}
}
