package ownership

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v4/value"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/rounds"
)

// The oracle knows what kind of list each field is, which Fieldmark must find out, and asks structured-merge-diff's own
// sets, node by node.
var listKeys = map[string][]string{"named": {"name"}, "paired": {"a", "b"}}

type oracle struct {
	sets    []*fieldpath.Set
	owners  map[int][]int     // by the number of the node
	matched []map[string]bool // by entry: the paths that are there
}

func (o *oracle) visit(n *manifest.Node, sets []*fieldpath.Set, prefix []fieldpath.Path, covering []int) {
	for _, child := range n.Children {
		o.child(child, sets, prefix, covering)
	}
}

func (o *oracle) child(n *manifest.Node, sets []*fieldpath.Set, prefix []fieldpath.Path, covering []int) {
	below := make([]*fieldpath.Set, len(sets))
	paths := make([]fieldpath.Path, len(sets))
	owners := slices.Clone(covering)
	var childless []int
	granular := false
	for i, s := range sets {
		below[i] = &fieldpath.Set{}
		for _, e := range elements(n) {
			path := append(prefix[i].Copy(), e)
			if sub, ok := s.Children.Get(e); ok {
				below[i], paths[i], granular = sub, path, true
			}
			if s.Members.Has(e) {
				o.matched[i][path.String()] = true
				owners = append(owners, i)
				if below[i].Empty() {
					childless = append(childless, i)
				}
			}
		}
	}
	slices.Sort(owners)
	o.owners[n.ID] = slices.Compact(owners)
	cover := slices.Clone(covering)
	if !granular || twin(n) {
		cover = append(cover, childless...)
	}
	o.visit(n, below, paths, cover)
}

// elements are what a node may be called.
func elements(n *manifest.Node) []fieldpath.PathElement {
	if n.Index < 0 {
		return []fieldpath.PathElement{{FieldName: &n.Key}}
	}
	switch v := n.Value.(type) {
	case map[string]any:
		var parts []any
		for _, key := range listKeys[n.Parent.Key] {
			parts = append(parts, key, plain(v[key]))
		}
		if parts != nil {
			return []fieldpath.PathElement{{Key: fieldpath.KeyByFields(parts...)}}
		}
	case json.Number, string, bool, nil:
		if n.Parent.Key == "set" {
			element := value.NewValueInterface(plain(v))
			return []fieldpath.PathElement{{Value: &element}}
		}
	}
	return []fieldpath.PathElement{{Index: &n.Index}}
}

func plain(v any) any {
	if n, ok := v.(json.Number); ok {
		i, err := n.Int64()
		if err != nil {
			panic(err)
		}
		return i
	}
	return v
}

// twin tells whether a list has another item of that name.
func twin(n *manifest.Node) bool {
	if n.Index < 0 {
		return false
	}
	same := 0
	for _, sibling := range n.Parent.Children {
		if elements(sibling)[0].Equals(elements(n)[0]) {
			same++
		}
	}
	return same > 1
}

// world makes random objects, and random claims on them.
type world struct{ *rand.Rand }

func (w world) pick(words ...string) string { return words[w.IntN(len(words))] }

func (w world) scalar() any {
	switch w.IntN(5) {
	case 0:
		return json.Number(fmt.Sprint(w.IntN(3)))
	case 1:
		return w.IntN(2) == 0
	case 2:
		return nil
	default:
		return w.pick("x", "<y>", "", `"`)
	}
}

func (w world) value(depth int) any {
	if depth <= 0 || w.IntN(4) == 0 {
		return w.scalar()
	}
	return w.object(depth)
}

func (w world) object(depth int) map[string]any {
	m := map[string]any{}
	for range w.IntN(1 + 2*max(depth, 0)) {
		switch key := w.pick("f", "g", "a.b", "", "named", "paired", "set", "atoms"); key {
		case "named", "paired", "set", "atoms":
			m[key] = w.list(key, depth-1)
		default:
			m[key] = w.value(depth - 1)
		}
	}
	return m
}

func (w world) list(key string, depth int) []any {
	items := []any{}
	for range w.IntN(4) {
		switch key {
		case "set":
			items = append(items, w.scalar())
		case "atoms":
			items = append(items, w.value(depth))
		default:
			item := w.object(depth)
			for _, name := range listKeys[key] {
				item[name] = w.pick("one", "two", "<three>")
			}
			items = append(items, item)
		}
	}
	return items
}

// claims makes a set of claims on what is there and on what isn't.
func (w world) claims(n *manifest.Node) map[string]any {
	set := map[string]any{}
	for _, child := range n.Children {
		if w.IntN(3) == 0 || n.Key == "atoms" {
			continue
		}
		key, err := fieldpath.SerializePathElement(elements(child)[0])
		if err != nil {
			panic(err)
		}
		set[key] = w.claims(child)
	}
	if w.IntN(3) == 0 {
		set["."] = map[string]any{}
	}
	if w.IntN(6) == 0 {
		set[w.noise(n.Key)] = map[string]any{}
	}
	return set
}

func (w world) noise(field string) string {
	switch field {
	case "named":
		return `k:{"name":"none"}`
	case "paired":
		return `k:{"a":"one","b":"none"}`
	case "set":
		return `v:"none"`
	default:
		return "f:none"
	}
}

// TestEveryClaimIsPaintedAndNothingElse compares what is painted with the oracle, on random objects and claims.
func TestEveryClaimIsPaintedAndNothingElse(t *testing.T) {
	w := world{rand.New(rand.NewPCG(7, 11))}
	for range rounds.Of(800) {
		object := w.object(4)
		root := manifest.Tree(object)
		var entries []any
		o := oracle{owners: map[int][]int{}}
		for i := range 1 + w.IntN(4) {
			set := w.claims(root)
			entries = append(entries, map[string]any{
				"manager": fmt.Sprint("m", i), "operation": "Update", "fieldsType": "FieldsV1", "fieldsV1": set,
			})
			o.sets = append(o.sets, readSet(t, set))
			o.matched = append(o.matched, map[string]bool{})
		}
		o.visit(root, o.sets, make([]fieldpath.Path, len(o.sets)), nil)
		b := Parse(map[string]any{"metadata": map[string]any{"managedFields": entries}}).On(root, nil)
		o.check(t, b)
		if t.Failed() {
			t.Fatalf("object %s\nclaims %s", spelled(t, object), spelled(t, entries))
		}
	}
}

func readSet(t *testing.T, set map[string]any) *fieldpath.Set {
	t.Helper()
	s := &fieldpath.Set{}
	if err := s.FromJSON(bytes.NewReader([]byte(spelled(t, set)))); err != nil {
		t.Fatal(err)
	}
	return s
}

func spelled(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (o *oracle) check(t *testing.T, b *Blame) {
	t.Helper()
	nodes := map[int]*manifest.Node{}
	collect(b.Root, nodes)
	for _, id := range slices.Sorted(maps.Keys(o.owners)) {
		if got := b.entries(nodes[id]); !slices.Equal(got, o.owners[id]) {
			t.Errorf("%s: owned by %v, want %v", b.Path(nodes[id]), got, o.owners[id])
		}
	}
	for i, e := range b.Record.Entries {
		got, want := map[string]bool{}, map[string]bool{}
		for _, h := range b.Holdings(e.Manager) {
			got[h.Path] = h.Lost == ""
		}
		o.sets[i].Iterate(func(p fieldpath.Path) { want[p.String()] = o.matched[i][p.String()] })
		if !maps.Equal(got, want) {
			t.Errorf("%s holds %v, want %v", e.Name, got, want)
		}
	}
	checkSummary(t, b)
}

func collect(n *manifest.Node, nodes map[int]*manifest.Node) {
	nodes[n.ID] = n
	for _, child := range n.Children {
		collect(child, nodes)
	}
}

// checkSummary counts the plain way.
func checkSummary(t *testing.T, b *Blame) {
	t.Helper()
	nodes := map[int]*manifest.Node{}
	collect(b.Root, nodes)
	var leaves, nobody, shared int
	managers := make([]int, len(b.Record.Entries))
	for _, n := range nodes {
		if len(n.Children) > 0 {
			continue
		}
		leaves++
		owners := b.entries(n)
		if len(owners) == 0 {
			nobody++
		} else if len(owners) > 1 {
			shared++
		}
		for _, i := range owners {
			managers[i]++
		}
	}
	s := b.Summarize()
	if s.Leaves != leaves || s.Nobody != nobody || s.Shared != shared {
		t.Errorf("%d leaves, %d nobody's, %d shared; want %d, %d, %d", s.Leaves, s.Nobody, s.Shared, leaves, nobody, shared)
	}
	for i, m := range s.Managers {
		fields := 0
		for _, n := range m.Fields {
			fields += n
		}
		if m.Leaves != managers[i] || fields != m.Leaves && len(b.Root.Children) > 0 {
			t.Errorf("%s: %d leaves, %d by field, want %d", m.Name, m.Leaves, fields, managers[i])
		}
	}
}
