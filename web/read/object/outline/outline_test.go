package outline

import (
	"encoding/json"
	"html"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web/read/object/tab"
)

// of is the tab of a deployment, with what is known of its kind.
func of(t *testing.T, known schema.Schema, q url.Values) view {
	t.Helper()
	o, err := object.Parse([]byte(withPorts))
	if err != nil {
		t.Fatal(err)
	}
	p, err := apipath.Parse("/apis/apps/v1/namespaces/shop/deployments/web")
	if err != nil {
		t.Fatal(err)
	}
	return view{*New(known, q), tab.About{Object: o, Path: p, Cluster: "practice"}}
}

func query(t *testing.T, text string) url.Values {
	t.Helper()
	q, err := url.ParseQuery(text)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// plain is the text of markup.
func plain(markup string) string {
	var b strings.Builder
	for piece := range strings.SplitSeq("<"+"x>"+markup, "<") {
		if _, text, found := strings.Cut(piece, ">"); found {
			b.WriteString(text)
		}
	}
	return html.UnescapeString(b.String())
}

func markup(t *testing.T, v view) string {
	t.Helper()
	var b strings.Builder
	if err := Show(v.Outline, v.About).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func outlined(t *testing.T, text string) view {
	t.Helper()
	data, err := os.ReadFile("../../../../kube/schema/testdata/apis_apps_v1.json")
	if err != nil {
		t.Fatal(err)
	}
	document, err := schema.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	known, found := document.Schema(schema.Kind{Group: "apps", Version: "v1", Kind: "Deployment"})
	if !found {
		t.Fatal("there is no schema")
	}
	return of(t, known, query(t, text))
}

const withPorts = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop","resourceVersion":"42","uid":"u","labels":{"a":"1","b":"2"}},
"spec":{"replicas":3,"template":{"spec":{"containers":[{"name":"app","image":"web:1","ports":[{"containerPort":80,"protocol":"TCP"},{"containerPort":81}]},{"name":"side"}]}}}}`

// outlined is the page of a deployment with its schema, at an address.
const containers = ".spec.template.spec.containers"

// tree writes the tree: a line for each field, those that the object has with a plus, the one in focus with an arrow.
func treeText(m view) string {
	var lines []string
	for _, b := range flat(m.branches()) {
		line := strings.Repeat(" ", len(b.field.Path)) + label(b.field.Path)
		if b.values > 0 {
			line += "+"
		}
		if b.current {
			line += " <-"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func TestTheTree(t *testing.T) {
	for _, c := range []struct{ query, want string }{
		{"tab=schema", ` apiVersion+
 kind+
 metadata+
 spec+
  minReadySeconds
  paused
  progressDeadlineSeconds
  replicas+
  revisionHistoryLimit
  selector
  strategy
  template+
 status`},
		{"open=none", " apiVersion+\n kind+\n metadata+\n spec+\n status"},
		{"field=.spec.strategy&open=.spec.strategy", ` apiVersion+
 kind+
 metadata+
 spec+
  minReadySeconds
  paused
  progressDeadlineSeconds
  replicas+
  revisionHistoryLimit
  selector
  strategy <-
   rollingUpdate
   type
  template+
 status`},
		{"field=.status", " apiVersion+\n kind+\n metadata+\n spec+\n status <-"},
		{"field=.metadata.labels.a&open=.metadata", treeText(outlined(t, "field=.metadata.labels"))},
	} {
		if got := treeText(outlined(t, c.query)); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.query, got, c.want)
		}
	}
	rows := treeText(outlined(t, "field="+containers+".ports.protocol"))
	for _, want := range []string{"template+\n", "containers+\n", "     args\n", "ports+\n", "       protocol+ <-\n"} {
		if !strings.Contains(rows, want) {
			t.Errorf("%q is not in\n%s", want, rows)
		}
	}
}

func TestAddressesOfTheTreeLeadToWhatTheySay(t *testing.T) {
	for _, text := range []string{"", "open=none", "field=.spec", "field=.spec&open=.spec", "field=" + containers + "&open=.status&open=" + containers} {
		m := outlined(t, text)
		again := New(m.Schema, m.Outline.Query())
		if got, want := again.Query().Encode(), m.Outline.Query().Encode(); got != want {
			t.Errorf("%s: %s leads to %s", text, want, got)
		}
		if before, after := treeText(m), treeText(outlined(t, m.Outline.Query().Encode())); before != after {
			t.Errorf("%s:\n%s\nis\n%s", text, before, after)
		}
	}
	many := url.Values{"open": slices.Repeat([]string{".spec", ".status", ".nosuch", "[["}, 100)}
	if o := New(outlined(t, "").Schema, many); len(o.Open) != 2 {
		t.Errorf("%v are open", o.Open)
	}
}

func TestChoosingAFieldOpensItAndChoosingItAgainFoldsItAway(t *testing.T) {
	m := outlined(t, "")
	choose := func(path string) {
		t.Helper()
		for _, b := range flat(m.branches()) {
			if b.field.Path.String() == path {
				u, err := url.Parse(b.href)
				if err != nil {
					t.Fatal(err)
				}
				m.Outline = *New(m.Schema, u.Query())
				return
			}
		}
		t.Fatalf("%s is not in\n%s", path, treeText(m))
	}
	choose(".spec.template")
	choose(".spec.template.spec")
	deep := treeText(m)
	choose(".spec.replicas")
	if got := strings.Replace(treeText(m), "replicas+ <-", "replicas+", 1); got != strings.Replace(deep, "   spec+ <-", "   spec+", 1) {
		t.Errorf("what was open is not:\n%s", treeText(m))
	}
	choose(".status")
	if !strings.Contains(treeText(m), "  conditions") || !strings.Contains(treeText(m), "    containers+") {
		t.Errorf("both are not open:\n%s", treeText(m))
	}
	choose(".status")
	if strings.Contains(treeText(m), "  conditions") || !strings.Contains(treeText(m), " status <-") {
		t.Errorf("it is still open:\n%s", treeText(m))
	}
	choose(".spec")
	choose(".spec")
	if treeText(m) != " apiVersion+\n kind+\n metadata+\n spec+ <-\n status" {
		t.Errorf("%s", treeText(m))
	}
}

func TestThePanelSaysWhatTheObjectHas(t *testing.T) {
	for path, want := range map[string]components.FieldValues{
		".spec.replicas":               {Texts: []string{"3"}, Values: 1, Places: 1},
		".spec.paused":                 {Places: 1},
		".spec.strategy.type":          {},
		".metadata.labels":             {Texts: []string{"2 keys"}, Values: 1, Places: 1},
		".metadata.labels.a":           {Texts: []string{"1"}, Values: 1, Places: 1},
		containers:                     {Texts: []string{"2 items"}, Values: 1, Places: 1},
		containers + ".image":          {Texts: []string{"web:1"}, Values: 1, Places: 2},
		containers + ".ports.protocol": {Texts: []string{"TCP"}, Values: 1, Places: 2},
	} {
		got := outlined(t, url.Values{"field": {path}}.Encode()).panel().Here
		if !slices.Equal(got.Texts, want.Texts) || got.Values != want.Values || got.Places != want.Places {
			t.Errorf("%s: %+v, want %+v", path, *got, want)
		}
	}
	if outlined(t, "").panel().Here != nil {
		t.Error("the object itself has a value in the object")
	}
	var trail []string
	for _, l := range outlined(t, "field="+containers+".ports.protocol").trail(schema.Path{"spec", "template", "spec", "containers", "*", "ports"}) {
		trail = append(trail, l.Text)
	}
	if got := strings.Join(trail, " "); got != "Deployment spec template spec containers[*] ports" {
		t.Errorf("%s", got)
	}
}

func TestAFieldThatIsNotThere(t *testing.T) {
	m := outlined(t, "field=.spec.template.nosuch.field")
	if got := m.Field.String(); got != ".spec.template" || m.Lost != ".spec.template.nosuch.field" {
		t.Errorf("%s, %s", got, m.Lost)
	}
	if shown := markup(t, m); !strings.Contains(shown, "has no field <code>.spec.template.nosuch.field</code>") {
		t.Error("it is not said")
	}
}

// travelledPage is a page as the browser gets it.
func TestASchemaThatTellsNothingSaysSo(t *testing.T) {
	for spec, want := range map[string]string{
		`{"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{"metadata":{"type":"object"}},` + ofThing: "The schema doesn’t describe the fields of Deployment",
		`{"type":"object",` + ofThing: "describe the content",
		`{"type":"object","properties":{"spec":{"x-kubernetes-preserve-unknown-fields":true}},` + ofThing: "",
	} {
		document, err := schema.Parse([]byte(`{"components":{"schemas":{"Thing":` + spec + `}}}`))
		if err != nil {
			t.Fatal(err)
		}
		known, _ := document.Schema(schema.Kind{Version: "v1", Kind: "Thing"})
		shown := plain(markup(t, of(t, known, url.Values{})))
		if !strings.Contains(shown, want) || strings.Contains(shown, "doesn’t describe the fields") == (want == "") {
			t.Errorf("%s: %s", spec, shown)
		}
	}
}

const ofThing = `"x-kubernetes-group-version-kind":[{"version":"v1","kind":"Thing"}]}`

func TestOnlySoManyFieldsAreLaidOut(t *testing.T) {
	properties := map[string]any{}
	for i := range maxBranches + 10 {
		properties[table.Duration(time.Duration(i)*time.Second)+strconv.Itoa(i)] = map[string]string{"type": "string"}
	}
	text, err := json.Marshal(map[string]any{"components": map[string]any{"schemas": map[string]any{"Thing": map[string]any{
		"properties": map[string]any{"spec": map[string]any{"properties": properties}}, "x-kubernetes-group-version-kind": []any{map[string]string{"version": "v1", "kind": "Thing"}},
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	document, err := schema.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	known, _ := document.Schema(schema.Kind{Version: "v1", Kind: "Thing"})
	all := of(t, known, url.Values{}).branches()
	if rows := flat(all); len(rows) != maxBranches || all[0].cut != 11 {
		t.Errorf("%d rows, %d left out", len(rows), all[0].cut)
	}
}

func TestTheSchemaTellsWhatIsOwnedAsAWhole(t *testing.T) {
	o := outlined(t, "").Outline
	k := o.Knowledge()
	data, err := os.ReadFile("../../../../kube/ownership/testdata/scaled.json")
	if err != nil {
		t.Fatal(err)
	}
	scaled, err := object.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	document, err := manifest.YAMLDocument(scaled.WithoutManagedFields().Fields)
	if err != nil {
		t.Fatal(err)
	}
	spec := document.Root.Field("spec")
	for _, c := range []struct {
		name           string
		atomic, wanted bool
	}{{"selector", true, true}, {"template", false, true}, {"replicas", false, false}} {
		if atomic, ok := k.Atomic(spec.Field(c.name)); atomic != c.atomic || ok != c.wanted {
			t.Errorf("%s is atomic: %v, known: %v", c.name, atomic, ok)
		}
	}
	ports := spec.Field("template").Field("spec").Field("containers").Children[0].Field("ports")
	if v, ok := k.KeyDefault(ports, "protocol"); v != "TCP" || !ok {
		t.Errorf("the default is %v", v)
	}
	if (*Outline)(nil).Knowledge() != nil || (&Outline{}).Knowledge() != nil {
		t.Error("nothing is known without a schema")
	}
}
