package check

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/status"
)

func parse(t testing.TB, text string) map[string]any {
	t.Helper()
	if text == "" {
		return nil
	}
	o, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return o.Fields
}

// entry is one of managedFields: "alice/scale Update apps/v1 {…}".
func entry(words string) string {
	part := strings.SplitN(words, " ", 4)
	name, sub, _ := strings.Cut(part[0], "/")
	if sub != "" {
		sub = `"subresource":"` + sub + `",`
	}
	return fmt.Sprintf(`{"manager":%q,"operation":%q,%s"apiVersion":%q,"fieldsType":"FieldsV1","time":"2026-01-02T03:04:05Z","fieldsV1":%s}`, name, part[1], sub, part[2], part[3])
}

// web is a Deployment with a spec, and with entries.
func web(spec string, entries ...string) string { return annotated("{}", spec, entries...) }

func annotated(annotations, spec string, entries ...string) string {
	all := make([]string, 0, len(entries))
	for _, e := range entries {
		all = append(all, entry(e))
	}
	return `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop","uid":"u","resourceVersion":"7","generation":2,"annotations":` + annotations +
		`,"managedFields":[` + strings.Join(all, ",") + `]},"spec":` + spec + `,"status":{"replicas":1}}`
}

// labels is a Deployment with labels.
func labels(all, spec string, entries ...string) string {
	return strings.Replace(web(spec, entries...), `"annotations":{}`, `"labels":`+all, 1)
}

// labelled is the text of a Deployment with a label, up to its spec.
func labelled(zone string) string {
	return strings.Replace(strings.TrimSuffix(deployment, "spec:\n"), "  namespace: shop\n", "  labels: {zone: "+zone+"}\n  namespace: shop\n", 1)
}

// deployment is the text of a Deployment. Its spec begins in line 6.
const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
`

func documents(file, text string) []Document {
	parsed := source.Parse(text)
	var all []Document
	for _, d := range parsed.Documents {
		document := Document{File: file, Source: d}
		for _, p := range parsed.Problems {
			if p.Document == d.Index {
				document.Problems = append(document.Problems, p)
			}
		}
		all = append(all, document)
	}
	return all
}

func spell(f Finding) string {
	var owners []string
	for _, o := range f.Owners {
		owners = append(owners, o.Words())
	}
	return fmt.Sprintf("%s %s:%d %s→%s [%s]", f.Kind, f.Path, f.Line, f.Live, f.Stated, strings.Join(owners, ", "))
}

func no(code int, reason, message string, causes ...status.Cause) *status.Status {
	return &status.Status{Code: code, Reason: reason, Message: message, Causes: causes, Told: true}
}

func conflict(causes ...string) *status.Status {
	s := no(409, status.Conflict, "Apply failed with conflicts")
	for _, c := range causes {
		field, with, _ := strings.Cut(c, " ")
		s.Causes = append(s.Causes, status.Cause{Reason: status.FieldManagerConflict, Field: field, Message: "conflict with " + with})
	}
	return s
}

var notFound = no(404, status.NotFound, `deployments.apps "web" not found`)

// judged is a case: a manifest for a manager, and what the server said.
type judged struct {
	name        string
	schema      string // of the object's spec; empty: unknown
	text        string // of the manifest; its documents, the last of which is judged
	manager     string
	live, would string // objects; live is missing if empty
	forced      string // the object after the forced dry run
	plain       *status.Status
	forcedNo    *status.Status
	liveNo      *status.Status
	warnings    []string
	unserved    bool
	verbs       []string // of the type; nil: not known
	force       bool
	want        []string
	why         string // in the first finding
}

// specSchema is the schema of a Deployment with the given properties of its spec, as JSON; nil if there are none.
func specSchema(t testing.TB, properties string) *schema.Schema {
	t.Helper()
	if properties == "" {
		return nil
	}
	d, err := schema.Parse([]byte(`{"components":{"schemas":{"d":{"type":"object","x-kubernetes-group-version-kind":[{"group":"apps","version":"v1","kind":"Deployment"}],` +
		`"properties":{"spec":{"type":"object","properties":` + properties + `}}}}}}`))
	s, found := d.Schema(schema.Kind{Group: "apps", Version: "v1", Kind: "Deployment"})
	if err != nil || !found {
		t.Fatalf("no schema: %v", err)
	}
	return &s
}

func (c judged) input(t testing.TB) (Input, Contents) {
	t.Helper()
	all := documents("web.yaml", c.text)
	in := Input{Document: all[len(all)-1], Schema: specSchema(t, c.schema), Unserved: c.unserved, Verbs: c.verbs, Manager: c.manager, Force: c.force, Live: Response{Object: parse(t, c.live), No: c.liveNo}, Plain: Response{Object: parse(t, c.would), No: c.plain}}
	if c.live == "" && c.liveNo == nil {
		in.Live.No = notFound
	}
	if c.forced != "" || c.forcedNo != nil {
		in.Forced = &Response{Object: parse(t, c.forced), No: c.forcedNo}
	}
	for _, w := range c.warnings {
		in.Plain.Warnings = append(in.Plain.Warnings, status.Warning{Code: 299, Agent: "-", Text: w})
	}
	return in, ContentsOf(all)
}

func (c judged) run(t *testing.T) {
	t.Helper()
	findings := Judge(c.input(t))
	var got []string
	for _, f := range findings {
		got = append(got, spell(f))
		if f.File != "web.yaml" || f.Why == "" || f.Object.Kind == "" && !strings.Contains(c.name, "read") {
			t.Errorf("%+v", f)
		}
	}
	if !slices.Equal(got, c.want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
	}
	if len(findings) > 0 && !strings.Contains(findings[0].Why, c.why) {
		t.Errorf("why: %s", findings[0].Why)
	}
}

const (
	replicas    = `{"f:spec":{"f:replicas":{}}}`
	paused      = `{"f:spec":{"f:paused":{}}}`
	both        = `{"f:spec":{"f:replicas":{},"f:paused":{}}}`
	containers  = `{"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:name":{},"f:image":{}}}}}`
	hpa         = "kube-controller-manager/scale Update apps/v1 " + replicas
	conflicting = `.spec.replicas "kube-controller-manager" with subresource "scale" using apps/v1 at 2026-01-02T03:04:05Z`
)

var compareCases = []judged{
	{
		name: "nothing", text: deployment + "  replicas: 3\n", manager: "me",
		live: web(`{"replicas":3}`, "me Apply apps/v1 "+replicas), would: web(`{"replicas":3}`, "me Apply apps/v1 "+replicas),
	},
	{
		name: "conflict, and what else would happen with force", text: deployment + "  paused: true\n  replicas: 3\n", manager: "me",
		live: web(`{"replicas":5}`, hpa), plain: conflict(conflicting), forced: web(`{"paused":true,"replicas":3}`, "me Apply apps/v1 "+both),
		want: []string{"conflict .spec.replicas:8 5→3 [kube-controller-manager (Update, scale)]", "changed .spec.paused:7 →true []"},
		why:  "On the server, the field has another value, owned by kube-controller-manager (Update, scale). The API server refuses the apply, unless it is forced. The owner will probably write its value again.",
	},
	{
		name: "conflict, and with force an invalid manifest", text: deployment + "  replicas: 3\n  paused: 1\n", manager: "me",
		live: web(`{"replicas":5}`, hpa), plain: conflict(conflicting), forcedNo: no(422, status.Invalid, "is invalid", status.Cause{Field: "spec.paused", Message: "Invalid value"}),
		want: []string{"conflict .spec.replicas:7 5→3 [kube-controller-manager (Update, scale)]", "invalid .spec.paused:8 →1 []"},
	},
	{
		name: "taken", text: deployment + "  replicas: 3\n", manager: "me", force: true,
		live: web(`{"replicas":5}`, hpa), plain: conflict(conflicting), forced: web(`{"replicas":3}`, "me Apply apps/v1 "+replicas),
		want: []string{"taken .spec.replicas:7 5→3 [kube-controller-manager (Update, scale)]"},
		why:  "and the field is taken from kube-controller-manager (Update, scale).",
	},
	{
		name: "taken, and only the forced dry run was made", text: deployment + "  replicas: 3\n", manager: "me", force: true,
		live: web(`{"replicas":5}`, hpa), would: web(`{"replicas":3}`, "me Apply apps/v1 "+replicas),
		want: []string{"taken .spec.replicas:7 5→3 [kube-controller-manager (Update, scale)]"},
	},
	{
		name: "Flux takes back what kubectl applied", text: deployment + "  replicas: 3\n", manager: "kustomize-controller",
		live: web(`{"replicas":5}`, "kubectl Apply apps/v1 "+replicas), plain: conflict(`.spec.replicas "kubectl"`), forced: web(`{"replicas":3}`, "kustomize-controller Apply apps/v1 "+replicas),
		want: []string{"changed .spec.replicas:7 5→3 [kubectl (Apply)]"},
		why:  "Flux folds",
	},
	{
		name: "conflict with itself", text: deployment + "  replicas: 3\n", manager: "me",
		live: web(`{"replicas":5}`, "me Update apps/v1 "+replicas), plain: conflict(`.spec.replicas "me" using apps/v1`), forced: web(`{"replicas":3}`, "me Apply apps/v1 "+replicas),
		want: []string{"conflict .spec.replicas:7 5→3 [me (Update)]"},
		why:  "Earlier, the same tool wrote it as me (Update).",
	},
	{
		name: "conflict of a tool that always forces", text: deployment + "  replicas: 3\n", manager: "argocd-controller",
		live: web(`{"replicas":5}`, hpa), plain: conflict(conflicting), forced: web(`{"replicas":3}`, "argocd-controller Apply apps/v1 "+replicas),
		want: []string{"conflict .spec.replicas:7 5→3 [kube-controller-manager (Update, scale)]"},
		why:  "argocd-controller always applies with force, so it takes the field. The owner will probably write its value again.",
	},
	{
		name: "conflict with what Helm folds in first", text: deployment + "  replicas: 3\n", manager: "helm",
		live: web(`{"replicas":5}`, "helm Update apps/v1 "+replicas), plain: conflict(`.spec.replicas "helm" using apps/v1`), forced: web(`{"replicas":3}`, "helm Apply apps/v1 "+replicas),
		want: []string{"changed .spec.replicas:7 5→3 [helm (Update)]"},
		why:  "Helm folds its client-side entry into its own at the first upgrade with server-side apply. So the field only changes. A dry run conflicts with the older entry. If the release was applied server-side before",
	},
	{
		name: "conflict with what kubectl folds in later", text: deployment + "  replicas: 4\n  paused: true\n", manager: "kubectl",
		live: annotated(applied(statesAll), holdsAll, clientSide), plain: conflict(`.spec.replicas "kubectl-client-side-apply" using apps/v1`),
		forced: annotated(applied(`{"replicas":4,"paused":true}`), `{"replicas":4,"paused":true,"revisionHistoryLimit":10}`, "kubectl Apply apps/v1 "+both, clientSide),
		want:   []string{"conflict .spec.replicas:7 3→4 [kubectl-client-side-apply (Update)]"},
	},
	{
		name: "changed", text: deployment + "  replicas: 4\n", manager: "me",
		live: web(`{"replicas":3}`, "me Apply apps/v1 "+replicas), would: web(`{"replicas":4}`, "me Apply apps/v1 "+replicas),
		want: []string{"changed .spec.replicas:7 3→4 [me (Apply)]"}, why: "You change the value from 3 to 4.",
	},
	{
		name: "a list item is one change", text: deployment + "  containers:\n  - name: app\n    image: b\n", manager: "me",
		live:  web(`{"containers":[]}`),
		would: web(`{"containers":[{"name":"app","image":"b","stdin":false}]}`, `me Apply apps/v1 {"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:name":{},"f:image":{}}}}}`),
		want:  []string{`changed .spec.containers[name="app"]:8 →{"image":"b","name":"app"} []`},
	},
	{
		name: "created, with its defaults", text: deployment + "  replicas: 4\n", manager: "me",
		would: web(`{"replicas":4,"paused":false}`, "me Apply apps/v1 "+replicas), want: []string{"created :2 → []"},
	},
	{
		name: "created, and admission changes what is stated", text: deployment + "  replicas: 4\n", manager: "me",
		would: web(`{"replicas":2}`, "me Apply apps/v1 "+replicas), want: []string{"server .spec.replicas:7 →4 []", "created :2 → []"},
	},
	{
		name: "created in a namespace of the input", text: "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n---\n" + deployment + "  replicas: 4\n", manager: "me",
		plain: no(404, status.NotFound, `namespaces "shop" not found`), want: []string{"created :7 → []"}, why: "The document at web.yaml:2 creates it.",
	},
	{
		name: "in a namespace that nobody creates", text: deployment + "  replicas: 4\n", manager: "me",
		plain: no(404, status.NotFound, `namespaces "shop" not found`), want: []string{`invalid .metadata.namespace:5 →"shop" []`}, why: "The namespace shop doesn't exist, so no dry run could be made. Create it first: kubectl create namespace shop",
	},
	{
		name: "changed by a policy, and the live object stays as it is", text: labelled("west") + "spec:\n  replicas: 3\n", manager: "me",
		live:  labels(`{"zone":"east"}`, `{"replicas":3}`, "me Apply apps/v1 "+replicas),
		would: labels(`{"zone":"east"}`, `{"replicas":3}`, `me Apply apps/v1 {"f:metadata":{"f:labels":{"f:zone":{}}},"f:spec":{"f:replicas":{}}}`),
		want:  []string{`server .metadata.labels.zone:5 "east"→"west" []`}, why: `The value of the manifest won't arrive. You send "west", but the server or admission changes the value to "east".`,
	},
	{
		name: "removed by a policy", text: labelled("west") + "spec:\n  replicas: 3\n", manager: "me", live: web(`{"replicas":3}`, "me Apply apps/v1 "+replicas), would: web(`{"replicas":3}`, "me Apply apps/v1 "+replicas),
		want: []string{`server .metadata.labels.zone:5 →"west" []`}, why: "removes the value",
	},
	{
		name: "a quantity that is written in another way", text: deployment + "  memory: 2048Mi\n  cpu: 0.5\n  time: 2026-01-02T03:04:05+01:00\n", manager: "me",
		schema: `{"memory":{"$ref":"#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity"},"cpu":{"$ref":"#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity"},"time":{"type":"string","format":"date-time"}}`,
		would:  web(`{"memory":"2Gi","cpu":"500m","time":"2026-01-02T02:04:05Z"}`, "me Apply apps/v1 "+replicas), want: []string{"created :2 → []"},
	},
	{
		name: "a text that looks like a quantity", text: deployment + "  memory: 2048Mi\n", manager: "me", schema: `{"memory":{"type":"string"}}`,
		would: web(`{"memory":"2Gi"}`, "me Apply apps/v1 "+replicas), want: []string{`server .spec.memory:7 →"2048Mi" []`, "created :2 → []"},
	},
	{
		name: "defaults inside an atomic list", text: deployment + "  rules: [{port: 1}, {port: 2}]\n", manager: "me", schema: `{"rules":{"type":"array","items":{"type":"object"}}}`,
		would: web(`{"rules":[{"port":1,"protocol":"TCP"},{"port":2,"protocol":"TCP"}]}`, `me Apply apps/v1 {"f:spec":{"f:rules":{}}}`), want: []string{"created :2 → []"},
	},
	{
		name: "a value inside an atomic list that doesn't arrive", text: deployment + "  rules: [{port: 1}, {port: 2}]\n", manager: "me", schema: `{"rules":{"type":"array","items":{"type":"object"}}}`,
		would: web(`{"rules":[{"port":1,"protocol":"TCP"},{"port":3,"protocol":"TCP"}]}`, `me Apply apps/v1 {"f:spec":{"f:rules":{}}}`),
		want:  []string{`server .spec.rules:7 →[{"port":1},{"port":2}] []`, "created :2 → []"}, why: "At [1].port, you send 2, but the server or admission changes the value to 3.",
	},
	{
		name: "long texts that differ late", text: deployment + "  note: " + strings.Repeat("a", 100) + "x\n", manager: "me", would: web(`{"note":"`+strings.Repeat("a", 100)+`y"}`, "me Apply apps/v1 {}"),
		want: []string{`server .spec.note:7 →"` + strings.Repeat("a", 100) + `x" []`, "created :2 → []"}, why: `You send …aaaaaaaaaaaaaaaaaaaax", but the server or admission changes the value to …aaaaaaaaaaaaaaaaaaaay".`,
	},
	{
		name: "null that is ignored, becomes the default, or removes", manager: "me", schema: `{"args":{"type":"array","items":{"type":"string"}},"replicas":{"type":"integer","default":1},"env":{"type":"object","additionalProperties":{"type":"string"}},"none":{"type":"integer"}}`,
		text:  deployment + "  env: null\n  replicas: null\n  args: null\n  none: null\n",
		live:  web(`{"replicas":3,"args":["a"],"env":{"A":"b"}}`, `me Apply apps/v1 {"f:spec":{"f:args":{}}}`),
		would: web(`{"replicas":1,"env":{"A":"b"}}`, `me Apply apps/v1 {"f:spec":{"f:args":{},"f:env":{},"f:replicas":{}}}`),
		want:  []string{`server .spec.env:7 {"A":"b"}→null []`, "server .spec.replicas:8 3→null []", `changed .spec.args:9 ["a"]→null [me (Apply)]`},
		why:   `You send null, but an apply with null doesn't remove this field. Its value stays {"A":"b"}, and you become an owner.`,
	},
	{
		name: "null in a map of a new object becomes an empty text", text: strings.TrimSuffix(deployment, "spec:\n") + "  labels: {a: null}\n", manager: "me",
		would: labels(`{"a":""}`, `{}`, `me Apply apps/v1 {"f:metadata":{"f:labels":{"f:a":{}}}}`), want: []string{`server .metadata.labels.a:6 →null []`, "created :2 → []"}, why: `It sets the value to "".`,
	},
	{
		name: "created as a hook", text: strings.Replace(deployment, "metadata:\n", "metadata:\n  annotations: {helm.sh/hook: test}\n", 1) + "  replicas: 4\n", manager: "helm",
		would: annotated(`{"helm.sh/hook":"test"}`, `{"replicas":4}`, "helm Apply apps/v1 "+replicas), want: []string{"created :2 → []"}, why: "The document is a hook",
	},
	{
		name: "unserved", text: deployment + "  replicas: 4\n", manager: "me", unserved: true, want: []string{"unserved :2 → []"}, why: "No API server of this cluster serves Deployment in apps/v1.",
	},
	{
		name: "unserved, and its type is in the input", manager: "me", unserved: true,
		text: "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: shops.example.com}\nspec: {group: example.com, names: {kind: Shop}}\n---\n" +
			"apiVersion: example.com/v1\nkind: Shop\nmetadata: {name: x}\n",
		want: []string{"unserved :7 → []"}, why: "The document at web.yaml:2 defines the type",
	},
	{
		name: "pruned", text: deployment + "  paused: true\n", manager: "me",
		live: web(`{"replicas":3,"paused":true}`, "me Apply apps/v1 "+both), would: web(`{"paused":true}`, "me Apply apps/v1 "+paused),
		want: []string{"pruned .spec.replicas:6 3→ [me (Apply)]"}, why: "The apply removes it.",
	},
	{
		name: "pruned to a default", text: deployment + "  paused: true\n", manager: "me",
		live: web(`{"replicas":3,"paused":true}`, "me Apply apps/v1 "+both), would: web(`{"replicas":1,"paused":true}`, "me Apply apps/v1 "+paused),
		want: []string{"pruned .spec.replicas:6 3→ [me (Apply)]"}, why: "the server sets it to 1",
	},
	{
		name: "pruned, a list item as a whole", text: deployment + "  containers:\n  - name: app\n", manager: "me",
		live: web(`{"containers":[{"name":"app"},{"name":"side","image":"x"}]}`,
			`me Apply apps/v1 {"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:name":{}},"k:{\"name\":\"side\"}":{".":{},"f:name":{},"f:image":{}}}}}`),
		would: web(`{"containers":[{"name":"app"}]}`, `me Apply apps/v1 {"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:name":{}}}}}`),
		want:  []string{`pruned .spec.containers[name="side"]:7 {"image":"x","name":"side"}→ [me (Apply)]`},
	},
	{
		name: "pruned, a list item with what another set in it", text: deployment + "  containers:\n  - name: app\n", manager: "me",
		live: web(`{"containers":[{"name":"app"},{"name":"side","image":"x","tty":true}]}`,
			`me Apply apps/v1 {"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:name":{}},"k:{\"name\":\"side\"}":{".":{},"f:name":{},"f:image":{}}}}}`,
			`eve Update apps/v1 {"f:spec":{"f:containers":{"k:{\"name\":\"side\"}":{"f:tty":{}}}}}`),
		would: web(`{"containers":[{"name":"app"}]}`, `me Apply apps/v1 {"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:name":{}}}}}`),
		want:  []string{`pruned .spec.containers[name="side"]:7 {"image":"x","name":"side","tty":true}→ [me (Apply), eve (Update)]`},
		why:   "The apply removes the whole field, also the parts of eve (Update).",
	},
	{
		name: "a name that leads elsewhere", text: "apiVersion: v1\nkind: Service\nmetadata:\n  name: x/proxy/admin\n", manager: "me",
		want: []string{`invalid .metadata.name:4 → []`}, why: "No object can have this name, because it has a slash. No request was sent.",
	},
	{
		name: "a namespace that leads elsewhere", text: "apiVersion: v1\nkind: Service\nmetadata:\n  name: x\n  namespace: ..\n", manager: "me",
		want: []string{`invalid .metadata.namespace:5 → []`}, why: "a dot segment",
	},
	{
		name: "stringData is data", text: "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  namespace: shop\nstringData:\n  password: new\n", manager: "me",
		live:  `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","namespace":"shop","managedFields":[` + entry(`me Apply v1 {"f:data":{"f:password":{}}}`) + `]},"data":{"password":"b2xk"}}`,
		would: `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","namespace":"shop","managedFields":[` + entry(`me Apply v1 {"f:data":{"f:password":{}}}`) + `]},"data":{"password":"bmV3"}}`,
		want:  []string{`changed .data.password:7 "•••••••• (3 bytes, hidden)"→"•••••••• (3 bytes, hidden), another one" [me (Apply)]`},
	},
	{
		name: "two documents of one new object", text: deployment + "  paused: true\n---\n" + deployment + "  replicas: 4\n", manager: "me",
		would: web(`{"replicas":4}`, "me Apply apps/v1 "+replicas), want: []string{"pruned .spec.paused:7 → []", "changed :10 → []"}, why: "One manager applies both, so the later apply removes it.",
	},
	{
		name: "pruned, and its defaults go along", text: deployment + "  containers:\n  - name: app\n", manager: "me",
		live: web(`{"containers":[{"name":"app","readinessProbe":{"failureThreshold":3,"httpGet":{"path":"/","scheme":"HTTP"}}}]}`,
			`me Apply apps/v1 {"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:name":{},"f:readinessProbe":{"f:httpGet":{"f:path":{}}}}}}}`),
		would: web(`{"containers":[{"name":"app"}]}`, `me Apply apps/v1 {"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:name":{}}}}}`),
		want:  []string{`pruned .spec.containers[name="app"].readinessProbe.httpGet.path:8 "/"→ [me (Apply)]`},
	},
	{
		name: "pruned, a map in which only a default is", text: deployment + "  replicas: 3\n", manager: "me",
		live:  web(`{"replicas":3,"struct":{"b":1}}`, `me Apply apps/v1 {"f:spec":{"f:replicas":{},"f:struct":{}}}`),
		would: web(`{"replicas":3}`, "me Apply apps/v1 "+replicas),
		want:  []string{`pruned .spec.struct:6 {"b":1}→ [me (Apply)]`}, why: "The apply removes it.",
	},
	{
		name: "pruned, and with it what is around", text: strings.TrimSuffix(deployment, "spec:\n"), manager: "me",
		live:  web(`{"struct":{"b":1},"c":2}`, `me Apply apps/v1 {"f:spec":{"f:struct":{}}}`),
		would: strings.Replace(web(`0`, "me Apply apps/v1 {}"), `"spec":0,`, "", 1),
		want:  []string{`pruned .spec.struct:2 {"b":1}→ [me (Apply)]`}, why: "The apply removes it, and with it .spec.",
	},
	{
		name: "added to a set that only a default was in", text: deployment + "  set: [two, one]\n", manager: "me",
		schema: `{"set":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}}}`,
		live:   web(`{"set":["one"]}`), would: web(`{"set":["two","one"]}`, `me Apply apps/v1 {"f:spec":{"f:set":{"v:\"one\"":{},"v:\"two\"":{}}}}`),
		want: []string{`changed .spec.set[="two"]:7 →"two" []`},
	},
	{
		name: "removed from a list whose last item nobody owns", text: deployment + "  replicas: 3\n", manager: "me",
		schema: `{"l":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":{"type":"object"}}}`,
		live:   web(`{"replicas":3,"l":[{"name":"a"},{"name":"b"}]}`, `me Apply apps/v1 {"f:spec":{"f:replicas":{},"f:l":{"k:{\"name\":\"a\"}":{".":{},"f:name":{}}}}}`),
		would:  web(`{"replicas":3,"l":[{"name":"b"}]}`, "me Apply apps/v1 "+replicas),
		want:   []string{`pruned .spec.l[name="a"]:6 {"name":"a"}→ [me (Apply)]`},
	},
	{
		name: "pruned by a later document, an item as a whole", manager: "me",
		text: deployment + "  containers: [{name: side, image: x}]\n  replicas: 3\n---\n" + deployment + "  replicas: 3\n",
		live: web(`{"replicas":3}`, "me Apply apps/v1 "+replicas), would: web(`{"replicas":3}`, "me Apply apps/v1 "+replicas),
		schema: `{"containers":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":{"type":"object"}}}`,
		want:   []string{`pruned .spec.containers[name="side"]:7 → []`},
	},
	{
		name: "the marks of Helm are in no chart", text: deployment + "  replicas: 3\n", manager: "helm",
		live:  annotated(`{"meta.helm.sh/release-name":"web","mine":"1"}`, `{"replicas":3}`, `helm Apply apps/v1 {"f:metadata":{"f:annotations":{"f:meta.helm.sh/release-name":{},"f:mine":{}}},"f:spec":{"f:replicas":{}}}`),
		would: web(`{"replicas":3}`, "helm Apply apps/v1 "+replicas),
		want:  []string{`pruned .metadata.annotations.mine:3 "1"→ [helm (Apply)]`},
	},
	{
		name: "the marks of Helm are nobody else's", text: deployment + "  replicas: 3\n", manager: "me",
		live:  annotated(`{"meta.helm.sh/release-name":"web"}`, `{"replicas":3}`, `helm Apply apps/v1 {"f:metadata":{"f:annotations":{"f:meta.helm.sh/release-name":{}}}}`, "me Apply apps/v1 "+replicas),
		would: annotated(`{"meta.helm.sh/release-name":"web"}`, `{"replicas":3}`, `helm Apply apps/v1 {"f:metadata":{"f:annotations":{"f:meta.helm.sh/release-name":{}}}}`, "me Apply apps/v1 "+replicas),
		want:  []string{`extra .metadata.annotations.meta.helm.sh/release-name:3 "web"→ [helm (Apply)]`},
	},
	{
		name: "pruned by a later document", manager: "me", text: deployment + "  replicas: 3\n---\n" + deployment + "  paused: true\n",
		live: web(`{"replicas":3,"paused":true}`, "other Apply apps/v1 "+both), would: web(`{"replicas":3,"paused":true}`, "other Apply apps/v1 "+both, "me Apply apps/v1 "+paused),
		want: []string{"pruned .spec.replicas:7 3→ []", "shared .spec.paused:15 true→true [other (Apply)]"}, why: "The document at web.yaml:2 has the field",
	},
	{
		name: "shared, so that the next change conflicts", text: deployment + "  paused: true\n  replicas: 3\n", manager: "me",
		live:  web(`{"replicas":3,"paused":true}`, "me Apply apps/v1 "+replicas, "kubectl-patch Update apps/v1 "+both),
		would: web(`{"replicas":3,"paused":true}`, "me Apply apps/v1 "+both, "kubectl-patch Update apps/v1 "+both),
		want:  []string{"shared .spec.paused:7 true→true [kubectl-patch (Update)]"},
		why:   "The field is also owned by kubectl-patch (Update), which last wrote at 2026-01-02T03:04:05Z. Both have the same value now. If the manifest changes the value, the apply conflicts. The same is true of 1 other field: .spec.replicas.",
	},
	{
		name: "shared with a tool that always forces", text: deployment + "  replicas: 3\n", manager: "argocd-controller",
		live: web(`{"replicas":3}`, "argocd-controller Apply apps/v1 "+replicas, "kubectl-patch Update apps/v1 "+replicas), would: web(`{"replicas":3}`, "argocd-controller Apply apps/v1 "+replicas, "kubectl-patch Update apps/v1 "+replicas),
	},
	{
		name: "a list item that is shared, but for its key", text: deployment + "  containers: [{name: app, image: x}]\n", manager: "me",
		live:  web(`{"containers":[{"name":"app","image":"x"}]}`, `me Apply apps/v1 `+containers, `eve Apply apps/v1 `+containers),
		would: web(`{"containers":[{"name":"app","image":"x"}]}`, `me Apply apps/v1 `+containers, `eve Apply apps/v1 `+containers),
		want:  []string{`shared .spec.containers[name="app"].image:7 "x"→"x" [eve (Apply)]`},
	},
	{
		name: "a conflict over the same amount", text: deployment + "  memory: 2048Mi\n", manager: "me", live: web(`{"memory":"2Gi"}`, "o Apply apps/v1 {}"), plain: conflict(`.spec.memory "o"`),
		want: []string{`conflict .spec.memory:7 "2Gi"→"2048Mi" [o (Apply)]`}, why: `If the values are quantities, "2048Mi" and "2Gi" are the same amount. The API server compares how they are written.`,
	},
	{
		name: "a conflict of a number and a text", text: deployment + "  cpu: 1\n", manager: "me", live: web(`{"cpu":"1"}`, "o Apply apps/v1 {}"), plain: conflict(`.spec.cpu "o"`),
		want: []string{`conflict .spec.cpu:7 "1"→1 [o (Apply)]`}, why: `Both look the same, but you send a number, and the live value is a text.`,
	},
	{
		name: "released", text: deployment + "  paused: true\n", manager: "me",
		live:  web(`{"replicas":3,"paused":true}`, "me Apply apps/v1 "+both, "other Apply apps/v1 "+replicas),
		would: web(`{"replicas":3,"paused":true}`, "me Apply apps/v1 "+paused, "other Apply apps/v1 "+replicas),
		want:  []string{"released .spec.replicas:6 3→ [other (Apply)]"}, why: "The field stays, because it is also owned by other (Apply).",
	},
	{
		name: "server", text: deployment + "  replicas: 3\n", manager: "me",
		live: web(`{"replicas":3}`, "me Apply apps/v1 "+replicas), would: web(`{"replicas":3,"paused":true}`, "me Apply apps/v1 "+replicas),
		want: []string{"server .spec.paused:6 → []"}, why: "The server changes the value. The manifest doesn't.",
	},
}

func TestFindingsOfADryRun(t *testing.T) {
	for _, c := range compareCases {
		t.Run(c.name, c.run)
	}
}

// exportedText is a manifest as kubectl get -o yaml exports it.
const exportedText = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
  generation: 1
  uid: old
  resourceVersion: "5"
  managedFields: []
`

var refusedCases = []judged{
	{
		name: "an unknown field", text: deployment + "  replica: 3\n", manager: "me", plain: no(400, status.BadRequest, `strict decoding error: unknown field "spec.replica"`),
		want: []string{"invalid .spec.replica:7 →3 []"}, why: "The type has no such field.",
	},
	{
		name: "a warning of an unknown field", text: deployment + "  replica: 3\n", manager: "me", would: web(`{}`), warnings: []string{`unknown field "spec.replica"`, "apps/v1 Deployment is old"},
		want: []string{"invalid .spec.replica:7 →3 []", "created :2 → []"},
	},
	{
		name: "a field is dropped with a warning", text: deployment + "  replica: 3\n", manager: "me", live: web(`{}`), would: web(`{}`), warnings: []string{`unknown field "spec.replica"`},
		want: []string{"invalid .spec.replica:7 →3 []"},
	},
	{
		name: "a wrong type", text: deployment + "  replicas: three\n", manager: "me",
		plain: no(500, "InternalError", `failed to create typed patch object (shop/web; apps/v1, Kind=Deployment): .spec.replicas: expected numeric (int or float), got string`),
		want:  []string{`invalid .spec.replicas:7 →"three" []`}, why: "expected numeric",
	},
	{
		name: "wrong types, each in its line", text: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n  namespace: shop\ndata:\n  a: 1\n  b: true\nextra: 1\n", manager: "me",
		plain: no(500, "", "failed to create typed patch object (shop/web; /v1, Kind=ConfigMap): errors:\n  .extra: field not declared in schema\n  .data.a: expected string, got &value.valueUnstructured{Value:1}\n  .data.b: expected string, got &value.valueUnstructured{Value:true}"),
		want:  []string{`invalid .extra:9 →1 []`, `invalid .data.a:7 →1 []`, `invalid .data.b:8 →true []`}, why: "field not declared in schema",
	},
	{
		name: "another version lacks a field", text: deployment + "  replicas: 3\n", manager: "me", live: web(`{}`),
		plain: no(500, "", "failed to convert new object: .spec.replicas: field not declared in schema"),
		want:  []string{"invalid .spec.replicas:7 →3 []"}, why: "kubernetes#111937",
	},
	{
		name: "a field that is given again", text: deployment + "  replicas: 1\n  replicas: 3\n", manager: "me",
		live: web(`{"replicas":3}`, "me Apply apps/v1 "+replicas), would: web(`{"replicas":3}`, "me Apply apps/v1 "+replicas),
		want: []string{"invalid :8 → []"}, why: `The field "replicas" is here twice; the first time in line 7.`,
	},
	{
		name: "validation names an item by its place", text: deployment + "  containers:\n  - name: app\n    image: ''\n", manager: "me",
		live:  web(`{"containers":[{"name":"app"}]}`, `me Apply apps/v1 {"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:name":{}}}}}`),
		plain: no(422, status.Invalid, "is invalid", status.Cause{Field: "spec.containers[0].image", Message: "Required value"}),
		want:  []string{`invalid .spec.containers[name="app"].image:9 →"" []`}, why: "Required value",
	},
	{
		name: "an exported manifest", text: exportedText, manager: "me", live: web(`{}`), plain: no(400, status.BadRequest, "metadata.managedFields must be nil"),
		want: []string{`invalid .metadata.managedFields:9 []→[] []`, `invalid .metadata.uid:7 "u"→"old" []`, `invalid .metadata.resourceVersion:8 "7"→"5" []`}, why: "refuses the apply on every run. Delete this line.",
	},
	{
		name: "an old resourceVersion", text: strings.TrimSuffix(deployment, "spec:\n") + "  resourceVersion: '5'\n", manager: "me", live: web(`{}`),
		plain: no(409, status.Conflict, `Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again`),
		want:  []string{`invalid .metadata.resourceVersion:6 "7"→"5" []`}, why: "a former version of the object. The API server refuses the apply on every run. Delete this line.",
	},
	{
		name: "the uid of another object", text: strings.TrimSuffix(deployment, "spec:\n") + "  uid: old\n", manager: "me", live: web(`{}`),
		plain: no(422, status.Invalid, `Deployment.apps "web" is invalid: metadata.uid: Invalid value: "old": field is immutable`, status.Cause{Field: "metadata.uid", Message: `Invalid value: "old": field is immutable`}),
		want:  []string{`invalid .metadata.uid:6 "u"→"old" []`}, why: "the uid of another object",
	},
	{
		name: "the uid of an object that is gone", text: strings.TrimSuffix(deployment, "spec:\n") + "  uid: old\n", manager: "me",
		plain: no(409, status.Conflict, `Operation cannot be fulfilled on deployments.apps "web": uid mismatch: the provided object specified uid old, and no existing object was found`),
		want:  []string{`invalid .metadata.uid:6 →"old" []`}, why: "the uid of another object",
	},
	{
		name: "a conflict of writers that is over on the next run", text: deployment, manager: "me", live: web(`{}`),
		plain: no(409, status.Conflict, `Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again`),
		want:  []string{`unknown :2 → []`}, why: "The dry run could not be made",
	},
	{
		name: "quota", text: deployment + "  replicas: 3\n", manager: "me", plain: no(403, status.Forbidden, `deployments.apps "web" is forbidden: exceeded quota: q`),
		want: []string{"invalid :2 → []"}, why: "exceeded quota",
	},
	{
		name: "no permission to patch: managedFields tell", text: deployment + "  replicas: 3\n  paused: true\n", manager: "me",
		live: web(`{"replicas":5,"paused":true}`, hpa, "other Apply apps/v1 "+paused), plain: no(403, status.Forbidden, `deployments.apps "web" is forbidden: User "eve" cannot patch resource "deployments" in API group "apps" in the namespace "shop"`),
		want: []string{"unknown :2 → []", "unknown .spec.replicas:7 5→3 [kube-controller-manager (Update, scale)]"}, why: "The other findings come from managedFields alone.",
	},
	{
		name: "no permission to patch: by managedFields, a field is removed", text: deployment + "  paused: true\n", manager: "me",
		live: web(`{"replicas":5,"paused":true}`, "me Apply apps/v1 "+both), plain: no(403, status.Forbidden, `deployments.apps "web" is forbidden: User "eve" cannot patch resource "deployments" in API group "apps" in the namespace "shop"`),
		want: []string{"pruned .spec.replicas:6 5→ [me (Apply)]", "unknown :2 → []"}, why: "According to managedFields",
	},
	{
		name: "the server is gone", text: deployment + "  replicas: 3\n", manager: "me", plain: no(503, "ServiceUnavailable", "unavailable"), want: []string{"unknown :2 → []"}, why: "unavailable",
	},
	{
		name: "a type that can't be patched", text: "apiVersion: v1\nkind: ComponentStatus\nmetadata:\n  name: etcd-0\n", manager: "me",
		live:  `{"apiVersion":"v1","kind":"ComponentStatus","metadata":{"name":"etcd-0"}}`,
		plain: no(405, "MethodNotAllowed", "the server does not allow this method on the requested resource"),
		want:  []string{`invalid .kind:2 "ComponentStatus"→"ComponentStatus" []`}, why: "doesn't offer the verb patch for ComponentStatus, so it refuses each server-side apply. Leave the document out. The server says: the server does not allow this method",
	},
	{
		name: "a type that discovery lists without patch", text: "apiVersion: v1\nkind: ComponentStatus\nmetadata:\n  name: etcd-0\n", manager: "me", verbs: []string{"get", "list"},
		want: []string{`invalid .kind:2 → []`}, why: "so it refuses each server-side apply. Leave the document out.",
	},
	{
		name: "a type that can only be created", text: "apiVersion: authorization.k8s.io/v1\nkind: SelfSubjectAccessReview\nmetadata:\n  name: some\nspec: {}\n", manager: "me", verbs: []string{"create"},
		want: []string{`invalid .kind:2 → []`}, why: "doesn't offer the verb patch for SelfSubjectAccessReview, so it refuses each server-side apply. Leave the document out, and send it with kubectl create.",
	},
	{
		name: "a webhook without dry runs", text: deployment + "  replicas: 3\n", manager: "me",
		plain: no(400, status.BadRequest, `admission webhook "no.example.com" does not support dry run`), want: []string{"unknown :2 → []"}, why: "nobody can predict this apply, which may succeed",
	},
	{
		name: "no right to read", text: deployment + "  replicas: 3\n", manager: "me", liveNo: no(403, status.Forbidden, `deployments.apps "web" is forbidden: User "eve" cannot get resource "deployments" in API group "apps" in the namespace "shop"`),
		would: web(`{"replicas":3}`), want: []string{"unknown :2 → []"}, why: `The live object could not be read: deployments.apps "web" is forbidden`,
	},
	{
		name: "no name", text: "apiVersion: batch/v1\nkind: Job\nmetadata:\n  generateName: x-\n", manager: "me", want: []string{`invalid .metadata.generateName:4 → []`}, why: "kubectl create",
	},
	{
		name: "cannot be read", text: "apiVersion: v1\nkind: {{ .Values.kind }}\n", manager: "me",
		want: []string{"invalid :1 → []"}, why: "This is a template ({{ … }}). Render it first",
	},
}

func TestFindingsOfARefusal(t *testing.T) {
	for _, c := range refusedCases {
		t.Run(c.name, c.run)
	}
}

// A hundred documents in a namespace that doesn't exist are one finding.
func TestOneFindingForANamespaceThatIsMissing(t *testing.T) {
	lacking := Lacking{}
	var all [][]Finding
	for range 99 {
		c := judged{text: deployment + "  replicas: 4\n", manager: "me", plain: no(404, status.NotFound, `namespaces "shop" not found`)}
		all = append(all, lacking.Fold(Judge(c.input(t))))
	}
	found := slices.Concat(all...)
	if len(found) != 1 || !strings.Contains(found[0].Why, "The same is true of 98 other documents in this namespace.") {
		t.Errorf("%+v", found)
	}
}

func fixture(t testing.TB, name string) map[string]any {
	t.Helper()
	data, err := os.ReadFile("../ownership/testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, string(data))
}
