package collection

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/column"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// scatteredPods is a living page of so many pods, in 10 namespaces, whose first rows can be seen.
func scatteredPods(t *testing.T, n int, query string) Model {
	t.Helper()
	m, _ := awake(t, "/api/v1/pods", query, func(m *Model) {
		m.Table.Rows = nil
		for i := range n {
			m.Table.Rows = append(m.Table.Rows, scattered(i, n, "1"))
		}
	})
	send(&m, received(wire.Message{Type: wire.Synced, Gen: 1, ResourceVersion: "10"}))
	return m
}

func scattered(i, n int, version string) table.Row {
	r := newRow(fmt.Sprintf("pod-%05d", i), version)
	r.Namespace = fmt.Sprintf("n%d", i*10/n)
	return r
}

const screenHeight = 20 * page.RowHeight

func calls(commands []page.Cmd) (all []page.Call) {
	for _, c := range commands {
		if call, is := c.(page.Call); is && strings.HasPrefix(call.ID, askValues) {
			all = append(all, call)
		}
	}
	return all
}

func paths(all []page.Call) string {
	var paths []string
	for _, c := range all {
		paths = append(paths, strings.TrimPrefix(c.Path, "/api/v1"))
	}
	return strings.Join(paths, " ")
}

func podJSON(name, namespace, version, node string) string {
	return fmt.Sprintf(`{"kind":"Pod","apiVersion":"v1","metadata":{"uid":%q,"name":%q,"namespace":%q,"resourceVersion":%q},"spec":{"nodeName":%q}}`, "u-"+name, name, namespace, version, node)
}

// respond lets the page take in responses to its calls, until it makes none.
func respond(m *Model, all []page.Call, node func(i int) string) (asked []page.Call) {
	for len(all) > 0 {
		c := all[0]
		all = all[1:]
		asked = append(asked, c)
		all = append(all, calls(send(m, page.Response{ID: c.ID, Status: 200, Body: []byte(answer(*m, c, node))}))...)
	}
	return asked
}

// answer is what an API server responds to a call.
func answer(m Model, c page.Call, node func(i int) string) string {
	target, query, _ := strings.Cut(c.Path, "?")
	p, _ := apipath.Parse(target)
	v, _ := url.ParseQuery(query)
	var items, names []string
	var number int
	uids := m.live.rows.UIDs()
	slices.Sort(uids)
	for _, uid := range uids {
		r, _ := m.live.rows.Get(uid)
		_, _ = fmt.Sscanf(r.Name, "pod-%d", &number)
		body := podJSON(r.Name, r.Namespace, r.ResourceVersion, node(number))
		if p.Name == r.Name && p.Namespace == r.Namespace {
			return body
		}
		if (p.Namespace == "" || p.Namespace == r.Namespace) && r.Name > v.Get("continue") {
			items, names = append(items, body), append(names, r.Name)
		}
	}
	limit, next := len(items), ""
	_, _ = fmt.Sscan(v.Get("limit"), &limit)
	if limit < len(items) {
		items, next = items[:limit], names[limit-1]
	}
	return `{"kind":"PodList","metadata":{"continue":"` + next + `"},"items":[` + strings.Join(items, ",") + `]}`
}

func nodeOf(i int) string { return fmt.Sprintf("node-%d", i%7) }

func cellsOf(m Model, name string) (all []string) {
	g := m.grid(m.laidOut())
	at := slices.IndexFunc(g.Head, func(h components.HeaderCell) bool { return h.Name == name })
	for _, r := range g.Rows {
		all = append(all, r.Cells[at].Text)
	}
	return all
}

func TestOnlyRowsInSightAreRead(t *testing.T) {
	m := scatteredPods(t, 10000, "col=.spec.nodeName")
	if got := calls(send(&m, page.Tick{Now: noon})); len(got) > 0 {
		t.Errorf("nothing can be seen: %s", paths(got))
	}
	// The first screen is the beginning of the list.
	asked := calls(send(&m, page.Scrolled{Height: screenHeight}))
	if got := paths(asked); got != "/pods?limit=22&pretty=false" {
		t.Fatalf("the first screen: %s", got)
	}
	if cells := cellsOf(m, ".spec.nodeName"); cells[0] != unread {
		t.Errorf("before the response: %q", cells[0])
	}
	respond(&m, asked, nodeOf)
	if cells := cellsOf(m, ".spec.nodeName"); cells[0] != "node-0" || cells[21] != "node-0" || cells[22] != unread {
		t.Errorf("after it: %q", cells)
	}
	if got := m.costWords(); got != "your columns: 1 request, 3.43 kB for 22 objects" {
		t.Error(got)
	}
	// Far below, one object at a time, a few at once.
	send(&m, page.Tick{Now: noon})
	if got := calls(send(&m, page.Scrolled{Top: 5000 * page.RowHeight, Height: screenHeight})); len(got) > 0 {
		t.Errorf("while the reader scrolls: %s", paths(got))
	}
	asked = calls(send(&m, page.Tick{Now: noon.Add(time.Second)}))
	if len(asked) != mostCalls || !strings.HasPrefix(paths(asked), "/namespaces/n5/pods/pod-05000?pretty=false /namespaces/n5/pods/pod-05001?pretty=false") {
		t.Errorf("%s", paths(asked))
	}
	if all := respond(&m, asked, nodeOf); len(all) != 22 {
		t.Errorf("%d calls for 22 rows", len(all))
	}
	if got := calls(send(&m, page.Tick{Now: noon.Add(2 * time.Second)})); len(got) > 0 {
		t.Errorf("again: %s", paths(got))
	}
}

func TestScrollingIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("the work is the same on each platform")
	}
	m := scatteredPods(t, 10000, "col=.spec.nodeName")
	respond(&m, calls(send(&m, page.Scrolled{Height: screenHeight})), nodeOf)
	asked, now := 0, noon
	for i := range 600 { // ten seconds, row by row and fast in turn
		top := i * page.RowHeight
		if i/60%2 == 1 {
			top = i * screenHeight
		}
		asked += len(respond(&m, calls(send(&m, page.Scrolled{Top: top % (9000 * page.RowHeight), Height: screenHeight})), nodeOf))
		if i%60 == 59 {
			now = now.Add(time.Second)
			asked += len(respond(&m, calls(send(&m, page.Tick{Now: now})), nodeOf))
		}
	}
	if asked > 11*mostASecond {
		t.Errorf("%d calls", asked)
	}
}

func TestNamespacesWithFewOthersAreListed(t *testing.T) {
	m := scatteredPods(t, 200, "col=.spec.nodeName&sort=Restarts") // 20 in each namespace
	asked := calls(send(&m, page.Scrolled{Top: 100 * page.RowHeight, Height: screenHeight}))
	if got := paths(asked); !strings.HasPrefix(got, "/namespaces/n5/pods?limit=40&pretty=false") {
		t.Errorf("%s", got)
	}
}

func TestFewRowsAreListed(t *testing.T) {
	m := scatteredPods(t, 30, "col=.spec.nodeName&sort=-Name&labelSelector=a%3Db")
	if got := paths(calls(send(&m, page.Scrolled{Height: screenHeight}))); got != "/pods?labelSelector=a%3Db&limit=30&pretty=false" {
		t.Errorf("%s", got)
	}
}

func TestAnotherVersionIsReadAgain(t *testing.T) {
	m := scatteredPods(t, 10000, "col=.spec.nodeName")
	respond(&m, calls(send(&m, page.Scrolled{Height: screenHeight})), nodeOf)
	seen, unseen := scattered(3, 10000, "12"), scattered(5000, 10000, "12")
	asked := calls(send(&m, happened(watch.Modified, seen, unseen)))
	if got := paths(asked); got != "/namespaces/n0/pods/pod-00003?pretty=false" {
		t.Fatalf("%s", got)
	}
	if got := cellsOf(m, ".spec.nodeName")[3]; got != "node-3" {
		t.Errorf("meanwhile: %q", got)
	}
	// The response is newer than the row: the event for it is on its way.
	send(&m, page.Response{ID: asked[0].ID, Status: 200, Body: []byte(podJSON("pod-00003", "n0", "13", "moved"))})
	if got := cellsOf(m, ".spec.nodeName")[3]; got != "moved" {
		t.Errorf("%q", got)
	}
	if got := calls(send(&m, page.Tick{Now: noon.Add(time.Second)})); len(got) > 0 {
		t.Errorf("%s", paths(got))
	}
	if got := calls(send(&m, happened(watch.Modified, scattered(3, 10000, "13")))); len(got) > 0 {
		t.Errorf("the event that was read already: %s", paths(got))
	}
	// An older response that was under way changes nothing.
	m.live.fillIn([]column.Read{{UID: "u-pod-00003", Version: "9", Texts: []string{"old"}}})
	if got := cellsOf(m, ".spec.nodeName")[3]; got != "moved" {
		t.Errorf("%q", got)
	}
	send(&m, happened(watch.Deleted, scattered(3, 10000, "14")))
	if _, there := m.live.reading.known["u-pod-00003"]; there {
		t.Error("a deleted object is kept")
	}
}

func TestTheOrderSaysWhatItKnows(t *testing.T) {
	m := scatteredPods(t, 10000, "col=.spec.nodeName&col=label:app")
	respond(&m, calls(send(&m, page.Scrolled{Height: screenHeight})), nodeOf)
	if got := m.valueNote(); got != "" {
		t.Errorf("the server's order needs no value: %s", got)
	}
	send(&m, page.Addressed{Query: url.Values{"col": {".spec.nodeName", "label:app"}, "sort": {"label:app"}}})
	if got := m.valueNote(); got != "" {
		t.Errorf("all rows have labels: %s", got)
	}
	sorted := page.Addressed{Query: url.Values{"col": {".spec.nodeName", "label:app"}, "sort": {"-.spec.nodeName"}}}
	if got := calls(send(&m, sorted)); len(got) > 0 {
		t.Errorf("rows in sight would move away: %s", paths(got))
	}
	for m.step() {
	}
	if got := m.valueNote(); got != "Sorted by the values of the 22 of 10,000 rows that Fieldmark has read. The others come last." {
		t.Error(got)
	}
	if got := m.restWords(); got != "about 20 requests, 1.55 MB" {
		t.Error(got)
	}
	if got := cellsOf(m, ".spec.nodeName"); got[0] != "node-6" || got[21] != "node-0" || got[22] != unread {
		t.Errorf("%q", got[:24])
	}
	asked := respond(&m, calls(send(&m, page.Acted{Action: doReadRest})), nodeOf)
	for m.step() {
	}
	if len(asked) != 20 || m.valueNote() != "" || m.live.reading.rest.on {
		t.Errorf("%d calls, %s", len(asked), m.valueNote())
	}
	if got := cellsOf(m, ".spec.nodeName"); got[0] != "node-6" || got[30] != "node-6" {
		t.Errorf("%q", got[:30])
	}
	// A new row is one of few, so it is read without being asked for.
	added := newRow("pod-99999", "20")
	if got := paths(calls(send(&m, happened(watch.Added, added)))); got != "/namespaces/shop/pods/pod-99999?pretty=false" {
		t.Errorf("%s", got)
	}
}

func TestReadingTheRestEndsWhenTheReaderWants(t *testing.T) {
	m := scatteredPods(t, 10000, "col=.spec.nodeName&filter=node-3")
	send(&m, page.Scrolled{Height: screenHeight})
	if got := m.valueNote(); got != "Fieldmark has read none of the 10,000 rows for the columns that you have added. So it doesn’t sort or filter by them yet." {
		t.Error(got)
	}
	asked := calls(send(&m, page.Acted{Action: doReadRest}))
	asked = calls(send(&m, page.Response{ID: asked[0].ID, Status: 200, Body: []byte(answer(m, asked[0], nodeOf))}))
	send(&m, page.Acted{Action: doStopRest})
	if got := respond(&m, asked, nodeOf); len(got) != 1 {
		t.Errorf("%s", paths(got))
	}
	if m.laidOut().shown < 80 || !strings.Contains(m.valueNote(), " of 10,000") {
		t.Errorf("%d rows, %s", m.laidOut().shown, m.valueNote())
	}
}

func TestFiltersSearchTheColumns(t *testing.T) {
	m := scatteredPods(t, 30, "col=.spec.nodeName")
	respond(&m, calls(send(&m, page.Scrolled{Height: screenHeight})), nodeOf)
	asked := respond(&m, calls(send(&m, page.Typed{Field: "filter", Text: ".spec.nodename=node-2"})), nodeOf)
	if got := paths(asked); got != "/namespaces/n7/pods?limit=4&pretty=false /namespaces/n8/pods?limit=6&pretty=false /namespaces/n9/pods?limit=6&pretty=false" {
		t.Errorf("the few rows that aren't in sight: %s", got)
	}
	if got := m.laidOut().shown; got != 4 || m.valueNote() != "" {
		t.Errorf("%d rows, %s", got, m.valueNote())
	}
}

func TestRefusalsAreTold(t *testing.T) {
	for _, c := range []struct {
		status  int
		path    string
		want    string
		further int
	}{
		{403, "", "Your columns aren’t complete, because you don’t have permission to read these objects. no", 0},
		{500, "", "Your columns aren’t complete, because objects can’t be read. no", 0},
	} {
		m := scatteredPods(t, 10000, "col=.spec.nodeName&sort=Name")
		asked := calls(send(&m, page.Scrolled{Height: screenHeight}))
		body := []byte(fmt.Sprintf(`{"kind":"Status","message":"no","code":%d}`, c.status))
		for _, call := range asked {
			if got := calls(send(&m, page.Response{ID: call.ID, Status: c.status, Body: body})); len(got) != c.further {
				t.Errorf("%d: %s", c.status, paths(got))
			}
		}
		if m.readNote() != c.want {
			t.Errorf("%d: %s", c.status, m.readNote())
		}
		if got := calls(send(&m, page.Tick{Now: noon.Add(time.Second)})); (len(got) > 0) != (c.status == 500) {
			t.Errorf("%d: then %s", c.status, paths(got))
		}
	}
}

func TestTheListThatExpiredSaysSo(t *testing.T) {
	m := scatteredPods(t, 10000, "col=.spec.nodeName&filter=x")
	asked := calls(send(&m, page.Acted{Action: doReadRest}))
	send(&m, page.Response{ID: asked[0].ID, Status: 410, Body: []byte(`{"kind":"Status","message":"old"}`)})
	if m.live.reading.rest.on || !strings.Contains(m.readNote(), "expired") {
		t.Errorf("%s", m.readNote())
	}
}

func TestSecretsAreReadAsMetadata(t *testing.T) {
	m, _ := awake(t, "/api/v1/secrets", "col=annotation:team&col=.data&col=.data.password&col=.metadata.generation&col=annotation:kubectl.kubernetes.io/last-applied-configuration", func(m *Model) {
		m.Type = discovery.Type{Version: "v1", Resource: "secrets", Kind: "Secret", Namespaced: true, Verbs: []string{"get", "list", "watch"}}
	})
	all, refused := m.added()
	if len(all) != 2 || len(refused) != 3 || refused[0].text != ".data" {
		t.Fatalf("%v, %v", all, refused)
	}
	send(&m, page.Scrolled{Height: screenHeight})
	for _, list := range []bool{true, false} {
		format := m.call("/api/v1/secrets", url.Values{}, asking{list: list}).(page.Call).Header[0].Value
		if format != accept.Metadata && format != accept.MetadataList {
			t.Errorf("%s brings data", format)
		}
	}
	send(&m, page.Focused{ID: columnField})
	for _, text := range m.options() {
		if strings.Contains(text, "data") && !strings.Contains(text, "metadata") || strings.Contains(text, "last-applied") {
			t.Errorf("%s is suggested", text)
		}
	}
}

func TestColumnsThatWereReadStay(t *testing.T) {
	m := scatteredPods(t, 10000, "col=.spec.nodeName&col=.metadata.name")
	respond(&m, calls(send(&m, page.Scrolled{Height: screenHeight})), nodeOf)
	if got := calls(send(&m, page.Addressed{Query: url.Values{"col": {".metadata.name"}}})); len(got) > 0 {
		t.Errorf("a column was removed: %s", paths(got))
	}
	if got := cellsOf(m, ".metadata.name"); got[0] != "pod-00000" {
		t.Errorf("%q", got)
	}
	if got := calls(send(&m, page.Addressed{Query: url.Values{"col": {".metadata.name", ".spec.nodeName"}}})); len(got) != 1 || got[0].Header[0].Value != accept.JSON {
		t.Errorf("a column was added: %s", paths(got))
	}
}

func TestAtMostEightColumns(t *testing.T) {
	query := url.Values{}
	for i := range 20 {
		query.Add("col", fmt.Sprintf(".spec.f%d", i))
	}
	m := Model{Query: ParseQuery(query)}
	if all, refused := m.added(); len(all) != column.Most || len(refused) != mostColumns-column.Most || !strings.Contains(refused[0].why, "at most 8") {
		t.Errorf("%v, %v", all, refused)
	}
}

func TestCustomResourcesHaveAnAge(t *testing.T) {
	for group, want := range map[string]bool{"example.com": true, "": false} {
		m, _ := awake(t, "/api/v1/pods", "", func(m *Model) { m.Type.Group = group })
		if got := slices.Contains(m.sortable(), ageColumn); got != want {
			t.Errorf("%q: %v", group, m.sortable())
		}
		if want && cellsOf(m, ageColumn)[0] != "0s" {
			t.Errorf("%q", cellsOf(m, ageColumn))
		}
	}
	m, _ := awake(t, "/api/v1/pods", "col=age")
	if !slices.Contains(m.sortable(), ageColumn) {
		t.Error("no age for who wants one")
	}
}

func TestSuggestions(t *testing.T) {
	m := scatteredPods(t, 3, "col=label:app")
	m.live.adding.text = ""
	if got := m.options(); got != nil {
		t.Errorf("before the field was used: %v", got)
	}
	commands := send(&m, page.Focused{ID: columnField})
	if len(commands) != 2 || len(send(&m, page.Focused{ID: columnField})) != 0 {
		t.Errorf("%v", commands)
	}
	send(&m, page.Response{ID: askNotes, Status: 200, Body: []byte(`{"kind":"PodList","items":[{"metadata":{"annotations":{"team":"core"}}}]}`)})
	send(&m, page.Response{ID: askSchema, Status: 200, Body: []byte(`{"components":{"schemas":{"Pod":{"type":"object",
		"x-kubernetes-group-version-kind":[{"group":"","version":"v1","kind":"Pod"}],"properties":{"spec":{"type":"object","properties":{
		"nodeName":{"type":"string"},"containers":{"type":"array","items":{"type":"object","properties":{"image":{"type":"string"}}}}}}}}}}}`)})
	for typed, want := range map[string]string{
		"": "age annotation:team .spec", "team": "annotation:team", "spec": ".spec", ".spec.": ".spec.containers .spec.nodeName", ".spec.no": ".spec.nodeName",
		".spec.containers[*].": ".spec.containers[*].image", ".spec.containers.i": ".spec.containers.image", ".none.": "",
	} {
		send(&m, page.Typed{Field: columnName, Text: typed})
		if got := strings.Join(m.options(), " "); got != want {
			t.Errorf("%q: %s", typed, got)
		}
	}
	send(&m, page.Response{ID: askSchema, Status: 404})
	if m.live.adding.note == "" {
		t.Error("nobody says that there is no schema")
	}
}
