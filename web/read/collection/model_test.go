package collection

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

var pod = discovery.Type{Version: "v1", Resource: "pods", Kind: "Pod", Namespaced: true, Verbs: []string{"get", "list", "watch"}}

// pageOf is the page of a collection of three pods, as the path and the query ask for it.
func pageOf(t *testing.T, path, query string) Model {
	t.Helper()
	p, err := apipath.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	v, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	row := func(name, namespace, restarts string) table.Row {
		return table.Row{
			UID: "u-" + name, Namespace: namespace, Name: name, ResourceVersion: "7",
			Created: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), Labels: table.LabelsOf(map[string]string{"app": name[:3]}),
			Cells: []table.Cell{table.Cell(name), table.Cell(restarts), "10.0.0.1"},
		}
	}
	return Model{
		Frame: page.Frame{Shell: shell.Model{Cluster: shell.Cluster{Slug: "practice", Name: "practice"}, Path: p, Title: "Pods"}},
		Type:  pod, Query: ParseQuery(v),
		Table: table.Table{
			Columns: []table.Column{
				{Name: "Name", Type: "string", Format: "name"},
				{Name: "Restarts", Type: "integer", Description: "How often"},
				{Name: "IP", Type: "string", Priority: 1},
			},
			Rows: []table.Row{row("web-10", "shop", "3"), row("web-2", "shop", "12"), row("api-1", "payments", "0")}, Printed: true,
		},
	}
}

func names(rows []table.Row) string {
	var all []string
	for _, r := range rows {
		all = append(all, r.Name)
	}
	return strings.Join(all, " ")
}

// anyQuery makes queries as they may stand in an address.
func anyQuery(r *rand.Rand) Query {
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	return Query{
		LabelSelector: pick("", "app=web", "tier in (a,b),!x", "a&b=c#d", "snow=☃ +%2f"),
		FieldSelector: pick("", "metadata.name=web", "status.phase!=Running"),
		Limit:         1 + r.IntN(maxLimit),
		Continue:      pick("", "eyJ2IjoibWV0YSJ9==", "a+b/c"),
		Sort:          table.Order{Column: pick("Name", "Last Seen", "Größe", "a=b&c"), Descending: r.IntN(2) == 0},
		Filter:        pick("", "two words", " padded ", "<b>"),
		Wide:          r.IntN(2) == 0,
		Columns:       [][]string{nil, {"label:app"}, {".spec.replicas", "annotation:a&b=c", "no path["}}[r.IntN(3)],
	}
}

func TestQueryIsReadBackAsItWasWritten(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	same := func(q Query) bool {
		u, err := url.Parse(Model{Query: q, Frame: page.Frame{Shell: pageOf(t, "/api/v1/pods", "").Shell}}.queryAddress(q))
		if err != nil {
			t.Error(err)
			return false
		}
		return reflect.DeepEqual(ParseQuery(u.Query()), q)
	}
	for range 500 {
		if q := anyQuery(r); !same(q) {
			t.Errorf("%+v", q)
		}
	}
}

func TestQueryLeavesOutWhatIsAsUsual(t *testing.T) {
	if got := ParseQuery(nil).Values().Encode(); got != "" {
		t.Errorf("got %q", got)
	}
	if got := ParseQuery(nil).Request().Encode(); got != "limit=500" {
		t.Errorf("the request is unbounded: %q", got)
	}
	q := Query{Limit: DefaultLimit, Sort: table.Order{Column: "Age"}, Filter: "x", Wide: true, LabelSelector: "a=b"}
	if got := q.Request().Encode(); got != "labelSelector=a%3Db&limit=500" {
		t.Errorf("what only the page needs is sent to the API server: %q", got)
	}
}

func TestLimitThatMakesNoSenseIsTheDefault(t *testing.T) {
	for text, want := range map[string]int{
		"1": 1, "5000": 5000, "": 500, "0": 500, "-1": 500, "5001": 500, "99999999999999999999": 500, "ten": 500, "1e3": 500,
	} {
		if got := ParseQuery(url.Values{"limit": {text}}).Limit; got != want {
			t.Errorf("limit=%s is read as %d", text, got)
		}
	}
}

func headOf(m Model, column int) components.HeaderCell { return m.grid(m.laidOut()).Head[column] }

// The head of a column sorts by it, then the other way round, then not at all; everything else that
// was asked for stays.
func TestHeadLinksGoRound(t *testing.T) {
	const kept = "filter=web&labelSelector=app%3Dweb&limit=3&wide=1"
	m := pageOf(t, "/api/v1/pods", kept)
	for _, step := range []struct{ aria, sort string }{{"", "Restarts"}, {"ascending", "-Restarts"}, {"descending", ""}, {"", "Restarts"}} {
		h := headOf(m, 1)
		u, err := url.Parse(h.Href)
		if err != nil {
			t.Fatal(err)
		}
		got := u.Query()
		if h.Sort != step.aria || got.Get("sort") != step.sort || !h.Numeric || h.Hint != "How often" {
			t.Errorf("%+v", h)
		}
		got.Del("sort")
		if got.Encode() != kept {
			t.Errorf("the link keeps only %s", got.Encode())
		}
		m.Query = ParseQuery(u.Query())
	}
	if h := headOf(pageOf(t, "/api/v1/pods", "sort=Name"), 1); h.Sort != "" || !strings.Contains(h.Href, "sort=Restarts") {
		t.Errorf("another column's sorting marks this one: %+v", h)
	}
}

func TestRowsAreFilteredAndSorted(t *testing.T) {
	for query, want := range map[string]string{
		"":                             "web-10 web-2 api-1",
		"sort=Name":                    "api-1 web-2 web-10",
		"sort=-Name":                   "web-10 web-2 api-1",
		"sort=Restarts":                "api-1 web-10 web-2",
		"sort=Namespace":               "api-1 web-10 web-2",
		"sort=No+such+column":          "web-10 web-2 api-1",
		"filter=WEB":                   "web-10 web-2",
		"filter=shop+12":               "web-2",
		"filter=app%3Dapi":             "api-1",
		"filter=nothing":               "",
		"filter=web&sort=-Restarts":    "web-2 web-10",
		"filter=10.0.0.1&sort=-absent": "web-10 web-2 api-1",
	} {
		m := pageOf(t, "/api/v1/pods", query)
		before := names(m.Table.Rows)
		if got := names(m.rows()); got != want {
			t.Errorf("%s gives %q, want %q", query, got, want)
		}
		if after := names(m.Table.Rows); after != before {
			t.Errorf("%s changed the server's order to %s", query, after)
		}
	}
}

func TestTotalSaysNoMoreThanTheServerSaid(t *testing.T) {
	n := int64(12345)
	for _, c := range []struct {
		what, continued, token string
		remaining              *int64
		want                   string
	}{
		{"all there is", "", "", nil, "3 objects"},
		{"a first chunk, counted", "", "tok", &n, "12,348 objects"},
		{"a first chunk, not counted", "", "tok", nil, "more than 3 objects"},
		{"a later chunk, counted", "t", "tok", &n, "3 objects in this chunk, 12,345 after it"},
		{"a later chunk, not counted", "t", "tok", nil, "3 objects in this chunk"},
		{"the last chunk", "t", "", nil, "3 objects in this chunk"},
	} {
		m := pageOf(t, "/api/v1/pods", "")
		m.Query.Continue, m.Table.Continue, m.Table.Remaining = c.continued, c.token, c.remaining
		if got := m.total(); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
	one := pageOf(t, "/api/v1/pods", "")
	one.Table.Rows = one.Table.Rows[:1]
	if got := one.total(); got != "1 object" {
		t.Errorf("one: %q", got)
	}
}

func TestPartNoteWarnsOnlyOfWhatIsPartial(t *testing.T) {
	for _, c := range []struct{ query, token, want string }{
		{"", "", ""},
		{"sort=Name&filter=web", "", ""},
		{"", "tok", ""},
		{"sort=Name", "tok", "Sorted only within"},
		{"filter=web", "tok", "Filtered only within"},
		{"sort=Name&filter=web", "tok", "Sorted and filtered only within"},
		{"sort=Name&continue=t", "", "Sorted only within"},
	} {
		m := pageOf(t, "/api/v1/pods", c.query)
		m.Table.Continue = c.token
		if got := m.partNote(); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%q with token %q: %q", c.query, c.token, got)
		}
	}
}

func TestSaysWhatTheFilterSees(t *testing.T) {
	left := int64(4000)
	several := func(m *Model) { m.Table.Continue, m.Table.Remaining = "tok", &left }
	for want, c := range map[string]struct {
		change func(*Model)
		asleep bool
	}{
		"this chunk of 3 rows.":                   {several, true},
		"the 3 rows received so far.":             {several, false},
		"all 3 rows in the browser.":              {func(*Model) {}, false},
		"the rows on this page.":                  {func(*Model) {}, true},
		"all 900 rows. The search of the browser": {many(900), false},
	} {
		m := pageOf(t, "/api/v1/pods", "")
		c.change(&m)
		if !c.asleep {
			p, _ := m.Awake(noon)
			m = p.(Model)
		}
		if got := m.reach(m.laidOut()); !strings.HasPrefix(got, "The filter searches "+want) || !strings.HasSuffix(got, ". The server applies label and field selectors.") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestARearrangementIsSaid: many rows are put in order in steps, and shown as before until that is done.
func TestARearrangementIsSaid(t *testing.T) {
	m, _ := awake(t, "/api/v1/pods", "", many(40_000))
	first := func() string { return m.laidOut().rows[0].Name }
	finish := func() {
		for m.Work() {
		}
	}
	send(&m, page.Pressed{Key: "S"}, page.Pressed{Key: "S"}, page.Pressed{Key: "S"})
	if got := m.counted(m.laidOut()); m.Query.Sort.String() != "-Name" || got != "40,000 rows, sorting…" || first() != "row-00000" {
		t.Errorf("by %s: %s, beginning with %s", m.Query.Sort, got, first())
	}
	finish()
	if got := m.counted(m.laidOut()); got != "40,000 rows" || first() != "row-39999" {
		t.Errorf("%s, beginning with %s", got, first())
	}
	send(&m, page.Pointed{Over: true}, page.Typed{Field: "filter", Text: "777"})
	if got := m.counted(m.laidOut()); got != "40,000 rows, filtering…" {
		t.Errorf("%s", got)
	}
	finish()
	if got := m.counted(m.laidOut()); got != "76 of 40,000 rows" {
		t.Errorf("%s", got)
	}
}

// emptiness is a reason to show no row, the title that says it, and the way on.
var emptiness = []struct {
	what, path, query string
	change            func(*Model)
	title, link       string
}{
	{"none exist", "/api/v1/pods", "", noRows, "No Pods", ""},
	{"none in the namespace", "/api/v1/namespaces/shop/pods", "", noRows, "No Pods in the namespace shop", "/c/practice/api/v1/pods"},
	{"no such namespace", "/api/v1/namespaces/nope/pods", "", func(m *Model) { noRows(m); m.NoNamespace = true }, `There is no namespace "nope"`, "/c/practice/api/v1/pods"},
	{"none match the labels", "/api/v1/pods", "labelSelector=a%3Db&sort=Name&continue=t", noRows, "No object matches", "/c/practice/api/v1/pods?sort=Name"},
	{"none match the fields", "/api/v1/pods", "fieldSelector=metadata.name%3Db&filter=x", noRows, "No object matches", "/c/practice/api/v1/pods?filter=x"},
	{"none pass the filter", "/api/v1/pods", "filter=zzz&labelSelector=a%3Db", nil, "No row matches the filter", "/c/practice/api/v1/pods?labelSelector=a%3Db"},
	{"nothing after the last chunk", "/api/v1/pods", "continue=t&limit=7", noRows, "No more objects", "/c/practice/api/v1/pods?limit=7"},
	{"a problem", "/api/v1/pods", "", func(m *Model) { m.Problem = &components.Notice{Title: "You may not"} }, "You may not", ""},
}

func noRows(m *Model) { m.Table.Rows = nil }

func TestEachEmptinessIsSaid(t *testing.T) {
	for _, c := range emptiness {
		m := pageOf(t, c.path, c.query)
		if c.change != nil {
			c.change(&m)
		}
		notice := m.empty(m.laidOut())
		if notice == nil || notice.Title != c.title {
			t.Errorf("%s: %+v", c.what, notice)
			continue
		}
		if leads := slices.ContainsFunc(notice.Links, func(l components.Link) bool { return l.Href == c.link }); !leads && c.link != "" {
			t.Errorf("%s: nothing leads to %s: %+v", c.what, c.link, notice.Links)
		}
	}
	if notice := pageOf(t, "/api/v1/pods", "").empty(layout{shown: 3}); notice != nil {
		t.Errorf("rows are shown, and yet it says %+v", notice)
	}
}

func TestNoRowPassesSaysOfHowMany(t *testing.T) {
	m := pageOf(t, "/api/v1/pods", "filter=zzz")
	m.Table.Continue = "tok"
	if words := m.empty(m.laidOut()).Words; !strings.Contains(words, "this chunk’s 3 rows") || !strings.Contains(words, "zzz") {
		t.Errorf("%s", words)
	}
}

func TestObjectAddresses(t *testing.T) {
	for _, c := range []struct{ path, namespace, name, want string }{
		{"/api/v1/pods", "shop", "web-1", "/c/practice/api/v1/namespaces/shop/pods/web-1"},
		{"/api/v1/namespaces/shop/pods", "shop", "web-1", "/c/practice/api/v1/namespaces/shop/pods/web-1"},
		{"/apis/rbac.authorization.k8s.io/v1/clusterroles", "", "system:node", "/c/practice/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node"},
		{"/apis/x.test/v1/things", "", `"><script>`, "/c/practice/apis/x.test/v1/things/%22%3E%3Cscript%3E"},
		{"/apis/x.test/v1/things", "", "a b?c#d", "/c/practice/apis/x.test/v1/things/a%20b%3Fc%23d"},
		{"/api/v1/pods", "shop", "", ""},
	} {
		m := pageOf(t, c.path, "")
		if got := m.objectAddresses()(table.Row{Namespace: c.namespace, Name: c.name}); got != c.want {
			t.Errorf("%s in %s: %q, want %q", c.name, c.path, got, c.want)
		}
	}
	m := pageOf(t, "/api/v1/pods", "")
	m.Type.Verbs = []string{"list"}
	if got := m.objectAddresses()(table.Row{Name: "web"}); got != "" {
		t.Errorf("objects that cannot be read have the address %s", got)
	}
}

func TestNamespacesHaveAColumnOnlyWhereTheyDiffer(t *testing.T) {
	everywhere, inOne := pageOf(t, "/api/v1/pods", ""), pageOf(t, "/api/v1/namespaces/shop/pods", "")
	if g := everywhere.grid(everywhere.laidOut()); !g.Namespaces || g.Rows[0].NamespaceHref != "/c/practice/api/v1/namespaces/shop/pods" {
		t.Errorf("everywhere: %+v", g.Rows[0])
	}
	if g := inOne.grid(inOne.laidOut()); g.Namespaces {
		t.Error("in one namespace each row repeats it")
	}
	nodes := pageOf(t, "/api/v1/nodes", "")
	nodes.Type.Namespaced = false
	if g := nodes.grid(nodes.laidOut()); g.Namespaces {
		t.Error("objects of the cluster have a namespace column")
	}
}

func TestWideShowsAllColumns(t *testing.T) {
	for query, want := range map[string]int{"": 2, "wide=1": 3, "wide=yes": 2} {
		m := pageOf(t, "/api/v1/pods", query)
		g := m.grid(m.laidOut())
		if len(g.Head) != want || len(g.Rows[0].Cells) != want {
			t.Errorf("%q: %d heads, %d cells, want %d", query, len(g.Head), len(g.Rows[0].Cells), want)
		}
	}
}

func TestTheAPICallIsTheRequestThatWasMade(t *testing.T) {
	m := pageOf(t, "/api/v1/namespaces/shop/pods", "limit=2&labelSelector=app%3Dweb&filter=x&sort=Name&wide=1&continue=tok")
	if got, want := m.apiCall().Path, "/api/v1/namespaces/shop/pods?continue=tok&labelSelector=app%3Dweb&limit=2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestNextChunkIsNamedByWhatItBrings(t *testing.T) {
	left := func(n int64) *int64 { return &n }
	for _, c := range []struct {
		left  *int64
		limit int
		want  string
	}{
		{nil, 500, "Next 500"},
		{left(9500), 500, "Next 500 of 9,500 more"},
		{left(500), 500, "Next 500"},
		{left(1), 5, "Next 1"},
	} {
		m := Model{Query: Query{Limit: c.limit}, Table: table.Table{Remaining: c.left}}
		if got := m.nextWords(); got != c.want {
			t.Errorf("%v left, limit %d: %q, want %q", c.left, c.limit, got, c.want)
		}
	}
}

// Each event leads to its object. An object whose type isn't certain has no link.
func TestObjectsOfEventsAreLinks(t *testing.T) {
	verbs := []string{"get", "list"}
	catalog := discovery.Catalog{Groups: []discovery.Group{
		{Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{
			{Version: "v1", Resource: "pods", Kind: "Pod", Namespaced: true, Verbs: verbs},
			{Version: "v1", Resource: "nodes", Kind: "Node", Verbs: verbs},
			{Version: "v1", Resource: "things", Kind: "Thing", Namespaced: true, Verbs: verbs},
		}}}},
		{Name: "example.com", Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{
			{Group: "example.com", Version: "v1", Resource: "things", Kind: "Thing", Namespaced: true, Verbs: verbs},
		}}}},
	}}
	m := Model{Type: discovery.Type{Version: "v1", Resource: "events", Kind: "Event", Namespaced: true, Verbs: verbs}}
	m.Shell.Cluster.Slug, m.Shell.Catalog = "practice", catalog
	m.Table = table.Table{Columns: []table.Column{{Name: "Reason"}, {Name: "Object"}}}
	for _, object := range []string{"pod/web-1", "node/n1", "thing/x", "gone/x", "pod/../x", "pod"} {
		m.Table.Rows = append(m.Table.Rows, table.Row{UID: object, Namespace: "shop", Name: "e", Cells: []table.Cell{"Killing", table.Cell(object)}})
	}
	var got []string
	for _, r := range m.grid(m.laidOut()).Rows {
		got = append(got, r.Cells[1].Href)
	}
	if want := []string{"/c/practice/api/v1/namespaces/shop/pods/web-1", "/c/practice/api/v1/nodes/n1", "", "", "", ""}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestAFightIsMarkedInItsRow(t *testing.T) {
	m := pageOf(t, "/api/v1/pods", "")
	fight := func(path string, count int) report.Known {
		return report.Known{From: report.FromScan, Fight: report.Fight{Object: report.Object{Path: path}, Path: ".metadata.labels.a", Count: count, Managers: []report.Manager{{Name: "ada"}, {Name: "ben"}}}}
	}
	m.Shell.Fights = []report.Known{
		fight("/api/v1/namespaces/shop/pods/web-2", 3), fight("/api/v1/namespaces/shop/pods/web-2", 9), fight("/api/v1/namespaces/payments/pods/web-10", 1),
		fight("/api/v1/namespaces/shop/services/web-10", 1), fight("nonsense", 1),
	}
	var marked []string
	for _, r := range m.grid(m.laidOut()).Rows {
		for _, b := range r.Badges {
			marked = append(marked, r.Name+": "+b.Words)
		}
	}
	if all := strings.Join(marked, "; "); all != "web-2: ada and ben overwrite each other’s .metadata.labels.a, 9 times" {
		t.Error(all)
	}
}

// manyPods is the page of so many pods.
func manyPods(t *testing.T, rows int, query string) Model {
	t.Helper()
	m := pageOf(t, "/api/v1/pods", query)
	m.Table.ResourceVersion, m.Table.Rows = "10", nil
	for n := range rows {
		m.Table.Rows = append(m.Table.Rows, newRow(fmt.Sprintf("pod-%03d", n), "7"))
	}
	return m
}

// The rows of the document's first screen are those that the browser's program renders first, with the same HTML. So nothing moves or changes as it
// takes over.
func TestTheFirstScreenIsWhatTheBrowserRendersFirst(t *testing.T) {
	for _, rows := range []int{1, 67, 68, 69, 500} {
		m := manyPods(t, rows, "")
		sent, _, _ := strings.Cut(rendered(t, m), "<noscript>")
		_, sent, _ = strings.Cut(sent, "<tbody>")
		sent, _, _ = strings.Cut(sent, "</tbody>")
		p, _ := m.Awake(noon)
		_, first, _ := strings.Cut(rendered(t, p.(Model)), "<tbody>")
		first, _, _ = strings.Cut(first, "</tbody>")
		if strings.TrimSpace(sent) != first || strings.Count(sent, "data-uid") != min(rows, 68) {
			t.Errorf("%d rows: the document has\n%s\nand the program renders\n%s", rows, sent, first)
		}
	}
}

func TestEveryRowOfTheChunkIsInTheDocument(t *testing.T) {
	m := manyPods(t, 500, "sort=-Name&filter=pod-4")
	all := rendered(t, m)
	if got := strings.Count(all, "data-uid"); got != 100 {
		t.Errorf("%d of 100 rows are in the document", got)
	}
	first, rest, _ := strings.Cut(all, "<noscript>")
	if !strings.Contains(first, `data-name="pod-499"`) || !strings.Contains(rest, `data-name="pod-400"`) {
		t.Error("the rows aren't in the order asked for")
	}
	if address := "/c/practice/api/v1/pods?filter=pod-4&amp;limit=68&amp;sort=-Name"; !strings.Contains(first, address) {
		t.Errorf("the page doesn't offer %s", address)
	}
	m.Query.Limit, m.Table.Rows = 68, m.Table.Rows[:68]
	if strings.Contains(rendered(t, m), "noscript") {
		t.Error("a chunk of one screen isn't whole without scripts")
	}
}
