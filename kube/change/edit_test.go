package change

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/rounds"
)

const pods = `{"l":[{"name":"app","image":"a:1","env":"x"},{"name":"log","image":"l:1"}],"n":3,"w":["p","q"]}`

const podClaims = `{"f:spec":{"f:l":{"k:{\"name\":\"app\"}":{".":{},"f:name":{},"f:image":{},"f:env":{}},"k:{\"name\":\"log\"}":{".":{},"f:name":{},"f:image":{}}},"f:n":{},"f:w":{}}}`

var editCases = []struct {
	name, live, opened, edited string
	share                      [][]string
	stated                     string // the spec
	changed, removed, staying  string
	left                       int
}{
	{name: "nothing", live: thing(pods, "bob Update 1 "+podClaims), opened: pods, edited: pods, stated: "null", left: 9},
	{
		name: "a value", live: thing(pods, "bob Update 1 "+podClaims), opened: pods, edited: strings.Replace(pods, "a:1", "a:2", 1),
		stated: `{"l":[{"image":"a:2","name":"app"}]}`, changed: `.spec.l[name="app"].image`, left: 7,
	},
	{
		name: "a list that has one owner", live: thing(pods, "bob Update 1 "+podClaims), opened: pods, edited: strings.Replace(pods, `"q"`, `"r"`, 1),
		stated: `{"w":["p","r"]}`, changed: ".spec.w", left: 8,
	},
	{
		name: "an item", live: thing(pods, "bob Update 1 "+podClaims), opened: pods, edited: strings.Replace(pods, `],"n"`, `,{"name":"new","image":"n:1"}],"n"`, 1),
		stated: `{"l":[{"image":"n:1","name":"new"}]}`, changed: `.spec.l[name="new"]`, left: 9,
	},
	{
		name: "a renamed item", live: thing(pods, "bob Update 1 "+podClaims), opened: pods, edited: strings.Replace(pods, `"log"`, `"tail"`, 1),
		stated: `{"l":[{"image":"l:1","name":"tail"}]}`, changed: `.spec.l[name="tail"]`, staying: `.spec.l[name="log"] bob`, left: 6,
	},
	{
		name: "a field of another manager is removed", live: thing(`{"a":1,"b":2}`, `bob Apply 1 {"f:spec":{"f:a":{},"f:b":{}}}`), opened: `{"a":1,"b":2}`, edited: `{"a":1}`,
		stated: "null", staying: ".spec.b bob", left: 1,
	},
	{
		name: "a field of nobody is removed", live: thing(`{"a":1,"b":2}`, `bob Apply 1 {"f:spec":{"f:a":{}}}`), opened: `{"a":1,"b":2}`, edited: `{"a":1}`,
		stated: "null", staying: ".spec.b ", left: 1,
	},
	{
		name: "a field of one's own is removed, and the others stay", live: thing(`{"a":1,"b":2,"c":3}`, `me Apply 1 {"f:spec":{"f:a":{},"f:b":{}}}`), opened: `{"a":1,"b":2,"c":3}`, edited: `{"a":1,"c":3}`,
		stated: `{"a":1}`, removed: ".spec.b", left: 1,
	},
	{
		name: "a map of which a part is one's own is removed", live: thing(`{"m":{"a":1,"b":2}}`, `me Apply 1 {"f:spec":{"f:m":{"f:a":{}}}}`, `bob Apply 1 {"f:spec":{"f:m":{"f:b":{}}}}`), opened: `{"m":{"a":1,"b":2}}`, edited: `{}`,
		stated: "null", removed: ".spec.m", staying: ".spec.m.b bob",
	},
	{
		name: "the second edit keeps the first", live: thing(`{"a":5,"b":2}`, `me Apply 1 {"f:spec":{"f:a":{}}}`), opened: `{"a":5,"b":2}`, edited: `{"a":5,"b":3}`,
		stated: `{"a":5,"b":3}`, changed: ".spec.b",
	},
	{
		name: "what has changed since stays", live: thing(`{"a":7,"b":2}`, `me Apply 1 {"f:spec":{"f:a":{}}}`), opened: `{"a":5,"b":2}`, edited: `{"a":5,"b":3}`,
		stated: `{"a":7,"b":3}`, changed: ".spec.b",
	},
	{
		name: "share", live: thing(`{"a":1,"b":2}`, `bob Apply 1 {"f:spec":{"f:a":{},"f:b":{}}}`), opened: `{"a":1,"b":2}`, edited: `{"a":1,"b":2}`, share: [][]string{{".spec", ".a"}},
		stated: `{"a":1}`, left: 1,
	},
	{
		name: "share a field with a dot", live: thing(`{"x.y":1,"x":{"y":2},"":3,"two\nlines":4}`, `bob Apply 1 {"f:spec":{"f:":{},"f:two\nlines":{},"f:x":{"f:y":{}},"f:x.y":{}}}`), opened: `{"x.y":1,"x":{"y":2},"":3,"two\nlines":4}`, edited: `{"x.y":1,"x":{"y":2},"":3,"two\nlines":4}`, share: [][]string{{".spec", ".x.y"}},
		stated: `{"x.y":1}`, left: 3,
	},
	{
		name: "share a field with the same path", live: thing(`{"x.y":1,"x":{"y":2},"":3,"two\nlines":4}`, `bob Apply 1 {"f:spec":{"f:":{},"f:two\nlines":{},"f:x":{"f:y":{}},"f:x.y":{}}}`), opened: `{"x.y":1,"x":{"y":2},"":3,"two\nlines":4}`, edited: `{"x.y":1,"x":{"y":2},"":3,"two\nlines":4}`, share: [][]string{{".spec", ".x", ".y"}},
		stated: `{"x":{"y":2}}`, left: 3,
	},
	{
		name: "share a field without a name", live: thing(`{"x.y":1,"x":{"y":2},"":3,"two\nlines":4}`, `bob Apply 1 {"f:spec":{"f:":{},"f:two\nlines":{},"f:x":{"f:y":{}},"f:x.y":{}}}`), opened: `{"x.y":1,"x":{"y":2},"":3,"two\nlines":4}`, edited: `{"x.y":1,"x":{"y":2},"":3,"two\nlines":4}`, share: [][]string{{".spec", "."}},
		stated: `{"":3}`, left: 3,
	},
	{
		name: "share a field of two lines", live: thing(`{"x.y":1,"x":{"y":2},"":3,"two\nlines":4}`, `bob Apply 1 {"f:spec":{"f:":{},"f:two\nlines":{},"f:x":{"f:y":{}},"f:x.y":{}}}`), opened: `{"x.y":1,"x":{"y":2},"":3,"two\nlines":4}`, edited: `{"x.y":1,"x":{"y":2},"":3,"two\nlines":4}`, share: [][]string{{".spec", ".two\nlines"}},
		stated: `{"two\nlines":4}`, left: 3,
	},
	{
		name: "the editor didn’t begin with the object", live: thing(`{"a":1,"b":2,"c":3}`, `me Apply 1 {"f:spec":{"f:b":{}}}`), edited: `{"a":1,"d":4}`,
		stated: `{"d":4}`, changed: ".spec.d", removed: ".spec.b", left: 1,
	},
	{
		name: "another shape", live: thing(`{"a":{"b":1}}`, `bob Apply 1 {"f:spec":{"f:a":{"f:b":{}}}}`), opened: `{"a":{"b":1}}`, edited: `{"a":[1]}`, stated: `{"a":[1]}`, changed: ".spec.a",
	},
}

func specOf(t *testing.T, spec string) map[string]any {
	t.Helper()
	if spec == "" {
		return nil
	}
	return parse(t, `{"apiVersion":"v1","kind":"Thing","metadata":{"name":"x"},"spec":`+spec+`}`)
}

// joined are paths, made of their parts.
func joined(all [][]string) string {
	paths := make([]string, len(all))
	for i, parts := range all {
		paths[i] = strings.Join(parts, "")
	}
	return strings.Join(paths, " ")
}

func TestPart(t *testing.T) {
	for _, c := range editCases {
		t.Run(c.name, func(t *testing.T) {
			p := Part(Edit{Opened: specOf(t, c.opened), Edited: specOf(t, c.edited), Live: parse(t, c.live), Manager: me, Share: c.share})
			var staying []string
			for _, s := range p.Staying {
				staying = append(staying, s.Path+" "+spellOwners(s.Owners))
			}
			if got := written(p.Stated["spec"]); got != c.stated {
				t.Errorf("it states %s", got)
			}
			if p.Stated["kind"] != "Thing" || written(p.Stated["metadata"]) != `{"name":"x"}` {
				t.Errorf("it is about %s", written(p.Stated))
			}
			for what, got := range map[string][2]string{
				"changed": {strings.Join(p.Changed, " "), c.changed}, "removed": {strings.Join(p.Removed, " "), c.removed},
				"staying": {strings.Join(staying, ", "), c.staying}, "shared": {strings.Join(p.Shared, " "), joined(c.share)},
			} {
				if got[0] != got[1] {
					t.Errorf("%s: %q, not %q", what, got[0], got[1])
				}
			}
			if p.Left != c.left {
				t.Errorf("%d fields are left, not %d", p.Left, c.left)
			}
			if p.Nothing() != (c.changed+c.removed == "" && c.share == nil) {
				t.Errorf("nothing: %v", p.Nothing())
			}
		})
	}
}

func TestOtherOrderOfItemsIsSaid(t *testing.T) {
	live := thing(pods, "bob Update 1 "+podClaims)
	edited := `{"l":[{"name":"log","image":"l:1"},{"name":"app","image":"a:1","env":"x"}],"n":3,"w":["p","q"]}`
	p := Part(Edit{Opened: specOf(t, pods), Edited: specOf(t, edited), Live: parse(t, live), Manager: me})
	if !p.Nothing() || !slices.Equal(p.Reordered, []string{".spec.l"}) {
		t.Errorf("%+v", p)
	}
}

// edited is an object after somebody has changed, added and removed fields of it.
func (w cluster) edited(v any) any {
	switch v := v.(type) {
	case map[string]any:
		fields := map[string]any{}
		for name, child := range v {
			if name == "name" || name == "spec" || w.IntN(6) > 0 {
				fields[name] = w.edited(child)
			}
		}
		if w.IntN(4) == 0 {
			fields["new"] = w.scalar()
		}
		return fields
	case []any:
		items := []any{}
		for _, item := range v {
			if w.IntN(5) > 0 {
				items = append(items, w.edited(item))
			}
		}
		if w.IntN(5) == 0 {
			items = append(items, map[string]any{"name": "four", "a": w.scalar()})
		}
		return items
	case string:
		return v
	default:
		if w.IntN(4) == 0 {
			return w.scalar()
		}
		return v
	}
}

// some is a part of an object, as a manager may own it.
func (w cluster) some(v any) any {
	switch v := v.(type) {
	case map[string]any:
		fields := map[string]any{}
		for name, child := range v {
			if name == "name" || w.IntN(2) == 0 {
				fields[name] = w.some(child)
			}
		}
		return fields
	case []any:
		items := []any{}
		for _, item := range v {
			if w.IntN(2) == 0 {
				items = append(items, w.some(item))
			}
		}
		return items
	default:
		return v
	}
}

// applyTo is what a server makes of an apply: fields are merged, and those that only the manager owned and no longer states are removed.
func applyTo(w cluster, live, stated, mine, others any) any {
	result := w.merged(live, stated, false)
	return pruned(result, mine, stated, others)
}

func pruned(v, mine, stated, others any) any {
	switch v := v.(type) {
	case map[string]any:
		fields := map[string]any{}
		m, s, o := fieldsOf(mine), fieldsOf(stated), fieldsOf(others)
		for name, child := range v {
			_, was := m[name]
			_, is := s[name]
			_, theirs := o[name]
			if len(fieldsOf(child)) == 0 && len(itemsOf(child)) == 0 && was && !is && !theirs {
				continue
			}
			next := pruned(child, m[name], s[name], o[name])
			if was && !is && !theirs && emptied(next) {
				continue
			}
			fields[name] = next
		}
		return fields
	case []any:
		items := []any{}
		for _, item := range v {
			m, s, o := itemOf(mine, item), itemOf(stated, item), itemOf(others, item)
			next := pruned(item, m, s, o)
			if m != nil && s == nil && o == nil && emptied(next) {
				continue
			}
			items = append(items, next)
		}
		return items
	}
	return v
}

func fieldsOf(v any) map[string]any { m, _ := v.(map[string]any); return m }
func itemsOf(v any) []any           { l, _ := v.([]any); return l }
func emptied(v any) bool            { return shape(v) > 0 && len(fieldsOf(v)) == 0 && len(itemsOf(v)) == 0 }

func itemOf(list, like any) any {
	for _, item := range itemsOf(list) {
		if nameOf(item) == nameOf(like) {
			return item
		}
	}
	return nil
}

// leavesOf are the values of an object by path, with the names of items.
func leavesOf(v any, path string, all map[string]string) map[string]string {
	switch v := v.(type) {
	case map[string]any:
		for name, child := range v {
			leavesOf(child, path+"."+name, all)
		}
	case []any:
		for _, item := range v {
			name, _ := nameOf(item).(string)
			leavesOf(item, path+"["+name+"]", all)
		}
	default:
		all[path] = written(v)
	}
	return all
}

// What Part computes, applied to the object, gives the edited object, except for fields that stay because somebody else owns them. And it
// claims nothing but what was changed, and what the manager owned already.
func TestPartGivesTheEditedObject(t *testing.T) {
	for seed := range uint64(rounds.Of(600)) {
		w := cluster{rand.New(rand.NewPCG(seed, 18))}
		spec := w.object(3)
		own := w.some(spec)
		live := withRecord(spec, applied("me", own), applied("others", spec))
		if w.IntN(2) == 0 {
			live = withRecord(spec, applied("me", spec))
			own = spec
		}
		edited := w.edited(spec)
		p := Part(Edit{Opened: withRecord(spec), Edited: withRecord(edited), Live: live, Manager: me})
		var others any
		if len(ownership.Parse(live).Entries) > 1 {
			others = spec
		}
		stated := p.Stated["spec"]
		if stated == nil {
			stated = map[string]any{}
		}
		got := leavesOf(applyTo(w, spec, stated, own, others), "", map[string]string{})
		want := leavesOf(edited, "", map[string]string{})
		for path, v := range want {
			if got[path] != v {
				t.Errorf("%s is %s, not %s", path, got[path], v)
			}
		}
		before := leavesOf(spec, "", map[string]string{})
		for path := range got {
			if _, wanted := want[path]; !wanted && others == nil {
				t.Errorf("%s stays", path)
			}
		}
		mine := leavesOf(own, "", map[string]string{})
		for path, v := range leavesOf(p.Stated["spec"], "", map[string]string{}) {
			if _, owned := mine[path]; !owned && before[path] == v && !strings.HasSuffix(path, ".name") && want[path] == v {
				t.Errorf("it claims %s, which is not changed", path)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d\nlive   %s\nmine   %s\nedited %s\nstated %s", seed, written(spec), written(own), written(edited), written(p.Stated["spec"]))
		}
	}
}

// If nobody knows the keys of a list, the list is applied as a whole: a part of it could replace all of it.
func TestPartOfAListWithoutKeys(t *testing.T) {
	opened := `{"l":[{"name":"a","v":1},{"name":"b","v":2}]}`
	in := Edit{Opened: specOf(t, opened), Live: specOf(t, opened), Edited: specOf(t, strings.Replace(opened, "2", "3", 1)), Manager: me}
	if got := written(Part(in).Stated["spec"]); got != `{"l":[{"name":"a","v":1},{"name":"b","v":3}]}` {
		t.Errorf("it states %s", got)
	}
}
