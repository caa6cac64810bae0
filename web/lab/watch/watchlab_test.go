package watch

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

var catalog = discovery.Catalog{Groups: []discovery.Group{
	{Name: "", Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{
		{Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Namespaced: true, Verbs: []string{"list", "watch"}},
		{Version: "v1", Resource: "componentstatuses", Kind: "ComponentStatus", Verbs: []string{"list"}},
	}}}},
	{Name: "practice.fieldmark.dev", Preferred: "v1alpha1", Versions: []discovery.Version{{Name: "v1alpha1", Types: []discovery.Type{
		{Group: "practice.fieldmark.dev", Version: "v1alpha1", Resource: "scenarios", Kind: "Scenario", Verbs: []string{"list", "watch"}},
	}}}},
}}

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func at(query string) Model {
	values, _ := url.ParseQuery(query)
	m := Model{Frame: page.Frame{Shell: shell.Model{Cluster: shell.Cluster{Slug: "practice"}, Catalog: catalog}}, Options: ParseOptions(values)}
	p, _ := m.Awake(noon)
	return p.(Model)
}

// told is the lab after messages, with the calls that it made.
func told(m Model, messages ...page.Msg) (Model, []page.Call) {
	var calls []page.Call
	for _, msg := range messages {
		p, cmds := m.Update(msg)
		m = p.(Model)
		for m.Work() {
		}
		for _, c := range cmds {
			if call, is := c.(page.Call); is {
				calls = append(calls, call)
			}
		}
	}
	return m, calls
}

func line(typ, uid, version string) string {
	return fmt.Sprintf(`{"type":%q,"object":{"kind":"ConfigMap","metadata":{"name":%q,"uid":%q,"resourceVersion":%q}}}`+"\n", typ, uid, uid, version)
}

const endLine = `{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"50","annotations":{"k8s.io/initial-events-end":"true"}}}}` + "\n"

func head(id string, status int) page.Opened { return page.Opened{ID: id, Status: status, At: noon} }

func part(id, text string) page.Arrived {
	return page.Arrived{ID: id, Part: []byte(text), Bytes: int64(len(text)), After: time.Second}
}

func press(action string) page.Acted { return page.Acted{Action: action} }

func TestTheRequestSaysWhereTheWatchBegins(t *testing.T) {
	for query, want := range map[string]string{
		"path=/api/v1/configmaps":                                                               "/api/v1/configmaps?allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&watch=1",
		"path=/api/v1/configmaps&begin=initial&bookmarks=off":                                   "/api/v1/configmaps?allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&watch=1",
		"path=/api/v1/configmaps&begin=recent&bookmarks=off":                                    "/api/v1/configmaps?watch=1",
		"path=/api/v1/configmaps&begin=any&timeout=7":                                           "/api/v1/configmaps?allowWatchBookmarks=true&resourceVersion=0&timeoutSeconds=7&watch=1",
		"path=/api/v1/configmaps%3FlabelSelector%3Da%253Db%26limit%3D5&begin=version&version=9": "/api/v1/configmaps?allowWatchBookmarks=true&labelSelector=a%3Db&resourceVersion=9&watch=1",
	} {
		_, calls := told(at(query), press(doConnect))
		if len(calls) != 1 || calls[0].Path != want {
			t.Errorf("%s: %+v, wanted %s", query, calls, want)
		}
	}
}

func TestWhatCannotBeWatchedIsNotAskedFor(t *testing.T) {
	for _, query := range []string{
		"path=/version", "path=nothing", "path=/api/v1/nosuch", "path=/api/v1/componentstatuses", "path=/api/v1/namespaces/a/configmaps/b", "begin=version",
	} {
		m, calls := told(at(query), press(doConnect))
		if len(calls) != 0 {
			t.Errorf("%s: it asks for %+v", query, calls)
		}
		if _, _, problem := m.target(); problem == nil && query != "begin=version" {
			t.Errorf("%s: nothing is said", query)
		}
	}
}

func TestQueryThereAndBack(t *testing.T) {
	for _, o := range []Options{
		{Path: "/api/v1/pods", Begin: Initial, As: Objects},
		{Path: "/api/v1/pods?labelSelector=a%3Db", Begin: AtVersion, Version: "7", Timeout: "30", As: Metadata, NoBookmarks: true},
		{Path: "/api/v1/pods", Begin: Listed, As: Tables},
	} {
		if got := ParseOptions(o.Values()); got != o {
			t.Errorf("%+v became %+v", o, got)
		}
	}
}

// TestStreamsAreToldApartOnceThereAreSeveral: with one alone, the room is for the names of objects.
func TestStreamsAreToldApartOnceThereAreSeveral(t *testing.T) {
	column := func(m Model) bool {
		var b strings.Builder
		if err := events(m).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		return strings.Contains(b.String(), ">Stream</th>")
	}
	m, _ := told(at("path=/api/v1/configmaps"), press(doConnect), head("watch/1", 200), part("watch/1", endLine))
	if column(m) {
		t.Error("the only stream has a column")
	}
	if m, _ = told(m, press(doResume+fromLast)); !column(m) {
		t.Error("two streams have none")
	}
}

// TestInitialEventsAreNoPlaceToGoOnFrom: they come in the order of names, so that a version of theirs says nothing about what is to come.
func TestInitialEventsAreNoPlaceToGoOnFrom(t *testing.T) {
	m, _ := told(at("path=/api/v1/configmaps"), press(doConnect), head("watch/1", 200), part("watch/1", line("ADDED", "a", "40")+line("ADDED", "b", "20")))
	if m.live.last != "" || m.live.stream().whole {
		t.Errorf("it would go on from %q", m.live.last)
	}
	m, _ = told(m, part("watch/1", endLine))
	if s := m.live.stream(); m.live.last != "50" || m.live.bookmark != "50" || !s.whole || s.initial != 2 || s.toAll != time.Second {
		t.Errorf("after the bookmark: %q, %+v", m.live.last, s)
	}
	m, _ = told(m, part("watch/1", line("MODIFIED", "a", "51")))
	if got, _ := m.live.record.findEvent(4); got.initial || m.live.last != "51" || got.at != noon.Add(time.Second) {
		t.Errorf("what follows: %+v", got)
	}
}

func TestResume(t *testing.T) {
	m, _ := told(at("path=/api/v1/configmaps"), press(doConnect), head("watch/1", 200), part("watch/1", line("ADDED", "a", "40")+endLine+line("MODIFIED", "a", "51")))
	for from, want := range map[string]string{
		fromLast: "resourceVersion=51", fromMark: "resourceVersion=50", fromZero: "resourceVersion=0", fromOld: "resourceVersion=1&",
		fromFuture: "resourceVersion=1000000051", fromEvent + "1": "resourceVersion=40",
	} {
		_, calls := told(m, press(doResume+from))
		if len(calls) != 1 || !strings.Contains(calls[0].Path, want) {
			t.Errorf("from %s: %+v", from, calls)
		}
	}
	m, _ = told(m, press(doCut), press(doResume+fromLast))
	m, _ = told(m, part("watch/1", line("MODIFIED", "a", "52"))) // of the stream that was cut
	if m.live.record.seq != 3 {
		t.Error("a stream that was cut goes on")
	}
}

func TestAListComesFirst(t *testing.T) {
	m, calls := told(at("path=/api/v1/configmaps&begin=listed"), press(doConnect))
	if len(calls) != 1 || calls[0].Path != "/api/v1/configmaps" {
		t.Fatalf("%+v", calls)
	}
	body := `{"metadata":{"resourceVersion":"33"},"items":[{"metadata":{"name":"a","uid":"a","resourceVersion":"30"}}]}`
	m, calls = told(m, head("list/1", 200), part("list/1", body), page.Ended{ID: "list/1", How: page.Whole, Took: time.Second})
	if len(calls) != 1 || !strings.Contains(calls[0].Path, "resourceVersion=33") || m.live.record.versions["a"] != "30" {
		t.Errorf("%+v, %+v", calls, m.live.record.versions)
	}
	m, _ = told(at("path=/api/v1/configmaps&begin=listed"), press(doConnect), head("list/1", 403), page.Ended{ID: "list/1", How: page.Whole})
	if n := m.refusal(); n == nil || m.liveness().Words != "the API server refused the list" {
		t.Errorf("%+v", n)
	}
}

func TestBothFormsOf410(t *testing.T) {
	gone := `{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}}` + "\n"
	m, _ := told(at("path=/api/v1/configmaps&begin=version&version=1"), press(doConnect), head("watch/1", 200), part("watch/1", gone), page.Ended{ID: "watch/1", How: page.Whole})
	event := m.refusal()
	if event == nil || !strings.HasPrefix(event.Title, "An ERROR event: 410") || m.liveness().Words != "ended by an ERROR event" {
		t.Errorf("as an event: %+v", event)
	}
	m, _ = told(at("path=/api/v1/configmaps&begin=version&version=1"), press(doConnect), head("watch/1", 410), part("watch/1", `{"kind":"Status","code":410,"reason":"Expired","message":"too old"}`), page.Ended{ID: "watch/1", How: page.Whole})
	answer := m.refusal()
	if answer == nil || !strings.HasPrefix(answer.Title, "The status code is 410") || answer.Words == event.Words || m.live.record.seq != 0 {
		t.Errorf("as an answer: %+v", answer)
	}
}

func TestTheEndsOfAStream(t *testing.T) {
	for want, end := range map[string]page.Msg{
		"ended by the server after 7.0 s": page.Ended{ID: "watch/1", How: page.Whole, Took: 7 * time.Second},
		"cut off":                         page.Ended{ID: "watch/1", How: page.CutOff},
		"disconnected":                    press(doCut),
	} {
		m, _ := told(at("path=/api/v1/configmaps"), press(doConnect), head("watch/1", 200), part("watch/1", endLine), end)
		if got := m.liveness().Words; got != want {
			t.Errorf("%s, wanted %s", got, want)
		}
	}
}

func TestOnlySoMuchIsKept(t *testing.T) {
	r := newRecord()
	for i := range 3 * mostEvents {
		r.addEvent(event{typ: watch.Modified, head: watch.Head{UID: "a"}, at: noon, line: []byte("line"), bytes: i})
	}
	if len(r.newest) != mostEvents || r.held != 4*mostEvents || r.seq != 3*mostEvents {
		t.Errorf("%d events, %d bytes", len(r.newest), r.held)
	}
	if _, found := r.findEvent(1); found {
		t.Error("the first one is still there")
	}
	if e, found := r.findEvent(3 * mostEvents); !found || e.seq != 3*mostEvents {
		t.Errorf("the last one is %+v", e)
	}
	big := make([]byte, longestLine)
	for range 2 * mostBytes / longestLine {
		r.addEvent(event{typ: watch.Added, line: big})
	}
	if r.held > mostBytes {
		t.Errorf("%d bytes", r.held)
	}
	if e := r.addEvent(event{line: make([]byte, longestLine+1)}); e.line != nil {
		t.Error("a line is kept that is too long")
	}
	for i := range mostObjects + 1 {
		r.follow(event{typ: watch.Added, head: watch.Head{UID: fmt.Sprint(i)}})
	}
	if !r.overfull || len(r.versions) > mostObjects {
		t.Errorf("%d objects", len(r.versions))
	}
}

func TestRate(t *testing.T) {
	l := &live{now: noon.Add(2 * time.Second), record: newRecord()}
	for range 30 {
		l.record.addEvent(event{typ: watch.Added, at: noon.Add(time.Second)})
	}
	l.record.addEvent(event{typ: watch.Deleted, at: noon.Add(-58 * time.Second)})
	if l.record.rate(l.now, 1).counts[0] != 30 || l.record.rate(l.now, 0).total() != 0 || l.atop() != 30 {
		t.Errorf("%+v", l.record.rates)
	}
	if got := l.pieces(); len(got) != 1 || got[0].Height != plotHeight || got[0].X != 58*plotWidth {
		t.Errorf("%+v", got)
	}
}

func TestProof(t *testing.T) {
	list := func(version string, items ...string) string {
		var all []string
		for _, i := range items {
			uid, v, _ := strings.Cut(i, "=")
			all = append(all, fmt.Sprintf(`{"metadata":{"name":"name-%s","uid":%q,"resourceVersion":%q}}`, uid, uid, v))
		}
		return fmt.Sprintf(`{"metadata":{"resourceVersion":%q},"items":[%s]}`, version, strings.Join(all, ","))
	}
	tick := page.Tick{Now: noon}
	for what, c := range map[string]struct {
		list  string
		after []page.Msg
		want  string
	}{
		"the same":            {list("60", "a=51"), nil, "Nothing was missed"},
		"behind the stream":   {list("50", "a=40"), nil, "Nothing was missed"},
		"ahead of the stream": {list("60", "a=51", "b=60"), []page.Msg{part("watch/1", line("ADDED", "b", "60")), tick}, "Nothing was missed"},
		"a deletion to come":  {list("60"), []page.Msg{part("watch/1", line("DELETED", "a", "60")), tick}, "Nothing was missed"},
		"one made after it":   {list("51", "a=51"), nil, "Nothing was missed"},
		"missed":              {list("60", "a=51", "b=55"), []page.Msg{tick, tick, tick}, "Missed: 1 change"},
		"a missed deletion":   {list("60"), []page.Msg{tick, tick, tick}, "Missed: 1 change"},
		"nonsense":            {"[]", nil, "the list can’t be read"},
	} {
		m, _ := told(at("path=/api/v1/configmaps"), press(doConnect), head("watch/1", 200), part("watch/1", line("ADDED", "a", "40")+endLine+line("MODIFIED", "a", "51")))
		if what == "one made after it" {
			m, _ = told(m, part("watch/1", line("ADDED", "c", "52")))
		}
		m, calls := told(m, press(doProve))
		if len(calls) != 1 || !strings.Contains(request.Field(calls[0].Header, "Accept"), "PartialObjectMetadataList") {
			t.Fatalf("%+v", calls)
		}
		m, _ = told(m, head("proof/1", 200), part("proof/1", c.list), page.Ended{ID: "proof/1", How: page.Whole})
		m, _ = told(m, c.after...)
		if m.live.proof.verdict != c.want {
			t.Errorf("%s: %q, wanted %q", what, m.live.proof.verdict, c.want)
		}
	}
}

func TestNothingToCompare(t *testing.T) {
	m, _ := told(at("path=/api/v1/configmaps&begin=version&version=7"), press(doConnect), head("watch/1", 200), part("watch/1", line("ADDED", "a", "8")))
	if m.unprovable() == "" {
		t.Error("a stream that began after a version is compared with all there is")
	}
	m, _ = told(m, press(doResume+fromZero))
	if why := m.unprovable(); why != "" {
		t.Errorf("from zero: %s", why)
	}
}

func TestAWriteIsLookedForInTheStream(t *testing.T) {
	m, calls := told(at("path=/api/v1/namespaces/mine/configmaps"), press(doConnect), head("watch/1", 200), press(doMake+makeCreate))
	if len(calls) != 2 || calls[1].Method != "POST" || calls[1].Path != "/api/v1/namespaces/mine/configmaps" {
		t.Fatalf("%+v", calls)
	}
	created := `{"metadata":{"uid":"w","resourceVersion":"70"}}`
	m, _ = told(m, part("watch/1", line("ADDED", "w", "70")), head("write/1", 201), part("write/1", created), page.Ended{ID: "write/1", How: page.Whole})
	if w := m.live.writes[0]; len(w.streams) != 1 || w.version != "70" || seen(w.streams) != "seen once, in stream 1" {
		t.Errorf("an event that came before the answer: %+v", w)
	}
	m, _ = told(m, press(doMake+makeDelete), head("write/2", 200), part("write/2", `{"kind":"Status","details":{"uid":"w"}}`), page.Ended{ID: "write/2", How: page.Whole}, part("watch/1", line("DELETED", "w", "71")))
	if w := m.live.writes[1]; len(w.streams) != 1 {
		t.Errorf("a deletion: %+v", w)
	}
}

func TestTheOwnNamespaceIsMadeFirst(t *testing.T) {
	m, calls := told(at("path=/api/v1/configmaps"), press(doMake+makeCreate))
	if len(calls) != 1 || calls[0].Path != "/api/v1/namespaces" {
		t.Fatalf("%+v", calls)
	}
	_, calls = told(m, head("write/1", 409), page.Ended{ID: "write/1", How: page.Whole})
	if len(calls) != 1 || calls[0].Path != "/api/v1/namespaces/"+ownNamespace+"/configmaps" {
		t.Errorf("then %+v", calls)
	}
	m = at("path=/api/v1/configmaps")
	m.Shell.ReadOnly = true
	if _, calls = told(m, press(doMake+makeCreate)); len(calls) != 0 {
		t.Errorf("read-only: %+v", calls)
	}
}

func TestRace(t *testing.T) {
	whole := func(id string) page.Ended { return page.Ended{ID: id, How: page.Whole, Took: time.Second} }
	m, calls := told(at("path=/api/v1/configmaps"), press(doRace))
	if len(calls) != 1 || !strings.Contains(calls[0].Path, "limit=500") {
		t.Fatalf("%+v", calls)
	}
	m, calls = told(m, head("race/1", 200), part("race/1", `{"metadata":{"resourceVersion":"9","continue":"next"},"items":[{},{}]}`), whole("race/1"))
	if len(calls) != 1 || !strings.Contains(calls[0].Path, "continue=next") {
		t.Fatalf("%+v", calls)
	}
	m, calls = told(m, head("race/2", 200), part("race/2", `{"metadata":{"resourceVersion":"9"},"items":[{}]}`), whole("race/2"))
	if len(calls) != 1 || !strings.Contains(calls[0].Path, "resourceVersion=9") {
		t.Fatalf("%+v", calls)
	}
	m, calls = told(m, head("race/3", 200))
	if len(calls) != 1 || !strings.Contains(calls[0].Path, "sendInitialEvents=true") {
		t.Fatalf("%+v", calls)
	}
	m, _ = told(m, head("race/4", 200), part("race/4", line("ADDED", "a", "1")+line("ADDED", "b", "2")), part("race/4", endLine), page.Ended{ID: "race/4", How: page.Canceled})
	r := m.live.race
	if r.step != finished || r.list.Requests != 3 || r.flow.Requests != 1 || r.list.Objects != 3 || r.flow.Objects != 2 || r.list.All != 2*time.Second || r.flow.All != time.Second {
		t.Errorf("%+v", r)
	}
	if bars := r.bars(); bars[0].First != "3" || bars[0].FirstPart != 1000 || bars[0].SecondPart != 333 {
		t.Errorf("%+v", bars)
	}
}

// A list that gets nowhere ends its side of the race.
func TestRaceOfAListThatNeverEnds(t *testing.T) {
	whole := func(id string) page.Ended { return page.Ended{ID: id, How: page.Whole, Took: time.Second} }
	m, calls := told(at("path=/api/v1/configmaps"), press(doRace))
	for _, id := range []string{"race/1", "race/2"} {
		m, calls = told(m, head(id, 200), part(id, `{"metadata":{"resourceVersion":"9","continue":"next"},"items":[{},{}]}`), whole(id))
	}
	if len(calls) != 1 || !strings.Contains(calls[0].Path, "sendInitialEvents=true") || m.live.race.list.Trouble == nil || m.live.race.list.Done {
		t.Errorf("%+v, %+v", calls, m.live.race.list)
	}
}

func TestSecretsKeepWhatTheyKeep(t *testing.T) {
	secret := event{head: watch.Head{Kind: "Secret"}, line: []byte(`{"type":"ADDED","object":{"kind":"Secret","apiVersion":"v1","metadata":{"name":"s"},"data":{"password":"aHVudGVyMg=="}}}`)}
	partial := event{head: watch.Head{Kind: "Table"}, line: []byte(`{"type":"ADDED","object":{"kind":"Table","rows":[{"object":{"metadata":{"annotations":{"last":"aHVudGVyMg=="}}}}]}}`)}
	for _, e := range []event{secret, partial} {
		if text := e.formattedLine(true); strings.Contains(text, "aHVudGVyMg") || !strings.Contains(text, "ADDED") {
			t.Errorf("shown is %s", text)
		}
	}
}

func TestTheRowsRestUnderThePointer(t *testing.T) {
	m, _ := told(at("path=/api/v1/configmaps"), press(doConnect), head("watch/1", 200), part("watch/1", endLine), page.Pointed{Over: true}, part("watch/1", line("ADDED", "a", "51")), page.Tick{Now: noon})
	if len(m.live.shown) != 1 || m.live.waiting() != 1 {
		t.Errorf("%d are shown, %d wait", len(m.live.shown), m.live.waiting())
	}
	if m, _ = told(m, page.Pointed{}); len(m.live.shown) != 2 {
		t.Errorf("then %d are shown", len(m.live.shown))
	}
}

func TestKeys(t *testing.T) {
	m, calls := told(at("path=/api/v1/configmaps"), page.Pressed{Key: "s"})
	if len(calls) != 1 {
		t.Fatal("s does not connect")
	}
	m, _ = told(m, head("watch/1", 200), part("watch/1", endLine+line("ADDED", "a", "51")), page.Tick{Now: noon}, page.Pressed{Key: "j"})
	if m.live.chosen != 2 {
		t.Errorf("j chooses %d", m.live.chosen)
	}
	m, calls = told(m, page.Pressed{Key: "j"}, page.Pressed{Key: "j"}, page.Pressed{Key: "w"})
	if m.live.chosen != 1 || len(calls) != 1 || !strings.Contains(calls[0].Path, "resourceVersion=50") {
		t.Errorf("w watches on by %+v", calls)
	}
	if m, _ = told(m, page.Pressed{Key: "Escape"}, page.Pressed{Key: "s"}); m.live.chosen != 0 || m.live.under() {
		t.Error("it goes on")
	}
}

func TestEveryBeginningIsExplained(t *testing.T) {
	for _, b := range begins {
		if why.In(topics, b) == nil {
			t.Errorf("nothing explains %s", b)
		}
	}
}

func TestNoCanaryEscapes(t *testing.T) {
	for _, d := range canary.Documents() {
		e := event{line: []byte(`{"type":"ADDED","object":` + d.JSON + `}`)}
		ofSecrets := strings.HasPrefix(d.Path, "/api/v1/namespaces/shop/secrets")
		if text := e.formattedLine(ofSecrets); canary.Escapes(text) || !strings.Contains(text, canary.Plain) {
			t.Errorf("%s: %s", d.Name, text)
		}
	}
}
