package logs

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/podlog"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/views"
	"github.com/fieldmark/fieldmark/web/frame/wire"
	"github.com/fieldmark/fieldmark/web/run/subject"
)

var start = time.Date(2026, 11, 23, 21, 50, 0, 0, time.UTC)

func after(seconds float64) time.Time {
	return start.Add(time.Duration(seconds * float64(time.Second)))
}

func podNamed(name string, c ...podlog.Container) podlog.Pod {
	return podlog.Pod{Namespace: "shop", Name: name, UID: "uid-" + name, Node: "n", Containers: c}
}

func running(name string) podlog.Container { return podlog.Container{Name: name, Running: start} }

// bench is a page that a test sends messages.
type bench struct {
	t *testing.T
	m Model
	// sent are the requests that weren't looked at, by id.
	sent []page.Call
	all  []page.Cmd
}

func open(t *testing.T, o Options, pods ...podlog.Pod) *bench {
	t.Helper()
	b := &bench{t: t}
	m := Model{
		Subject: subject.Subject{Frame: page.Frame{Shell: shell.Model{Cluster: shell.Cluster{Slug: "k"}, Path: apipath.Object("apps", "v1", "shop", "deployments", "web")}}, View: views.Logs},
		Options: o, Pods: "/api/v1/namespaces/shop/pods?labelSelector=app%3Dweb", Found: pods,
	}
	p, cmds := m.Awake(start)
	b.took(p, cmds)
	return b
}

func (b *bench) took(p page.Page, cmds []page.Cmd) {
	b.m = p.(Model)
	b.all = append(b.all, cmds...)
	for _, c := range cmds {
		if call, ok := c.(page.Call); ok {
			b.sent = append(b.sent, call)
		}
	}
}

func (b *bench) do(messages ...page.Msg) {
	b.t.Helper()
	for _, m := range messages {
		b.took(b.m.Update(m))
		worked := false
		for b.m.Work() {
			worked = true
		}
		if worked {
			b.took(b.m.Update(page.Worked{}))
		}
	}
}

// asked are the requests since the last call, as their pod and the parameters that matter.
func (b *bench) asked() string {
	var all []string
	for _, c := range b.sent {
		path, query, _ := strings.Cut(c.Path, "?")
		values, _ := url.ParseQuery(query)
		text := strings.Split(path, "/")[6] + "/" + values.Get("container")
		for _, name := range []string{"follow", "previous", "tailLines", "sinceSeconds", "sinceTime"} {
			if values.Has(name) {
				text += " " + name + "=" + values.Get(name)
			}
		}
		all = append(all, text)
	}
	b.sent = nil
	return strings.Join(all, ", ")
}

func (b *bench) answer(n int, lines ...string) {
	b.t.Helper()
	id := fmt.Sprint("log/", n)
	b.do(page.Opened{ID: id, Status: 200}, page.Arrived{ID: id, Part: []byte(strings.Join(append(lines, ""), "\n"))})
}

func (b *bench) end(n int, how page.Ending) { b.do(page.Ended{ID: fmt.Sprint("log/", n), How: how}) }

// later lets time pass, second by second.
func (b *bench) later(seconds int) {
	for i := range seconds {
		b.do(page.Tick{Now: b.m.live.now.Add(time.Second * time.Duration(min(1, i+1)))})
	}
}

// lines are the texts of the lines that are shown, each with its source.
func (b *bench) lines() string {
	var all []string
	for _, number := range b.m.live.shown.shown {
		l := b.m.live.log.Line(number)
		text := l.Text
		if l.Note {
			text = "(" + text + ")"
		}
		all = append(all, fmt.Sprint(l.Source, ":", text))
	}
	return strings.Join(all, " ")
}

func (b *bench) expect(what, got, want string) {
	b.t.Helper()
	if got != want {
		b.t.Errorf("%s:\n got %s\nwant %s", what, got, want)
	}
}

func line(seconds float64, text string) string {
	return after(seconds).Format(time.RFC3339Nano) + " " + text
}

func TestLogsOfSeveralPodsAreMergedByTime(t *testing.T) {
	b := open(t, Options{}, podNamed("a", running("c")), podNamed("b", running("c")))
	b.expect("requests", b.asked(), "a/c follow=true tailLines=500, b/c follow=true tailLines=500")
	b.answer(0, line(1, "one"), line(3, "three"))
	b.answer(1, line(2, "two"), line(4, "four"))
	b.answer(0, line(5, "five"))
	b.expect("lines", b.lines(), "0:one 1:two 0:three 1:four 0:five")
}

func TestAStreamThatBreaksContinuesWithoutLossOrRepetition(t *testing.T) {
	b := open(t, Options{}, podNamed("a", running("c")))
	b.asked()
	b.answer(0, line(1.1, "one"), line(2.1, "two"), line(2.2, "x"))
	b.do(page.Arrived{ID: "log/0", Part: []byte(line(2.3, "begun, but"))})
	b.end(0, page.CutOff)
	b.expect("at once", b.asked(), "")
	b.later(2)
	b.expect("after a pause", b.asked(), "a/c follow=true sinceTime="+after(2).Format(time.RFC3339))
	b.answer(0, line(2.1, "two"), line(2.2, "x"), line(2.3, "begun, but whole"), line(4, "four"))
	b.expect("lines", b.lines(), "0:one 0:two 0:x 0:begun, but whole 0:four")
}

func TestARestartIsToldAtItsPlace(t *testing.T) {
	b := open(t, Options{}, podNamed("a", running("c")))
	b.asked()
	b.answer(0, line(1, "one"))
	b.end(0, page.Whole)
	text := func(status string) []byte {
		return []byte(`{"metadata":{"namespace":"shop","name":"a","uid":"uid-a"},"spec":{"nodeName":"n","containers":[{"name":"c"}]},"status":{"containerStatuses":[{"name":"c",` + status + `}]}}`)
	}
	change := func(status string) {
		b.do(page.Received{Message: wire.Message{Type: wire.Events, Gen: 1, Events: []wire.Event{{Type: watch.Modified, Object: text(status)}}}})
	}
	change(`"state":{"terminated":{"exitCode":3,"reason":"Error","finishedAt":"` + after(2).Format(time.RFC3339) + `"}}`)
	b.expect("the rest of the log", b.asked(), "a/c sinceTime="+after(1).Format(time.RFC3339))
	b.answer(0, line(1, "one"), line(1.9, "bye"))
	b.end(0, page.Whole)
	b.later(20)
	b.expect("a log that has ended isn't read again", b.asked(), "")
	change(`"restartCount":1,"state":{"running":{"startedAt":"` + after(10).Format(time.RFC3339) + `"}},"lastState":{"terminated":{"exitCode":3,"reason":"Error","finishedAt":"` + after(2).Format(time.RFC3339) + `"}}`)
	b.expect("the next run", b.asked(), "a/c follow=true sinceTime="+after(1).Format(time.RFC3339))
	b.answer(0, line(10.5, "again"))
	b.later(5)
	b.expect("lines", b.lines(), "0:one 0:bye 0:(The container c of a ended: exit code 3 (Error).) 0:(The container c of a started again (restart 1).) 0:again")
}

func TestARotationIsTold(t *testing.T) {
	b := open(t, Options{}, podNamed("a", running("c")))
	b.answer(0, line(1, "one"))
	b.end(0, page.CutOff)
	b.later(2)
	b.answer(0, line(60, "much later"))
	b.later(4)
	b.expect("lines", b.lines(), "0:one 0:(Lines may be missing here: the log was rotated while the page wasn’t reading it.) 0:much later")
}

func TestFewRequestsAreOpenAtATime(t *testing.T) {
	var pods []podlog.Pod
	for i := range 7 {
		pods = append(pods, podNamed(fmt.Sprint("p", i), running("c")))
	}
	b := open(t, Options{}, pods...)
	b.expect("first", b.asked(), "p0/c follow=true tailLines=500, p1/c follow=true tailLines=500, p2/c tailLines=500, p3/c tailLines=500")
	for n := 2; n < 7; n++ {
		b.answer(n, line(float64(n), "x"))
		b.end(n, page.Whole)
	}
	b.expect("then the others", b.asked(), "p4/c tailLines=500, p5/c tailLines=500, p6/c tailLines=500")
	b.later(3)
	b.expect("and again", b.asked(), "p2/c sinceTime="+after(2).Format(time.RFC3339)+", p3/c sinceTime="+after(3).Format(time.RFC3339))
}

func TestPodsComeAndGo(t *testing.T) {
	b := open(t, Options{}, podNamed("a", running("c")))
	b.answer(0, line(0, "one"))
	b.asked()
	pod := func(name string) []byte {
		return []byte(`{"metadata":{"namespace":"shop","name":"` + name + `","uid":"uid-` + name + `"},"spec":{"nodeName":"n","containers":[{"name":"c"}]},"status":{"containerStatuses":[{"name":"c","state":{"running":{"startedAt":"` + start.Format(time.RFC3339) + `"}}}]}}`)
	}
	b.do(page.Received{Message: wire.Message{Type: wire.Events, Gen: 1, Events: []wire.Event{{Type: watch.Added, Object: pod("b")}, {Type: watch.Deleted, Object: pod("a")}}}})
	b.expect("requests", b.asked(), "b/c follow=true tailLines=500")
	b.expect("lines", b.lines(), "0:one 0:(The pod a was deleted.)")
	b.do(page.Received{Message: wire.Message{Type: wire.Rows, Gen: 2}}, page.Received{Message: wire.Message{Type: wire.Synced, Gen: 2}})
	if len(b.m.Found) != 0 {
		t.Errorf("pods after a state without any: %+v", b.m.Found)
	}
}

// A Pod of the server's page may be deleted before the watch begins.
func TestAPodThatTheWatchNeverSawIsGone(t *testing.T) {
	b := open(t, Options{}, podNamed("a", running("c"), running("d")))
	b.answer(0, line(0, "one"))
	b.do(page.Received{Message: wire.Message{Type: wire.Rows, Gen: 1}}, page.Received{Message: wire.Message{Type: wire.Synced, Gen: 1}})
	b.expect("lines", b.lines(), "0:one 0:(The pod a was deleted.)")
	if len(b.m.Found) != 0 {
		t.Errorf("pods: %+v", b.m.Found)
	}
}

func TestAPreviousLogIsOfAnOlderRunAfterARestart(t *testing.T) {
	crashed := podlog.Container{Name: "c", Restarts: 1, Waiting: "CrashLoopBackOff", Before: &podlog.Exit{Code: 1, Reason: "Error"}}
	b := open(t, Options{Previous: true}, podNamed("a", crashed))
	b.answer(0, line(0, "one"))
	again := []byte(`{"metadata":{"namespace":"shop","name":"a","uid":"uid-a"},"spec":{"nodeName":"n","containers":[{"name":"c"}]},"status":{"containerStatuses":[
		{"name":"c","restartCount":2,"state":{"waiting":{"reason":"CrashLoopBackOff"}},"lastState":{"terminated":{"exitCode":1,"reason":"Error"}}}]}}`)
	b.do(page.Received{Message: wire.Message{Type: wire.Events, Gen: 1, Events: []wire.Event{{Type: watch.Modified, Object: again}}}})
	if got := b.lines(); !strings.Contains(got, "these lines are of an older run") {
		t.Error(got)
	}
}

func TestAHiddenPageReadsNothing(t *testing.T) {
	b := open(t, Options{}, podNamed("a", running("c")))
	b.answer(0, line(1, "one"))
	b.asked()
	b.do(page.Shown{On: false})
	b.later(12)
	if !slices.Contains(b.all, page.Cmd(page.Cancel{ID: "log/0"})) {
		t.Error("the call goes on")
	}
	b.end(0, page.Canceled)
	b.later(5)
	b.expect("hidden", b.asked(), "")
	b.do(page.Shown{On: true})
	b.expect("visible again", b.asked(), "a/c follow=true sinceTime="+after(1).Format(time.RFC3339))
}

func TestOptionsOfRequests(t *testing.T) {
	crashed := podlog.Container{Name: "c", Restarts: 1, Waiting: "CrashLoopBackOff", Before: &podlog.Exit{Code: 1, Reason: "Error"}}
	for _, c := range []struct {
		query string
		of    podlog.Container
		want  string
	}{
		{"", running("c"), "a/c follow=true tailLines=500"},
		{"follow=false&tail=100", running("c"), "a/c tailLines=100"},
		{"since=5m", running("c"), "a/c follow=true tailLines=500 sinceSeconds=300"},
		{"previous=true", crashed, "a/c previous=true tailLines=500"},
		{"", crashed, "a/c tailLines=500"},
		{"previous=true", running("c"), ""},
		{"", podlog.Container{Name: "c", Waiting: "ContainerCreating"}, ""},
		{"container=other", running("c"), ""},
		{"line=a/c/" + after(1.5).Format(time.RFC3339Nano), running("c"), "a/c follow=true sinceTime=" + after(1).Format(time.RFC3339)},
	} {
		query, _ := url.ParseQuery(c.query)
		b := open(t, ParseOptions(query), podNamed("a", c.of))
		b.expect(c.query, b.asked(), c.want)
		if got := ParseOptions(ParseOptions(query).Values()); got != ParseOptions(query) {
			t.Errorf("%s: %+v after a round trip", c.query, got)
		}
	}
}

func TestFilter(t *testing.T) {
	b := open(t, Options{}, podNamed("a", running("c")))
	b.answer(0, line(1, "one"), line(2, "two ERROR"), line(3, "three"), line(4, "four"), line(5, "Two"), line(6, "six"))
	for query, want := range map[string]string{
		"":                            "0:one 0:two ERROR 0:three 0:four 0:Two 0:six",
		"filter=two":                  "0:two ERROR 0:Two",
		"filter=two&before=1":         "0:one 0:two ERROR 0:four 0:Two",
		"filter=two&after=1":          "0:two ERROR 0:three 0:Two 0:six",
		"filter=two&before=9&after=9": "0:one 0:two ERROR 0:three 0:four 0:Two 0:six",
		"filter=^t&match=pattern":     "0:two ERROR 0:three 0:Two",
		"filter=(&match=pattern":      "",
		"filter=nothing":              "",
		"level=error":                 "0:two ERROR",
	} {
		values, _ := url.ParseQuery(query)
		values.Set("tab", "logs")
		b.do(page.Addressed{Query: values})
		b.expect(query, b.lines(), want)
	}
}

// A filter that is applied line by line shows the same as one that is applied to the whole, whatever order lines come in.
func TestIndexOfLinesThatComeLate(t *testing.T) {
	log := podlog.Log{MaxLines: 90, MaxBytes: 1 << 20}
	o := Options{Filter: "x", Before: 2, After: 1}
	grown := newIndex(o)
	for i := range 150 {
		seconds := float64((i*37)%150) / 2
		if i%3 == 0 {
			seconds = float64(i)
		}
		from := log.Add(podlog.Line{Time: after(seconds), Text: map[bool]string{true: "x", false: "y"}[i%7 == 0]})
		grown.invalidateLines(from)
		grown.drop(&log)
		for i%4 == 0 && grown.work(&log) {
			continue
		}
	}
	for grown.work(&log) {
		continue
	}
	whole := newIndex(o)
	whole.upTo = log.Dropped() + 1
	for whole.work(&log) {
		continue
	}
	shown := grown.shown
	if first := slices.Index(shown, whole.shown[0]); first >= 0 && first <= o.After {
		shown = shown[first:] // a line after a match that was dropped
	}
	if !slices.Equal(shown, whole.shown) || grown.rows() != len(grown.shown) {
		t.Errorf("shown %v\nwant  %v\n%d rows", grown.shown, whole.shown, grown.rows())
	}
}

func TestTheEndStaysInView(t *testing.T) {
	b := open(t, Options{}, podNamed("a", running("c")))
	b.do(page.Scrolled{Height: 300, Width: 900})
	add := func(from, n int) {
		var lines []string
		for i := range n {
			lines = append(lines, line(float64(from+i), "x"))
		}
		b.answer(0, lines...)
	}
	add(0, 100)
	end := func() int { return headHeight + b.m.live.rows()*rowHeight - 300 }
	if b.m.live.view.Top != end() || !slices.Contains(b.all, page.Cmd(page.Shift{By: toEnd})) {
		t.Errorf("at %d, want the end %d", b.m.live.view.Top, end())
	}
	b.do(page.Scrolled{Top: end(), Height: 300, Width: 900})
	add(200, 1)
	if !b.m.live.stuck {
		t.Error("a new line counts as scrolling")
	}
	b.do(page.Scrolled{Top: end() - 200, Height: 300, Width: 900})
	b.all = nil
	add(300, 50)
	if b.m.live.stuck || slices.Contains(b.all, page.Cmd(page.Shift{By: toEnd})) {
		t.Error("a reader who scrolled up is taken to the end")
	}
	b.do(page.Acted{Action: doEnd})
	if !b.m.live.stuck || b.m.live.view.Top != end() {
		t.Error("the button doesn't lead to the end")
	}
}

func TestKeysLeadFromLineToLine(t *testing.T) {
	b := open(t, Options{}, podNamed("a", running("c")))
	b.do(page.Scrolled{Height: 300, Width: 900})
	b.answer(0, line(1, "one"), line(2, "two"), line(3, "three"))
	for _, step := range []struct {
		key  string
		want int
	}{{"j", 3}, {"k", 2}, {"k", 1}, {"k", 1}, {"j", 2}} {
		b.all = nil
		b.do(page.Pressed{Key: step.key})
		if want := page.Cmd(page.Focus{ID: fmt.Sprint("line-", step.want)}); !slices.Contains(b.all, want) {
			t.Errorf("%s: %+v, want %+v", step.key, b.all, want)
		}
	}
}

func TestWrappedLinesNeedTheirRows(t *testing.T) {
	for text, want := range map[string]int{"": 1, "0123456789": 1, "0123456789a": 2, strings.Repeat("x", 35): 4, "日本語日本語": 2, "\t\t\t": 2} {
		if got := rowsOf(podlog.Line{Text: text}, 10); got != want {
			t.Errorf("%q needs %d rows of 10, want %d", text, got, want)
		}
	}
}

func TestPieces(t *testing.T) {
	l := podlog.Line{Text: "ab cd ef", Parts: []podlog.Part{{From: 3, To: 8, Style: podlog.Style{Color: podlog.Red, Bold: true}}}}
	var got []string
	for _, p := range pieces(l, 0, len(l.Text), newFilter(Options{Filter: "B C"}).found(l.Text)) {
		got = append(got, fmt.Sprintf("%q %s %v", p.text, p.class, p.found))
	}
	if want := `"a"  false, "b "  true, "c" ansi-2 ansi-bold true, "d ef" ansi-2 ansi-bold false`; strings.Join(got, ", ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), want)
	}
}

func TestFieldsOfJSONAreColumns(t *testing.T) {
	lines := []podlog.Line{{Text: `{"msg":"a","level":"info","n":1}`}, {Text: "text"}, {Text: `{"level":"warn","msg":"b","rare":true}`}}
	names := fieldsOf(lines, Options{Columns: true})
	if strings.Join(names, " ") != "level msg n rare" {
		t.Errorf("columns %v", names)
	}
	values, others, ok := cells(lines[2], names[:3])
	if strings.Join(values, "|") != "warn|b|" || others != "rare=true" || !ok {
		t.Errorf("cells %v %s", values, others)
	}
	if _, _, ok := cells(lines[1], names); ok {
		t.Error("a line that isn't JSON has cells")
	}
}
