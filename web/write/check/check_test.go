package check

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

var now = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

var catalog = discovery.Catalog{
	Groups: []discovery.Group{{Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{
		{Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Namespaced: true, Verbs: []string{"get", "patch"}},
		{Version: "v1", Resource: "secrets", Kind: "Secret", Namespaced: true, Verbs: []string{"get", "patch"}},
		{Version: "v1", Resource: "namespaces", Kind: "Namespace", Verbs: []string{"get", "patch"}},
	}}}}},
	Failures: []discovery.Failure{{Group: "metrics.example.com", Version: "v1", Why: "no endpoints"}},
}

// bench runs the page: a request of it is answered by answer.
type bench struct {
	t      *testing.T
	m      Model
	sent   []page.Call
	queue  []page.Cmd
	others []page.Cmd
	most   int // of calls that were under way
	answer func(page.Call) (int, string)
}

func begin(t *testing.T, m Model, answer func(page.Call) (int, string)) *bench {
	t.Helper()
	m.Shell = shell.Model{Cluster: shell.Cluster{Slug: "practice"}, Catalog: catalog}
	if m.Options.Namespace == "" {
		m.Options.Namespace = UsualNamespace
	}
	b := &bench{t: t, answer: answer}
	p, commands := m.Awake(now)
	b.take(p, commands)
	return b
}

func (b *bench) take(p page.Page, commands []page.Cmd) {
	b.m = p.(Model)
	b.queue = append(b.queue, commands...)
}

// does tells the page what happened, and lets it work and answers it until nothing is left to do.
func (b *bench) does(messages ...page.Msg) {
	b.t.Helper()
	for _, msg := range messages {
		b.take(b.m.Update(msg))
	}
	for b.work() || len(b.queue) > 0 {
		b.step()
	}
}

// work lets the page work, as the program does.
func (b *bench) work() bool {
	worked := false
	for b.m.Work() {
		worked = true
	}
	if worked {
		b.take(b.m.Update(page.Worked{}))
	}
	return worked
}

// step answers the first request.
func (b *bench) step() {
	b.t.Helper()
	if len(b.queue) == 0 {
		return
	}
	calls := 0
	for _, c := range b.queue {
		if _, is := c.(page.Call); is {
			calls++
		}
	}
	b.most = max(b.most, calls)
	c := b.queue[0]
	b.queue = b.queue[1:]
	switch c := c.(type) {
	case page.Call:
		b.sent = append(b.sent, c)
		code, body := b.answer(c)
		b.take(b.m.Update(page.Response{ID: c.ID, Status: code, Body: []byte(body)}))
	case page.Ask:
		b.take(b.m.Update(page.Response{ID: c.ID, Status: 200, Body: []byte("null")}))
	default:
		b.others = append(b.others, c)
	}
}

func (b *bench) shows() string {
	b.t.Helper()
	var s strings.Builder
	if err := page.Main(b.m).Render(b.t.Context(), &s); err != nil {
		b.t.Fatal(err)
	}
	return s.String()
}

// kinds are the findings as "kind object path", in the order of the table.
func (b *bench) kinds() []string {
	var all []string
	for _, g := range b.m.groups() {
		for _, c := range g.shown {
			all = append(all, fmt.Sprint(c.of().Kind, " ", c.of().Object.Name, c.of().Path))
		}
	}
	return all
}

func configMap(name, value string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\ndata:\n  x: \"" + value + "\"\n"
}

// stored is a live ConfigMap whose data one manager owns.
func stored(name, value, manager string) string {
	return `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"` + name + `","namespace":"default","uid":"u","resourceVersion":"1","managedFields":[{"manager":"` + manager +
		`","operation":"Apply","apiVersion":"v1","time":"2026-11-22T11:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:x":{}}}}]},"data":{"x":"` + value + `"}}`
}

const conflict = `{"kind":"Status","status":"Failure","reason":"Conflict","code":409,"message":"Apply failed with 1 conflict: conflict with \"helm\": .data.x","details":{"causes":[{"reason":"FieldManagerConflict","message":"conflict with \"helm\"","field":".data.x"}]}}`

// practice answers for objects by their names: new ones don't exist, held ones are helm's.
func practice(c page.Call) (int, string) {
	path, _, _ := strings.Cut(c.Path, "?")
	name := path[strings.LastIndexByte(path, '/')+1:]
	switch {
	case strings.HasPrefix(name, "new") && c.Method == "GET":
		return 404, `{"kind":"Status","reason":"NotFound","code":404,"message":"not found"}`
	case strings.HasPrefix(name, "held") && c.Method == "PATCH" && !strings.Contains(c.Path, "force=true"):
		return 409, conflict
	case strings.HasPrefix(name, "held") && c.Method == "PATCH":
		return 200, stored(name, "2", "ada")
	case strings.HasPrefix(name, "held"):
		return 200, stored(name, "1", "helm")
	}
	return 200, stored(name, "1", "ada")
}

func load(name, text string) page.Loaded {
	return page.Loaded{Field: FieldFiles, Name: name, Size: int64(len(text)), Body: []byte(text)}
}

func TestFindings(t *testing.T) {
	for name, c := range map[string]struct {
		options Options
		text    string
		want    []string
		sent    int
	}{
		"nothing to report": {text: configMap("same", "1"), sent: 2},
		"created":           {text: configMap("new", "1"), want: []string{"created new"}, sent: 2},
		"a conflict":        {options: Options{Manager: "ada"}, text: configMap("held", "2"), want: []string{"conflict held.data.x"}, sent: 3},
		"with force":        {options: Options{Manager: "ada", Force: true}, text: configMap("held", "2"), want: []string{"taken held.data.x"}, sent: 2},
		"unserved":          {text: "apiVersion: example.com/v1\nkind: Thing\nmetadata:\n  name: a\n", want: []string{"unserved a"}},
		"unread":            {text: "apiVersion: metrics.example.com/v1\nkind: Thing\nmetadata:\n  name: a\n", want: []string{"unknown a"}},
		"broken":            {text: "apiVersion: v1\nkind: [\n", want: []string{"invalid "}},
		"generated name":    {text: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  generateName: a-\n", want: []string{"invalid a-.metadata.generateName"}},
		"worst first": {
			options: Options{Manager: "ada"}, text: configMap("new", "1") + "---\n" + configMap("held", "2") + "---\n" + configMap("same", "1"),
			want: []string{"conflict held.data.x", "created new"}, sent: 7,
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := begin(t, Model{Options: c.options}, practice)
			b.does(page.Typed{Field: FieldText, Text: c.text}, page.Acted{Action: doCheck})
			if got := b.kinds(); fmt.Sprint(got) != fmt.Sprint(c.want) || len(b.sent) != c.sent {
				t.Errorf("%q after %d requests, wanted %q after %d", got, len(b.sent), c.want, c.sent)
			}
			if b.m.runs() || len(b.m.live.under) > 0 {
				t.Error("it still runs")
			}
			html := b.shows()
			if len(c.want) == 0 && !strings.Contains(html, "Nothing to report.") {
				t.Errorf("%s", html)
			}
		})
	}
}

// The requests are those of an apply, as dry runs.
func TestRequests(t *testing.T) {
	b := begin(t, Model{Options: Options{Manager: "ada & co", Namespace: "shop"}}, practice)
	b.does(page.Typed{Field: FieldText, Text: configMap("held", "2")}, page.Acted{Action: doCheck})
	want := []string{
		"GET /api/v1/namespaces/shop/configmaps/held",
		"PATCH /api/v1/namespaces/shop/configmaps/held?dryRun=All&fieldManager=ada+%26+co&fieldValidation=Warn",
		"PATCH /api/v1/namespaces/shop/configmaps/held?dryRun=All&fieldManager=ada+%26+co&fieldValidation=Warn&force=true",
	}
	for i, c := range b.sent {
		if got := c.Method + " " + c.Path; i >= len(want) || got != want[i] {
			t.Errorf("it sends %s", got)
		}
	}
	if len(b.sent) != len(want) {
		t.Errorf("it sends %d requests", len(b.sent))
	}
}

// TestWhatIsNotReadIsNamedInPart: the page names ten files, and counts the others.
func TestWhatIsNotReadIsNamedInPart(t *testing.T) {
	const files = 5000
	b := begin(t, Model{Options: Options{Manager: "ada"}}, practice)
	b.does(page.Choosing{Field: FieldFolder, Files: files})
	for i := range files {
		b.does(page.Loaded{Name: fmt.Sprintf("app/large-%d.yaml", i), Size: 4 << 20})
	}
	if html := b.shows(); strings.Count(html, "app/large-") != mostNamed || !strings.Contains(html, "4990 more files were not read.") && !strings.Contains(html, "4,990 more files were not read.") {
		t.Errorf("it names %d files: %.2000s", strings.Count(html, "app/large-"), html)
	}
}

// Windows PowerShell writes UTF-16. kubectl reads it, and so does the page.
func TestFilesInUTF16AreRead(t *testing.T) {
	b := begin(t, Model{Options: Options{Manager: "ada"}}, practice)
	text := "\xff\xfe"
	for _, unit := range utf16.Encode([]rune("# é😀\n" + configMap("new", "1"))) {
		text += string([]byte{byte(unit), byte(unit >> 8)})
	}
	b.does(page.Choosing{Field: FieldFolder, Files: 1}, load("app/windows.yaml", text))
	if got := b.kinds(); fmt.Sprint(got) != "[created new]" {
		t.Errorf("it finds %q", got)
	}
}

func TestFilesAndRules(t *testing.T) {
	rules := "apiVersion: fieldmark.dev/v1\nkind: Expected\nrules:\n- {match: {name: held}, reason: an autoscaler}\n- {match: {name: nobody}, reason: none}\n"
	b := begin(t, Model{Options: Options{Manager: "ada"}}, practice)
	b.does(page.Choosing{Field: FieldFolder, Files: 5, Passed: 7},
		load("app/fieldmark.yaml", rules), load("app/a.yaml", configMap("held", "2")), load("app/b/c.yaml", configMap("new", "1")),
		page.Loaded{Name: "app/large.yaml", Size: 4 << 20}, load("app/bin.yaml", "\xff\xfd"))
	if got := b.kinds(); fmt.Sprint(got) != "[created new]" {
		t.Errorf("it finds %q", got)
	}
	html := b.shows()
	for _, want := range []string{"Skipped 7 files", "app/large.yaml", "isn’t UTF-8 text", "1 finding: an autoscaler", "app/fieldmark.yaml:5", "matches no finding", "kubectl fieldmark check -R -f app --manager ada", "app/b/c.yaml", "c.yaml:2"} {
		if !strings.Contains(html, want) {
			t.Errorf("it doesn't say %q", want)
		}
	}
	b.does(page.Addressed{Query: url.Values{QueryExpected: {"1"}}})
	if got := b.kinds(); fmt.Sprint(got) != "[conflict held.data.x created new]" {
		t.Errorf("with what is expected, it finds %q", got)
	}
	b.does(page.Acted{Action: doAgain})
	if got := b.kinds(); fmt.Sprint(got) != "[conflict held.data.x created new]" || len(b.m.live.input.unread) != 1 || len(b.m.live.idle) != 1 {
		t.Errorf("again, it finds %q, %v, %v", got, b.m.live.input.unread, b.m.live.idle)
	}
}

// Without a name, all documents are judged for one manager: the one that owns most of what they have.
func TestTheFolderThatHasAllFiles(t *testing.T) {
	deep := strings.Repeat("a/", 400_000) // each of its folders alone is read in time, all of them are not
	for _, c := range [][]string{
		{"a", "a/b.yaml", "a/c.yaml"},
		{"a", "a/b/x.yaml", "a/c/x.yaml"},
		{"a", "a/b/x.yaml", "a/bc/x.yaml"},
		{"a", "a/bc/x.yaml", "a/b/x.yaml"},
		{"a", "a/b/x.yaml", "a/b.yaml"},
		{".", "a/x.yaml", "b/x.yaml"},
		{".", "a/x.yaml", "x.yaml"},
		{".", "x.yaml", "a/x.yaml"},
		{".", "ab/x.yaml", "a/x.yaml"},
		{".", "/a/x.yaml", "/b/x.yaml"},
		{"a", deep + "x.yaml", "a/y.yaml"},
		{".", deep + "x.yaml", "b/y.yaml"},
	} {
		var in input
		for _, file := range c[1:] {
			in.addText(file, "")
		}
		if in.root != c[0] {
			t.Errorf("%.40q: %.40q, not %q", c[1:], in.root, c[0])
		}
	}
}

func TestTheManagerIsChosenForAll(t *testing.T) {
	b := begin(t, Model{}, practice)
	b.does(page.Typed{Field: FieldText, Text: configMap("held", "1") + "---\n" + configMap("same", "1") + "---\n" + configMap("same-too", "1") + "---\na: [\n"}, page.Acted{Action: doCheck})
	var asked []string
	for _, c := range b.sent {
		asked = append(asked, c.Method)
		if c.Method == "PATCH" && !strings.Contains(c.Path, "fieldManager=ada&") {
			t.Errorf("it sends %s", c.Path)
		}
	}
	if fmt.Sprint(asked) != "[GET GET GET PATCH PATCH PATCH PATCH]" {
		t.Errorf("it sends %s", asked)
	}
	if html := b.shows(); !strings.Contains(html, "Checked as the manager ada. It owns 2 of the 3 values in the manifests") || strings.Contains(b.m.command(), "--manager") {
		t.Errorf("%s", html)
	}
	if got := b.kinds(); fmt.Sprint(got) != "[invalid  conflict held.data.x]" {
		t.Errorf("it finds %q", got)
	}
}

// An item of a list is a document of its own, with its lines.
func TestLists(t *testing.T) {
	b := begin(t, Model{Options: Options{Manager: "ada"}}, practice)
	b.does(page.Typed{Field: FieldText, Text: "apiVersion: v1\nkind: ConfigMapList\nitems:\n- metadata: {name: new}\n- metadata:\n    name: held\n  data:\n    x: \"2\"\n"}, page.Acted{Action: doCheck})
	if got := b.kinds(); fmt.Sprint(got) != "[conflict held.data.x created new]" {
		t.Errorf("it finds %q", got)
	}
	b.does(page.Acted{Action: doPreview})
	if html := b.shows(); !strings.Contains(html, `<span class="nth">8</span><code>    x: &#34;2&#34;</code>`) {
		t.Errorf("%s", html)
	}
	if h := b.m.Handed(); !strings.HasPrefix(h.Text, "apiVersion: v1\n") || !strings.Contains(h.Text, "kind: ConfigMap\n") {
		t.Errorf("it hands over %q", h.Text)
	}
}

func TestTheLookIsInTheAddress(t *testing.T) {
	b := begin(t, Model{Options: Options{Manager: "ada"}}, practice)
	b.does(page.Typed{Field: FieldText, Text: configMap("held", "2") + "---\n" + configMap("new", "1")}, page.Acted{Action: doCheck})
	if html := b.shows(); !strings.Contains(html, `href="/c/practice/-/check?finding=created&amp;manager=ada"`) {
		t.Errorf("%s", html)
	}
	b.does(page.Addressed{Query: url.Values{QueryFinding: {"created,nonsense"}, QueryManager: {"ada"}}})
	if got := b.kinds(); fmt.Sprint(got) != "[created new]" {
		t.Errorf("it shows %q", got)
	}
	remembered, ok := b.others[len(b.others)-2].(page.Remember)
	if !ok || remembered.Address != "/c/practice/-/check?finding=created&manager=ada" {
		t.Errorf("it remembers %+v", b.others)
	}
}

// Documents are asked about a few at a time; Stop leaves the rest, and “Check the rest” goes on.
func TestManyDocuments(t *testing.T) {
	var text strings.Builder
	for i := range 300 {
		text.WriteString(configMap(fmt.Sprintf("new-%d", i), "1") + "---\n")
	}
	b := begin(t, Model{}, practice)
	for _, msg := range []page.Msg{page.Typed{Field: FieldText, Text: text.String()}, page.Acted{Action: doCheck}} {
		b.take(b.m.Update(msg))
	}
	for b.m.live.done < 100 {
		b.work()
		b.step()
	}
	if html := b.shows(); !strings.Contains(html, "Checked 100 of 300 documents") || !strings.Contains(html, "Stop") {
		t.Errorf("%s", html)
	}
	b.does(page.Acted{Action: doStop})
	if done := b.m.live.done; done < 100 || done > 100+2*atOnce || b.m.runs() {
		t.Errorf("%d are done after it was stopped", done)
	}
	if html := b.shows(); !strings.Contains(html, " of 300 documents: ") || !strings.Contains(html, "Check the rest") {
		t.Errorf("%s", html)
	}
	b.does(page.Acted{Action: doGoOn})
	if b.m.live.done != 300 || len(b.kinds()) != 300 || b.most > atOnce {
		t.Errorf("%d are done, %d at once", b.m.live.done, b.most)
	}
	if n := strings.Count(b.shows(), "<tr"); n > 120 {
		t.Errorf("%d rows are laid out", n)
	}
}

// Nothing moves under the pointer.
func TestRowsHoldStill(t *testing.T) {
	b := begin(t, Model{Options: Options{Manager: "ada"}}, practice)
	b.does(page.Pointed{Over: true}, page.Typed{Field: FieldText, Text: configMap("new", "1") + "---\n" + configMap("held", "2")}, page.Acted{Action: doCheck})
	if got := b.kinds(); fmt.Sprint(got) != "[created new conflict held.data.x]" {
		t.Errorf("under the pointer: %q", got)
	}
	b.does(page.Pointed{})
	if got := b.kinds(); fmt.Sprint(got) != "[conflict held.data.x created new]" {
		t.Errorf("afterwards: %q", got)
	}
}

func TestAFindingIsShownWithItsLine(t *testing.T) {
	b := begin(t, Model{Options: Options{Manager: "ada"}}, practice)
	b.does(page.Typed{Field: FieldText, Text: "# first\n" + configMap("new", "1") + "---\n" + configMap("held", "2")}, page.Acted{Action: doCheck})
	html := b.shows()
	for _, want := range []string{
		`data-finding="conflict" data-path=".data.x"`, `id="line-here" aria-current="true"><span class="nth">14</span><code>  x: &#34;2&#34;</code>`, "fieldmark.yaml", `data-way="give-up"`, "last wrote 60m ago", "Open in the apply preview",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("it doesn't show %q", want)
		}
	}
	if h := b.m.Handed(); h.Text != "" {
		t.Errorf("nobody asked for the preview, and it hands over %+v", h)
	}
	b.does(page.Acted{Action: doPreview})
	if h := b.m.Handed(); h.Text != "\n"+configMap("held", "2") || h.Manager != "" && h.Manager != "ada" {
		t.Errorf("it hands over %+v", h)
	}
	b.does(page.Pressed{Key: "Escape"})
	if strings.Contains(b.shows(), "line-here") {
		t.Error("the finding is still shown")
	}
}

// A page that comes back goes on with what there was.
func TestComesBack(t *testing.T) {
	b := begin(t, Model{Options: Options{Manager: "ada"}}, practice)
	b.does(page.Typed{Field: FieldText, Text: configMap("held", "2")}, page.Acted{Action: doCheck})
	fresh, _ := Model{Frame: page.Frame{Shell: b.m.Shell}, Options: b.m.Options}.Awake(now)
	p, _ := fresh.(Model).Inherit(came{b.m})
	b.take(p, nil)
	if got := b.kinds(); fmt.Sprint(got) != "[conflict held.data.x]" {
		t.Errorf("%q", got)
	}
}

// came is another page, to which the reader came from a check.
type came struct{ Model }

func (c came) Came() page.Page { return c.Model }

// said are findings as the page has them.
func said(t *testing.T, findings []check.Finding) string {
	t.Helper()
	text, err := json.Marshal(findings)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What the server judged crosses to the browser, and is not asked for again.
func TestWhatTheServerJudgedCrosses(t *testing.T) {
	server := begin(t, Model{Options: Options{Manager: "ada"}}, practice)
	text := configMap("held", "2")
	server.does(page.Typed{Field: FieldText, Text: text}, page.Acted{Action: doCheck})
	m := Model{Frame: page.Frame{Shell: server.m.Shell}, Options: server.m.Options, Text: text, Judged: [][]check.Finding{server.m.live.input.docs[0].found}, Choice: check.Choice{Manager: "ada", Owns: 3, Of: 4}, Now: now}
	var shown strings.Builder
	if err := page.Main(m).Render(t.Context(), &shown); err != nil || !strings.Contains(shown.String(), `data-finding="conflict" data-path=".data.x"`) || !strings.Contains(shown.String(), "Checked as the manager ada. It owns 3 of the 4 values") {
		t.Errorf("%v, %s", err, shown.String())
	}
	crossed, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var back Model
	if err := json.Unmarshal(crossed, &back); err != nil {
		t.Fatal(err)
	}
	b := begin(t, back, practice)
	b.does()
	if got := b.kinds(); fmt.Sprint(got) != "[conflict held.data.x]" || len(b.sent) > 0 || said(t, b.m.live.input.docs[0].found) != said(t, server.m.live.input.docs[0].found) {
		t.Errorf("%q after %d requests: %+v", got, len(b.sent), b.m.live.input.docs[0].found)
	}
}

func TestCommand(t *testing.T) {
	for name, c := range map[string]struct {
		files []string
		o     Options
		want  string
	}{
		"one":     {[]string{"a.yaml"}, Options{}, "-f a.yaml"},
		"some":    {[]string{"a.yaml", "b.yaml"}, Options{}, "-R -f ."},
		"folder":  {[]string{"app/x/a.yaml", "app/y/b.yaml"}, Options{Manager: "it's me", Force: true, Namespace: "shop"}, `-R -f app --manager 'it'\''s me' --force-conflicts --namespace shop`},
		"archive": {[]string{"app.zip/k8s/a.yaml", "app.zip/k8s/b.yaml"}, Options{}, "-R -f app/k8s"},
	} {
		b := begin(t, Model{Options: c.o}, practice)
		b.does(page.Choosing{Files: len(c.files)})
		for _, f := range c.files {
			b.does(load(f, configMap("same", "1")))
		}
		if got := strings.TrimPrefix(b.m.command(), "kubectl fieldmark check "); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestNothingToRead(t *testing.T) {
	b := begin(t, Model{}, practice)
	b.does(page.Choosing{Passed: 3})
	if html := b.shows(); !strings.Contains(html, "No file name ends with .yaml, .yml or .json.") {
		t.Errorf("%s", html)
	}
	b.does(page.Choosing{Files: 1}, load("fieldmark.yaml", "apiVersion: fieldmark.dev/v1\nkind: Expected\nrules: []\n"))
	if html := b.shows(); !strings.Contains(html, "Found no manifest.") || b.m.runs() {
		t.Errorf("%s", html)
	}
}

// The managers of all findings have their faces, in the table and beside it.
func TestManagersHaveFaces(t *testing.T) {
	b := begin(t, Model{Options: Options{Manager: "ada"}}, func(c page.Call) (int, string) {
		code, body := practice(c)
		if strings.Contains(c.Path, "held-2") {
			body = strings.ReplaceAll(body, "helm", "helm-controller")
		}
		return code, body
	})
	b.does(page.Typed{Field: FieldText, Text: configMap("held-1", "2") + "---\n" + configMap("held-2", "2")}, page.Acted{Action: doCheck})
	b.does(page.Acted{Action: doOpen + " 0 0"})
	html := b.shows()
	if strings.Count(html, `<rect class="hue-2" width`) != 2 || strings.Count(html, `<rect class="hue-2 mark-1"`) != 1 {
		t.Errorf("helm and helm-controller look the same: %s", html)
	}
	if strings.Count(html, ">He</text>") != 2 || strings.Count(html, ">HC</text>") != 1 {
		t.Errorf("no initials: %s", html)
	}
}

func TestAFindingIsCopied(t *testing.T) {
	b := begin(t, Model{Options: Options{Manager: "ada"}}, practice)
	b.does(page.Typed{Field: FieldText, Text: configMap("held", "2")}, page.Acted{Action: doCheck})
	copied := func(action string) page.Copy {
		t.Helper()
		_, did := b.m.Update(page.Acted{Action: action})
		if len(did) != 1 {
			t.Fatalf("%s: %+v", action, did)
		}
		return did[0].(page.Copy)
	}
	want := "### Conflict: ConfigMap default/held\n\n| field | live value | value in the manifest | owners |\n|---|---|---|---|\n" +
		"| `.data.x` | `\"1\"` | `\"2\"` | `helm` (Apply, last wrote 60m ago) |\n\n"
	if got := copied("copy-as-markdown 0 0").Text; !strings.HasPrefix(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
	if c := copied("copy-as-image 0 0"); c.Text != "" || !strings.HasPrefix(c.SVG, "<svg ") || c.File != "fieldmark-conflict.png" {
		t.Errorf("%+v", c)
	}
	for _, action := range []string{"copy-as-markdown 0 9", "copy-as-markdown 7 0", "copy-as-markdown -1 -1"} {
		if _, did := b.m.Update(page.Acted{Action: action}); did != nil {
			t.Errorf("%s: %+v", action, did)
		}
	}
}

func TestThePageKnowsEachKind(t *testing.T) {
	for _, k := range check.Kinds() {
		if got, want := topic(k).Address(), why.Guide+"/"+k.About().Topic; got != want {
			t.Errorf("%s is explained at %s, want %s", k, got, want)
		}
		if tone(k) == components.Calm {
			t.Errorf("%s has no tone", k)
		}
	}
}
