package assist

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/source"
)

func entry(words string) string {
	part := strings.SplitN(words, " ", 4)
	name, sub, _ := strings.Cut(part[0], "/")
	if sub != "" {
		sub = `"subresource":"` + sub + `",`
	}
	return fmt.Sprintf(`{"manager":%q,"operation":%q,%s"apiVersion":%q,"fieldsType":"FieldsV1","fieldsV1":%s}`, name, part[1], sub, part[2], part[3])
}

func thing(t testing.TB, spec string, all ...string) map[string]any {
	t.Helper()
	for i, e := range all {
		all[i] = entry(e)
	}
	o, err := object.Parse([]byte(`{"apiVersion":"v1","kind":"Thing","metadata":{"name":"x","uid":"u","resourceVersion":"7","managedFields":[` + strings.Join(all, ",") + `]},"spec":` + spec + `}`))
	if err != nil {
		t.Fatal(err)
	}
	return o.Fields
}

func fixture(t testing.TB, name string) map[string]any {
	t.Helper()
	data, err := os.ReadFile("../ownership/testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	o, err := object.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return o.Fields
}

// patched is an object after a step that patches it.
func patched(t testing.TB, live map[string]any, s Step) map[string]any {
	t.Helper()
	before, err := json.Marshal(live)
	if err != nil {
		t.Fatal(err)
	}
	var after []byte
	if s.Request.ContentType == "application/merge-patch+json" {
		after, err = jsonpatch.MergePatch(before, s.Request.Body)
	} else {
		p, wrong := jsonpatch.DecodePatch(s.Request.Body)
		if wrong != nil {
			t.Fatal(wrong)
		}
		after, err = p.Apply(before)
	}
	if err != nil {
		t.Fatalf("%v: %s", err, s.Request.Body)
	}
	o, err := object.Parse(after)
	if err != nil {
		t.Fatal(err)
	}
	return o.Fields
}

func record(live map[string]any) string {
	var all []string
	for _, e := range entries(live) {
		fields, err := json.Marshal(e["fieldsV1"])
		if err != nil {
			return err.Error()
		}
		m := managerOf(e)
		all = append(all, strings.TrimSuffix(m.Name+"/"+m.Subresource, "/")+" "+m.Operation+" "+m.APIVersion+" "+string(fields))
	}
	return strings.Join(all, "\n")
}

const csa = "kubectl-client-side-apply"

func TestToServerSide(t *testing.T) {
	for _, c := range []struct {
		name   string
		before []string
		want   string
	}{
		{"no entry that applies", []string{csa + ` Update v1 {"f:spec":{"f:a":{}}}`}, `me Apply v1 {"f:spec":{"f:a":{}}}`},
		{
			"with one",
			[]string{`me Apply v1 {"f:spec":{"f:b":{}}}`, csa + ` Update v1 {"f:spec":{".":{},"f:a":{}}}`},
			`me Apply v1 {"f:spec":{".":{},"f:a":{},"f:b":{}}}`,
		},
		{
			"a value claimed, and what is in it",
			[]string{`me Apply v1 {"f:spec":{}}`, csa + ` Update v1 {"f:spec":{"f:a":{}}}`},
			`me Apply v1 {"f:spec":{".":{},"f:a":{}}}`,
		},
		{
			"another version is dropped",
			[]string{`me Apply v1 {"f:spec":{"f:b":{}}}`, csa + ` Update v2 {"f:spec":{"f:a":{}}}`},
			`me Apply v1 {"f:spec":{"f:b":{}}}`,
		},
		{
			"others stay",
			[]string{csa + ` Update v1 {"f:spec":{"f:a":{}}}`, csa + `/status Update v1 {"f:status":{}}`, `hpa Update v1 {"f:spec":{"f:a":{}}}`},
			`me Apply v1 {"f:spec":{"f:a":{}}}` + "\n" + csa + `/status Update v1 {"f:status":{}}` + "\n" + `hpa Update v1 {"f:spec":{"f:a":{}}}`,
		},
	} {
		live := thing(t, `{"a":1,"b":2}`, c.before...)
		p := ToServerSide(live, []string{csa}, "me")
		if p.Nothing != "" || len(p.Steps) != 1 {
			t.Errorf("%s: %+v", c.name, p)
			continue
		}
		if got := record(patched(t, live, p.Steps[0])); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
		if !strings.HasSuffix(string(p.Steps[0].Request.Body), `{"op":"replace","path":"/metadata/resourceVersion","value":"7"}]`) {
			t.Errorf("%s: %s", c.name, p.Steps[0].Request.Body)
		}
	}
	if p := ToServerSide(thing(t, `{}`, `me Apply v1 {}`), []string{csa}, "me"); p.Nothing == "" {
		t.Errorf("%+v", p)
	}
	p := ToServerSide(thing(t, `{"a":1,"b":2}`, `me Apply v1 {"f:spec":{"f:b":{}}}`, csa+` Update v1 {"f:spec":{"f:a":{},"f:b":{}}}`), []string{csa}, "me")
	if !strings.HasPrefix(p.Consequences[0], "Now .spec.a belongs to kubectl-client-side-apply and not to me.") {
		t.Errorf("%q", p.Consequences[0])
	}
}

func TestClientSideManagers(t *testing.T) {
	live := thing(t, `{}`, `me Apply v1 {}`, csa+` Update v1 {}`, `own Update v1 {"f:metadata":{"f:annotations":{"f:`+LastApplied+`":{}}}}`, `other Update v1 {"f:spec":{}}`)
	if got := ClientSideManagers(live); !reflect.DeepEqual(got, []string{csa, "own"}) {
		t.Errorf("%v", got)
	}
}

func TestToClientSide(t *testing.T) {
	live := thing(t, `{"a":1,"b":2}`, `me Apply v1 {"f:spec":{"f:a":{}}}`, csa+` Update v1 {"f:spec":{"f:b":{}}}`)
	p, err := ToClientSide(live, "me", csa, nil)
	if err != nil || len(p.Steps) != 1 {
		t.Fatal(err, p)
	}
	after := patched(t, live, p.Steps[0])
	if got, want := record(after), csa+` Update v1 {"f:spec":{"f:a":{},"f:b":{}}}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	annotations, _ := metadataOf(after)["annotations"].(map[string]any)
	want := `{"apiVersion":"v1","kind":"Thing","metadata":{"annotations":{},"name":"x"},"spec":{"a":1}}` + "\n"
	if annotations[LastApplied] != want || p.Steps[0].Request.Query.Get("fieldManager") != csa {
		t.Errorf("%q, %+v", annotations[LastApplied], p.Steps[0])
	}
	if p, err := ToClientSide(live, "nobody", csa, nil); err != nil || p.Nothing == "" {
		t.Errorf("%v %+v", err, p)
	}
}

func TestRelease(t *testing.T) {
	live := fixture(t, "coowners")
	for _, o := range ownership.Parse(live).Managers() {
		p := Release(live, o.Manager)
		after := ownership.Parse(patched(t, live, p.Steps[0])).Managers()
		if len(after) != len(ownership.Parse(live).Managers())-1 {
			t.Errorf("%s: %v", o.Name, after)
		}
		for _, other := range after {
			if other.Same(o.Manager) {
				t.Errorf("%s is still there", o.Name)
			}
		}
	}
	if p := Release(live, ownership.Manager{Name: "nobody"}); p.Nothing == "" {
		t.Errorf("%+v", p)
	}
}

func TestClear(t *testing.T) {
	one := thing(t, `{}`, `me Apply v1 {}`)
	for _, p := range []Plan{Clear(one), Release(one, ownership.Manager{Name: "me", Operation: ownership.Apply})} {
		if got := string(p.Steps[0].Request.Body); got != `{"metadata":{"managedFields":[{}],"resourceVersion":"7"}}` {
			t.Errorf("%s", got)
		}
	}
	if p := Clear(thing(t, `{}`)); p.Nothing == "" {
		t.Errorf("%+v", p)
	}
}

// manifestOf is what a step applies.
func manifestOf(t testing.TB, s Step) map[string]any {
	t.Helper()
	parsed := source.Parse(string(s.Request.Body))
	if len(parsed.Documents) != 1 || parsed.Documents[0].Broken {
		t.Fatalf("%s: %+v", s.Request.Body, parsed.Problems)
	}
	fields := parsed.Documents[0].Fields()
	if metadata := metadataOf(fields); metadata["uid"] != "u" {
		t.Errorf("no uid in %v", metadata)
	}
	return fields
}

func spec(t testing.TB, s Step) string {
	t.Helper()
	text, err := json.Marshal(manifestOf(t, s)["spec"])
	if err != nil {
		t.Fatal(err)
	}
	return s.Request.Query.Get("fieldManager") + " " + string(text)
}

func TestHandOver(t *testing.T) {
	me := ownership.Manager{Name: "me", Operation: ownership.Apply}
	other := ownership.Manager{Name: "other", Operation: ownership.Apply}
	hpa := ownership.Manager{Name: "kube-controller-manager", Operation: ownership.Update, Subresource: "scale", APIVersion: "v1"}
	edit := ownership.Manager{Name: "kubectl-edit", Operation: ownership.Update, APIVersion: "v1"}
	live := func() map[string]any {
		return thing(t, `{"replicas":3,"a":1,"l":[{"name":"x","v":1,"w":2}]}`,
			`me Apply v1 {"f:spec":{"f:replicas":{},"f:l":{"k:{\"name\":\"x\"}":{".":{},"f:name":{},"f:v":{}}}}}`,
			`other Apply v1 {"f:spec":{"f:a":{}}}`,
			`kubectl-edit Update v1 {"f:spec":{"f:l":{"k:{\"name\":\"x\"}":{"f:v":{},"f:w":{}}}}}`)
	}
	for _, c := range []struct {
		name     string
		from, to ownership.Manager
		path     string
		want     []string
	}{
		{"to an autoscaler", me, hpa, ".spec.replicas", []string{`handover-to-kube-controller-manager {"replicas":3}`, `me {"l":[{"name":"x","v":1}]}`}},
		{"to one who applies", me, other, ".spec.replicas", []string{`other {"a":1,"replicas":3}`, `me {"l":[{"name":"x","v":1}]}`}},
		{"in an item", me, other, `.spec.l[name="x"].v`, []string{`other {"a":1,"l":[{"name":"x","v":1}]}`, `me {"l":[{"name":"x"}],"replicas":3}`}},
		{"who holds it already", me, edit, `.spec.l[name="x"].v`, []string{`me {"l":[{"name":"x"}],"replicas":3}`}},
	} {
		p, err := HandOver(Handing{Live: live(), Paths: []string{c.path}, From: c.from, To: c.to})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range p.Steps {
			got = append(got, spec(t, s))
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	forced, err := HandOver(Handing{Live: live(), Paths: []string{".spec.replicas"}, From: me, To: other, Applies: thing(t, `{"replicas":5}`)})
	if err != nil || len(forced.Steps) != 2 || spec(t, forced.Steps[0]) != `other {"replicas":5}` || forced.Steps[0].Request.Query.Get("force") != "true" {
		t.Errorf("%v %+v", err, forced)
	}
	p, err := HandOver(Handing{Live: live(), Paths: []string{`.spec.l[name="x"].v`}, From: edit, To: me})
	if err != nil || len(p.Steps) != 1 {
		t.Fatal(err, p)
	}
	want := `kubectl-edit Update v1 {"f:spec":{"f:l":{"k:{\"name\":\"x\"}":{"f:w":{}}}}}`
	if got := record(patched(t, live(), p.Steps[0])); !strings.HasSuffix(got, want) {
		t.Errorf("%s", got)
	}
	for _, h := range []Handing{
		{Live: live(), Paths: []string{".spec.none"}, From: me, To: other},
		{Live: live(), Paths: []string{".spec.a"}, From: me, To: other},
		{Live: live(), Paths: []string{".spec.a"}, From: other, To: other},
	} {
		if p, err := HandOver(h); err != nil || p.Nothing == "" {
			t.Errorf("%v %+v", err, p)
		}
	}
}

// In a fight the owner at the moment of reading is a matter of luck. The plan must not be.
// An apply in this version would give up what a manager owns in another version.
func TestNoPlanWhereAManagerHasFieldsOfAnotherVersion(t *testing.T) {
	to := ownership.Manager{Name: "new", Operation: ownership.Apply}
	from := ownership.Manager{Name: "old", Operation: ownership.Apply}
	for claims, steps := range map[string]int{
		`{"f:spec":{"f:size":{}}}`:             2,
		`{"f:spec":{"f:size":{},"f:hue":{}}}`:  0, // color can be hue
		`{"f:spec":{"f:size":{},"f:gone":{}}}`: 0,
	} {
		live := thing(t, `{"size":1,"color":"red"}`, "old Apply v1beta1 "+claims, `new Apply v1 {"f:metadata":{"f:labels":{}}}`)
		p, err := HandOver(Handing{Live: live, Paths: []string{".spec.size"}, From: from, To: to})
		if err != nil || len(p.Steps) != steps || (steps == 0) == (p.Nothing == "") {
			t.Errorf("%s: %v %+v", claims, err, p)
		}
		g, err := GiveUp(live, nil, from, []string{".spec.size"})
		if err != nil || (len(g.Steps) > 0) != (steps > 0) {
			t.Errorf("%s: %v %+v", claims, err, g)
		}
	}
}

func TestAPlanInAFightIsTheSameWhoeverHoldsTheFieldNow(t *testing.T) {
	const replicas, rest = `{"f:spec":{"f:replicas":{}}}`, `{"f:spec":{"f:size":{}}}`
	gitops := ownership.Manager{Name: "gitops", Operation: ownership.Apply, APIVersion: "v1"}
	scaler := ownership.Manager{Name: "autoscaler", Operation: ownership.Update, Subresource: "scale", APIVersion: "v1"}
	other := ownership.Manager{Name: "other", Operation: ownership.Apply, APIVersion: "v1"}
	one := thing(t, `{"replicas":3,"size":1}`, "gitops Apply v1 "+`{"f:spec":{"f:replicas":{},"f:size":{}}}`)
	two := thing(t, `{"replicas":3,"size":1}`, "gitops Apply v1 "+rest, "other Apply v1 "+replicas, "autoscaler/scale Update v1 "+replicas)
	for _, to := range []ownership.Manager{scaler, other} {
		var titles [2]string
		for i, live := range []map[string]any{one, two} {
			p, err := HandOver(Handing{Live: live, Paths: []string{".spec.replicas"}, From: gitops, To: to, Contested: true})
			if err != nil || len(p.Steps) != 2 || p.Nothing != "" {
				t.Fatalf("%s, %d: %+v, %v", to.Name, i, p, err)
			}
			titles[i] = p.Title + "; " + p.Steps[0].Title + "; " + p.Steps[1].Title
			if c := p.Consequences[0]; !strings.Contains(c, ".spec.replicas has changing owners") || strings.Contains(c, "owns none of these fields in this version") != (i == 1) {
				t.Errorf("%s, %d: %q", to.Name, i, c)
			}
			if body := string(p.Steps[1].Request.Body); !strings.Contains(body, "size") || strings.Contains(body, "replicas") {
				t.Errorf("%s, %d: gitops applies %s", to.Name, i, body)
			}
		}
		if titles[0] != titles[1] {
			t.Errorf("%q becomes %q", titles[0], titles[1])
		}
	}
	p, err := HandOver(Handing{Live: two, Paths: []string{".spec.replicas"}, From: gitops, To: scaler})
	want := "gitops (Apply) owns none of these fields in this version of the object. .spec.replicas is owned by other (Apply) and autoscaler (Update, scale)."
	if err != nil || p.Nothing != want {
		t.Errorf("without a fight: %q, %v", p.Nothing, err)
	}
	p, err = HandOver(Handing{Live: one, Paths: []string{".spec.replicas"}, From: scaler, To: gitops, Contested: true})
	if err != nil || len(p.Steps) != 1 {
		t.Errorf("of one who updates, and has no entry now: %+v, %v", p, err)
	}
}

func TestUpgradedLeavesTheObjectAsItIs(t *testing.T) {
	live := thing(t, `{"a":1,"b":2}`, `me Apply v1 {"f:spec":{"f:a":{}}}`, `own Update v1 {"f:metadata":{"f:annotations":{"f:`+LastApplied+`":{}}},"f:spec":{"f:b":{}}}`, ClientSide+` Update v1 {"f:spec":{"f:a":{}}}`)
	before := fmt.Sprint(live)
	owners := AnnotationOwners(live)
	after := ownership.Parse(Upgraded(live, owners, "me"))
	if fmt.Sprint(owners) != "[own]" || len(after.Entries) != 2 || after.Entries[0].Name != "me" || after.Entries[1].Name != ClientSide {
		t.Errorf("%v, %+v", owners, after.Managers())
	}
	if fmt.Sprint(live) != before {
		t.Error("the object is another one")
	}
}
