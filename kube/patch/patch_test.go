package patch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"github.com/fieldmark/fieldmark/kube/rounds"
	"github.com/fieldmark/fieldmark/kube/schema"
)

func decode(t testing.TB, text string) map[string]any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

// world makes random objects, and objects that differ from these in some places.
type world struct{ *rand.Rand }

func (w world) pick(words ...string) string { return words[w.IntN(len(words))] }

func (w world) scalar() any {
	switch w.IntN(4) {
	case 0:
		return json.Number(fmt.Sprint(w.IntN(3)))
	case 1:
		return w.IntN(2) == 0
	default:
		return w.pick("x", "<y>", "", "a/b~c")
	}
}

func (w world) value(depth int) any {
	switch n := w.IntN(6); {
	case depth <= 0 || n < 2:
		return w.scalar()
	case n < 4:
		return w.object(depth - 1)
	default:
		return w.list(depth - 1)
	}
}

func (w world) object(depth int) map[string]any {
	m := map[string]any{}
	for range w.IntN(5) {
		m[w.pick("f", "g", "a/b", "~", "", "name")] = w.value(depth)
	}
	return m
}

func (w world) list(depth int) []any {
	l := []any{}
	named := w.IntN(2) == 0
	for i := range w.IntN(5) {
		item := w.value(depth)
		if fields, is := item.(map[string]any); is && named {
			fields["name"] = fmt.Sprint("n", i)
		}
		l = append(l, item)
	}
	return l
}

// changed is a value with some changes.
func (w world) changed(v any, depth int) any {
	if w.IntN(8) == 0 {
		return w.value(depth)
	}
	switch v := v.(type) {
	case map[string]any:
		m := maps.Clone(v)
		for name := range v {
			if n := w.IntN(8); n == 0 {
				delete(m, name)
			} else if n < 4 {
				m[name] = w.changed(v[name], depth-1)
			}
		}
		if w.IntN(3) == 0 {
			m[w.pick("f", "new", "name")] = w.value(depth)
		}
		return m
	case []any:
		l := []any{}
		for _, item := range v {
			if w.IntN(5) > 0 {
				l = append(l, w.changed(item, depth-1))
			}
			if w.IntN(8) == 0 {
				l = append(l, w.value(depth))
			}
		}
		if w.IntN(6) == 0 {
			w.Shuffle(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] })
		}
		return l
	default:
		return v
	}
}

func random(seed uint64) (live, wanted map[string]any) {
	w := world{rand.New(rand.NewPCG(seed, 3))}
	live = w.object(4)
	wanted, ok := w.changed(live, 4).(map[string]any)
	if !ok {
		wanted = w.object(4)
	}
	return live, wanted
}

func TestJSONPatchMakesWhatIsWanted(t *testing.T) {
	for seed := range uint64(rounds.Of(5000)) {
		live, wanted := random(seed)
		operations := JSONPatch(live, wanted, nil)
		if equal(live, wanted) != (len(operations) == 0) {
			t.Fatalf("%v for %v", operations, live)
		}
		body := spelled(operations)
		patch, err := jsonpatch.DecodePatch([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		got, err := patch.Apply([]byte(spelled(live)))
		if err != nil || !equal(decode(t, string(got)), wanted) {
			t.Fatalf("seed %d: %v\nlive   %s\npatch  %s\ngot    %s\nwanted %s", seed, err, spelled(live), body, got, spelled(wanted))
		}
		if len(operations) > 0 && operations[0].Op != "test" && operations[0].Op != "add" {
			t.Errorf("begins with %s", operations[0].Op)
		}
	}
}

func TestMergePatchMakesWhatIsWanted(t *testing.T) {
	for seed := range uint64(5000) {
		live, wanted := random(seed)
		body, exact := MergePatch(live, wanted)
		got, err := jsonpatch.MergePatch([]byte(spelled(live)), []byte(spelled(body)))
		if err != nil || !exact || !equal(decode(t, string(got)), wanted) {
			t.Fatalf("seed %d: %v %v\nlive   %s\npatch  %s\ngot    %s\nwanted %s", seed, exact, err, spelled(live), spelled(body), got, spelled(wanted))
		}
	}
}

func deployments(t testing.TB) *schema.Schema {
	t.Helper()
	data, err := os.ReadFile("../schema/testdata/apis_apps_v1.json")
	if err != nil {
		t.Fatal(err)
	}
	d, err := schema.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	s, ok := d.Schema(schema.Kind{Group: "apps", Version: "v1", Kind: "Deployment"})
	if !ok {
		t.Fatal("no schema")
	}
	return &s
}

const deployment = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"x","resourceVersion":"7","finalizers":["a","b"],"managedFields":[{"manager":"m"}]},
"spec":{"replicas":1,"template":{"spec":{"containers":[{"name":"app","image":"i:1","env":[{"name":"A","value":"1"},{"name":"B","value":"2"}],"ports":[{"containerPort":80,"protocol":"TCP"}]},{"name":"side","image":"s"}]}}}}`

var editCases = []struct {
	name                   string
	change                 func(o map[string]any)
	json, merge, strategic string
}{
	{
		"a value", func(o map[string]any) { at(o, "spec")["replicas"] = json.Number("3") },
		`[{"op":"test","path":"/spec/replicas","value":1},{"op":"replace","path":"/spec/replicas","value":3}]`,
		`{"spec":{"replicas":3}}`, `{"spec":{"replicas":3}}`,
	},
	{
		"a removal", func(o map[string]any) { delete(at(o, "spec"), "replicas") },
		`[{"op":"test","path":"/spec/replicas","value":1},{"op":"remove","path":"/spec/replicas"}]`,
		`{"spec":{"replicas":null}}`, `{"spec":{"replicas":null}}`,
	},
	{
		"a name with a slash", func(o map[string]any) { at(o, "metadata")["labels"] = map[string]any{"a/b~c": "d"} },
		`[{"op":"add","path":"/metadata/labels","value":{"a/b~c":"d"}}]`,
		`{"metadata":{"labels":{"a/b~c":"d"}}}`, `{"metadata":{"labels":{"a/b~c":"d"}}}`,
	},
	{
		"in an item", func(o map[string]any) { container(o, 0)["image"] = "i:2" },
		`[{"op":"test","path":"/spec/template/spec/containers/0/name","value":"app"},{"op":"test","path":"/spec/template/spec/containers/0/image","value":"i:1"},{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"i:2"}]`,
		"",
		`{"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"app"},{"name":"side"}],"containers":[{"image":"i:2","name":"app"}]}}}}`,
	},
	{
		"an item goes", func(o map[string]any) {
			list, _ := container(o, 0)["env"].([]any)
			container(o, 0)["env"] = list[1:]
		},
		`[{"op":"test","path":"/spec/template/spec/containers/0/name","value":"app"},{"op":"test","path":"/spec/template/spec/containers/0/env/0","value":{"name":"A","value":"1"}},{"op":"remove","path":"/spec/template/spec/containers/0/env/0"}]`,
		"",
		`{"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"app"},{"name":"side"}],"containers":[{"$setElementOrder/env":[{"name":"B"}],"env":[{"$patch":"delete","name":"A"}],"name":"app"}]}}}}`,
	},
	{
		"a set", func(o map[string]any) { at(o, "metadata")["finalizers"] = []any{"b", "c"} },
		`[{"op":"test","path":"/metadata/finalizers/0","value":"a"},{"op":"remove","path":"/metadata/finalizers/0"},{"op":"add","path":"/metadata/finalizers/1","value":"c"}]`,
		`{"metadata":{"finalizers":["b","c"]}}`,
		`{"metadata":{"$deleteFromPrimitiveList/finalizers":["a"],"$setElementOrder/finalizers":["b","c"],"finalizers":["c"]}}`,
	},
}

func at(o map[string]any, steps ...string) map[string]any {
	for _, step := range steps {
		o, _ = o[step].(map[string]any)
	}
	return o
}

func container(o map[string]any, i int) map[string]any {
	list, _ := at(o, "spec", "template", "spec")["containers"].([]any)
	fields, _ := list[i].(map[string]any)
	return fields
}

func TestEdits(t *testing.T) {
	known := deployments(t)
	for _, c := range editCases {
		t.Run(c.name, func(t *testing.T) {
			live, wanted := decode(t, deployment), decode(t, deployment)
			c.change(wanted)
			edits, err := Edits(Input{Live: live, Wanted: wanted, Manager: "me", Schema: known})
			if err != nil || len(edits) != 4 {
				t.Fatal(err, edits)
			}
			for i, want := range []string{"", c.json, c.merge, c.strategic} {
				e := edits[i]
				if e.Unfit != "" || e.Owners == "" || e.Request.Query.Get("fieldManager") != "me" {
					t.Errorf("%+v", e)
				}
				if want != "" && string(bytes.ReplaceAll(e.Request.Body, []byte(`\u003c`), []byte("<"))) != want {
					t.Errorf("%s\ngot  %s\nwant %s", e.Name, e.Request.Body, want)
				}
			}
			put := decode(t, string(edits[0].Request.Body))
			if at(put, "metadata")["resourceVersion"] != "7" || at(put, "metadata")["managedFields"] != nil {
				t.Errorf("put %v", put["metadata"])
			}
			at(put, "metadata")["managedFields"] = at(wanted, "metadata")["managedFields"]
			if !equal(put, wanted) {
				t.Errorf("put %s", edits[0].Request.Body)
			}
		})
	}
}

func TestEditsThatAreUnfit(t *testing.T) {
	live, wanted := decode(t, deployment), decode(t, deployment)
	if edits, err := Edits(Input{Live: live, Wanted: wanted}); err != nil || edits != nil {
		t.Errorf("nothing to do: %v %v", edits, err)
	}
	at(wanted, "spec")["paused"] = nil
	for _, custom := range []bool{true, false} {
		edits, err := Edits(Input{Live: live, Wanted: wanted, Custom: custom})
		if err != nil || edits[0].Unfit+edits[1].Unfit != "" || edits[2].Unfit == "" || edits[3].Unfit == "" || edits[3].Request.Body != nil {
			t.Errorf("%v %+v", err, edits)
		}
	}
	edits, err := Edits(Input{Wanted: wanted, Manager: "me"})
	if err != nil || len(edits) != 1 || edits[0].Request.Method != "POST" {
		t.Errorf("%v %+v", err, edits)
	}
}
