package ownership

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
)

// with makes an object of fields and managedFields, both JSON.
func with(t testing.TB, fields, managed string) object.Object {
	t.Helper()
	o := parse(t, []byte(fields))
	entries := parse(t, []byte(`{"managedFields":`+managed+`}`))
	metadata, ok := o.Fields["metadata"].(map[string]any)
	if !ok {
		metadata = map[string]any{}
		o.Fields["metadata"] = metadata
	}
	metadata["managedFields"] = entries.Fields["managedFields"]
	return o
}

// entry is an entry of managedFields.
func entry(manager, operation, set string) string {
	return fmt.Sprintf(`{"manager":%q,"operation":%q,"apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":%s}`, manager, operation, set)
}

// owned spells the owners of what is at a path, and why each is.
func owned(b *Blame, path string) string {
	var words []string
	for _, n := range b.Find(path) {
		for _, c := range b.Claims(n) {
			words = append(words, c.Name+" "+string(c.Why))
		}
	}
	return strings.Join(words, ", ")
}

func spellLost(all []Lost) string {
	var words []string
	for _, l := range all {
		words = append(words, strings.TrimSpace(fmt.Sprintf("%d %s %s %s", l.Entry, l.Reason, l.Path, strings.Join(l.Keys, " "))))
	}
	return strings.Join(words, "; ")
}

// What the real objects of testdata don't have.
var made = []struct {
	name, object, managed string
	owned                 map[string]string // by path
	lost                  string
}{
	{
		"text in keys is escaped as in HTML", `{"l":[{"name":"<a>&"}],"s":["<b>"]}`,
		"[" + entry("m", Apply, `{"f:l":{"k:{\"name\":\"\\u003ca\\u003e\\u0026\"}":{"f:name":{}}},"f:s":{"v:\"\\u003cb\\u003e\"":{}}}`) + "]",
		map[string]string{`.l[name="<a>&"].name`: "m direct", `.l[name="<a>&"]`: "", `.s[="<b>"]`: "m direct"},
		"",
	},
	{
		"unknown kinds of keys are kept, and claim nothing", `{"a":{"b":1}}`,
		"[" + entry("m", Apply, `{"f:a":{"z:new":{}}}`) + "]",
		map[string]string{".a": "", ".a.b": ""},
		"0 unknown .a f:a z:new",
	},
	{
		"numbers are exact where the claim is", `{"s":[9007199254740992,9007199254740993,1.5]}`,
		"[" + entry("m", Apply, `{"f:s":{"v:9007199254740993":{},"v:1.5":{}}}`) + "]",
		map[string]string{".s[=9007199254740992]": "", ".s[=9007199254740993]": "m direct", ".s[=1.5]": "m direct"},
		"",
	},
	{
		"numbers that a server has rounded are still found", `{"s":[9007199254740993]}`,
		"[" + entry("m", Apply, `{"f:s":{"v:9007199254740992":{}}}`) + "]",
		map[string]string{".s[=9007199254740993]": "m direct"},
		"",
	},
	{
		"numbers are equal however they are written", `{"s":[1e3],"l":[{"n":2.0}]}`,
		"[" + entry("m", Apply, `{"f:s":{"v:1000":{}},"f:l":{"k:{\"n\":2}":{}}}`) + "]",
		map[string]string{".s[=1000]": "m direct", ".l[n=2]": "m direct", ".l[n=2].n": "m item"},
		"",
	},
	{
		"a container that is left to who made it covers nothing", `{"a":{"b":1,"c":2}}`,
		"[" + entry("maker", Update, `{"f:a":{}}`) + "," + entry("heir", Apply, `{"f:a":{"f:b":{}}}`) + "]",
		map[string]string{".a": "maker direct", ".a.b": "heir direct", ".a.c": ""},
		"",
	},
	{
		"labels are never owned as a whole", `{"metadata":{"labels":{"a":"1"}},"spec":{"labels":{"a":"1"}}}`,
		"[" + entry("m", Apply, `{"f:metadata":{"f:labels":{}},"f:spec":{"f:labels":{}}}`) + "]",
		map[string]string{".metadata.labels": "m direct", ".metadata.labels.a": "", ".spec.labels.a": "m atomic"},
		"",
	},
	{
		"a default stands in for a missing key", `{"ports":[{"containerPort":80},{"containerPort":80,"protocol":"UDP"}],"l":[{"a":1},{"a":1,"b":2}]}`,
		"[" + entry("m", Apply, `{"f:ports":{"k:{\"containerPort\":80,\"protocol\":\"TCP\"}":{}},"f:l":{"k:{\"a\":1}":{".":{}},"k:{\"a\":1,\"b\":3}":{}}}`) + "]",
		map[string]string{
			`.ports[containerPort=80,protocol="TCP"]`: "m direct", `.ports[containerPort=80,protocol="UDP"]`: "",
			".l[a=1]": "m direct", ".l[a=1,b=2]": "",
		},
		"0 absent .l[a=1,b=3] f:l k:{\"a\":1,\"b\":3}",
	},
	{
		"equal items are covered all", `{"l":[{"n":"a","v":1},{"n":"a","v":2},{"n":"b"}],"s":["x","x"]}`,
		"[" + entry("m", Apply, `{"f:l":{"k:{\"n\":\"a\"}":{}},"f:s":{"v:\"x\"":{}}}`) + "," + entry("o", Apply, `{"f:l":{"k:{\"n\":\"a\"}":{"f:v":{}}}}`) + "]",
		map[string]string{`.l[n="a"].v`: "o direct, m item, o direct, m item", `.l[n="b"].n`: "", `.s[="x"]`: "m direct, m direct"},
		"",
	},
	{
		"what every object's metadata holds is known", `{"metadata":{"finalizers":["a"],"ownerReferences":[{"uid":"u","name":"n"}]},"finalizers":["a"]}`, `[]`,
		map[string]string{`.metadata.finalizers[="a"]`: "", `.metadata.ownerReferences[uid="u"].name`: "", ".finalizers[0]": ""},
		"",
	},
	{
		"positions", `{"l":["a","b"]}`,
		"[" + entry("m", Apply, `{"f:l":{"i:1":{},"i:2":{},"i:-1":{}}}`) + "]",
		map[string]string{".l[0]": "", ".l[1]": "m direct"},
		"0 absent .l[-1] f:l i:-1; 0 absent .l[2] f:l i:2",
	},
	{
		"claims that fit no value of that kind", `{"a":1,"l":[1],"m":{"k":1}}`,
		"[" + entry("m", Apply, `{"f:a":{"f:b":{}},"f:l":{"f:x":{}},"f:m":{"i:0":{},"k:{\"k\":1}":{}}}`) + "]",
		map[string]string{".a": "", ".l": "", ".m.k": ""},
		`0 absent .a.b f:a f:b; 0 absent .l.x f:l f:x; 0 absent .m[0] f:m i:0; 0 absent .m[k=1] f:m k:{"k":1}`,
	},
}

func TestMade(t *testing.T) {
	for _, c := range made {
		t.Run(c.name, func(t *testing.T) {
			b, _ := blamed(t, with(t, c.object, c.managed))
			for path, want := range c.owned {
				if len(b.Find(path)) == 0 {
					t.Errorf("nothing is at %s", path)
				}
				if got := owned(b, path); got != want {
					t.Errorf("%s: %q, want %q", path, got, want)
				}
			}
			if got := spellLost(b.Lost()); got != c.lost {
				t.Errorf("lost %q, want %q", got, c.lost)
			}
		})
	}
}

func TestHostile(t *testing.T) {
	deep := strings.Repeat(`{"f:a":`, 150) + "{}" + strings.Repeat("}", 150)
	for _, c := range []struct{ name, managed, lost string }{
		{"no list", `"x"`, "-1 unreadable"},
		{"nothing", `[]`, ""},
		{"an empty entry", `[{}]`, "0 unreadable; 0 unreadable"},
		{"entries that are none", `[1,null,[],"x"]`, "0 unreadable; 1 unreadable; 2 unreadable; 3 unreadable"},
		{"fields of another kind", `[{"operation":"Apply","fieldsType":"FieldsV2","fieldsV1":{}}]`, "0 unreadable"},
		{"fields that are none", `[{"operation":"Apply","fieldsType":"FieldsV1","fieldsV1":"x"}]`, "0 unreadable"},
		{"names that are none", `[{"manager":{},"operation":"Apply","time":[],"fieldsType":"FieldsV1"}]`, ""},
		{
			"keys that can't be read", "[" + entry("m", Apply, `{"":{},"f":{},"k:":{},"k:{}":{},"k:[1]":{},"k:{\"a\":{}}":{},"k:{} x":{},"v:[1]":{},"v:1e999":{},"i:x":{},"i:99999999999999999999":{}}`) + "]",
			`0 unreadable; 0 unreadable  f; 0 unreadable  i:99999999999999999999; 0 unreadable  i:x; 0 unreadable  k:; 0 unreadable  k:[1]; ` +
				`0 unreadable  k:{"a":{}}; 0 unreadable  k:{}; 0 unreadable  k:{} x; 0 unreadable  v:1e999; 0 unreadable  v:[1]`,
		},
		{"values that are none", "[" + entry("m", Apply, `{"f:a":1,"f:b":{"f:c":[]},"f:kind":null}`) + "]", "0 unreadable  f:a; 0 unreadable .b f:b f:c; 0 absent .kind f:kind"},
		{"a deep one", "[" + entry("m", Apply, deep) + "]", "0 absent " + strings.Repeat(".a", 150) + strings.Repeat(" f:a", 150)},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, _ := blamed(t, with(t, `{"a":{"b":1}}`, c.managed))
			if got := spellLost(b.Lost()); got != c.lost {
				t.Errorf("lost\n%s\nwant\n%s", got, c.lost)
			}
			for _, l := range b.Lost() {
				if l.Detail == "" {
					t.Errorf("no reason is given: %+v", l)
				}
			}
		})
	}
}

func TestDeeperThanObjectsAre(t *testing.T) {
	set := map[string]any{}
	for range 5000 {
		set = map[string]any{"f:a": set}
	}
	r := Parse(map[string]any{"metadata": map[string]any{"managedFields": []any{
		map[string]any{"operation": Apply, "fieldsType": "FieldsV1", "fieldsV1": set},
	}}})
	if len(r.Unreadable) != 1 || len(r.Unreadable[0].Keys) != maxDepth+1 {
		t.Errorf("%d unreadable", len(r.Unreadable))
	}
}

func TestWhatIsClaimedInTooManyWays(t *testing.T) {
	var all []string
	for i := range 20 {
		all = append(all, strings.Replace(entry("m", Apply, fmt.Sprintf(`{"f:l":{"k:{\"n%d\":1}":{}}}`, i)), `"v1"`, fmt.Sprintf(`"v%d"`, i), 1))
	}
	b, _ := blamed(t, with(t, `{"l":[{"n0":1}]}`, "["+strings.Join(all, ",")+"]"))
	lost := b.Lost()
	if len(lost) != 19 || lost[0].Reason == TooMuch || lost[18].Reason != TooMuch {
		t.Errorf("lost %s", spellLost(lost))
	}
	if got := owned(b, ".l[n0=1]"); got != "m direct" {
		t.Errorf("owned by %q", got)
	}
}

// Twins that are claimed by many are laid as often as is reasonable, and the rest is said to be left out.
func TestManyTwins(t *testing.T) {
	if testing.Short() {
		t.Skip("the work is the same on each platform")
	}
	items := strings.TrimSuffix(strings.Repeat(`{"n":1,"v":1},`, 4000), ",")
	var all []string
	for range 150 {
		all = append(all, entry("m", Update, `{"f:l":{"k:{\"n\":1}":{"f:v":{}}}}`))
	}
	b, _ := blamed(t, with(t, `{"l":[`+items+`]}`, "["+strings.Join(all, ",")+"]"))
	holds := 0
	for _, h := range b.direct {
		holds += len(h)
	}
	if holds > maxCopies {
		t.Errorf("%d claims were laid", holds)
	}
	if lost := b.Lost(); len(lost) == 0 || lost[0].Reason != TooMuch {
		t.Errorf("%d lost", len(lost))
	}
}

func TestPathsBreakOff(t *testing.T) {
	key := strings.Repeat("ü", maxPath)
	b, document := blamed(t, with(t, `{"`+key+`":{"b":["x"]}}`, "["+entry("m", Apply, `{"f:`+key+`":{"f:b":{"v:\"`+key+`\"":{}}}}`)+"]"))
	for _, line := range Lines(document.Places) {
		if path := b.Path(line.Node); len(path) > maxPath+len("…") || !strings.HasPrefix(path, ".") {
			t.Errorf("%d bytes", len(path))
		}
	}
	if path := b.Lost()[0].Path; !strings.HasSuffix(path, "…") || len(path) > maxPath+len("…") {
		t.Errorf("%d bytes: %.20s", len(path), path)
	}
}

type schema struct{}

func (schema) KeyDefault(list *manifest.Node, key string) (any, bool) {
	if list.Key == "ports" {
		return "TCP", key == "protocol"
	}
	return "usual", list.Key == "items" && key == "zone"
}

func (schema) Atomic(n *manifest.Node) (atomic, ok bool) { return n.Key == "whole", n.Key != "spec" }

func (schema) Names(list *manifest.Node) (keys []string, set bool) {
	if list.Key == "ports" {
		keys = []string{"port", "protocol"}
	}
	return keys, list.Key == "set"
}

// The schema says what identifies the items of lists, also if nobody owns them or claims don't tell.
func TestTheSchemaNamesItems(t *testing.T) {
	o := with(t, `{"spec":{"ports":[{"port":1},{"port":2,"protocol":"UDP"}],"set":["a",2],"list":["a"]}}`, "["+entry("m", Apply, `{"f:spec":{"f:set":{"v:\"a\"":{}}}}`)+"]")
	b := Parse(o.Fields).On(manifest.Tree(o.WithoutManagedFields().Fields), schema{})
	var got []string
	for _, list := range b.Root.Field("spec").Children {
		for _, item := range list.Children {
			got = append(got, b.Path(item))
		}
	}
	want := []string{`.spec.list[0]`, `.spec.ports[port=1,protocol="TCP"]`, `.spec.ports[port=2,protocol="UDP"]`, `.spec.set[="a"]`, `.spec.set[=2]`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if keys := b.KeysOf(b.Find(want[1])[0]); !slices.Equal(keys, []string{"port", "protocol"}) {
		t.Errorf("the items are identified by %q", keys)
	}
}

func TestSchema(t *testing.T) {
	o := with(t, `{"spec":{"items":[{"name":"a"}],"loose":{"x":1},"whole":{"x":1,"y":2}}}`,
		"["+entry("m", Apply, `{"f:spec":{"f:items":{"k:{\"name\":\"a\",\"zone\":\"usual\"}":{".":{}}},"f:loose":{},"f:whole":{}}}`)+","+
			entry("o", Update, `{"f:spec":{"f:whole":{"f:x":{}}}}`)+"]")
	b := Parse(o.Fields).On(manifest.Tree(o.WithoutManagedFields().Fields), schema{})
	for path, want := range map[string]string{
		`.spec.items[name="a",zone="usual"]`: "m direct", ".spec.loose": "m direct", ".spec.loose.x": "",
		".spec.whole.x": "o direct, m atomic", ".spec.whole.y": "m atomic",
	} {
		if got := owned(b, path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// An older version of an API may name the items of a list by fewer keys; its claims still find them.
func TestItemsAreNamedVersionByVersion(t *testing.T) {
	now := entry("now", Apply, `{"f:l":{"k:{\"name\":\"a\",\"zone\":\"z\"}":{".":{}}}}`)
	past := strings.Replace(entry("past", Apply, `{"f:l":{"k:{\"name\":\"a\"}":{"f:name":{}}}}`), `"v1"`, `"v1beta1"`, 1)
	b, _ := blamed(t, with(t, `{"apiVersion":"v1","l":[{"name":"a","zone":"z"}]}`, "["+past+","+now+"]"))
	for path, want := range map[string]string{`.l[name="a",zone="z"]`: "now direct", `.l[name="a",zone="z"].name`: "past direct"} {
		if got := owned(b, path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	if claims := b.Claims(b.Find(`.l[name="a",zone="z"].name`)[0]); !claims[0].OtherVersion {
		t.Error("the claim is not said to be in another version")
	}
}
