package apply

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/write/aim"
)

const pathA = "/api/v1/namespaces/shop/configmaps/a"

// editedText is the text of the ConfigMap that bob owns, as the page shows it first.
const editedText = "apiVersion: v1\ndata:\n  x: \"1\"\n  w: \"1\"\n  z: \"1\"\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: shop\n"

// editing is the page after “Edit…” on an object that bob owns, and of which ada owns z.
func editing(t *testing.T) (Model, []page.Cmd) {
	t.Helper()
	m := Model{
		Frame: page.Frame{Shell: shell.Model{Cluster: shell.Cluster{Slug: "practice"}, Catalog: catalog}}, Text: editedText, Manager: "ada", Validation: aim.Warn, Namespace: "shop",
		From: &From{Path: pathA},
	}
	p, commands := m.Awake(time.Unix(1000, 0))
	return p.(Model), commands
}

// theLive is the object as it is in the cluster.
func theLive(version string) string {
	return configMap(version, map[string]string{"x": "1", "w": "1", "z": "1"}, map[string][]string{"bob": {"x", "w"}, "ada": {"z"}})
}

// schemaless answers the request for the schema: there is none.
func schemaless(commands []page.Cmd) page.Response {
	for _, c := range commands {
		if a, ok := c.(page.Ask); ok {
			return page.Response{ID: a.ID, Status: 404}
		}
	}
	return page.Response{}
}

func stated(t *testing.T, c page.Call) string {
	t.Helper()
	return strings.TrimSpace(string(c.Body))
}

func TestEditBeginsWithNoChange(t *testing.T) {
	m, commands := editing(t)
	if len(sent(commands)) != 0 || len(fetches(commands)) != 1 {
		t.Fatalf("it sends %v", sent(commands))
	}
	m, more := after(t, m, schemaless(commands), fetched(fetches(commands)[0].ID, 200, theLive("7")))
	if len(sent(more)) != 0 {
		t.Errorf("nothing has changed, and it sends %v", sent(more))
	}
	if m.sum() != "No changes" || m.unready() != "You have changed nothing." {
		t.Errorf("it says %q and %q", m.sum(), m.unready())
	}
	if text := htmlOf(t, m); !strings.Contains(text, "Only your changes are applied") || !strings.Contains(text, "You have changed nothing.") {
		t.Errorf("the page doesn’t say what is applied: %s", text)
	}
}

// previewed is the page after a change of w, with the response of the dry run.
func previewed(t *testing.T) Model {
	t.Helper()
	m, commands := editing(t)
	m, _ = after(t, m, schemaless(commands), fetched(fetches(commands)[0].ID, 200, theLive("7")))
	m, commands = after(t, m, page.Typed{Field: Field, Text: strings.Replace(editedText, `w: "1"`, `w: "2"`, 1)})
	if len(sent(commands)) != 0 {
		t.Fatal("it doesn’t wait for the object")
	}
	m, commands = after(t, m, fetched(fetches(commands)[0].ID, 200, theLive("7")))
	plain := sent(commands)
	if len(plain) != 1 {
		t.Fatalf("it sends %v", plain)
	}
	if got := stated(t, plain[0]); got != "apiVersion: v1\ndata:\n  w: \"2\"\n  z: \"1\"\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: shop" {
		t.Fatalf("it states\n%s", got)
	}
	m, _ = after(t, m, fetched(plain[0].ID, 200, configMap("7", map[string]string{"x": "1", "w": "2", "z": "1"}, map[string][]string{"bob": {"x"}, "ada": {"w", "z"}})))
	return m
}

func TestEditAppliesTheChangeAndWhatWasOwned(t *testing.T) {
	m := previewed(t)
	if m.sum() != "1 change" || m.unready() != "" {
		t.Fatalf("it says %q, %q", m.sum(), m.unready())
	}
	m, commands := after(t, m, page.Acted{Action: doApply})
	s := sent(commands)
	if len(s) != 1 || !strings.Contains(string(s[0].Body), `"resourceVersion": "7"`) || strings.Contains(string(s[0].Body), "  x:") || strings.Contains(s[0].Path, "dryRun") {
		t.Fatalf("it sends %+v", s)
	}
	if shown := htmlOf(t, previewed(t)); !strings.Contains(shown, strings.TrimSpace(string(s[0].Body))) {
		t.Errorf("the page doesn’t show the body that is sent:\n%s", s[0].Body)
	}
	m, commands = after(t, m, fetched(s[0].ID, 200, configMap("8", map[string]string{"x": "1", "w": "2", "z": "1"}, map[string][]string{"bob": {"x"}, "ada": {"w", "z"}})))
	m, _ = after(t, m, fetched(fetches(commands)[0].ID, 200, configMap("8", map[string]string{"x": "1", "w": "2", "z": "1"}, map[string][]string{"bob": {"x"}, "ada": {"w", "z"}})))
	if got := m.sum(); got != "Applied. No more changes" {
		t.Errorf("afterwards it says %q", got)
	}
	// The change can be taken back: it is compared with what was applied.
	m, commands = after(t, m, page.Typed{Field: Field, Text: editedText})
	_, commands = after(t, m, fetched(fetches(commands)[0].ID, 200, configMap("8", map[string]string{"x": "1", "w": "2", "z": "1"}, map[string][]string{"bob": {"x"}, "ada": {"w", "z"}})))
	if s := sent(commands); len(s) != 1 || !strings.Contains(string(s[0].Body), `w: "1"`) {
		t.Errorf("taken back, it sends %+v", s)
	}
}

func TestRemovedFieldOfAnotherManagerStays(t *testing.T) {
	m, commands := editing(t)
	m, _ = after(t, m, schemaless(commands), fetched(fetches(commands)[0].ID, 200, theLive("7")))
	m, commands = after(t, m, page.Typed{Field: Field, Text: strings.Replace(editedText, "  x: \"1\"\n", "", 1)})
	m, commands = after(t, m, fetched(fetches(commands)[0].ID, 200, theLive("7")))
	if len(sent(commands)) != 0 || m.unready() != "You have changed nothing." {
		t.Errorf("it sends %v and says %q", sent(commands), m.unready())
	}
	if text := htmlOf(t, m); !strings.Contains(text, "One removed field stays, because you don’t own it.") || !strings.Contains(text, ".data.x") {
		t.Error("the page doesn’t say that the field stays")
	}
}

func TestWholeDocumentIsAskedFor(t *testing.T) {
	m := previewed(t)
	m, commands := after(t, m, page.Acted{Action: doWhole})
	if len(sent(commands)) != 0 || !strings.Contains(htmlOf(t, m), "ada would become an owner of 1 more field with the values they have now.") {
		t.Errorf("it doesn’t ask: %v %s", commands, m.askWords())
	}
	m, commands = after(t, m, page.Acted{Action: doWholeYes})
	if s := sent(commands); len(s) != 1 || string(s[0].Body) != m.live.whole {
		t.Errorf("it sends %+v", s)
	}
	if words := m.modeWords(m.live.docs[0]); words != "" {
		t.Errorf("before the object is known: %q", words)
	}
	_, commands = after(t, m, page.Acted{Action: doPartly})
	if s := sent(commands); len(s) != 0 {
		t.Errorf("back: %+v", s)
	}
}

// contending is the page after a change of x, which bob owns.
func contending(t *testing.T) Model {
	t.Helper()
	m, commands := editing(t)
	m, _ = after(t, m, schemaless(commands), fetched(fetches(commands)[0].ID, 200, theLive("7")))
	m, commands = after(t, m, page.Typed{Field: Field, Text: strings.Replace(editedText, `x: "1"`, `x: "9"`, 1)})
	m, commands = after(t, m, fetched(fetches(commands)[0].ID, 200, theLive("7")))
	m, commands = after(t, m, fetched(sent(commands)[0].ID, 409, conflict(".data.x", "bob")))
	forced := sent(commands)[0]
	if !strings.Contains(forced.Path, "force=true") || strings.Contains(string(forced.Body), `w:`) {
		t.Fatalf("with force it sends %+v", forced)
	}
	m, _ = after(t, m, fetched(forced.ID, 200, configMap("7", map[string]string{"x": "9", "w": "1", "z": "1"}, map[string][]string{"bob": {"w"}, "ada": {"x", "z"}})))
	return m
}

func TestWaysOutOfAConflictInAnEdit(t *testing.T) {
	for action, want := range map[string]string{"share 0 0": `x: "1"`, "share all": `x: "1"`, "give-up 0 0": ""} {
		m, commands := after(t, contending(t), page.Acted{Action: action})
		if m.live.whole != editedText {
			t.Errorf("%s: the text is %s", action, m.live.whole)
		}
		m, commands = after(t, m, fetched(fetches(commands)[0].ID, 200, theLive("7")))
		s := sent(commands)
		if want == "" && len(s) != 0 || want != "" && (len(s) != 1 || !strings.Contains(string(s[0].Body), want)) {
			t.Errorf("%s: it sends %+v", action, s)
		}
		if want == "" {
			continue
		}
		m, commands = after(t, m, page.Acted{Action: "unshare 0"})
		if _, commands = after(t, m, fetched(fetches(commands)[0].ID, 200, theLive("7"))); len(sent(commands)) != 0 {
			t.Errorf("%s, taken back: it sends %+v", action, sent(commands))
		}
	}
	m, _ := after(t, contending(t), page.Acted{Action: "overwrite 0 0"})
	if shown := sending(t, m); !strings.Contains(shown, "force=true") || strings.Contains(shown, "dryRun") {
		t.Errorf("it shows %s", shown)
	}
}

func TestDraftOfAnEditStaysAnEdit(t *testing.T) {
	m := previewed(t)
	_, commands := after(t, m, page.Typed{Field: Field, Text: strings.Replace(editedText, `w: "1"`, `w: "3"`, 1)})
	kept := map[string]string{}
	for _, c := range commands {
		if k, ok := c.(page.Keep); ok {
			kept[k.Key] = k.Value
		}
	}
	fresh, _ := begun(t, "")
	fresh, commands = after(t, fresh, page.Kept{Values: kept})
	if len(sent(commands)) != 0 || !fresh.partly(fresh.live.docs[0]) {
		t.Fatalf("the draft is applied as a whole: %v", sent(commands))
	}
	fresh, commands = after(t, fresh, schemaless(commands), fetched(fetches(commands)[0].ID, 200, theLive("7")))
	if s := sent(commands); len(s) != 1 || strings.Contains(string(s[0].Body), "  x:") || !strings.Contains(string(s[0].Body), `w: "3"`) {
		t.Errorf("it sends %+v", s)
	}
	_, commands = after(t, fresh, page.Loaded{Field: Field, Name: "a.yaml", Body: []byte(manifestA)})
	if s := sent(commands); len(s) != 1 || string(s[0].Body) != manifestA {
		t.Errorf("a file is not applied as it is written: %+v", s)
	}
}

func TestOtherDocumentsOfAnEditAreAppliedAsWritten(t *testing.T) {
	m, _ := editing(t)
	other := strings.Replace(manifestA, "name: a", "name: b", 1)
	_, commands := after(t, m, page.Typed{Field: Field, Text: editedText + "---\n" + other})
	if s := sent(commands); len(s) != 1 || strings.TrimSpace(string(s[0].Body)) != strings.TrimSpace(other) {
		t.Errorf("it sends %+v", s)
	}
}

func TestEditWithoutTheObjectIsNotApplied(t *testing.T) {
	m, commands := editing(t)
	m, commands = after(t, m, fetched(fetches(commands)[0].ID, 403, `{"kind":"Status","reason":"Forbidden","code":403,"message":"no"}`))
	if len(sent(commands)) != 0 || !strings.Contains(m.unready(), "can’t read the object") {
		t.Errorf("it sends %v, and says %q", sent(commands), m.unready())
	}
	htmlOf(t, m)
}

func TestManyFieldsSharedWithoutAChangeAreFolded(t *testing.T) {
	data, both := map[string]string{}, []string{}
	for _, key := range []string{"a", "b", "c", "d", "e"} {
		data[key] = "1"
		both = append(both, key)
	}
	m, commands := begun(t, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: shop\ndata: {a: '1', b: '1', c: '1', d: '1', e: '2'}\n")
	plain := sent(commands)[0]
	live := configMap("7", data, map[string][]string{"bob": both})
	data["e"] = "2"
	m, _ = after(t, m, fetched(fetches(commands)[0].ID, 200, live), fetched(plain.ID, 200, configMap("7", data, map[string][]string{"bob": both[:4], "ada": both})))
	if got := m.sum(); got != "1 change, 4 fields shared without a change" {
		t.Errorf("it says %q", got)
	}
	text := htmlOf(t, m)
	if fold := strings.Index(text, `class="shared-rows"`); fold < 0 || strings.Index(text, `data-path=".data.e"`) > fold || strings.Index(text, `data-path=".data.a"`) < fold {
		t.Error("the shared fields are not folded")
	}
	if !strings.Contains(text, "4 fields shared without a change") {
		t.Error("the fold doesn’t say what is in it")
	}
}

func TestAllErrorsOnceWithTheirPlaces(t *testing.T) {
	m, commands := begun(t, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: shop\n  lables: {}\nimutable: true\ndata: [x]\n")
	var ask page.Ask
	for _, c := range commands {
		if a, ok := c.(page.Ask); ok {
			ask = a
		}
	}
	schema := `{"root":"m","definitions":{"m":{"type":"object","properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"immutable":{"type":"boolean"},"data":{"type":"object","additionalProperties":{"type":"string"}},` +
		`"metadata":{"type":"object","properties":{"name":{"type":"string"},"namespace":{"type":"string"},"labels":{"type":"object","additionalProperties":{"type":"string"}}}}}}}}`
	m, _ = after(t, m, page.Response{ID: ask.ID, Status: 200, Body: []byte(schema)})
	spell := func() (all []string) {
		for _, i := range m.issues() {
			all = append(all, string(i.severity)+" "+strings.TrimSpace(i.message()))
		}
		return all
	}
	want := []string{
		`warning The field metadata has no field "lables". Did you mean "labels"?`, `warning m has no field "imutable". Did you mean "immutable"?`,
		"error data takes a value of the type map of string to string, and not a list.",
	}
	if got := spell(); !slices.Equal(got, want) {
		t.Errorf("before the response: %q", got)
	}
	refused := `{"kind":"Status","status":"Failure","reason":"Invalid","code":422,"message":"ConfigMap is invalid","details":{"causes":[` +
		`{"reason":"FieldValueInvalid","field":"data","message":"data must be of type object"},{"reason":"FieldValueInvalid","field":"metadata.name","message":"too short"},{"reason":"x","field":"imutable","message":"unknown field"}]}}`
	m, _ = after(t, m, fetched(fetches(commands)[0].ID, 404, notFound), fetched(sent(commands)[0].ID, 422, refused))
	if got := spell(); !slices.Equal(got, slices.Insert(slices.Clone(want), 0, "error metadata.name: too short")) {
		t.Errorf("with the response: %q", got)
	}
	text := htmlOf(t, m)
	if !strings.Contains(text, `data-do="jump 7 1"`) || !strings.Contains(text, "Did you mean <code>immutable</code>?") {
		t.Error("the page doesn’t list the errors")
	}
	if _, commands := after(t, m, page.Acted{Action: "jump 7 1"}); len(commands) != 1 || commands[0] != (page.Point{Field: Field, Line: 7, Column: 1}) {
		t.Errorf("the jump: %v", commands)
	}
}

func TestSecretsOfAnEditStayHidden(t *testing.T) {
	text := "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  namespace: shop\n"
	m := Model{Frame: page.Frame{Shell: shell.Model{Cluster: shell.Cluster{Slug: "practice"}, Catalog: catalog}}, Text: text, Manager: "ada", Validation: aim.Warn, Namespace: "shop", From: &From{Path: "/api/v1/namespaces/shop/secrets/s"}}
	p, commands := m.Awake(time.Unix(1000, 0))
	m = p.(Model)
	secret := `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","namespace":"shop","uid":"u","resourceVersion":"7","managedFields":[{"manager":"ada","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:p":{}}}}]},"data":{"p":"aHVudGVy"}}`
	m, _ = after(t, m, schemaless(commands), fetched(fetches(commands)[0].ID, 200, secret))
	m, commands = after(t, m, page.Typed{Field: Field, Text: text + "  labels: {a: b}\n"})
	m, commands = after(t, m, fetched(fetches(commands)[0].ID, 200, secret))
	plain := sent(commands)
	if len(plain) != 1 || !strings.Contains(string(plain[0].Body), "aHVudGVy") {
		t.Fatalf("the value that ada owns is not kept: %+v", plain)
	}
	m, _ = after(t, m, fetched(plain[0].ID, 200, secret))
	if text := htmlOf(t, m); strings.Contains(text, "aHVudGVy") {
		t.Error("the page shows the value")
	}
	if _, err := manifest.YAML(m.live.opened.fields); err != nil {
		t.Error(err)
	}
}

// A server that doesn't know the media type of an apply doesn't offer server-side apply.
func TestRefusalOfAServerWithoutApply(t *testing.T) {
	n := refusal(&status.Status{Code: 415, Reason: "UnsupportedMediaType", Message: "the body of the request was in an unknown format"})
	if n.Title != "This server doesn’t offer server-side apply" || n.Words != feature.ServerSideApply.Since || n.Advice != feature.ServerSideApply.Instead || n.Quoted == "" {
		t.Errorf("%+v", n)
	}
}
