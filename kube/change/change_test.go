package change

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
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

// entry is one of managedFields: "alice Apply 1 {…}".
func entry(words string) string {
	part := strings.SplitN(words, " ", 4)
	name, sub, _ := strings.Cut(part[0], "/")
	if sub != "" {
		sub = `"subresource":"` + sub + `",`
	}
	return fmt.Sprintf(`{"manager":%q,"operation":%q,%s"apiVersion":"v1","fieldsType":"FieldsV1","time":"2026-01-02T03:04:0%sZ","fieldsV1":%s}`, name, part[1], sub, part[2], part[3])
}

// thing is an object with a spec, and with entries.
func thing(spec string, entries ...string) string {
	all := make([]string, 0, len(entries))
	for _, e := range entries {
		all = append(all, entry(e))
	}
	return `{"apiVersion":"v1","kind":"Thing","metadata":{"name":"x","managedFields":[` + strings.Join(all, ",") + `]},"spec":` + spec + `}`
}

func spellOwners(owners []ownership.Owner) string {
	names := make([]string, 0, len(owners))
	for _, o := range owners {
		names = append(names, o.Name)
	}
	return strings.Join(names, "+")
}

func spell(r Row) string {
	text := fmt.Sprintf("%s %s %s→%s [%s→%s] %s", r.Path, r.What, r.Old, r.New, spellOwners(r.Before), spellOwners(r.After), r.Cause)
	if r.Claim != "" {
		text += ", " + string(r.Claim)
	}
	if r.Vanishes {
		text += ", vanishes"
	}
	return text
}

var me = ownership.Manager{Name: "me", Operation: ownership.Apply, APIVersion: "v1"}

var compareCases = []struct {
	name                  string
	live, predicted, sent string
	rows                  []string
	words                 string // of the first row
}{
	{
		"nothing", thing(`{"a":1}`, `me Apply 1 {"f:spec":{"f:a":{}}}`), thing(`{"a":1}`, `me Apply 1 {"f:spec":{"f:a":{}}}`), thing(`{"a":1}`), nil, "",
	},
	{
		"a new value of one's own",
		thing(`{"a":1}`, `me Apply 1 {"f:spec":{"f:a":{}}}`), thing(`{"a":2}`, `me Apply 2 {"f:spec":{"f:a":{}}}`), thing(`{"a":2}`),
		[]string{".spec.a changed 1→2 [me→me] you"},
		"You change the value from 1 to 2.",
	},
	{
		"share",
		thing(`{"a":1}`, `gitops Apply 1 {"f:spec":{"f:a":{}}}`),
		thing(`{"a":1}`, `gitops Apply 1 {"f:spec":{"f:a":{}}}`, `me Apply 2 {"f:spec":{"f:a":{}}}`), thing(`{"a":1}`),
		[]string{".spec.a owner 1→1 [gitops→gitops+me] you, shared"},
		"The value stays. You become an owner beside gitops (Apply).",
	},
	{
		"take by force",
		thing(`{"a":1}`, `hpa/scale Update 1 {"f:spec":{"f:a":{}}}`), thing(`{"a":2}`, `me Apply 2 {"f:spec":{"f:a":{}}}`), thing(`{"a":2}`),
		[]string{".spec.a changed 1→2 [hpa→me] you, taken"},
		"You change the value from 1 to 2. You become the only owner, instead of hpa (Update, scale).",
	},
	{
		"given up and gone",
		thing(`{"a":1,"b":2}`, `me Apply 1 {"f:spec":{"f:a":{},"f:b":{}}}`), thing(`{"a":1}`, `me Apply 2 {"f:spec":{"f:a":{}}}`), thing(`{"a":1}`),
		[]string{".spec.b removed 2→ [me→] you, given up, vanishes"},
		"Your manifest no longer has the field, and no other manager owns it. The server removes the field.",
	},
	{
		"given up and kept",
		thing(`{"a":1,"b":2}`, `me Apply 1 {"f:spec":{"f:a":{},"f:b":{}}}`, `gitops Apply 2 {"f:spec":{"f:b":{}}}`),
		thing(`{"a":1,"b":2}`, `me Apply 3 {"f:spec":{"f:a":{}}}`, `gitops Apply 2 {"f:spec":{"f:b":{}}}`), thing(`{"a":1}`),
		[]string{".spec.b owner 2→2 [me+gitops→gitops] you, given up"},
		"The value stays. You are no longer an owner. The field is owned by gitops (Apply).",
	},
	{
		"given up, and the server's default comes", thing(`{"a":5}`, `me Apply 1 {"f:spec":{"f:a":{}}}`), thing(`{"a":1}`, `me Apply 2 {}`), thing(`{}`),
		[]string{".spec.a changed 5→1 [me→] server, given up"},
		"The server changes the value from 5 to 1. You are no longer an owner, so the field has no owner. The request doesn't have the field. The value is a default, or admission added it.",
	},
	{
		"the server tidies the record", thing(`{"a":1}`, `old Update 1 {"f:spec":{"f:a":{}}}`), thing(`{"a":1}`, `ancient-changes Update 1 {"f:spec":{"f:a":{}}}`), thing(`{"a":1}`),
		[]string{".spec.a owner 1→1 [old→ancient-changes] server"},
		"The value stays. The field is owned by ancient-changes (Update) instead of old (Update). The server maintains managedFields. It merges the oldest updates, and drops claims in versions that it no longer serves.",
	},
	{
		"what is added around", thing(`{}`, `me Apply 1 {}`), thing(`{"a":1,"b":"x"}`, `me Apply 2 {"f:spec":{"f:a":{}}}`), thing(`{"a":1}`),
		[]string{".spec.a added →1 [→me] you, gained", `.spec.b added →"x" [→] server`},
		"You set the field to 1. You become the only owner.",
	},
	{
		"admission changes what was sent", thing(`{}`, `me Apply 1 {}`), thing(`{"a":"X"}`, `me Apply 2 {"f:spec":{"f:a":{}}}`), thing(`{"a":"x"}`),
		[]string{`.spec.a added →"X" [→me] server, gained`},
		`The server sets the field to "X". You become the only owner. You sent "x", and the server or admission changed the value to "X".`,
	},
	{
		"items by their keys",
		thing(`{"l":[{"name":"a","v":1},{"name":"b","v":1}]}`, `me Apply 1 {"f:spec":{"f:l":{"k:{\"name\":\"a\"}":{".":{},"f:name":{},"f:v":{}},"k:{\"name\":\"b\"}":{".":{},"f:name":{},"f:v":{}}}}}`),
		thing(`{"l":[{"name":"b","v":2},{"name":"c"}]}`, `me Apply 2 {"f:spec":{"f:l":{"k:{\"name\":\"b\"}":{".":{},"f:name":{},"f:v":{}},"k:{\"name\":\"c\"}":{".":{},"f:name":{}}}}}`),
		thing(`{"l":[{"name":"b","v":2},{"name":"c"}]}`),
		[]string{
			`.spec.l[name="b"].v changed 1→2 [me→me] you`,
			`.spec.l[name="c"].name added →"c" [→me] you, gained`,
			`.spec.l[name="a"] removed {"name":"a","v":1}→ [me→] you, given up, vanishes`,
		},
		"",
	},
	{
		"a removed map in which only a default is",
		thing(`{"struct":{"b":1}}`, `me Apply 1 {"f:spec":{"f:struct":{}}}`), thing(`{}`, `me Apply 2 {}`), thing(`{}`),
		[]string{`.spec.struct removed {"b":1}→ [me→] you, given up, vanishes`},
		"Your manifest no longer has the field, and no other manager owns it. The server removes the field.",
	},
	{
		"a removed item in which another manager has a part",
		thing(`{"l":[{"name":"a","v":1}]}`, `me Apply 1 {"f:spec":{"f:l":{"k:{\"name\":\"a\"}":{".":{},"f:name":{}}}}}`, `o Update 2 {"f:spec":{"f:l":{"k:{\"name\":\"a\"}":{"f:v":{}}}}}`),
		thing(`{}`, `me Apply 3 {}`), thing(`{}`),
		[]string{`.spec.l[name="a"] removed {"name":"a","v":1}→ [me+o→] you, given up, vanishes`},
		"You remove the field, which was also owned by o (Update).",
	},
	{
		"values of a set",
		thing(`{"s":["a","b"]}`, `me Apply 1 {"f:spec":{"f:s":{"v:\"a\"":{}}}}`, `o Apply 2 {"f:spec":{"f:s":{"v:\"b\"":{}}}}`),
		thing(`{"s":["b","c"]}`, `me Apply 3 {"f:spec":{"f:s":{"v:\"c\"":{}}}}`, `o Apply 2 {"f:spec":{"f:s":{"v:\"b\"":{}}}}`), thing(`{"s":["c"]}`),
		[]string{`.spec.s[="c"] added →"c" [→me] you, gained`, `.spec.s[="a"] removed "a"→ [me→] you, given up, vanishes`},
		"",
	},
	{
		"an atomic list",
		thing(`{"l":["a","b"]}`, `o Apply 1 {"f:spec":{"f:l":{}}}`), thing(`{"l":["b"]}`, `me Apply 2 {"f:spec":{"f:l":{}}}`), thing(`{"l":["b"]}`),
		[]string{`.spec.l changed ["a","b"]→["b"] [o→me] you, taken`},
		`You change the value from ["a","b"] to ["b"]. You become the only owner, instead of o (Apply).`,
	},
	{
		"an atomic list of mappings, without a schema",
		thing(`{"l":[{"a":1},{"b":[2]}]}`, `me Apply 1 {"f:spec":{"f:l":{}}}`), thing(`{"l":[{"a":1},{"b":[3]}]}`, `me Apply 1 {"f:spec":{"f:l":{}}}`), thing(`{"l":[{"a":1},{"b":[3]}]}`),
		[]string{`.spec.l changed [{"a":1},{"b":[2]}]→[{"a":1},{"b":[3]}] [me→me] you`},
		"",
	},
	{
		"another type of value",
		thing(`{"a":{"b":1}}`, `me Apply 1 {"f:spec":{"f:a":{"f:b":{}}}}`), thing(`{"a":"x"}`, `me Apply 2 {"f:spec":{"f:a":{}}}`), thing(`{"a":"x"}`),
		[]string{`.spec.a changed {"b":1}→"x" [→me] you, gained`},
		"",
	},
	{
		"a new object", "",
		`{"apiVersion":"v1","kind":"Thing","metadata":{"name":"x-abcde","generateName":"x-","uid":"u-1","creationTimestamp":"2026-01-01T00:00:00Z","labels":{"of":"u-1"},"managedFields":[` + entry(`me Apply 1 {"f:metadata":{"f:generateName":{}},"f:spec":{"f:a":{}}}`) + `]},"spec":{"a":1,"me":"pod x-abcde"}}`,
		`{"apiVersion":"v1","kind":"Thing","metadata":{"generateName":"x-"},"spec":{"a":1}}`,
		[]string{
			`.apiVersion added →"v1" [→] you`, `.kind added →"Thing" [→] you`,
			`.metadata.creationTimestamp added →"2026-01-01T00:00:00Z" [→] generated`,
			`.metadata.generateName added →"x-" [→me] you, gained`,
			`.metadata.labels.of added →"u-1" [→] generated`,
			`.metadata.name added →"x-abcde" [→] generated`,
			`.metadata.uid added →"u-1" [→] generated`,
			`.spec.a added →1 [→me] you, gained`,
			`.spec.me added →"pod x-abcde" [→] generated`,
		},
		"",
	},
}

func TestCompare(t *testing.T) {
	for _, c := range compareCases {
		t.Run(c.name, func(t *testing.T) {
			p, err := Compare(Input{Live: parse(t, c.live), Predicted: parse(t, c.predicted), Sent: parse(t, c.sent), Manager: me})
			if err != nil {
				t.Fatal(err)
			}
			got := make([]string, 0, len(p.Rows))
			for _, r := range p.Rows {
				got = append(got, spell(r))
			}
			if !slices.Equal(got, c.rows) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.rows, "\n"))
			}
			if c.words != "" && p.Rows[0].Words != c.words {
				t.Errorf("words %q", p.Rows[0].Words)
			}
			checkLines(t, p)
		})
	}
}

// checkLines holds a preview's lines against its documents: each line once, in order, and each row on a line.
func checkLines(t *testing.T, p Preview) {
	t.Helper()
	check := func(lines []Line) {
		old, now := 0, 0
		for _, l := range lines {
			if l.Old >= 0 {
				if l.Old != old {
					t.Errorf("line %d of the former comes where %d should", l.Old, old)
				}
				old++
			}
			if l.New >= 0 {
				if l.New != now {
					t.Errorf("line %d of the later comes where %d should", l.New, now)
				}
				now++
			}
			if l.Mark == Same && p.Before.Lines[l.Old].String() != p.After.Lines[l.New].String() {
				t.Errorf("%q is not %q", p.Before.Lines[l.Old], p.After.Lines[l.New])
			}
		}
		if old != len(p.Before.Lines) || now != len(p.After.Lines) {
			t.Errorf("%d and %d lines, want %d and %d", old, now, len(p.Before.Lines), len(p.After.Lines))
		}
	}
	check(p.Lines)
	check(Inline(p.Lines))
	shown := map[int]bool{}
	for _, l := range p.Lines {
		shown[l.Row] = true
		for _, row := range l.Items {
			shown[row] = true
		}
	}
	for i, r := range p.Rows {
		if !shown[i] {
			t.Errorf("no line shows %s", r.Path)
		}
	}
	at := 0
	for _, h := range Fold(p.Lines, 2) {
		for _, l := range p.Lines[at : at+h.Hidden] {
			if l.Mark != Same {
				t.Errorf("%s is folded away", l.Path)
			}
		}
		if at += h.Hidden; at != h.From {
			t.Errorf("a hunk from %d comes at %d", h.From, at)
		}
		at = h.To
	}
	if at != len(p.Lines) {
		t.Errorf("%d lines of %d", at, len(p.Lines))
	}
}

func TestUpdatesTakeAway(t *testing.T) {
	updater := ownership.Manager{Name: "me", Operation: ownership.Update, APIVersion: "v1"}
	live := thing(`{"a":1,"b":2,"c":3}`, `o Apply 1 {"f:spec":{"f:a":{},"f:b":{},"f:c":{}}}`)
	predicted := thing(`{"a":2,"c":3}`, `o Apply 1 {"f:spec":{"f:c":{}}}`, `me Update 2 {"f:spec":{"f:a":{}}}`)
	p, err := Compare(Input{Live: parse(t, live), Predicted: parse(t, predicted), Sent: parse(t, thing(`{"a":2,"c":3}`)), Manager: updater})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{".spec.a changed 1→2 [o→me] you, taken", ".spec.b removed 2→ [o→] you"}
	if len(p.Rows) != 2 || spell(p.Rows[0]) != want[0] || spell(p.Rows[1]) != want[1] {
		t.Errorf("%+v", p.Rows)
	}
	if words := "You remove the field, which was also owned by o (Apply)."; p.Rows[1].Words != words {
		t.Errorf("%q", p.Rows[1].Words)
	}
}

func TestWanted(t *testing.T) {
	for _, c := range compareCases {
		live, sent := parse(t, c.live), parse(t, c.sent)
		p, err := Compare(Input{Live: live, Predicted: parse(t, c.predicted), Sent: sent, Manager: me})
		if err != nil {
			t.Fatal(err)
		}
		if live == nil {
			if !reflect.DeepEqual(p.Wanted, sent) {
				t.Errorf("%s: %v", c.name, p.Wanted)
			}
			continue
		}
		want := map[string]string{
			"given up and kept":                        `{"a":1,"b":2}`,
			"given up, and the server's default comes": `{"a":5}`,
			"values of a set":                          `{"s":["b","c"]}`,
		}[c.name]
		if want == "" {
			want = written(sent["spec"])
		}
		if got := written(p.Wanted["spec"]); got != want {
			t.Errorf("%s: %s, want %s", c.name, got, want)
		}
		if !reflect.DeepEqual(p.Wanted["metadata"], live["metadata"]) {
			t.Errorf("%s: metadata %v", c.name, p.Wanted["metadata"])
		}
	}
}

// fixtures are objects as a real cluster gave them.
func fixtures(t testing.TB) map[string]map[string]any {
	t.Helper()
	files, err := filepath.Glob("../ownership/testdata/*.json")
	if err != nil || len(files) < 10 {
		t.Fatal(err, files)
	}
	all := map[string]map[string]any{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".json")] = parse(t, string(data))
	}
	return all
}

// appsSchema is the schema of a kind in apps/v1.
func appsSchema(t testing.TB, kind string) *schema.Schema {
	t.Helper()
	data, err := os.ReadFile("../schema/testdata/apis_apps_v1.json")
	if err != nil {
		t.Fatal(err)
	}
	d, err := schema.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	s, ok := d.Schema(schema.Kind{Group: "apps", Version: "v1", Kind: kind})
	if !ok {
		t.Fatal("no schema of " + kind)
	}
	return &s
}

// What a manager intends is what it holds, no more and no less, but for what says which object and items are meant.
func TestIntentIsWhatAManagerHolds(t *testing.T) {
	for name, live := range fixtures(t) {
		record := ownership.Parse(live)
		blame := record.On(manifest.Tree(content(live)), nil)
		for _, m := range record.Managers() {
			stated := Intent(live, m.Manager, nil)
			intended := record.On(manifest.Tree(stated), nil)
			for _, h := range blame.Holdings(m.Manager) {
				rounded := strings.Contains(h.Path, "90071992547409") // the server's record has another number than the object
				if h.Lost == "" && len(intended.Find(h.Path)) == 0 && !rounded {
					t.Errorf("%s: %s holds %s, and it is not stated", name, m.Name, h.Path)
				}
			}
			checkStated(t, name, m, blame, intended)
			if _, err := manifest.YAML(stated); err != nil {
				t.Error(err)
			}
		}
	}
}

func checkStated(t *testing.T, name string, m ownership.Owner, live, intended *ownership.Blame) {
	t.Helper()
	var visit func(n *manifest.Node)
	visit = func(n *manifest.Node) {
		for _, child := range n.Children {
			visit(child)
		}
		path := intended.Path(n)
		if len(n.Children) > 0 || slices.Contains([]string{".apiVersion", ".kind", ".metadata.name", ".metadata.namespace"}, path) {
			return
		}
		for _, at := range live.Find(path) {
			isKey := at.Parent.Index >= 0 && slices.Contains(live.KeysOf(at.Parent), at.Key)
			if !isKey && !slices.ContainsFunc(live.Owners(at), func(o ownership.Owner) bool { return o.Same(m.Manager) }) {
				t.Errorf("%s: %s states %s, and doesn't hold it", name, m.Name, path)
			}
		}
		if len(live.Find(path)) == 0 {
			t.Errorf("%s: %s states %s, which isn't there", name, m.Name, path)
		}
	}
	visit(intended.Root)
}

func TestAsItIs(t *testing.T) {
	live := fixtures(t)["scaled"]
	o := AsItIs(live)
	text := written(o)
	for _, gone := range []string{"managedFields", "resourceVersion", "uid", "status", "generation", "creationTimestamp\":\""} {
		if strings.Contains(text, `"`+gone+`"`) {
			t.Errorf("%s is still there", gone)
		}
	}
	if _, has := live["status"]; !has || o["spec"] == nil {
		t.Error("the live object was changed, or its spec is gone")
	}
}

// Nothing changes from an object to itself, whoever writes.
func TestFixturesAgainstThemselves(t *testing.T) {
	for name, live := range fixtures(t) {
		p, err := Compare(Input{Live: live, Predicted: live, Sent: live, Manager: me})
		if err != nil || !p.Nothing() || !reflect.DeepEqual(p.Wanted, live) {
			t.Errorf("%s: %v, %d rows, wanted differs: %v", name, err, len(p.Rows), !reflect.DeepEqual(p.Wanted, live))
		}
		checkLines(t, p)
	}
}

// Two ports of a container differ by protocol, which the manifest leaves to the schema's default.
func TestDefaultsOfTheSchema(t *testing.T) {
	object := func(ports string, entries ...string) map[string]any {
		o := parse(t, thing(`{"template":{"spec":{"containers":[{"name":"app"`+ports+`}]}}}`, entries...))
		o["apiVersion"], o["kind"] = "apps/v1", "Deployment"
		return o
	}
	const claim = `{"f:spec":{"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:name":{}%s}}}}}}`
	ports := `,"f:ports":{"k:{\"containerPort\":80,\"protocol\":\"TCP\"}":{".":{},"f:containerPort":{}}}`
	p, err := Compare(Input{
		Live:      object("", "me Apply 1 "+fmt.Sprintf(claim, "")),
		Predicted: object(`,"ports":[{"containerPort":80,"protocol":"TCP"}]`, "me Apply 2 "+fmt.Sprintf(claim, ports)),
		Sent:      object(`,"ports":[{"containerPort":80}]`), Manager: me, Schema: appsSchema(t, "Deployment"),
	})
	if err != nil || len(p.Rows) != 2 {
		t.Fatal(err, p.Rows)
	}
	const item = `.spec.template.spec.containers[name="app"].ports[containerPort=80,protocol="TCP"]`
	for i, want := range []string{item + ".containerPort added →80 [→me] you, gained", item + `.protocol added →"TCP" [→] server`} {
		if got := spell(p.Rows[i]); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	if why := p.Rows[1].Why; why != "The value is the default in the schema." {
		t.Errorf("%q", why)
	}
	if got := written(p.Wanted["spec"]); got != `{"template":{"spec":{"containers":[{"name":"app","ports":[{"containerPort":80}]}]}}}` {
		t.Errorf("wanted %s", got)
	}
}

// A Service that comes to be gets addresses and ports which a real run may not get.
func TestWhatAServiceGetsIsGenerated(t *testing.T) {
	predicted := fixtures(t)["service"]
	sent := Intent(predicted, ownership.Manager{Name: "ops", Operation: ownership.Apply}, nil)
	p, err := Compare(Input{Predicted: predicted, Sent: sent, Manager: ownership.Manager{Name: "ops", Operation: ownership.Apply}})
	if err != nil {
		t.Fatal(err)
	}
	causes := map[string]Cause{}
	for _, r := range p.Rows {
		causes[r.Path] = r.Cause
	}
	for path, want := range map[string]Cause{
		".spec.clusterIP": Generated, ".spec.clusterIPs": Generated, ".metadata.uid": Generated, ".metadata.creationTimestamp": Generated,
		".metadata.resourceVersion": Generated, ".spec.type": Server, ".spec.selector.app": You, `.spec.ports[port=80,protocol="TCP"].port`: You,
		`.spec.ports[port=80,protocol="TCP"].protocol`: Server,
	} {
		if causes[path] != want {
			t.Errorf("%s: %q, want %q", path, causes[path], want)
		}
	}
	checkLines(t, p)
}

// large is a Deployment of some 500 lines, with an owner for every third of its containers, before and after changes.
func large(t testing.TB) Input {
	t.Helper()
	object := func(version string, moved int) map[string]any {
		var containers []string
		var claims [3]strings.Builder
		for i := range 26 {
			env := ""
			set := `".":{},"f:name":{},"f:image":{},"f:resources":{"f:limits":{"f:cpu":{},"f:memory":{}}},"f:env":{`
			for e := range 5 {
				env += fmt.Sprintf(`,{"name":"E%d","value":"v%d"}`, e, e)
				set += fmt.Sprintf(`"k:{\"name\":\"E%d\"}":{".":{},"f:name":{},"f:value":{}},`, e)
			}
			containers = append(containers, fmt.Sprintf(
				`{"name":"c%d","image":"i:%s","resources":{"limits":{"cpu":"1","memory":"64Mi"}},"env":[%s],"args":["a","b"]}`, i, version, env[1:]))
			fmt.Fprintf(&claims[(i+moved)%3], `,"k:{\"name\":\"c%d\"}":{%s,"f:args":{}}`, i, strings.TrimSuffix(set, ",")+"}")
		}
		var entries []string
		for i, name := range []string{"me", "gitops", "deployer"} {
			entries = append(entries, fmt.Sprintf(`%s Apply 1 {"f:spec":{"f:template":{"f:spec":{"f:containers":{%s}}}}}`, name, claims[i].String()[1:]))
		}
		o := parse(t, thing(`{"template":{"spec":{"containers":[`+strings.Join(containers, ",")+`]}}}`, entries...))
		o["apiVersion"], o["kind"] = "apps/v1", "Deployment"
		return o
	}
	live, predicted := object("1", 0), object("2", 1)
	return Input{Live: live, Predicted: predicted, Sent: content(predicted), Manager: me, Schema: appsSchema(t, "Deployment")}
}

func BenchmarkCompare(b *testing.B) {
	in := large(b)
	base, err := Lay(in.Live, in.Schema)
	if err != nil {
		b.Fatal(err)
	}
	var p Preview
	for b.Loop() {
		if p, err = base.Compare(in.Predicted, in.Sent, in.Manager); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(p.After.Lines)), "lines")
	b.ReportMetric(float64(len(p.Rows)), "rows")
}
