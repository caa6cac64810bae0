package object

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// recorded is the page of one of the objects that a real server kept a record of.
func recorded(t *testing.T, name, text string) Model {
	t.Helper()
	data, err := os.ReadFile("../../../kube/ownership/testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	m := pageOf(t, path, string(data))
	m.Tab, m.Reading = Fields, ParseReading(query(t, text))
	return m
}

func viewOf(t *testing.T, m Model) *fieldsView {
	t.Helper()
	v, d := m.fields()
	if v == nil {
		t.Fatal(d.err)
	}
	return v
}

// drawn are the lines of the document by their paths.
func drawn(t *testing.T, m Model) map[string]components.BlameLine {
	t.Helper()
	lines := map[string]components.BlameLine{}
	for _, l := range viewOf(t, m).blamed(m.document(), nil).Lines {
		lines[l.Path] = l
	}
	return lines
}

func TestReadingsSurviveTheirAddress(t *testing.T) {
	for _, text := range []string{
		"", "field=.spec.replicas", "manager=a&manager=b%2CUpdate%2Cstatus", "only=shared", "only=nobody&filter=x", "field=.a&filter=b&manager=c&only=status",
	} {
		r := ParseReading(query(t, text))
		if got := r.query().Encode(); got != query(t, text).Encode() {
			t.Errorf("%q became %q", text, got)
		}
	}
	if r := ParseReading(query(t, "only=everything")); r.Only != "" {
		t.Errorf("%+v", r)
	}
	if r := ParseReading(map[string][]string{"manager": make([]string, 1000)}); len(r.Managers) != maxChosen {
		t.Errorf("%d managers", len(r.Managers))
	}
}

func TestStructContainersAreNobodysAndEverybodys(t *testing.T) {
	lines := drawn(t, recorded(t, "scaled", ""))
	for path, want := range map[string]string{
		".spec":                             "line 16, nobody’s and everybody’s",
		".spec.strategy.type":               "owned by nobody",
		".spec.replicas":                    "owned by kubectl (Update, scale)",
		".spec.selector.matchLabels.app":    "owned by deployer (Apply)",
		containers + `[name="app"].image`:   "owned by setter (Update)",
		containers + `[name="app"].args[0]`: "owned by deployer (Apply)",
	} {
		l, there := lines[path]
		if !there || !strings.Contains(l.Said, want) && !strings.Contains(want, "line") {
			t.Errorf("%s: %q", path, l.Said)
		}
		var owners []any
		if err := json.Unmarshal([]byte(l.Owners), &owners); err != nil || len(owners) != len(l.Columns) || owners == nil {
			t.Errorf("%s: %s", path, l.Owners)
		}
	}
	if l := lines[".spec"]; l.Nobody || len(l.Columns) > 0 || l.Begins {
		t.Errorf("%+v", l)
	}
}

func TestColumnsAndHuesStayWhenSomebodyWrites(t *testing.T) {
	m := recorded(t, "scaled", "")
	before := viewOf(t, m).managers
	entries := m.Object.Fields["metadata"].(map[string]any)["managedFields"].([]any)
	for i, e := range entries {
		e.(map[string]any)["time"] = "2026-11-21T12:00:0" + string(rune('9'-i)) + "Z"
	}
	slices.Reverse(entries)
	for i, after := range viewOf(t, m).managers {
		if after.Manager != before[i].Manager || after.ID != before[i].ID {
			t.Errorf("column %d was %s, and is %s", i, before[i].ID, after.ID)
		}
	}
	hues := map[int]bool{}
	for _, mgr := range before {
		if hues[mgr.Hue] || mgr.Hue < 1 || mgr.Hue > components.Hues || mgr.Again {
			t.Errorf("%+v", mgr.Manager)
		}
		hues[mgr.Hue] = true
	}
}

func TestOthersStepBack(t *testing.T) {
	for text, want := range map[string]map[string]bool{
		"":                        {".spec": false, ".spec.replicas": false},
		"manager=kubectl":         {".spec": false, ".spec.replicas": false, ".spec.selector": true, ".status": true, ".spec.template": true},
		"manager=kubectl,Update":  {".spec.replicas": true},
		"only=nobody":             {".spec.replicas": true, ".spec.strategy.type": false, ".spec.strategy": false, ".spec.selector": true},
		"only=status":             {".status": false, ".spec.replicas": true},
		"only=shared":             {".spec.replicas": true, ".spec": true},
		"manager=nosuch&only=all": {".spec.replicas": true},
	} {
		lines := drawn(t, recorded(t, "scaled", text))
		for path, dim := range want {
			if l, there := lines[path]; !there || l.Dim != dim {
				t.Errorf("%s: %s is dim: %v", text, path, l.Dim)
			}
		}
	}
}

func TestTheBarLeadsToItsLines(t *testing.T) {
	m := recorded(t, "coowners", "field=.data.both&manager=carol")
	v := viewOf(t, m)
	var got []string
	for _, p := range v.ownership(v.count()).Portions {
		at, err := url.ParseQuery(strings.TrimPrefix(p.Href, "?"))
		if err != nil {
			t.Fatal(err)
		}
		m.Reading = ParseReading(at)
		lines := 0
		for _, l := range viewOf(t, m).blamed(m.document(), nil).Lines {
			if !l.Dim && len(l.Columns) == len(p.Owners) && strings.HasPrefix(l.Path, ".data.") {
				lines++
			}
		}
		got = append(got, fmt.Sprintf("%s; %d in data; field %s", p.Hint, lines, at.Get("field")))
	}
	want := []string{
		"2 values: alice (Apply); 1 in data; field .data.both", "1 value: alice (Apply) and bob (Apply); 1 in data; field .data.both",
		"1 value: bob (Apply); 1 in data; field .data.both", "2 values: carol (Update); 2 in data; field .data.both", "7 values: nobody; 0 in data; field .data.both",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestTheSecondLineSaysWhenItsOwnerWrote(t *testing.T) {
	m := recorded(t, "scaled", "")
	lines := drawn(t, m)
	for path, want := range map[string]bool{".spec.selector": false, ".spec.selector.matchLabels": true, ".spec.selector.matchLabels.app": false, ".spec.replicas": false, ".spec.strategy.type": false} {
		if wrote := lines[path].Wrote; strings.HasPrefix(wrote, "last wrote ") != want || !want && wrote != "" {
			t.Errorf("%s: %q", path, wrote)
		}
	}
	s := alive(t, m)
	s.pass(1)
	before := s.html()
	s.now = s.now.Add(48 * time.Hour)
	s.pass(1)
	if after := s.html(); after == before || !strings.Contains(after, "<small>last wrote ") {
		t.Error("the lines have grown no older")
	}
}

func TestAFilterKeepsWhatHoldsTheLine(t *testing.T) {
	lines := drawn(t, recorded(t, "scaled", "filter=MATCHlabels"))
	for _, path := range []string{".spec", ".spec.selector", ".spec.selector.matchLabels", ".spec.selector.matchLabels.app"} {
		if _, there := lines[path]; !there {
			t.Errorf("%s is not shown", path)
		}
	}
	if len(lines) != 4 {
		t.Errorf("%d lines", len(lines))
	}
}

func TestExplanations(t *testing.T) {
	for _, c := range []struct {
		object, field string
		want          []string
	}{
		{"scaled", ".spec.replicas", []string{"kubectl", "Update · scale", "claims it itself", "f:spec", "f:replicas", "a conflict with kubectl (Update, scale). Forced, the apply takes the field from it"}},
		{"scaled", ".spec.selector.matchLabels.app", []string{"claims .spec.selector, which is owned as a whole"}},
		{"scaled", ".spec.selector", []string{"Of the values in it", "a conflict with deployer (Apply)"}},
		{"scaled", ".spec", []string{"nobody’s and everybody’s", "nobody owns", "Of the values in it"}},
		{"scaled", ".metadata.uid", []string{"the server sets it itself"}},
		{"scaled", ".metadata.name", []string{"part of what makes this object"}},
		{"scaled", ".spec.strategy.type", []string{"no entry claims it", "nobody is in the way"}},
		{"scaled", containers + `[name="app"]`, []string{"claims it itself"}},
		{"scaled", containers + `[name="app"].args`, []string{"The list item that begins in this line is claimed as well", `k:{&#34;name&#34;:&#34;app&#34;}`}},
		{"coowners", ".data.both", []string{"together with"}},
		{"scaled", ".spec.nosuch", []string{"holds no such field, and nobody claims one"}},
		{"crowd", "", []string{"history: older updates that the server no longer tells apart", "Choose a line"}},
		{"untracked", "", []string{"No managed fields", "Updates begin none"}},
	} {
		m := recorded(t, c.object, "")
		m.Reading.Field = c.field
		shown := markup(t, m.Content())
		for _, words := range c.want {
			if !strings.Contains(shown, words) {
				t.Errorf("%s %s does not say %q", c.object, c.field, words)
			}
		}
	}
}

func TestWhatIsClaimedAndNotThereIsListed(t *testing.T) {
	m := recorded(t, "moving", "")
	v := viewOf(t, m)
	if len(v.lost()) == 0 {
		t.Fatal("nothing is lost in this object")
	}
	shown := markup(t, m.Content())
	for _, l := range v.lost() {
		if !strings.Contains(shown, l.reason) {
			t.Errorf("%+v is not listed", l)
		}
	}
}

func TestVersionsThatAreNoLongerServed(t *testing.T) {
	m := recorded(t, "moving", "")
	const former = "own.fieldmark.example/v1beta1"
	shown := markup(t, m.Content())
	if !strings.Contains(shown, "claims in "+former) || strings.Contains(shown, "no longer served") {
		t.Error("a version that is served is not told as such")
	}
	m.Unserved = []string{former}
	if shown := markup(t, m.Content()); !strings.Contains(shown, former+" is no longer served: the next write may drop these claims, and of a custom resource they may make applies fail") {
		t.Error("nothing says that the version is no longer served")
	}
}

func TestWhatOwnershipDoesNotFollowIsTold(t *testing.T) {
	m := recorded(t, "pod", "field=.spec.priority")
	sub := func(name, kind string, verbs ...string) discovery.Subresource {
		return discovery.Subresource{Name: name, Kind: kind, Verbs: verbs}
	}
	m.Type.Kind = "Pod"
	for _, c := range []struct {
		subresources []discovery.Subresource
		want, unsaid []string
	}{
		{nil, nil, []string{"Through subresources", "does not follow"}},
		{[]discovery.Subresource{sub("log", "Pod", "get"), sub("exec", "PodExecOptions", "create")}, nil, []string{"Through subresources", "exec"}},
		{
			[]discovery.Subresource{sub("status", "Pod", "get", "patch"), sub("scale", "Scale", "update")},
			[]string{
				"What is written through status has entries of its own",
				"What is written through scale is noted only where somebody owns the number of replicas already. Where nobody does, it is credited to nobody.",
			},
			[]string{"does not follow", "status and scale"},
		},
		{
			[]discovery.Subresource{sub("binding", "Binding", "create"), sub("eviction", "Eviction", "create")},
			[]string{"Ownership does not follow binding and eviction: such a request holds something else than Pod", "Or they came through binding and eviction"},
			[]string{"entries of its own"},
		},
	} {
		m.Type.Subresources = c.subresources
		shown := markup(t, m.Content())
		for _, words := range c.want {
			if !strings.Contains(shown, words) {
				t.Errorf("%v: it is not said that %q", c.subresources, words)
			}
		}
		for _, words := range c.unsaid {
			if strings.Contains(shown, words) {
				t.Errorf("%v: %q is said", c.subresources, words)
			}
		}
	}
}

func TestTheSchemaTellsWhatIsOwnedAsAWhole(t *testing.T) {
	k := outlined(t, "").knowledge()
	document := viewOf(t, recorded(t, "scaled", "")).document
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
	if (Model{}).knowledge() != nil || (Model{Outline: &Outline{Schema: schema.Schema{}}}).knowledge() != nil {
		t.Error("nothing is known without a schema")
	}
}

func TestWalkingTheLines(t *testing.T) {
	const here = "/c/practice" + path
	s := alive(t, recorded(t, "scaled", ""))
	s.tell(page.Pressed{Key: "j"})
	s.does("Scroll{Top:0 Bottom:38} Focus{ID:at-line-1}")
	s.tell(page.Pressed{Key: "j"}, page.Pressed{Key: "j"}, page.Pressed{Key: "k"})
	if s.m.Reading.Field != ".kind" {
		t.Errorf("the focus is on %s", s.m.Reading.Field)
	}
	s.pass(1)
	s.does("Remember{Address:" + here + "?field=.kind Replace:true}")
	s.tell(page.Addressed{Query: query(t, "field=.spec.template")})
	s.shows(`data-field=".spec.template"`)
	s.tell(page.Addressed{Query: query(t, "field=.spec.template")})
	s.hides(`data-path=".spec.template.spec"`)
	s.shows(`aria-expanded="false"`)
	s.tell(page.Addressed{Query: query(t, "field=.spec.template.spec.restartPolicy")})
	s.shows(`data-path=".spec.template.spec"`)
	s.tell(page.Acted{Action: "fold .spec"})
	s.hides(`data-path=".spec.template"`)
	s.tell(page.Acted{Action: "fold .nosuch"}, page.Acted{Action: "fold .spec"}, page.Typed{Field: "filter", Text: "matchLabels"})
	s.hides(`data-path=".spec.template"`)
	s.tell(page.Pressed{Key: "Escape"})
	s.does("Remember{Address:" + here + " Replace:false}")
	s.shows(`data-path=".spec.template"`)
	s.tell(page.Pressed{Key: "Escape"})
	s.does("Navigate{Address:/c/practice/apis/apps/v1/namespaces/shop/deployments}")
}

func TestOwnersFollowTheObject(t *testing.T) {
	m := recorded(t, "scaled", "field=.spec.replicas")
	s := alive(t, m)
	text, err := json.Marshal(m.Object)
	if err != nil {
		t.Fatal(err)
	}
	s.state(1, string(text))
	s.happens(wire.Modified, strings.NewReplacer(`"resourceVersion":"`, `"resourceVersion":"9`, `"manager":"kubectl"`, `"manager":"autoscaler"`).Replace(string(text)))
	s.shows("a conflict with autoscaler (Update, scale)")
}

func TestOfVeryManyLinesThoseInSightAreLaidOut(t *testing.T) {
	data := make([]string, 5000)
	for i := range data {
		data[i] = `"` + strings.Repeat("k", 1+i%7) + string(rune('a'+i%26)) + strings.Repeat("x", i/200) + string(rune('A'+i%25)) + `":"v"`
	}
	m := pageOf(t, "/api/v1/namespaces/shop/configmaps/web", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"web"},"data":{`+strings.Join(data, ",")+`}}`)
	m.Tab = Fields
	whole := strings.Count(markup(t, m.Content()), "<li id=")
	s := alive(t, m)
	if got := strings.Count(s.html(), "<li id="); whole != maxWhole || got > 400 {
		t.Errorf("%d lines are laid out, and %d before the page was alive", got, whole)
	}
	s.tell(page.Scrolled{Top: 1500 * components.BlameRow, Height: 800})
	s.shows(`<span class="number" aria-hidden="true">1510</span>`)
	s.tell(page.Pressed{Key: "G"})
	s.shows(` current"`)
}
