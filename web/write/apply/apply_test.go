package apply

import (
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/write/aim"
)

var all = []string{"create", "delete", "get", "list", "patch", "update", "watch"}

var catalog = discovery.Catalog{Groups: []discovery.Group{
	{Name: "", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{
		{Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Singular: "configmap", Namespaced: true, Verbs: all},
		{Version: "v1", Resource: "secrets", Kind: "Secret", Singular: "secret", Namespaced: true, Verbs: all},
		{Version: "v1", Resource: "namespaces", Kind: "Namespace", Singular: "namespace", Verbs: all},
	}}}},
	{Name: "apps", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{
		{
			Group: "apps", Version: "v1", Resource: "deployments", Kind: "Deployment", Singular: "deployment", Namespaced: true, Verbs: all,
			Subresources: []discovery.Subresource{{Name: "scale", Verbs: []string{"get", "patch"}}},
		},
	}}}},
}}

// begun is the page with a text, and the requests it makes.
func begun(t *testing.T, text string) (Model, []page.Cmd) {
	t.Helper()
	m := Model{Frame: page.Frame{Shell: shell.Model{Cluster: shell.Cluster{Slug: "practice"}, Catalog: catalog}}, Text: text, Manager: "ada", Validation: aim.Warn, Namespace: "default"}
	p, commands := m.Awake(time.Unix(1000, 0))
	return p.(Model), commands
}

func after(t *testing.T, m Model, messages ...page.Msg) (Model, []page.Cmd) {
	t.Helper()
	var commands []page.Cmd
	for _, msg := range messages {
		p, more := m.Update(msg)
		m, commands = p.(Model), append(commands, more...)
	}
	return m, commands
}

// sent are the requests among commands, in their order.
func sent(commands []page.Cmd) []page.Call {
	var all []page.Call
	for _, c := range commands {
		if s, ok := c.(page.Call); ok && s.Method != "GET" && !strings.Contains(s.Path, "selfsubjectaccessreviews") {
			all = append(all, s)
		}
	}
	return all
}

func fetches(commands []page.Cmd) []page.Call {
	var all []page.Call
	for _, c := range commands {
		if f, ok := c.(page.Call); ok && f.Method == "GET" {
			all = append(all, f)
		}
	}
	return all
}

// configMap is a ConfigMap as a server answers, with ada's and bob's claims on its keys.
func configMap(version string, data map[string]string, claims map[string][]string) string {
	var managed []any
	for _, name := range []string{"ada", "bob"} {
		fields := map[string]any{}
		for _, key := range claims[name] {
			fields["f:"+key] = map[string]any{}
		}
		if len(fields) > 0 {
			managed = append(managed, map[string]any{
				"manager": name, "operation": "Apply", "apiVersion": "v1", "time": "2026-11-21T12:00:00Z", "fieldsType": "FieldsV1", "fieldsV1": map[string]any{"f:data": fields},
			})
		}
	}
	text, err := json.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "data": data,
		"metadata": map[string]any{"name": "a", "namespace": "shop", "uid": "u1", "resourceVersion": version, "managedFields": managed},
	})
	if err != nil {
		panic(err)
	}
	return string(text)
}

const manifestA = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a # mine\n  namespace: shop\ndata:\n  x: \"2\" # wanted\n"

func conflict(field, manager string) string {
	return fmt.Sprintf(`{"kind":"Status","status":"Failure","reason":"Conflict","code":409,"message":"Apply failed with 1 conflict","details":{"causes":[{"reason":"FieldManagerConflict","message":"conflict with \"%s\"","field":%q}]}}`, manager, field)
}

const notFound = `{"kind":"Status","status":"Failure","reason":"NotFound","code":404,"message":"configmaps \"a\" not found"}`

func fetched(id string, status int, body string) page.Response {
	return page.Response{ID: id, Status: status, Body: []byte(body), Took: 7 * time.Millisecond}
}

func TestPreviewAsksForWhatIsAndWhatWouldBeAtOnce(t *testing.T) {
	m, commands := begun(t, manifestA)
	plain, live := sent(commands), fetches(commands)
	if len(plain) != 1 || !strings.Contains(plain[0].Path, "dryRun=All") || string(plain[0].Body) != manifestA || request.Field(plain[0].Header, "Content-Type") != aim.ApplyYAML {
		t.Fatalf("it sends %+v", plain)
	}
	if len(live) != 1 || live[0].Path != "/api/v1/namespaces/shop/configmaps/a" {
		t.Fatalf("it fetches %+v", live)
	}
	m, _ = after(t, m,
		fetched(live[0].ID, 200, configMap("7", map[string]string{"x": "1"}, map[string][]string{"ada": {"x"}})),
		fetched(plain[0].ID, 200, configMap("7", map[string]string{"x": "2"}, map[string][]string{"ada": {"x"}})))
	if got := m.sum(); got != "1 change" {
		t.Errorf("it says %q", got)
	}
	row := m.live.docs[0].shown.preview.Rows[0]
	if row.Path != ".data.x" || row.Old != `"1"` || row.New != `"2"` {
		t.Errorf("the row is %+v", row)
	}
	if why := m.unready(); why != "" {
		t.Errorf("it can’t be applied: %s", why)
	}
}

// A value that the server keeps although the manifest has another one is no change, but it is said.
func TestAValueThatDoesNotArriveIsShown(t *testing.T) {
	m, commands := begun(t, manifestA)
	plain, live := sent(commands)[0], fetches(commands)[0]
	same := configMap("7", map[string]string{"x": "1"}, nil)
	m, _ = after(t, m, fetched(live.ID, 200, same), fetched(plain.ID, 200, same))
	var b strings.Builder
	if err := page.Main(m).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Values that won’t arrive", `data-missed=".data.x"`, "You send &#34;2&#34;, but the server or admission changes the value to &#34;1&#34;."} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing", want)
		}
	}
	if marks := m.marks().Marks; len(marks) != 1 || !strings.HasPrefix(marks[0].Message, "This value won’t arrive.") {
		t.Errorf("%+v", marks)
	}
}

func TestSameTextIsNotAskedAboutAgain(t *testing.T) {
	m, _ := begun(t, manifestA)
	_, commands := after(t, m, page.Typed{Field: Field, Text: manifestA})
	if len(sent(commands)) > 0 || len(fetches(commands)) > 0 {
		t.Errorf("it asks %v", commands)
	}
	_, commands = after(t, m, page.Typed{Field: Field, Text: manifestA + "  y: \"1\"\n"})
	if len(sent(commands)) != 1 {
		t.Errorf("another text: it sends %v", sent(commands))
	}
	_, commands = after(t, m, page.Acted{Action: doPreview})
	if len(sent(commands)) != 1 {
		t.Errorf("on demand: it sends %v", sent(commands))
	}
}

func TestAnswersToAnEarlierTextAreNotShown(t *testing.T) {
	m, commands := begun(t, manifestA)
	plain, live := sent(commands)[0], fetches(commands)[0]
	m, _ = after(t, m, page.Typed{Field: Field, Text: strings.Replace(manifestA, `"2"`, `"3"`, 1)},
		fetched(live.ID, 200, configMap("7", map[string]string{"x": "1"}, nil)), fetched(plain.ID, 200, configMap("7", map[string]string{"x": "2"}, nil)))
	if m.live.docs[0].shown != nil {
		t.Error("it shows what became of a text that is no more")
	}
}

// fought is a preview that conflicts with bob about .data.x.
func fought(t *testing.T) Model {
	t.Helper()
	m, commands := begun(t, manifestA)
	plain, live := sent(commands)[0], fetches(commands)[0]
	m, commands = after(t, m,
		fetched(live.ID, 200, configMap("7", map[string]string{"x": "1", "y": "1"}, map[string][]string{"bob": {"x", "y"}})),
		fetched(plain.ID, 409, conflict(".data.x", "bob")))
	forced := sent(commands)
	if len(forced) != 1 || !strings.Contains(forced[0].Path, "dryRun=All") || !strings.Contains(forced[0].Path, "force=true") {
		t.Fatalf("after a conflict it sends %+v", forced)
	}
	m, _ = after(t, m, fetched(forced[0].ID, 200, configMap("7", map[string]string{"x": "2", "y": "1"}, map[string][]string{"ada": {"x"}, "bob": {"y"}})))
	if got := m.sum(); !strings.HasPrefix(got, "1 conflict, 1 change") {
		t.Fatalf("it says %q", got)
	}
	return m
}

func TestConflictKeepsFromApplyingUntilAWayOutIsChosen(t *testing.T) {
	m := fought(t)
	if why := m.unready(); !strings.Contains(why, "for each conflict") {
		t.Errorf("it says %q", why)
	}
	if _, commands := after(t, m, page.Acted{Action: doApply}); len(commands) > 0 {
		t.Errorf("it sends %v all the same", commands)
	}
	m, _ = after(t, m, page.Acted{Action: "overwrite 0 0"})
	if why := m.unready(); why != "" {
		t.Errorf("overwriting: %s", why)
	}
	_, commands := after(t, m, page.Acted{Action: doApply})
	if s := sent(commands); len(s) != 1 || !strings.Contains(s[0].Path, "force=true") || strings.Contains(s[0].Path, "dryRun") {
		t.Errorf("it sends %+v", s)
	}
	m, _ = after(t, m, page.Acted{Action: "overwrite 0 0"})
	if m.unready() == "" {
		t.Error("it still goes with force")
	}
}

func TestWaysOutChangeTheText(t *testing.T) {
	for action, want := range map[string]string{
		"give-up 0 0": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a # mine\n  namespace: shop\n",
		"share 0 0":   strings.Replace(manifestA, `"2"`, `"1"`, 1),
		"share all":   strings.Replace(manifestA, `"2"`, `"1"`, 1),
	} {
		m, commands := after(t, fought(t), page.Acted{Action: action})
		i := slices.IndexFunc(commands, func(c page.Cmd) bool { _, is := c.(page.Edit); return is })
		if i < 0 || commands[i].(page.Edit).Text != want {
			t.Errorf("%s: %+v", action, commands)
		}
		if s := sent(commands); len(s) != 1 || string(s[0].Body) != want {
			t.Errorf("%s: it previews %+v", action, s)
		}
		if m.live.whole != want {
			t.Errorf("%s: the text is %q", action, m.live.whole)
		}
	}
	for _, action := range []string{"share 0 7", "share 9", "give-up x", "share"} {
		if _, commands := after(t, fought(t), page.Acted{Action: action}); len(sent(commands)) > 0 {
			t.Errorf("%s does something: %v", action, commands)
		}
	}
}

func TestAppliesForTheVersionThatWasPreviewed(t *testing.T) {
	m, commands := begun(t, manifestA)
	plain, live := sent(commands)[0], fetches(commands)[0]
	m, _ = after(t, m,
		fetched(live.ID, 200, configMap("7", map[string]string{"x": "1"}, nil)), fetched(plain.ID, 200, configMap("7", map[string]string{"x": "2"}, nil)))
	m, commands = after(t, m, page.Acted{Action: doApply})
	sends := sent(commands)
	if len(sends) != 1 || strings.Contains(sends[0].Path, "dryRun") || sends[0].Path != strings.Replace(plain.Path, "dryRun=All&", "", 1) {
		t.Fatalf("it sends %+v", sends)
	}
	for _, want := range []string{"\"uid\": \"u1\"", "\"resourceVersion\": \"7\"", "name: a # mine", "x: \"2\" # wanted"} {
		if !strings.Contains(string(sends[0].Body), want) {
			t.Errorf("the body lacks %q:\n%s", want, sends[0].Body)
		}
	}
	raced, commands := after(t, m, fetched(sends[0].ID, 409, `{"kind":"Status","status":"Failure","reason":"Conflict","code":409,"message":"the object has been modified"}`))
	if !raced.live.docs[0].result.Raced || raced.live.whole != manifestA || len(sent(commands)) != 1 || !strings.Contains(sent(commands)[0].Path, "dryRun=All") {
		t.Errorf("after a race: %+v, %v", raced.live.docs[0].result, commands)
	}
}

func TestObjectThatChangesMeanwhileIsReadAgain(t *testing.T) {
	m, commands := begun(t, manifestA)
	plain, live := sent(commands)[0], fetches(commands)[0]
	m, commands = after(t, m,
		fetched(live.ID, 200, configMap("7", map[string]string{"x": "1"}, nil)), fetched(plain.ID, 200, configMap("8", map[string]string{"x": "2"}, nil)))
	if len(sent(commands)) != 1 || len(fetches(commands)) != 1 {
		t.Fatalf("two versions are compared: %v", commands)
	}
	if m.live.docs[0].shown != nil {
		t.Error("it shows them")
	}
}

const two = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: zone\n---\n" + "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: zone\n---\n" + "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n  namespace: zone\n"

// answered answers all that a page asks for with what the function says.
func answered(t *testing.T, m Model, commands []page.Cmd, answer func(method, path string) (int, string)) (Model, []string) {
	t.Helper()
	var asked []string
	for len(commands) > 0 {
		c, ok := commands[0].(page.Call)
		commands = commands[1:]
		if !ok {
			continue
		}
		if !strings.Contains(c.Path, "selfsubjectaccessreviews") {
			asked = append(asked, c.Method+" "+c.Path)
		}
		code, body := answer(c.Method, c.Path)
		p, more := m.Update(page.Response{ID: c.ID, Status: code, Body: []byte(body)})
		m, commands = p.(Model), append(commands, more...)
	}
	return m, asked
}

func someObject(path string) string {
	base, _, _ := strings.Cut(path, "?")
	name := base[strings.LastIndexByte(base, '/')+1:]
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":%q,"uid":"u"}}`, name)
}

// zoned answers as an API server without the namespace zone, until it is created. The quota there refuses the ConfigMap a.
func zoned() func(method, path string) (int, string) {
	there := map[string]bool{}
	return func(method, path string) (int, string) {
		base, _, _ := strings.Cut(path, "?")
		dry := strings.Contains(path, "dryRun=All")
		switch {
		case strings.Contains(path, "selfsubjectaccessreviews"):
			return 201, `{"kind":"SelfSubjectAccessReview","status":{"allowed":true}}`
		case method == "GET" && !there[base]:
			return 404, notFound
		case strings.Contains(base, "/namespaces/zone/") && !there["/api/v1/namespaces/zone"]:
			return 404, `{"kind":"Status","reason":"NotFound","code":404,"message":"namespaces \"zone\" not found"}`
		case strings.HasSuffix(base, "/configmaps/a") && !dry:
			return 403, `{"kind":"Status","reason":"Forbidden","code":403,"message":"exceeded quota"}`
		case !dry && method == "PATCH":
			there[base] = true
			return 201, strings.Replace(someObject(path), `"uid":"u"`, `"uid":"u","resourceVersion":"1"`, 1)
		}
		return 201, someObject(path)
	}
}

func TestSeveralDocumentsOneRequestEachInOrder(t *testing.T) {
	for _, goOn := range []bool{false, true} {
		m, commands := begun(t, two)
		answer := zoned()
		m, _ = answered(t, m, commands, answer)
		if why := m.unready(); why != "" {
			t.Fatalf("it can’t be applied: %s", why)
		}
		if words, _ := m.verdict(m.live.docs[1]); words != "waits for document 1" {
			t.Errorf("the second: %s", words)
		}
		if goOn {
			m, _ = after(t, m, page.Acted{Action: doGoOn})
		}
		if got := m.applyWords(); got != "Apply 1 document, stage 1 of 2" {
			t.Errorf("the button: %q", got)
		}
		m, commands = after(t, m, page.Acted{Action: doApply})
		m, asked := answered(t, m, commands, answer)
		if got := m.applyWords(); got != "Apply 2 documents, stage 2 of 2" || m.unready() != "" {
			t.Errorf("the button after stage 1: %q, %q", got, m.unready())
		}
		m, commands = after(t, m, page.Acted{Action: doApply})
		m, more := answered(t, m, commands, answer)
		asked = append(asked, more...)
		var wrote []string
		for _, a := range asked {
			if strings.HasPrefix(a, "PATCH") && !strings.Contains(a, "dryRun") {
				wrote = append(wrote, strings.TrimPrefix(strings.SplitN(a, "?", 2)[0], "PATCH /api/v1/namespaces/"))
			}
		}
		want := []string{"zone", "zone/configmaps/a"}
		if goOn {
			want = append(want, "zone/configmaps/b")
		}
		if !slices.Equal(wrote, want) {
			t.Errorf("go on %v: it applied %v", goOn, wrote)
		}
		if r := m.live.docs[2].result; r == nil || r.Skipped == goOn {
			t.Errorf("go on %v: the third came to %+v", goOn, r)
		}
		if r := m.live.docs[1].result; r == nil || r.No == nil || r.No.Code != 403 {
			t.Errorf("go on %v: the second came to %+v", goOn, r)
		}
	}
}

func TestSecretsStayHidden(t *testing.T) {
	secret := func(value string) string {
		return fmt.Sprintf(`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","namespace":"shop","uid":"u","resourceVersion":"7"},"data":{"p":%q,"q":"c2FtZQ=="}}`, value)
	}
	m, commands := begun(t, "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  namespace: shop\ndata:\n  p: bmV3\n")
	plain, live := sent(commands)[0], fetches(commands)[0]
	m, _ = after(t, m, fetched(live.ID, 200, secret("b2xk")), fetched(plain.ID, 200, secret("bmV3")))
	var b strings.Builder
	if err := preview(m).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	for _, leak := range []string{"b2xk", "bmV3", "c2FtZQ"} {
		if strings.Contains(b.String(), leak) {
			t.Errorf("the preview shows %q", leak)
		}
	}
	if !strings.Contains(b.String(), `data-path=".data.p"`) || strings.Contains(b.String(), `data-path=".data.q"`) {
		t.Error("it does not show which value changes, and only that")
	}
}

func TestMarks(t *testing.T) {
	m, commands := begun(t, manifestA)
	plain, live := sent(commands)[0], fetches(commands)[0]
	answer := fetched(plain.ID, 201, configMap("", map[string]string{"x": "2"}, nil))
	answer.Header = []request.Header{{Name: "warning", Value: `299 - "unknown field \"data.x\""`}}
	m, _ = after(t, m, fetched(live.ID, 404, notFound), answer)
	marks := m.marks().Marks
	if len(marks) != 1 || marks[0].Line != 7 || marks[0].Column != 3 || marks[0].Severity != page.Warning {
		t.Errorf("the marks are %+v", marks)
	}
	for words, line := range map[string]int{
		"failed to create typed patch object (shop/a; v1, Kind=ConfigMap): .data.x: field not declared in schema": 7,
		"nothing of it is named": 2,
	} {
		if got := m.live.docs[0].about(words).Start.Line; got != line {
			t.Errorf("%q speaks of line %d", words, got)
		}
	}
}

func TestNobodyIsAskedWhenNothingCanBeSent(t *testing.T) {
	for _, text := range []string{"", "a: [", "just words", "kind: ConfigMap\n", "apiVersion: v1\nkind: Nothing\nmetadata: {name: a}\n"} {
		m, commands := begun(t, text)
		if len(sent(commands)) > 0 {
			t.Errorf("%q: it sends %v", text, sent(commands))
		}
		if m.unready() == "" {
			t.Errorf("%q can be applied", text)
		}
	}
}

func TestReadOnlyAndRights(t *testing.T) {
	m, commands := begun(t, manifestA)
	var review page.Call
	for _, c := range commands {
		if s, ok := c.(page.Call); ok && strings.Contains(s.Path, "selfsubjectaccessreviews") {
			review = s
		}
	}
	var asked struct {
		Spec struct {
			ResourceAttributes map[string]string `json:"resourceAttributes"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(review.Body, &asked); err != nil || asked.Spec.ResourceAttributes["verb"] != "patch" || asked.Spec.ResourceAttributes["name"] != "a" {
		t.Fatalf("it asks %s", review.Body)
	}
	plain, live := sent(commands)[0], fetches(commands)[0]
	m, _ = after(t, m, fetched(live.ID, 404, notFound), fetched(plain.ID, 201, configMap("", map[string]string{"x": "2"}, nil)),
		fetched(review.ID, 201, `{"kind":"SelfSubjectAccessReview","status":{"allowed":false,"reason":"RBAC says no"}}`))
	if why := m.unready(); !strings.Contains(why, "RBAC says no") {
		t.Errorf("it says %q", why)
	}
	m.Shell.ReadOnly = true
	if why := m.unready(); !strings.Contains(why, "--read-only") {
		t.Errorf("it says %q", why)
	}
}

func TestForceIsForTheConflictsThatWereSeen(t *testing.T) {
	m, _ := after(t, fought(t), page.Acted{Action: "overwrite 0 0"})
	m, commands := after(t, m, page.Typed{Field: Field, Text: manifestA + "  y: \"2\"\n"})
	plain, live := sent(commands)[0], fetches(commands)[0]
	both := strings.Replace(conflict(".data.x", "bob"), "]}}", `,{"reason":"FieldManagerConflict","message":"conflict with \"bob\"","field":".data.y"}]}}`, 1)
	m, commands = after(t, m,
		fetched(live.ID, 200, configMap("7", map[string]string{"x": "1", "y": "1"}, map[string][]string{"bob": {"x", "y"}})), fetched(plain.ID, 409, both))
	m, _ = after(t, m, fetched(sent(commands)[0].ID, 200, configMap("7", map[string]string{"x": "2", "y": "2"}, map[string][]string{"ada": {"x", "y"}})))
	if why := m.unready(); !strings.Contains(why, "for each conflict") {
		t.Errorf("a conflict that nobody saw would be forced: %q", why)
	}
}

func TestWhatIsSentIsWhatWasPreviewedWhateverIsTypedMeanwhile(t *testing.T) {
	m, commands := begun(t, manifestA+"---\n"+strings.Replace(manifestA, "name: a", "name: b", 1))
	m, _ = answered(t, m, commands, func(method, path string) (int, string) {
		switch {
		case method == "GET":
			return 404, notFound
		case strings.Contains(path, "selfsubjectaccessreviews"):
			return 201, `{"kind":"SelfSubjectAccessReview","status":{"allowed":true}}`
		}
		return 201, someObject(path)
	})
	m, commands = after(t, m, page.Acted{Action: doApply})
	first := sent(commands)[0]
	m, _ = after(t, m, page.Typed{Field: Field, Text: manifestA + "---\n" + strings.NewReplacer("name: a", "name: b", `"2"`, `"666"`).Replace(manifestA)})
	_, commands = after(t, m, fetched(first.ID, 201, someObject(first.Path)))
	for _, s := range sent(commands) {
		if !strings.Contains(s.Path, "dryRun") && strings.Contains(string(s.Body), "666") {
			t.Errorf("it sends what nobody has previewed: %s", s.Body)
		}
	}
}

func TestToApplyWhatIsNotThereTakesTheRightToCreate(t *testing.T) {
	m, commands := begun(t, manifestA)
	live := fetches(commands)[0]
	_, commands = after(t, m, fetched(live.ID, 404, notFound))
	asked := false
	for _, c := range commands {
		if s, ok := c.(page.Call); ok && strings.Contains(string(s.Body), `"verb":"create"`) {
			asked = true
		}
	}
	if !asked {
		t.Errorf("it asks %v", commands)
	}
}

// htmlOf is the page's HTML, with what is escaped in it as it reads.
func htmlOf(t *testing.T, m Model) string {
	t.Helper()
	var b strings.Builder
	if err := page.Main(m).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return html.UnescapeString(b.String())
}

// TestShownIsWhatIsSent: the request on the page is the one that Apply sends then, letter by letter.
func TestShownIsWhatIsSent(t *testing.T) {
	fresh, commands := begun(t, manifestA)
	fresh, _ = after(t, fresh, fetched(fetches(commands)[0].ID, 404, `{"kind":"Status","code":404,"reason":"NotFound"}`), fetched(sent(commands)[0].ID, 201, configMap("", map[string]string{"x": "2"}, nil)))
	overwriting, _ := after(t, fought(t), page.Acted{Action: "overwrite 0 0"})
	again, _ := after(t, fought(t), page.Acted{Action: "overwrite 0 0"}, page.Acted{Action: "overwrite 0 0"})
	if strings.Contains(sending(t, again), "force") {
		t.Errorf("not overwriting: %s", sending(t, again))
	}
	for name, m := range map[string]Model{"a new object": fresh, "a conflict, overwritten": overwriting} {
		shown := sending(t, m)
		_, commands := after(t, m, page.Acted{Action: doApply})
		s := sent(commands)
		if len(s) != 1 || shown != s[0].Method+" "+s[0].Path {
			t.Errorf("%s: the page shows %q, and sends %+v", name, shown, s)
		}
	}
}

// sending is the request that the page says Apply sends.
func sending(t *testing.T, m Model) string {
	t.Helper()
	_, rest, found := strings.Cut(htmlOf(t, m), `<code class="request" data-sends>`)
	if !found {
		t.Fatal("the page doesn't show what Apply sends")
	}
	shown, _, _ := strings.Cut(rest, "</code>")
	return shown
}

// TestNothingIsSaidBeforeItIsKnown: not that nothing would change, and after an apply what happened.
func TestNothingIsSaidBeforeItIsKnown(t *testing.T) {
	m, commands := begun(t, manifestA)
	step := func(what, sum string, has, lacks []string) {
		t.Helper()
		if got := m.sum(); got != sum {
			t.Errorf("%s: it says %q, not %q", what, got, sum)
		}
		text := htmlOf(t, m)
		for _, words := range has {
			if !strings.Contains(text, words) {
				t.Errorf("%s: the page lacks %q", what, words)
			}
		}
		for _, words := range append(lacks, "No changes") {
			if strings.Contains(text, words) {
				t.Errorf("%s: the page says %q", what, words)
			}
		}
	}
	step("at first", "Waiting for the preview", nil, nil)
	m, _ = after(t, m, fetched(fetches(commands)[0].ID, 200, configMap("7", map[string]string{"x": "1"}, nil)), fetched(sent(commands)[0].ID, 200, configMap("7", map[string]string{"x": "2"}, nil)))
	step("previewed", "1 change", []string{`data-path=".data.x"`}, nil)
	m, commands = after(t, m, page.Acted{Action: doApply})
	step("under way", "Applying…", []string{"Sending…"}, nil)
	m, commands = after(t, m, fetched(sent(commands)[0].ID, 200, configMap("8", map[string]string{"x": "2"}, nil)))
	step("applied", "Applied", []string{"Applied."}, []string{`data-path=".data.x"`, "1 change"})
	m, _ = after(t, m, fetched(fetches(commands)[0].ID, 200, configMap("8", map[string]string{"x": "2"}, nil)), fetched(sent(commands)[0].ID, 200, configMap("8", map[string]string{"x": "2"}, nil)))
	step("previewed again", "Applied. No more changes", []string{"No more changes"}, nil)
	m, commands = after(t, m, page.Typed{Field: Field, Text: strings.Replace(manifestA, `"2"`, `"3"`, 1)})
	step("another text", "Waiting for the preview", nil, []string{"Applied."})
	m, _ = after(t, m, fetched(fetches(commands)[0].ID, 200, configMap("8", map[string]string{"x": "2"}, nil)), fetched(sent(commands)[0].ID, 200, configMap("8", map[string]string{"x": "3"}, nil)))
	step("that previewed", "1 change", nil, nil)
}

// TestNoValueIsShownAsNothing: an empty chip tells nobody what it stands for.
func TestNoValueIsShownAsNothing(t *testing.T) {
	for _, r := range []change.Row{
		{Path: ".data", What: ownership.Passed},
		{Path: ".data.x", What: ownership.Added, New: `""`},
		{Path: ".data.x", What: ownership.Removed},
		{Path: ".data.x", What: ownership.Changed, New: `"1"`},
		{Path: ".data.x", What: ownership.Changed, Old: `"1"`},
	} {
		var b strings.Builder
		if err := row(r, owners.Faces{}).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if empty.MatchString(b.String()) {
			t.Errorf("%+v: %s", r, b.String())
		}
	}
	for _, c := range []change.Conflict{{Path: ".a"}, {Path: ".a", Held: true, Live: `"1"`}, {Path: ".a", Sent: true, Yours: `""`}} {
		var b strings.Builder
		if err := conflictRow(fought(t), place{}, contested{Conflict: c}, false, owners.Faces{}).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if empty.MatchString(b.String()) || !c.Sent && strings.Contains(b.String(), "<ins>") || !strings.Contains(b.String(), "absent") {
			t.Errorf("%+v: %s", c, b.String())
		}
	}
}

var empty = regexp.MustCompile(`<(ins|del|code)[^>]*>\s*</`)

func TestNoCanaryEscapes(t *testing.T) {
	for _, d := range canary.Documents() {
		m, _ := begun(t, d.JSON)
		if kept := m.keep(); !d.Vague && canary.Escapes(kept.Value) {
			t.Errorf("%s is kept in the browser: %s", d.Name, kept.Value)
		}
		if d.Vague {
			continue
		}
		o, err := object.Parse([]byte(d.JSON))
		if err != nil {
			t.Fatal(err)
		}
		live, predicted, sent := hide(object.Object{}, o, o.Fields)
		again, _, _ := hide(o, o, o.Fields)
		if text, err := json.Marshal([]any{live, predicted, sent, again}); err != nil || canary.Escapes(string(text)) {
			t.Errorf("%s: %s (%v)", d.Name, text, err)
		}
	}
}
