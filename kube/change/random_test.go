package change

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/rounds"
)

// cluster makes random objects, what is applied to them, and what a server would make of that: fields are merged, items
// of lists are told apart by their name, and the server adds fields of its own.
type cluster struct{ *rand.Rand }

func (w cluster) scalar() any {
	if w.IntN(2) == 0 {
		return json.Number(fmt.Sprint(w.IntN(3)))
	}
	return []any{"x", "y", true}[w.IntN(3)]
}

func (w cluster) object(depth int) map[string]any {
	fields := map[string]any{"a": w.scalar()}
	for _, name := range []string{"b", "cd", "e", "l"} {
		switch n := w.IntN(5); {
		case n == 0 || depth == 0:
		case name == "l":
			fields[name] = w.list(depth - 1)
		case n < 3:
			fields[name] = w.scalar()
		default:
			fields[name] = w.object(depth - 1)
		}
	}
	return fields
}

func (w cluster) list(depth int) []any {
	items := []any{}
	for _, name := range []string{"one", "two", "three"} {
		if w.IntN(3) > 0 || len(items) == 0 {
			item := w.object(depth)
			item["name"] = name
			items = append(items, item)
		}
	}
	return items
}

// merged is what comes of applying fields to others.
func (w cluster) merged(live, sent any, server bool) any {
	switch now := sent.(type) {
	case map[string]any:
		old, is := live.(map[string]any)
		if !is {
			old = map[string]any{}
		}
		fields := maps.Clone(old)
		for name, v := range now {
			fields[name] = w.merged(old[name], v, server)
		}
		if server && w.IntN(3) == 0 {
			fields[fmt.Sprint("server", w.IntN(2))] = w.scalar()
		}
		return fields
	case []any:
		old, _ := live.([]any)
		items := slices.Clone(old)
		for _, item := range now {
			at := slices.IndexFunc(items, func(other any) bool { return nameOf(other) == nameOf(item) })
			if at < 0 {
				items = append(items, w.merged(nil, item, server))
			} else {
				items[at] = w.merged(items[at], item, server)
			}
		}
		return items
	default:
		return sent
	}
}

func nameOf(item any) any {
	fields, _ := item.(map[string]any)
	return fields["name"]
}

// claims are those of who applies a value.
func claims(v any) map[string]any {
	set := map[string]any{}
	switch v := v.(type) {
	case map[string]any:
		for name, child := range v {
			set["f:"+name] = claims(child)
		}
	case []any:
		for _, item := range v {
			of := claims(item)
			of["."] = map[string]any{}
			set[fmt.Sprintf(`k:{"name":%q}`, nameOf(item))] = of
		}
	}
	return set
}

func withRecord(spec any, entries ...any) map[string]any {
	return map[string]any{
		"apiVersion": "v1", "kind": "Thing", "spec": spec,
		"metadata": map[string]any{"name": "x", "managedFields": entries},
	}
}

func applied(manager string, spec any) any {
	return map[string]any{
		"manager": manager, "operation": "Apply", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": map[string]any{"f:spec": claims(spec)},
	}
}

// values are an object's values by their paths.
func values(b *ownership.Blame) map[string]string {
	all := map[string]string{}
	each(b, b.Root, func(path, v string) { all[path] = v })
	return all
}

func each(b *ownership.Blame, n *manifest.Node, visit func(path, v string)) {
	if len(n.Children) == 0 {
		visit(b.Path(n), written(n.Value))
	}
	for _, child := range n.Children {
		each(b, child, visit)
	}
}

// The rows of a preview, done to the values there were, make those that there would be; and what is wanted is what comes of
// applying without the server's part.
func TestRowsTellTheWholeChange(t *testing.T) {
	for seed := range uint64(rounds.Of(400)) {
		w := cluster{rand.New(rand.NewPCG(seed, 8))}
		live, sent := w.object(3), w.object(2)
		others := applied("others", live)
		before := withRecord(live, others)
		after := withRecord(w.merged(live, sent, true), applied("me", sent), others)
		p, err := Compare(Input{Live: before, Predicted: after, Sent: withRecord(sent), Manager: me})
		if err != nil {
			t.Fatal(err)
		}
		checkRows(t, p)
		checkLines(t, p)
		if want := w.merged(live, sent, false); !equal(p.Wanted["spec"], want) {
			t.Errorf("wanted %s\nwant   %s", written(p.Wanted["spec"]), written(want))
		}
		if t.Failed() {
			t.Fatalf("seed %d\nlive  %s\nsent  %s\nafter %s", seed, written(live), written(sent), written(after["spec"]))
		}
	}
}

func checkRows(t *testing.T, p Preview) {
	t.Helper()
	got := values(p.before)
	for _, r := range p.Rows {
		if r.Words == "" || r.Cause == "" || r.Cause != You && r.Why == "" && r.What != ownership.Passed {
			t.Errorf("no words, no cause or no reason: %+v", r)
		}
		if r.What == ownership.Passed {
			continue
		}
		if r.Was != nil {
			each(p.before, r.Was, func(path, _ string) { delete(got, path) })
		}
		if r.Is != nil {
			each(p.after, r.Is, func(path, v string) { got[path] = v })
		}
	}
	if want := values(p.after); !maps.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}
