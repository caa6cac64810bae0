package assist

import (
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

const path = "/apis/apps/v1/namespaces/shop/deployments/web"

func entry(who, fields string) string {
	name, operation, _ := strings.Cut(who, "/")
	operation, subresource, _ := strings.Cut(operation, "/")
	return `{"manager":"` + name + `","operation":"` + operation + `","subresource":"` + subresource + `","apiVersion":"apps/v1","fieldsType":"FieldsV1","time":"2026-11-21T11:00:00Z","fieldsV1":` + fields + `}`
}

const (
	adas    = `{"f:metadata":{"f:labels":{"f:app":{}}},"f:spec":{"f:replicas":{},"f:paused":{}}}`
	adaKey  = "ada|Apply||apps/v1"
	bobKey  = "bob|Apply||apps/v1"
	noLabel = `{"f:spec":{"f:replicas":{},"f:paused":{}}}`
)

func deployment(t testing.TB, version string, entries ...string) object.Object {
	t.Helper()
	o, err := object.Parse([]byte(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop","uid":"u1","resourceVersion":"` + version +
		`","labels":{"app":"web"},"managedFields":[` + strings.Join(entries, ",") + `]},"spec":{"replicas":3,"paused":true}}`))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func two(t testing.TB) object.Object {
	return deployment(t, "7", entry("ada/Apply", adas), entry("bob/Apply", `{"f:metadata":{"f:labels":{"f:app":{}}}}`))
}

// begun is the page of an object, with its plan made.
func begun(t testing.TB, o object.Object, query url.Values) (Model, []page.Cmd) {
	t.Helper()
	p, err := apipath.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	m := Model{
		Frame: page.Frame{Shell: shell.Model{Cluster: shell.Cluster{Slug: "practice"}}}, Path: p, Object: o.Masked(), Choice: ParseChoice(query, o),
		Type: discovery.Type{
			Group: "apps", Version: "v1", Resource: "deployments", Kind: "Deployment", Namespaced: true, Verbs: []string{"patch", "watch"},
			Subresources: []discovery.Subresource{{Name: "scale", Verbs: []string{"get", "update", "patch"}}, {Name: "status", Verbs: []string{"get", "update", "patch"}}},
		},
	}
	next, commands := m.Awake(time.Unix(1795262400, 0))
	for _, c := range commands {
		if f, is := c.(page.Call); is && f.Method == "GET" {
			return after(t, next.(Model), fetched(t, f.ID, o))
		}
	}
	t.Fatalf("the object is not asked for: %+v", commands)
	return Model{}, nil
}

func fetched(t testing.TB, id string, o object.Object) page.Response {
	t.Helper()
	data, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return page.Response{ID: id, Status: 200, Body: data}
}

func after(t testing.TB, m Model, messages ...page.Msg) (Model, []page.Cmd) {
	t.Helper()
	var commands []page.Cmd
	for _, msg := range messages {
		p, more := m.Update(msg)
		m, commands = p.(Model), append(commands, more...)
	}
	return m, commands
}

func sends(commands []page.Cmd) []page.Call {
	var all []page.Call
	for _, c := range commands {
		if s, is := c.(page.Call); is && s.Method != "GET" {
			all = append(all, s)
		}
	}
	return all
}

func TestChoicesCrossAddresses(t *testing.T) {
	for _, c := range []Choice{
		{Do: HandOver, From: adaKey, Fields: []string{".spec.replicas", `.spec.l[name="a b"].x`}, To: bobKey},
		{Do: HandOver, From: adaKey, Fields: []string{".spec.replicas"}, Name: "kube-controller-manager", How: "scale"},
		{Do: ToServerSide, Name: "me"},
		{Do: ToClientSide, From: adaKey, Name: "x"},
		{Do: Release, From: "a|b|c|d"},
		{Do: Clear},
		{Do: StopFight, Fields: []string{".spec.replicas"}, Managers: []string{adaKey, bobKey}, Way: WayHandOver, From: adaKey, To: bobKey},
		{Do: StopFight, Fields: []string{".spec.replicas"}, Way: WayLimit, Name: "web", Limit: "9"},
	} {
		if got := ParseChoice(c.query(path), object.Object{}); !reflect.DeepEqual(got, c) {
			t.Errorf("%+v becomes %+v", c, got)
		}
		query := url.Values{}
		for _, h := range c.hidden(path) {
			query.Add(h.name, h.value)
		}
		if got := ParseChoice(query, object.Object{}); !reflect.DeepEqual(got, c) {
			t.Errorf("by a form, %+v becomes %+v", c, got)
		}
	}
	if got := ParseChoice(url.Values{QueryDo: {"nonsense"}}, object.Object{}); got.Do != HandOver {
		t.Errorf("%+v", got)
	}
	c := Choice{Fields: []string{"a", "b"}}
	if got := c.with("a").with("c"); !reflect.DeepEqual(got.Fields, []string{"b", "c"}) || len(c.Fields) != 2 {
		t.Errorf("%v, and then %v", got.Fields, c.Fields)
	}
}

func TestPathsMayBeTyped(t *testing.T) {
	typed := url.Values{QueryField: {"spec.replicas", " .spec.replicas", "spec.template.spec.containers[name=app].image"}}
	want := []string{".spec.replicas", `.spec.template.spec.containers[name="app"].image`}
	if got := ParseChoice(typed, two(t)); !slices.Equal(got.Fields, want) {
		t.Errorf("%q", got.Fields)
	}
}

func TestWhatIsStillToBeChosen(t *testing.T) {
	o := two(t)
	for name, c := range map[string]struct {
		query url.Values
		want  string
	}{
		"nobody yet":         {url.Values{}, "Choose the fields that ada (Apply) hands over."},
		"no fields":          {url.Values{QueryFrom: {adaKey}, QueryTo: {bobKey}}, "Choose the fields that ada (Apply) hands over."},
		"nobody to take":     {url.Values{QueryFrom: {adaKey}, QueryField: {".spec.replicas"}}, "Choose the manager that gets the fields."},
		"who is not there":   {url.Values{QueryFrom: {"eve|Apply||apps/v1"}, QueryField: {".spec.replicas"}}, "Choose the manager that gives fields away."},
		"release":            {url.Values{QueryDo: {"release"}}, "Choose the manager that no longer exists."},
		"nothing by clients": {url.Values{QueryDo: {"to-server-side"}}, "Found no client-side apply of this object. No manager with operation Update owns the annotation with the last applied manifest."},
	} {
		m, commands := begun(t, o, c.query)
		if got := m.sum(); got != c.want || len(sends(commands)) > 0 {
			t.Errorf("%s: %q, and %d requests", name, got, len(sends(commands)))
		}
		if m.unready() == "" {
			t.Errorf("%s: it can be sent", name)
		}
	}
}

func handing() url.Values {
	return url.Values{QueryFrom: {adaKey}, QueryField: {".spec.replicas"}, QueryTo: {bobKey}}
}

func TestHandOverStepByStep(t *testing.T) {
	m, commands := begun(t, two(t), handing())
	s := sends(commands)
	if len(s) != 1 || s[0].Path != path+"?dryRun=All&fieldManager=bob" || !strings.Contains(string(s[0].Body), "replicas: 3") {
		t.Fatalf("%+v", s)
	}
	shared := deployment(t, "7", entry("ada/Apply", adas), entry("bob/Apply", `{"f:metadata":{"f:labels":{"f:app":{}}},"f:spec":{"f:replicas":{}}}`))
	m, _ = after(t, m, fetched(t, s[0].ID, shared))
	r := m.live.run
	if e := r.steps[0].would; e == nil || e.Fields != 1 || strings.Join(e.Passed[0].After, "+") != "ada (Apply)+bob (Apply)" || len(e.Values) > 0 {
		t.Fatalf("the dry run: %+v", e)
	}
	if e := r.steps[1].foreseen; e == nil || e.Fields != 1 || strings.Join(e.Passed[0].After, "+") != "bob (Apply)" || e.Passed[0].Paths[0] != ".spec.replicas" {
		t.Fatalf("what is foreseen: %+v", e)
	}
	m, commands = after(t, m, page.Acted{Action: doSend})
	s = sends(commands)
	if len(s) != 1 || s[0].Path != path+"?fieldManager=bob" || m.unready() != "Fieldmark is sending the step." {
		t.Fatalf("%+v, %q", s, m.unready())
	}
	if _, commands = after(t, m, page.Acted{Action: doSend}, page.Acted{Action: doPlan}, page.Addressed{Query: url.Values{QueryPath: {path}, QueryDo: {"clear"}}}); len(commands) > 0 {
		t.Error("something else happens while a step is on its way")
	}
	stored := deployment(t, "8", entry("ada/Apply", adas), entry("bob/Apply", `{"f:metadata":{"f:labels":{"f:app":{}}},"f:spec":{"f:replicas":{}}}`))
	m, commands = after(t, m, fetched(t, s[0].ID, stored))
	s = sends(commands)
	if r.at != 1 || r.steps[0].did == nil || len(s) != 1 || s[0].Path != path+"?dryRun=All&fieldManager=ada" || strings.Contains(string(s[0].Body), "replicas") {
		t.Fatalf("at %d: %+v", r.at, s)
	}
	left := deployment(t, "9", entry("ada/Apply", `{"f:metadata":{"f:labels":{"f:app":{}}},"f:spec":{"f:paused":{}}}`), entry("bob/Apply", noLabel))
	m, _ = after(t, m, fetched(t, s[0].ID, left))
	m, commands = after(t, m, page.Acted{Action: doSend})
	m, _ = after(t, m, fetched(t, sends(commands)[0].ID, left))
	if !r.over() || m.sum() != "Done." || m.unready() != "The plan has no step to send." {
		t.Errorf("%q, %q", m.sum(), m.unready())
	}
}

func TestTheFirstThatFailsEndsIt(t *testing.T) {
	m, commands := begun(t, two(t), handing())
	m, _ = after(t, m, fetched(t, sends(commands)[0].ID, two(t)))
	m, commands = after(t, m, page.Acted{Action: doSend})
	m, commands = after(t, m, page.Response{ID: sends(commands)[0].ID, Status: 409, Body: []byte(`{"kind":"Status","reason":"Conflict","code":409,"message":"no"}`)})
	if len(sends(commands)) > 0 || m.sum() != "The API server refused step 1." || !strings.HasPrefix(m.unready(), "The API server refused the step") {
		t.Errorf("%q, %q", m.sum(), m.unready())
	}
	if m.live.run.stateOf(0) != "refused" || m.live.run.stateOf(1) != "later" {
		t.Errorf("%s, %s", m.live.run.stateOf(0), m.live.run.stateOf(1))
	}
	m, commands = after(t, m, page.Acted{Action: doPlan})
	if len(commands) != 1 || m.live.run != nil {
		t.Errorf("%+v", commands)
	}
	m, commands = begun(t, two(t), handing())
	m, _ = after(t, m, page.Response{ID: sends(commands)[0].ID, Status: 422, Body: []byte(`{"kind":"Status","reason":"Invalid","code":422,"message":"no"}`)})
	if m.sum() != "The API server refused the dry run of step 1." || m.unready() != "The API server refuses the step." {
		t.Errorf("%q, %q", m.sum(), m.unready())
	}
}

func TestOldAnswersMeanNothing(t *testing.T) {
	m, commands := begun(t, two(t), handing())
	old := sends(commands)[0].ID
	m, commands = after(t, m, page.Acted{Action: doPlan})
	m, _ = after(t, m, fetched(t, old, two(t)))
	if m.live.run != nil {
		t.Error("there is a plan before the object is here")
	}
	m, commands = after(t, m, fetched(t, commands[0].(page.Call).ID, two(t)))
	m, _ = after(t, m, fetched(t, old, two(t)))
	if m.live.run.steps[0].dry != nil || len(sends(commands)) != 1 {
		t.Error("an answer to another plan's dry run counts")
	}
}

func TestSecretsAreSentAndNotShown(t *testing.T) {
	o, err := object.Parse([]byte(`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","uid":"u","resourceVersion":"1","managedFields":[` +
		strings.ReplaceAll(entry("ada/Apply", `{"f:data":{"f:password":{}}}`)+","+entry("bob/Apply", `{"f:type":{}}`), "apps/v1", "v1") + `]},"type":"Opaque","data":{"password":"aHVudGVyMg=="}}`))
	if err != nil {
		t.Fatal(err)
	}
	m, commands := begun(t, o, url.Values{QueryFrom: {"ada|Apply||v1"}, QueryField: {".data.password"}, QueryTo: {"bob|Apply||v1"}})
	if s := sends(commands); len(s) != 1 || !strings.Contains(string(s[0].Body), "aHVudGVyMg==") {
		t.Fatalf("%+v: %s", s, m.sum())
	}
	var b strings.Builder
	if err := page.Main(m).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "aHVudGVyMg") || !strings.Contains(b.String(), ".data.password") {
		t.Errorf("%s", b.String())
	}
}

func TestMayNot(t *testing.T) {
	m, commands := begun(t, two(t), handing())
	m, _ = after(t, m, fetched(t, sends(commands)[0].ID, two(t)))
	if m.unready() != "" {
		t.Fatalf("%q", m.unready())
	}
	m, _ = after(t, m, page.Response{ID: askMay, Status: 201, Body: []byte(`{"kind":"SelfSubjectAccessReview","status":{"allowed":false}}`)})
	if m.unready() != "You don’t have permission to patch deployments here. No rule allows it." {
		t.Errorf("%q", m.unready())
	}
	m.Shell.ReadOnly = true
	if !strings.Contains(m.unready(), "--read-only") {
		t.Errorf("%q", m.unready())
	}
}

func TestWhoAndWhatCanBeChosen(t *testing.T) {
	m, _ := begun(t, two(t), url.Values{})
	fields := fieldsOf(m.shown(), m.chosen().From)
	var got []string
	for _, f := range fields {
		got = append(got, f.path)
		if f.path == ".metadata.labels.app" && f.others != 1 {
			t.Errorf("%+v", f)
		}
	}
	if strings.Join(got, " ") != ".metadata.labels.app .spec.paused .spec.replicas" {
		t.Errorf("%v", got)
	}
	if !m.scales() || strings.Join(m.hows(), " ") != "applies updates scale status" {
		t.Errorf("%v", m.hows())
	}
	if takers := m.takers(); len(takers) != 1 || takers[0].Name != "bob" {
		t.Errorf("%+v", takers)
	}
	if all := m.autoscalers(); len(all) != 1 || all[0].Name != "kube-controller-manager" || all[0].Operation != "Update" || all[0].Subresource != "scale" ||
		all[0].introText() != "A HorizontalPodAutoscaler writes as kube-controller-manager (Update, scale)." {
		t.Errorf("%+v", all)
	}
	m.Choice.Fields = []string{".spec.none", ".spec.paused"}
	if got := m.strays(fields); len(got) != 1 || got[0] != ".spec.none" {
		t.Errorf("%v", got)
	}
}

// TestASubresourceAnswersWithAnotherObject: what a step did is told by the object itself then.
func TestASubresourceAnswersWithAnotherObject(t *testing.T) {
	scale, err := object.Parse([]byte(`{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"web"}}`))
	if err != nil {
		t.Fatal(err)
	}
	m, commands := begun(t, two(t), handing())
	m, _ = after(t, m, fetched(t, sends(commands)[0].ID, scale))
	if s := m.live.run.steps[0]; s.would != nil || s.err == nil || m.unready() != "" {
		t.Errorf("%+v, %q", s, m.unready())
	}
	m, commands = after(t, m, page.Acted{Action: doSend})
	m, commands = after(t, m, fetched(t, sends(commands)[0].ID, scale))
	look, is := commands[0].(page.Call)
	if !is || look.Method != "GET" || look.Path != path || m.live.run.at != 0 {
		t.Fatalf("%+v", commands)
	}
	m, _ = after(t, m, fetched(t, look.ID, deployment(t, "8", entry("ada/Apply", adas), entry("bob/Apply", noLabel))))
	if m.live.run.at != 1 || m.live.run.steps[0].did == nil {
		t.Errorf("at %d: %+v", m.live.run.at, m.live.run.steps[0])
	}
}

func TestEveryAssistantIsExplained(t *testing.T) {
	for _, do := range all {
		if why.In(topics, do) == nil {
			t.Errorf("nothing explains %s", do)
		}
	}
}

func TestNoCanaryEscapes(t *testing.T) {
	for _, d := range canary.Documents() {
		o, err := object.Parse([]byte(d.JSON))
		if err != nil {
			t.Fatal(err)
		}
		if d.Vague {
			continue
		}
		m, _ := begun(t, o, url.Values{})
		var b strings.Builder
		if err := page.Main(m).Render(t.Context(), &b); err != nil || canary.Escapes(b.String()) || canary.Escapes(fmt.Sprint(m.shown())) {
			t.Errorf("%s: %s (%v)", d.Name, b.String(), err)
		}
	}
}
