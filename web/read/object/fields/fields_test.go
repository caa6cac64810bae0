package fields

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
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/web/read/object/document"
	"github.com/fieldmark/fieldmark/web/read/object/tab"
)

const containers = ".spec.template.spec.containers"

// recorded is the tab of one of the objects that a real server kept a record of.
func recorded(t *testing.T, name, text string) on {
	t.Helper()
	data, err := os.ReadFile("../../../../kube/ownership/testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	o, err := object.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	p, err := apipath.Parse("/apis/apps/v1/namespaces/shop/deployments/web")
	if err != nil {
		t.Fatal(err)
	}
	return on{
		Model{Reading: ParseReading(query(t, text))},
		About{About: tab.About{Object: o, Path: p, Cluster: "practice", Title: "web", Now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}},
	}
}

func query(t *testing.T, text string) url.Values {
	t.Helper()
	q, err := url.ParseQuery(text)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func markup(t *testing.T, m on) string {
	t.Helper()
	var b strings.Builder
	if err := Show(m.Model, m.About).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func viewOf(t *testing.T, m on) *fieldsView {
	t.Helper()
	v, d := m.shown()
	if v == nil {
		t.Fatal(d.Err)
	}
	return v
}

// drawn are the lines of the document by their paths.
func drawn(t *testing.T, m on) map[string]components.BlameLine {
	t.Helper()
	lines := map[string]components.BlameLine{}
	for _, l := range viewOf(t, m).blamed(document.Document{}, nil).Lines {
		lines[l.Path] = l
	}
	return lines
}

// recorded is the page of one of the objects that a real server kept a record of.
// drawn are the lines of the document by their paths.
func TestReadingsSurviveTheirAddress(t *testing.T) {
	for _, text := range []string{
		"", "field=.spec.replicas", "manager=a&manager=b%2CUpdate%2Cstatus", "only=shared", "only=nobody&filter=x", "field=.a&filter=b&manager=c&only=status",
	} {
		r := ParseReading(query(t, text))
		if got := r.Query().Encode(); got != query(t, text).Encode() {
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
		".spec":                             "line 16, no owner, but its fields have owners",
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
	before := viewOf(t, m).Managers
	entries := m.Object.Fields["metadata"].(map[string]any)["managedFields"].([]any)
	for i, e := range entries {
		e.(map[string]any)["time"] = "2026-11-21T12:00:0" + string(rune('9'-i)) + "Z"
	}
	slices.Reverse(entries)
	for i, after := range viewOf(t, m).Managers {
		if after.Manager != before[i].Manager || after.ID != before[i].ID {
			t.Errorf("column %d was %s, and is %s", i, before[i].ID, after.ID)
		}
	}
	looks := map[[2]int]bool{}
	for _, mgr := range before {
		look := [2]int{mgr.Hue, mgr.Mark}
		if looks[look] || mgr.Hue < 1 || mgr.Hue > components.Hues {
			t.Errorf("%+v", mgr.Manager)
		}
		looks[look] = true
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
	for _, p := range v.ownership(v.countValues()).Portions {
		at, err := url.ParseQuery(strings.TrimPrefix(p.Href, "?"))
		if err != nil {
			t.Fatal(err)
		}
		m.Reading = ParseReading(at)
		lines := 0
		for _, l := range viewOf(t, m).blamed(document.Document{}, nil).Lines {
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

func TestAFilterFindsAPathAsPeopleTypeIt(t *testing.T) {
	for _, filter := range []string{"containers[name=app].image", containers + `[name="app"].image`, "spec.template.spec.containers[name='app'].image"} {
		lines := drawn(t, recorded(t, "scaled", url.Values{"filter": {filter}}.Encode()))
		if _, there := lines[containers+`[name="app"].image`]; !there || lines == nil || len(lines) > 12 {
			t.Errorf("%s: %d lines", filter, len(lines))
		}
	}
}

func TestExplanations(t *testing.T) {
	for _, c := range []struct {
		object, field string
		want          []string
	}{
		{"scaled", ".spec.replicas", []string{"kubectl", "Update · scale", "The entry claims exactly this field.", "f:spec", "f:replicas", "it conflicts with kubectl (Update, scale). With force, the manager takes the field."}},
		{"scaled", ".spec.selector.matchLabels.app", []string{"The entry claims .spec.selector, which has one owner as a whole"}},
		{"scaled", ".spec.selector", []string{"Owners of the values in this field", "it conflicts with deployer (Apply)"}},
		{"scaled", ".spec", []string{"no owner, but its fields have owners", "nobody owns", "Owners of the values in this field"}},
		{"scaled", ".metadata.uid", []string{"The server sets it"}},
		{"scaled", ".metadata.name", []string{"It identifies the object"}},
		{"scaled", ".spec.strategy.type", []string{"No entry claims it", "without a conflict"}},
		{"scaled", containers + `[name="app"]`, []string{"The entry claims exactly this field."}},
		{"scaled", containers + `[name="app"].args`, []string{"The list item that starts in this line is owned too", `k:{&#34;name&#34;:&#34;app&#34;}`}},
		{"coowners", ".data.both", []string{"together with"}},
		{"scaled", "spec.template.spec.containers[name=app]", []string{`.spec.template.spec.containers[name=&#34;app&#34;]`, "The entry claims exactly this field."}},
		{"scaled", "spec.replicsa", []string{"doesn’t have this field", "Did you mean .spec.replicas?"}},
		{"scaled", ".spec.nosuch", []string{"doesn’t have this field, and nobody claims it"}},
		{"crowd", "", []string{"not a real manager: the server merged older Update entries here", "Choose a line"}},
		{"untracked", "", []string{"No managed fields", "Updates don’t start a record"}},
	} {
		m := recorded(t, c.object, "")
		m.Reading.Field = c.field
		shown := markup(t, m)
		for _, words := range c.want {
			if !strings.Contains(shown, words) {
				t.Errorf("%s %s does not say %q", c.object, c.field, words)
			}
		}
	}
}

func TestAFieldLeadsToWhoCouldChangeIt(t *testing.T) {
	path, err := apipath.Parse("/apis/apps/v1/namespaces/shop/deployments/web")
	if err != nil {
		t.Fatal(err)
	}
	m := on{About: About{About: tab.About{Cluster: "c", Path: path, Type: discovery.Type{Subresources: []discovery.Subresource{{Name: "status"}}}}}}
	const spec = "/c/c/-/who-can?path=%2Fapis%2Fapps%2Fv1%2Fnamespaces%2Fshop%2Fdeployments%2Fweb"
	for field, want := range map[string]string{".spec.replicas": spec, ".statusful": spec, ".status": spec + "&subresource=status", ".status.replicas": spec + "&subresource=status"} {
		if got := m.whoCan(field); got != want {
			t.Errorf("%s: %s", field, got)
		}
	}
	m.Type.Subresources = nil // fields of its status are written as all others
	if got := m.whoCan(".status.replicas"); got != spec {
		t.Errorf("%s", got)
	}
}

func TestWhatIsClaimedAndNotThereIsListed(t *testing.T) {
	m := recorded(t, "moving", "")
	v := viewOf(t, m)
	if len(v.lost()) == 0 {
		t.Fatal("nothing is lost in this object")
	}
	shown := markup(t, m)
	for _, l := range v.lost() {
		if !strings.Contains(shown, l.reason) {
			t.Errorf("%+v is not listed", l)
		}
	}
}

func TestVersionsThatAreNoLongerServed(t *testing.T) {
	m := recorded(t, "moving", "")
	const former = "own.fieldmark.example/v1beta1"
	shown := markup(t, m)
	if !strings.Contains(shown, "claims in "+former) || strings.Contains(shown, "no longer served") {
		t.Error("a version that is served is not told as such")
	}
	m.Unserved = []string{former}
	if shown := markup(t, m); !strings.Contains(shown, former+" is no longer served: the next write may delete these claims. In a custom resource, applies may fail because of them") {
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
		{nil, nil, []string{"Writes through subresources", "aren’t recorded"}},
		{[]discovery.Subresource{sub("log", "Pod", "get"), sub("exec", "PodExecOptions", "create")}, nil, []string{"Writes through subresources", "exec"}},
		{
			[]discovery.Subresource{sub("status", "Pod", "get", "patch"), sub("scale", "Scale", "update")},
			[]string{
				"Writes through status have their own entries",
				"Writes through scale are recorded only if a manager already owns the number of replicas. Otherwise nobody owns the new value.",
			},
			[]string{"aren’t recorded", "status and scale"},
		},
		{
			[]discovery.Subresource{sub("binding", "Binding", "create"), sub("eviction", "Eviction", "create")},
			[]string{"Writes through binding and eviction aren’t recorded. The body of such a request isn’t a Pod", "Or the value was written through binding and eviction"},
			[]string{"their own entries"},
		},
	} {
		m.Type.Subresources = c.subresources
		shown := markup(t, m)
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

func TestTheSecondLineSaysWhenItsOwnerWrote(t *testing.T) {
	m := recorded(t, "scaled", "")
	lines := drawn(t, m)
	for path, want := range map[string]bool{".spec.selector": false, ".spec.selector.matchLabels": true, ".spec.selector.matchLabels.app": false, ".spec.replicas": false, ".spec.strategy.type": false} {
		if wrote := lines[path].Wrote; strings.HasPrefix(wrote, "last wrote ") != want || !want && wrote != "" {
			t.Errorf("%s: %q", path, wrote)
		}
	}
}
