package ownership

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
)

// Keys are read as structured-merge-diff reads them, whose notation paths are in.
func TestKeysAreStructuredMergeDiffs(t *testing.T) {
	for _, key := range []string{
		`f:`, `f:a`, `f:a.b/c"`, `f:f:f`, `i:0`, `i:-1`, `v:"x"`, `v:""`, `v:"\u003c"`, `v:1`, `v:-1.5`, `v:true`, `v:null`,
		`k:{"a":"b"}`, `k:{"b":1,"a":"\u0026"}`, `k:{"a":null,"b":false}`, `k:{"containerPort":80,"protocol":"TCP"}`,
	} {
		want, err := fieldpath.DeserializePathElement(key)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := readElement(key)
		if err != nil || !got.Equals(want) || got.String() != want.String() {
			t.Errorf("%s: %v %v, want %v", key, got, err, want)
		}
	}
}

// large makes an object with a number of items in a list, and managers who each claim a share of them in part.
func large(t testing.TB, items, managers int) object.Object {
	t.Helper()
	var list []string
	sets := make([]strings.Builder, managers)
	for i := range items {
		list = append(list, fmt.Sprintf(`{"name":"item-%d","image":"i","limits":{"cpu":"1","memory":"2"},"args":["a","b"]}`, i))
		for m := range 2 {
			fmt.Fprintf(&sets[(i+m)%managers], `,"k:{\"name\":\"item-%d\"}":{".":{},"f:name":{},"f:image":{},"f:limits":{".":{},"f:cpu":{},"f:memory":{}},"f:args":{}}`, i)
		}
	}
	var all []string
	for i := range managers {
		all = append(all, entry(fmt.Sprint("manager-", i), Update, `{"f:spec":{"f:items":{`+strings.TrimPrefix(sets[i].String(), ",")+`}}}`))
	}
	return with(t, `{"apiVersion":"v1","spec":{"items":[`+strings.Join(list, ",")+`]}}`, "["+strings.Join(all, ",")+"]")
}

// lay does all that a page needs.
func lay(root *manifest.Node, o object.Object) int {
	b := Parse(o.Fields).On(root, nil)
	owners := 0
	var walk func(n *manifest.Node)
	walk = func(n *manifest.Node) {
		owners += len(b.Path(n)) + len(b.Claims(n))
		for _, child := range n.Children {
			walk(child)
		}
	}
	walk(root)
	return owners + len(b.Lost()) + b.Summarize().Leaves
}

func TestWorkGrowsWithTheObject(t *testing.T) {
	allocations := func(items int) float64 {
		o := large(t, items, 20)
		root := manifest.Tree(o.WithoutManagedFields().Fields)
		return testing.AllocsPerRun(3, func() { lay(root, o) })
	}
	if one, two := allocations(200), allocations(400); two > 3*one {
		t.Errorf("%v allocations for an object, %v for one twice as large", one, two)
	}
}

func BenchmarkBlame(b *testing.B) {
	o := large(b, 125, 20)
	document, err := manifest.YAMLDocument(o.WithoutManagedFields().Fields)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(len(document.Lines)), "lines")
	for b.Loop() {
		Parse(o.Fields).On(document.Root, nil)
	}
}

func BenchmarkBlameEveryLine(b *testing.B) {
	o := large(b, 125, 20)
	root := manifest.Tree(o.WithoutManagedFields().Fields)
	for b.Loop() {
		lay(root, o)
	}
}

// A ConfigMap of a megabyte, in few long values and in many short ones.
func TestLargeConfigMap(t *testing.T) {
	if testing.Short() {
		t.Skip("the work is the same on each platform")
	}
	line := strings.Repeat("x", 49) + "\n"
	for _, keys := range []int{10, 20_000} {
		var data, set []string
		for i := range keys {
			data = append(data, fmt.Sprintf(`"key-%d":%q`, i, strings.Repeat(line, 20_000/keys)))
			set = append(set, fmt.Sprintf(`"f:key-%d":{}`, i))
		}
		o := with(t, `{"apiVersion":"v1","data":{`+strings.Join(data, ",")+`}}`, "["+entry("m", Update, `{"f:data":{".":{},`+strings.Join(set, ",")+`}}`)+"]")
		b, document := blamed(t, o)
		for _, line := range Lines(document.Places) {
			if line.Node.Parent == b.Root.Field("data") && len(b.Owners(line.Node)) != 1 {
				t.Fatalf("%s has %d owners", b.Path(line.Node), len(b.Owners(line.Node)))
			}
		}
		if len(b.Lost()) > 0 || b.Summarize().Managers[0].Leaves != keys {
			t.Errorf("%d lost, %d leaves", len(b.Lost()), b.Summarize().Managers[0].Leaves)
		}
	}
}

func TestOwnersAsJSON(t *testing.T) {
	b, document := blamed(t, load(t, "testdata/scaled.json"))
	for path, want := range map[string]string{
		".spec.replicas": `[{"manager":"kubectl","operation":"Update","subresource":"scale","apiVersion":"apps/v1","time":"`,
		".kind":          `[]`,
	} {
		got, err := json.Marshal(b.Owners(b.Find(path)[0]))
		if err != nil || !strings.HasPrefix(string(got), want) {
			t.Errorf("%s: %s, want %s…", path, got, want)
		}
	}
	for i, line := range Lines(document.Places) {
		if found := b.Find(b.Path(line.Node)); len(found) != 1 || found[0] != line.Node {
			t.Errorf("line %d: %d nodes are at %s", i, len(found), b.Path(line.Node))
		}
	}
}

// FuzzParse: whatever managedFields hold, something is said about it, and nothing that doesn't add up.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"coowners", "strict", "pod", "service", "loose", "moving", "untracked"} {
		f.Add(read(f, "testdata/"+name+".json"))
	}
	f.Add([]byte(`{"l":[{"a":1},{"a":1}],"s":[1,1,null],"metadata":{"managedFields":[{"operation":"Apply","fieldsV1":{".":{},"f:l":{"k:{\"a\":1}":{}},"f:s":{"v:1":{},"i:9":{},"x":1,"z:":{}}}},1]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := object.Parse(data)
		if err != nil || len(data) > 1<<16 {
			return
		}
		before := maps.Clone(o.Fields)
		b, document := blamed(t, o)
		for _, line := range Lines(document.Places) {
			checkLine(t, b, line)
		}
		for _, l := range b.Lost() {
			if l.Reason == "" || l.Detail == "" {
				t.Errorf("lost without a reason: %+v", l)
			}
		}
		checkSummary(t, b)
		for _, e := range b.Record.Entries {
			for _, h := range b.Holdings(e.Manager) {
				b.Effect(h.Path, Write{By: e.Manager, Change: Set})
				break
			}
		}
		if !reflect.DeepEqual(before, o.Fields) {
			t.Error("the object was changed")
		}
	})
}

func checkLine(t *testing.T, b *Blame, line Line) {
	t.Helper()
	claims := b.Claims(line.Node)
	if (len(claims) == 0) != (len(b.Owners(line.Node)) == 0) {
		t.Errorf("%s: %d claims and %d owners", b.Path(line.Node), len(claims), len(b.Owners(line.Node)))
	}
	for _, c := range claims {
		if len(c.Keys) == 0 || c.Why == "" {
			t.Errorf("%s: a claim without a reason: %+v", b.Path(line.Node), c)
		}
	}
}

// Each finding finds its item in a list without a walk over all items.
func TestFindingItemsIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("the work is the same on each platform")
	}
	const items = 3000
	o := large(t, items, 2)
	b := Parse(o.Fields).On(manifest.Tree(o.Fields), nil)
	for i := range items {
		name := fmt.Sprintf(`[name="item-%d"]`, i)
		n := b.At([]string{".spec", ".items", name, ".limits"})
		if found := b.Find(".spec.items" + name + ".limits"); n == nil || n.Parent.Index != i || len(found) != 1 || found[0] != n {
			t.Fatalf("%s: %v and %v", name, n, found)
		}
		if b.At([]string{".spec", ".items", name + "x"}) != nil || len(b.Find(".spec.items"+name[:len(name)-1]+"x]")) > 0 {
			t.Fatal("found what isn't there")
		}
	}
	if b.index.steps > 2*items {
		t.Errorf("%d steps for %d items", b.index.steps, items)
	}
}
