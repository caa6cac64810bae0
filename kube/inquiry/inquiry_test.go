package inquiry

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/explain"
	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/kube/refusal"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/status"
)

// server answers as an API server would, from the objects that it has.
type server struct {
	objects []string // as JSON, in the order in which they are listed
	// refuses has the status of some targets, by their beginnings.
	refuses map[string]status.Status
	asked   []string
	tried   []string // dry runs
}

var verbs = []string{"get", "list", "patch"}

func catalog() *discovery.Catalog {
	return &discovery.Catalog{Groups: []discovery.Group{
		{Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{
			{Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Namespaced: true, Verbs: verbs},
			{Version: "v1", Resource: "secrets", Kind: "Secret", Namespaced: true, Verbs: verbs},
			{Version: "v1", Resource: "events", Kind: "Event", Namespaced: true, Verbs: verbs},
		}}}},
		{Name: "apps", Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{
			{Group: "apps", Version: "v1", Resource: "deployments", Kind: "Deployment", Namespaced: true, Verbs: verbs},
			{Group: "apps", Version: "v1", Resource: "statefulsets", Kind: "StatefulSet", Namespaced: true, Verbs: verbs},
		}}}},
		{Name: "policy", Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{
			{Group: "policy", Version: "v1", Resource: "poddisruptionbudgets", Kind: "PodDisruptionBudget", Namespaced: true, Verbs: verbs},
		}}}},
	}}
}

// deployment has a number of replicas that a manager owns, and what else it owns.
func deployment(name, manager, fields string) string {
	return fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":%q,"namespace":"shop","managedFields":[{"manager":%q,"operation":"Update","subresource":"scale","apiVersion":"apps/v1","time":"2026-11-22T10:00:00Z","fieldsType":"FieldsV1","fieldsV1":%s}]},"spec":{"replicas":5}}`, name, manager, fields)
}

const replicas = `{"f:spec":{"f:replicas":{}}}`

func (s *server) respond(a Ask) Heard {
	s.asked = append(s.asked, a.Target())
	if a.Method != "" {
		s.tried = append(s.tried, a.Method+" "+a.Target()+" "+string(a.Body))
	}
	for begin, no := range s.refuses {
		if strings.HasPrefix(a.Target(), begin) {
			return Heard{No: &no}
		}
	}
	if a.Method != "" {
		return Heard{Body: a.Body}
	}
	var items []string
	for _, o := range s.objects {
		var of struct {
			APIVersion, Kind string
			Metadata         struct{ Namespace, Name string }
		}
		if err := json.Unmarshal([]byte(o), &of); err != nil {
			panic(err)
		}
		group, version := discovery.SplitGroupVersion(of.APIVersion)
		t, ok := catalog().Kind(group, version, of.Kind)
		if !ok || t.Group != a.Path.Group || t.Resource != a.Path.Resource || a.Path.Namespace != "" && a.Path.Namespace != of.Metadata.Namespace {
			continue
		}
		if a.Path.Name == of.Metadata.Name {
			return Heard{Body: []byte(o)}
		}
		items = append(items, o)
	}
	if a.Path.Name != "" {
		return Heard{No: &status.Status{Code: 404, Reason: status.NotFound, Message: "not found"}}
	}
	return Heard{Body: []byte(`{"items":[` + strings.Join(items, ",") + `]}`)}
}

// explained is the answer to a text, with the help of a server; nil: there is none.
func explained(t *testing.T, text string, s *server, o Options) explain.Answer {
	t.Helper()
	if s != nil && o.Catalog == nil {
		o.Catalog = catalog()
	}
	if o.Namespace == "" {
		o.Namespace = "default"
	}
	q := New(refusal.Read(t.Context(), text), o)
	for asks := q.Asks(); len(asks) > 0; asks = q.Asks() {
		if s == nil || len(asks) > AtOnce || len(s.asked) > 1000 {
			t.Fatalf("asks for %s", asks[0].Target())
		}
		var heard []Heard
		for _, a := range asks {
			heard = append(heard, s.respond(a))
		}
		q.Take(heard)
	}
	return q.Answer()
}

func documentsOf(text string) []check.Document {
	var all []check.Document
	for _, d := range source.Parse(text).Documents {
		all = append(all, check.Document{File: "web.yaml", Source: d, Namespace: "shop"})
	}
	return all
}

const (
	scaled   = `error: Apply failed with 1 conflict: conflict with "kubectl" with subresource "scale" using apps/v1: .spec.replicas`
	helmSays = `Error: UPGRADE FAILED: conflict occurred while applying object shop/web apps/v1, Kind=Deployment: Apply failed with 1 conflict: conflict with "kubectl" with subresource "scale" using apps/v1: .spec.replicas`
	stated   = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 3\n"
)

// spell is how a table writes objects.
func spell(e explain.Explanation) string {
	var all []string
	for _, o := range e.Objects {
		all = append(all, fmt.Sprintf("%s %s/%s %v", o.Kind, o.Namespace, o.Name, o.Sure))
	}
	for _, f := range e.Fields {
		owners := ""
		for _, o := range f.Owners {
			owners += " " + o.Words()
			if o.Time != "" {
				owners += " " + o.Time[:10]
			}
		}
		all = append(all, fmt.Sprintf("%s%s %s→%s", f.Path, owners, f.Live, f.Stated))
	}
	return strings.Join(all, "; ")
}

func TestConflicts(t *testing.T) {
	web, other, odd := deployment("web", "kubectl", replicas), deployment("other", "kubectl", replicas), deployment("odd", "kubectl", `{"f:spec":{"f:paused":{}}}`)
	const known = ".spec.replicas kubectl (Update, scale) 2026-11-22 5→"
	forbidden := status.Status{Code: 403, Reason: status.Forbidden, Message: "you may not"}
	for name, c := range map[string]struct {
		text    string
		server  *server
		options Options
		want    string
		note    string
		asked   int
	}{
		"named":                    {helmSays, &server{objects: []string{web, other}}, Options{}, "Deployment shop/web true; " + known, "Fieldmark assumes helm, because it is the default manager of Helm", 1},
		"named, without a cluster": {helmSays, nil, Options{}, "Deployment shop/web true; .spec.replicas kubectl (Update, scale) →", "", 0},
		"named, and gone":          {helmSays, &server{}, Options{}, "Deployment shop/web true; .spec.replicas kubectl (Update, scale) →", "Deployment shop/web doesn't exist", 1},
		"named, and changed":       {helmSays, &server{objects: []string{deployment("web", "eve", replicas)}}, Options{}, "Deployment shop/web true; .spec.replicas kubectl (Update, scale) 5→", "have changed since", 1},
		"only one fits":            {scaled, &server{objects: []string{odd, web}}, Options{}, "Deployment shop/web true; " + known, "One object has all of these managers and fields", 3},
		"two fit":                  {scaled, &server{objects: []string{web, other}}, Options{}, "Deployment shop/other false; Deployment shop/web false; .spec.replicas kubectl (Update, scale) →", "2 objects have all of these managers and fields", 2},
		"none fits":                {scaled, &server{objects: []string{odd}}, Options{}, ".spec.replicas kubectl (Update, scale) →", "No object has all of these managers and fields", 2},
		"without a cluster":        {scaled, nil, Options{}, ".spec.replicas kubectl (Update, scale) →", "", 0},
		"a manifest has it":        {scaled, &server{objects: []string{web, other}}, Options{Documents: documentsOf(stated)}, "Deployment shop/web true; " + known + "3", "", 1},
		"a manifest of something else": {
			scaled, &server{objects: []string{web}},
			Options{Documents: documentsOf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")},
			"Deployment shop/web true; " + known, "One object has all of these managers and fields", 3,
		},
		"one type can't be listed": {scaled, &server{objects: []string{web}, refuses: map[string]status.Status{"/apis/apps/v1/statefulsets": forbidden, "/apis/apps/v1/namespaces/default/statefulsets": forbidden}}, Options{}, "Deployment shop/web false; " + known, "statefulsets.apps (you may not)", 4},
		"only in a namespace":      {scaled, &server{objects: []string{web}, refuses: map[string]status.Status{"/apis/apps/v1/deployments": forbidden}}, Options{Namespace: "shop"}, "Deployment shop/web false; " + known, "only in the namespace shop", 4},
		"who applies tells no group": {`error: Apply failed with 1 conflict: conflict with "argo": .data.a`, &server{objects: []string{
			`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"shop","managedFields":[{"manager":"argo","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}}}]},"data":{"a":"b"}}`,
		}}, Options{}, `ConfigMap shop/a true; .data.a argo (Apply) "b"→`, "1 object of 5 types", 6},
		"a name, and no kind": {
			`│ Error: There was a field manager conflict when trying to apply the manifest for "shop/web"` + "\n" + `│ The API returned the following conflict: "Apply failed with 1 conflict: conflict with \"kubectl\" with subresource \"scale\" using apps/v1: .spec.replicas"`,
			&server{objects: []string{other, web}},
			Options{},
			"Deployment shop/web true; " + known, "One object has all of these managers and fields", 3,
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := explained(t, c.text, c.server, c.options)
			if len(a.Explanations) != 1 {
				t.Fatalf("%+v", a)
			}
			e := a.Explanations[0]
			if got := spell(e); got != c.want || !strings.Contains(strings.Join(e.Notes, "\n"), c.note) {
				t.Errorf("got  %s\nwant %s\n%s", got, c.want, strings.Join(e.Notes, "\n"))
			}
			if c.server != nil && len(c.server.asked) != c.asked {
				t.Errorf("asked %q", c.server.asked)
			}
			for _, way := range []string{check.WayGiveUp, check.WayOverwrite} {
				if !slices.ContainsFunc(e.Ways, func(w check.Way) bool { return w.Way == way }) {
					t.Errorf("no way to %s: %+v", way, e.Ways)
				}
			}
		})
	}
}

// The search ends, and says where it stopped.
func TestTheSearchIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("the work is the same on each platform")
	}
	q := New(refusal.Read(t.Context(), scaled), Options{Catalog: catalog(), Namespace: "default"})
	n, chunks := 0, 0
	for asks := q.Asks(); len(asks) > 0; asks = q.Asks() {
		var heard []Heard
		for range asks {
			var items []string
			for range 500 {
				n++
				items = append(items, deployment(fmt.Sprintf("web-%d", n), "kubectl", replicas))
			}
			chunks++
			heard = append(heard, Heard{Body: []byte(fmt.Sprintf(`{"metadata":{"continue":"%d"},"items":[%s]}`, n, strings.Join(items, ",")))})
		}
		q.Take(heard)
	}
	e := q.Answer().Explanations[0]
	if chunks != 2*mostPerType/500 || len(e.Objects) != mostShown || e.Objects[0].Sure || !strings.Contains(strings.Join(e.Notes, "\n"), "deployments.apps (only the first 5000 objects were searched)") ||
		!strings.Contains(strings.Join(e.Notes, "\n"), "objects of 2 types with") {
		t.Errorf("%d chunks, %+v\n%s", chunks, e.Objects, strings.Join(e.Notes, "\n"))
	}
}

// Who was refused is told by the text, by the user, by the object or by the habits of the tool, in this order.
func TestWhoWasRefused(t *testing.T) {
	applied := strings.Replace(deployment("web", "kubectl", replicas), `"managedFields":[`, `"managedFields":[{"manager":"ci","operation":"Apply","apiVersion":"apps/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:paused":{}}}},`, 1)
	unknown := strings.TrimPrefix(scaled, "error: ")
	for name, c := range map[string]struct {
		text    string
		objects []string
		manager string
		want    string
		assumed bool
	}{
		"the user":       {scaled, []string{applied}, "me", "me", false},
		"the object":     {scaled, []string{applied}, "", "ci", true},
		"the tool":       {scaled, []string{deployment("web", "kubectl", replicas)}, "", "kubectl", true},
		"nobody":         {unknown, nil, "", "", false},
		"Pulumi's words": {`The resource managed by field manager "pulumi-kubernetes-1" had an apply conflict: ` + unknown, []string{applied}, "", "pulumi-kubernetes-1", false},
	} {
		e := explained(t, c.text, &server{objects: c.objects}, Options{Manager: c.manager}).Explanations[0]
		if e.Manager != c.want || e.Assumed != c.assumed {
			t.Errorf("%s: %q %v", name, e.Manager, e.Assumed)
		}
		if commands := strings.Join(ways(e), ""); (c.want == "") != strings.Contains(commands, "--field-manager=MANAGER") {
			t.Errorf("%s: %s", name, commands)
		}
	}
}

func TestSeveralRefusals(t *testing.T) {
	a := explained(t, helmSays+"\n"+helmSays+"\n"+`Error from server (NotFound): deployments.apps "db" not found`+"\nsomething else\n", nil, Options{})
	if len(a.Explanations) != 2 || a.Explanations[0].Times != 2 || a.Explanations[1].Reason != "NotFound" || len(a.NotUnderstood) != 1 {
		t.Errorf("%+v", a)
	}
	text, err := json.Marshal(a.Document())
	if err != nil || !strings.HasPrefix(string(text), `{"apiVersion":"fieldmark.dev/v1","kind":"ExplanationList","items":[{"apiVersion":"fieldmark.dev/v1","kind":"Explanation","reason":"Conflict"`) {
		t.Errorf("%v %s", err, text)
	}
	text, err = json.Marshal(explained(t, "Guten Tag", nil, Options{}).Document())
	const want = `{"apiVersion":"fieldmark.dev/v1","kind":"Explanation","reason":"","manager":"","what":"No refusal in the text was understood.","why":"","objects":[],"fields":[],"ways":[],"notUnderstood":["Guten Tag"]}`
	if err != nil || string(text) != want {
		t.Errorf("%v %s", err, text)
	}
}

func TestManagersAreListed(t *testing.T) {
	for text, want := range map[string]string{
		`conflict with "a": .x`: "that a (Apply) owns.",
		"Apply failed with 2 conflicts: conflicts with \"a\":\n- .x\nconflicts with \"b\" using v1:\n- .x":                     "that a (Apply) and b (Update) own.",
		"Apply failed with 3 conflicts: conflicts with \"a\":\n- .x\nconflicts with \"b\":\n- .x\nconflicts with \"c\":\n- .x": "that a (Apply), b (Apply) and c (Apply) own.",
		"Apply failed with 3 conflicts: ": "that other managers own.",
	} {
		if got := explained(t, text, nil, Options{}).Explanations[0].What; !strings.HasSuffix(got, want) {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// Nothing of a Secret is in an explanation.
func TestSecretsStayHidden(t *testing.T) {
	secret := `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"key","namespace":"shop","managedFields":[{"manager":"eve","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}}}]},"data":{"a":"` + canary.Coded + `"}}`
	hidden := documentsOf("apiVersion: v1\nkind: Secret\nmetadata:\n  name: key\n  namespace: shop\nstringData:\n  a: " + canary.Song + "\n")
	texts := []string{
		`error: Apply failed with 1 conflict: conflict with "eve": .data.a`,
		`The Secret "key" is invalid: data[a]: Invalid value: "` + canary.Song + `": no`,
		`Error from server: failed to create typed patch object (shop/key; /v1, Kind=Secret): .stringData.a: expected string, got &value.valueUnstructured{Value:"` + canary.Song + `"}`,
		`Secret/shop/key dry-run failed (Invalid): Secret "key" is invalid: type: Invalid value: "` + canary.Song + `": field is immutable`,
	}
	for _, d := range canary.Documents() {
		if !d.Vague {
			texts = append(texts, scaled+"\n"+d.JSON, d.JSON)
		}
	}
	for _, text := range texts {
		for _, o := range []Options{{}, {Documents: hidden}} {
			for _, s := range []*server{nil, {objects: []string{secret}}} {
				answer, err := json.Marshal(explained(t, text, s, o))
				if err != nil || canary.Escapes(string(answer)) {
					t.Errorf("%s\n%v %s", text, err, answer)
				}
			}
		}
	}
}
