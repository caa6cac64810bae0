package timeline

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/timeline"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// version is an object in a version in which a manager set x, and y where that is given.
func version(t testing.TB, number int, manager, x string) object.Object {
	t.Helper()
	o, err := object.Parse(fmt.Appendf(nil, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","uid":"u","resourceVersion":"%d","managedFields":[`+
		`{"manager":%q,"operation":"Update","apiVersion":"v1","time":"2026-11-21T12:00:%02dZ","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:x":{}}}}]},"data":{"x":%q}}`,
		number, manager, number%60, x))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// fought is a timeline of so many versions, a second apart, in which two managers fight.
func fought(t testing.TB, versions int) *Tab {
	t.Helper()
	tab := New(noon)
	for i := range versions {
		at := noon.Add(time.Duration(i) * time.Second)
		tab.Add(version(t, i+1, []string{"git", "operator"}[i%2], fmt.Sprint(i%2)), nil, at)
		tab.Tick(at)
	}
	return tab
}

func (t *Tab) do(actions ...string) (did []page.Cmd) {
	for _, a := range actions {
		if field, text, typed := strings.Cut(a, "="); typed {
			did = t.Typed(field, text)
		} else if key, pressed := strings.CutPrefix(a, "key "); pressed {
			did = t.Pressed(key)
		} else {
			did = t.Acted(a, timeline.Origin{Cluster: "practice", Path: "/api/v1/namespaces/shop/configmaps/c"})
		}
	}
	return did
}

func html(tb testing.TB, tab *Tab) string {
	tb.Helper()
	var b bytes.Buffer
	about := About{Object: version(tb, 1, "git", "0"), Follows: true, Toggle: "?managed=1", Now: tab.now}
	if err := Show(tab, about).Render(tb.Context(), &b); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

func TestWhatTheReaderDoes(t *testing.T) {
	const pin, step = pinField + "=", doStep
	for _, c := range []struct {
		name    string
		actions []string
		want    string // version in view, what it is compared with, listed steps
	}{
		{"nothing", nil, "8 with 7 of 8"},
		{"chooses a step", []string{step + "3"}, "3 with 2 of 8"},
		{"chooses the first, with which nothing can be compared", []string{step + "1"}, "1 with 0 of 8"},
		{"slides", []string{atField + "=5"}, "5 with 4 of 8"},
		{"slides to what makes no sense", []string{atField + "=x"}, "8 with 7 of 8"},
		{"slides past the end", []string{atField + "=99"}, "8 with 7 of 8"},
		{"chooses what isn't there", []string{step + "-4"}, "8 with 7 of 8"},
		{"goes back to the newest", []string{step + "3", doNewest}, "8 with 7 of 8"},
		{"compares with a version", []string{pin + "2"}, "8 with 2 of 8"},
		{"compares with a later one", []string{step + "3", pin + "6"}, "3 with 6 of 8"},
		{"compares with what isn't there", []string{pin + "99"}, "8 with 7 of 8"},
		{"compares with itself", []string{step + "3", pin + "3"}, "3 with 2 of 8"},
		{"holds on to a version", []string{step + "3", doPin, doNewest}, "8 with 3 of 8"},
		{"and lets go of it", []string{step + "3", doPin, doNewest, doPin}, "8 with 7 of 8"},
		{"walks", []string{"key j", "key j", "key k"}, "7 with 6 of 8"},
		{"walks past the end", []string{"key G", "key j"}, "1 with 0 of 8"},
		{"walks to the newest", []string{"key G", "key g"}, "8 with 7 of 8"},
		{"another key", []string{"key x"}, "8 with 7 of 8"},
		{"lists one field", []string{doField + ".data.x"}, "8 with 7 of 7"},
		{"lists one field, and all again", []string{doField + ".data.x", doField + ".data.x"}, "8 with 7 of 8"},
		{"lists a field that never changed", []string{doField + ".data.y"}, "8 with 7 of 0"},
		{"walks where nothing is listed", []string{doField + ".data.y", "key j"}, "8 with 7 of 0"},
		{"looks at a step that changed the field", []string{step + "1", doField + ".data.x"}, "8 with 7 of 7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab := fought(t, 8)
			tab.do(c.actions...)
			s := tab.sheet()
			if got := fmt.Sprintf("%d with %d of %d", s.current(), s.base(), len(s.steps())); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			html(t, tab)
		})
	}
}

func TestWhoFollowsTheNewestGoesOn(t *testing.T) {
	tab := fought(t, 3)
	tab.Add(version(t, 4, "git", "5"), nil, noon.Add(time.Minute))
	if got := tab.live.current(); got != 4 {
		t.Errorf("looks at %d", got)
	}
	tab.do(doStep + "2")
	tab.Add(version(t, 5, "git", "6"), nil, noon.Add(2*time.Minute))
	if got := tab.live.current(); got != 2 {
		t.Errorf("who looks at the second version is taken to %d", got)
	}
}

func TestPaused(t *testing.T) {
	tab := fought(t, 3)
	tab.do(doPause)
	for i := range 4 {
		tab.Add(version(t, 10+i, "git", fmt.Sprint(i)), nil, noon.Add(time.Minute))
	}
	tab.Tick(noon.Add(time.Hour))
	if s := tab.live; s.newest() != 3 || s.waiting() != 4 || s.current() != 3 || tab.standing() != "4 new versions wait until you continue" {
		t.Errorf("%d shown, %d wait: %s", s.newest(), s.waiting(), tab.standing())
	}
	tab.do(doPause)
	if s := tab.live; s.newest() != 7 || s.waiting() != 0 {
		t.Errorf("%d shown, %d wait", s.newest(), s.waiting())
	}
}

func TestHeldWhileThePointerIsOverTheSteps(t *testing.T) {
	tab := fought(t, 3)
	tab.Point(true)
	tab.Add(version(t, 10, "git", "a"), nil, noon.Add(time.Minute))
	tab.Tick(noon.Add(time.Hour))
	if tab.live.newest() != 3 || tab.standing() != "1 new version held back while you point" {
		t.Error(tab.standing())
	}
	if tab.Point(false); tab.live.newest() != 4 {
		t.Error("it does not catch up")
	}
}

// TestManyVersionsAreShownNowAndThen: a hundred a second are recorded, and what is shown moves on a few times.
func TestManyVersionsAreShownNowAndThen(t *testing.T) {
	tab := fought(t, 1)
	moved := map[int]bool{}
	for i := range 100 {
		tab.Add(version(t, 10+i, "git", fmt.Sprint(i)), nil, noon.Add(time.Minute).Add(time.Duration(i)*10*time.Millisecond))
		tab.Work(false)
		moved[tab.live.newest()] = true
	}
	if tab.live.rec.Last() != 101 || len(moved) != 2 {
		t.Errorf("%d recorded, shown %d times", tab.live.rec.Last(), len(moved))
	}
	tab.Tick(noon.Add(time.Hour))
	if parts := work(tab); parts != 3 || tab.live.newest() != 101 {
		t.Errorf("%d shown after %d parts", tab.live.newest(), parts)
	}
	if n := len(tab.live.steps()); n != olderSteps {
		t.Errorf("%d steps are listed", n)
	}
	tab.do(doOlder)
	if n := len(tab.live.steps()); n != 101 {
		t.Errorf("%d steps are listed", n)
	}
}

// work does all that there is, and counts the parts.
func work(t *Tab) (parts int) {
	for t.Work(false) {
		parts++
	}
	return parts
}

// TestInStepsAndAtOnce: what is written out in steps is what would have been shown at once, whatever the reader does meanwhile.
func TestInStepsAndAtOnce(t *testing.T) {
	for _, action := range []string{
		"", doPause, doNewest, doFold, doPin, doStep + "2", doField + ".data.x", pinField + "=2", atField + "=3", "key j", doOlder,
	} {
		for after := range 4 {
			steps, once := fought(t, 4), fought(t, 4)
			for i := range 20 {
				at := noon.Add(time.Minute).Add(time.Duration(i) * 20 * time.Millisecond)
				steps.Add(version(t, 10+i, "git", fmt.Sprint(i)), nil, at)
				once.Add(version(t, 10+i, "git", fmt.Sprint(i)), nil, at)
			}
			now := noon.Add(2 * time.Minute)
			steps.Tick(now)
			for range after {
				steps.Work(false)
			}
			once.now = now
			once.CatchUp()
			if action != "" {
				if after < 3 {
					steps.CatchUp() // the reader acts on what is shown, which would be another
				}
				steps.do(action)
				once.do(action)
			}
			work(steps)
			if a, b := html(t, steps), html(t, once); a != b {
				t.Errorf("%q after %d parts:\n%s\nat once:\n%s", action, after, a, b)
			}
		}
	}
}

// TestNothingIsWrittenForWhoLooksElsewhere: only who follows the newest version waits for it.
func TestNothingIsWrittenForWhoLooksElsewhere(t *testing.T) {
	for action, want := range map[string]bool{"": true, doPause: false, doStep + "2": false, doStep + "4": true} {
		tab := fought(t, 4)
		tab.do(doStep+"1", doNewest)
		if action != "" {
			tab.do(action)
		}
		for i := range 20 {
			tab.Add(version(t, 10+i, "git", fmt.Sprint(i)), nil, noon.Add(time.Minute))
		}
		tab.Tick(noon.Add(2 * time.Minute))
		if got := work(tab) > 0; got != want {
			t.Errorf("%q: %v", action, got)
		}
	}
}

func TestOldVersionsAreDropped(t *testing.T) {
	tab := New(noon)
	for i := range maxVersions + 7 {
		tab.Add(version(t, i+1, "git", fmt.Sprint(i)), nil, noon.Add(time.Duration(i)*time.Second))
	}
	tab.do(doStep+"8", doOlder)
	tab.live.listed = maxVersions
	shown := html(t, tab)
	for _, words := range []string{"1,007 versions", "7 older versions deleted", "The page keeps the newest 1,000 versions, and at most 24 MB. It deleted 7 older versions."} {
		if !strings.Contains(shown, words) {
			t.Errorf("not told: %s", words)
		}
	}
	tab.Add(version(t, 5000, "git", "last"), nil, noon.Add(time.Hour))
	if tab.live.current() != 9 {
		t.Errorf("who looked at what was dropped is at %d", tab.live.current())
	}
}

func TestWhatIsShown(t *testing.T) {
	tab := fought(t, 5)
	shown := html(t, tab)
	for _, words := range []string{
		`data-path=".data.x" data-change="changed"`, "<del>&#34;1&#34;</del>", "<ins>&#34;0&#34;</ins>", `data-contended=".data.x"`,
		"came back 3 times, about every 2.0 s", "<b>operator</b>", "<b>git</b>", `aria-valuetext="version 5 of 5, 12:00:04, 1 path, by git"`,
		"Version 5, compared with version 4", `data-mark="went"`, `data-mark="came"`, "5 versions",
	} {
		if !strings.Contains(shown, words) {
			t.Errorf("not shown: %s", words)
		}
	}
	if strings.Contains(shown, "resourceVersion:") {
		t.Error("what moves with every write is shown")
	}
	if tab.do(doStep + "5"); strings.Contains(html(t, tab), "data-change") {
		t.Error("what was folded away is shown")
	}
	if tab.do(doStep + "5"); !strings.Contains(html(t, tab), "data-change") {
		t.Error("what was opened again is not shown")
	}
	if tab.do(doFold); !strings.Contains(html(t, tab), `aria-pressed="true"`) {
		t.Error("the button does not say that it is on")
	}
}

// rolledOut is a timeline in which git changes the spec of an object twice, and two controllers write its status after each change.
func rolledOut(t *testing.T) *Tab {
	t.Helper()
	tab := New(noon)
	add := func(n, spec, status int) {
		by := []string{"kubelet", "scheduler"}[n%2]
		o, err := object.Parse(fmt.Appendf(nil, `{"kind":"Pod","metadata":{"uid":"u","resourceVersion":"%d","managedFields":[{"manager":"git","operation":"Update","fieldsV1":{"f:spec":{"f:x":{}}}},`+
			`{"manager":%q,"operation":"Update","subresource":"status","time":"2026-11-21T12:00:%02dZ","fieldsV1":{"f:status":{"f:y":{}}}}]},"spec":{"x":%d},"status":{"y":%d}}`, n, by, n, spec, status))
		if err != nil {
			t.Fatal(err)
		}
		tab.Add(o, nil, noon.Add(time.Duration(n)*time.Second))
		tab.Tick(noon.Add(time.Duration(n) * time.Second))
	}
	for n, v := range [][2]int{{0, 0}, {1, 0}, {1, 1}, {1, 2}, {1, 3}, {2, 3}, {2, 4}, {3, 4}, {3, 5}, {3, 6}} {
		add(n+1, v[0], v[1])
	}
	return tab
}

func TestChangesOfStatusAreOneLine(t *testing.T) {
	tab := rolledOut(t)
	lines := func() string {
		var all []string
		for _, s := range tab.live.showing(noon).versionSteps("").Steps {
			words := fmt.Sprint(s.Number)
			if len(s.Quiet) > 0 {
				var by []string
				for _, w := range s.Writers {
					by = append(by, w.Name)
				}
				words += fmt.Sprintf(" (%s, %s, by %s)", s.Words, s.Time, strings.Join(by, " and "))
			}
			all = append(all, words)
		}
		return strings.Join(all, ", ")
	}
	for _, c := range []struct{ name, do, want string }{
		{"the newest is selected, and one alone isn't folded", doNewest, "10, 9, 8, 7, 6, 3 (3 status changes, 12:00:03 to 12:00:05, by scheduler and kubelet), 2, 1"},
		{"a selected one stays a line", doStep + "4", "9 (2 status changes, 12:00:09 to 12:00:10, by kubelet and scheduler), 8, 7, 6, 5, 4, 3, 2, 1"},
		{"the versions of one field", doField + ".status.y", "10, 9, 8, 7, 6, 5, 4, 3, 2"},
	} {
		if tab.do(c.do); lines() != c.want {
			t.Errorf("%s: %s", c.name, lines())
		}
	}
	tab.do(doField+".status.y", doNewest)
	if shown := html(t, tab); !strings.Contains(shown, `<li id="quiet-3" class="quiet-steps"><details><summary><b>3 status changes</b>`) || !strings.Contains(shown, `id="step-4"`) {
		t.Error("the line, or what it stands for, isn't there")
	}
	kept := KeptOf(tab.live.rec).keptSteps(noon)
	var numbers []int
	for _, s := range kept.Steps {
		numbers = append(numbers, s.Number)
	}
	if fmt.Sprint(numbers) != "[9 8 7 6 3 2 1]" || len(kept.Steps[0].Quiet) != 2 || len(kept.Steps[0].Quiet[0].Changes) == 0 {
		t.Errorf("without scripts: %v", numbers)
	}
}

func TestAllNotesAreInOneBanner(t *testing.T) {
	tab := fought(t, 6)
	tab.Recall(40)
	tab.Loaded(page.Loaded{Name: "x.json", Body: []byte("{}"), Size: 2})
	shown := html(t, tab)
	_, banner, found := strings.Cut(shown, `<div class="timeline-notes">`)
	if !found || strings.Contains(banner, `class="timeline-notes"`) {
		t.Fatal("there isn't one banner")
	}
	for _, part := range []string{`id="recall"`, `id="refused"`, `id="contended"`} {
		if !strings.Contains(banner, part) {
			t.Errorf("%s isn't in it", part)
		}
	}
	bar, _, _ := strings.Cut(shown, `<div class="timeline-notes">`)
	if !strings.Contains(bar, `type="range"`) {
		t.Error("the slider isn't in the bar")
	}
	if quiet := html(t, New(noon)); strings.Contains(quiet, "timeline-notes") || strings.Contains(quiet, `type="range"`) {
		t.Error("there is a banner or a slider without a reason")
	}
	if !tab.Contends(".data.x") || tab.Contends(".data.y") {
		t.Error("it says of the wrong field that managers fight over it")
	}
}

func TestContentionIsSaidOnce(t *testing.T) {
	tab := fought(t, 5)
	if got, want := tab.News(), []page.Cmd{page.Announce{Words: "1 field is contended"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
	tab.Add(version(t, 10, "operator", "1"), nil, noon.Add(time.Minute))
	if got := tab.News(); got != nil {
		t.Errorf("again: %v", got)
	}
}

func TestAFileIsReplayed(t *testing.T) {
	tab := fought(t, 5)
	d := tab.do(doExport)[0].(page.Download)
	if d.Name != "timeline-c-20261121-120004.json" || d.MediaType != "application/json" {
		t.Errorf("%s, %s", d.Name, d.MediaType)
	}
	other := New(noon.Add(time.Hour))
	other.Loaded(page.Loaded{Field: fileField, Name: d.Name, Size: int64(len(d.Body)), Body: d.Body})
	shown := html(t, other)
	for _, words := range []string{"Replaying timeline-c-20261121-120004.json: /api/v1/namespaces/shop/configmaps/c of cluster practice", `data-version="5"`, `data-contended=".data.x"`} {
		if !strings.Contains(shown, words) {
			t.Errorf("not shown: %s", words)
		}
	}
	again := other.do(doExport)[0].(page.Download)
	if again.Name != d.Name || !bytes.Equal(again.Body, d.Body) {
		t.Error("what was replayed is exported otherwise")
	}
	other.do(doStep + "2")
	other.Add(version(t, 90, "git", "z"), nil, noon.Add(time.Hour))
	if other.sheet().newest() != 5 || other.live.rec.Last() != 1 {
		t.Error("the object's own versions got into the replay")
	}
	if other.do(doLeave); other.sheet() != other.live {
		t.Error("it goes on")
	}
}

func TestFilesThatCannotBeReplayed(t *testing.T) {
	for _, c := range []struct {
		name string
		file page.Loaded
		want string
	}{
		{"too large", page.Loaded{Name: "t.json", Size: timeline.MaxFile + 1}, "t.json can’t be replayed: it is larger than 32 MB"},
		{"unreadable", page.Loaded{Name: "t.json", Size: 5}, "t.json can’t be replayed: the browser could not read it"},
		{"no timeline", page.Loaded{Name: "<b>.json", Size: 2, Body: []byte(`{}`)}, `&lt;b&gt;.json can’t be replayed: it isn&#39;t a timeline`},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab := fought(t, 3)
			tab.Loaded(c.file)
			if shown := html(t, tab); !strings.Contains(shown, c.want) || strings.Contains(shown, "<b>.json") {
				t.Errorf("not told: %s", c.want)
			}
			if tab.do(doDismiss); strings.Contains(html(t, tab), "can’t be replayed") {
				t.Error("it is told for ever")
			}
		})
	}
}

func TestFileNames(t *testing.T) {
	for path, want := range map[string]string{"": "", "/api/v1/pods/web-1": "web-1", `/x/sys:a"\..`: "sys-a--.."} {
		if got := fileName(path); got != want {
			t.Errorf("%q is %q, want %q", path, got, want)
		}
	}
}

func TestLongDocumentsAreFolded(t *testing.T) {
	tab := New(noon)
	for i := range 2 {
		o := version(t, i+1, "git", "0")
		data := map[string]any{}
		for k := range maxWhole + 10 {
			data[fmt.Sprintf("k%05d", k)] = "v"
		}
		data["changing"] = fmt.Sprint(i)
		o.Fields["data"] = data
		tab.Add(o, nil, noon.Add(time.Duration(i)*time.Second))
	}
	if shown := html(t, tab); !strings.Contains(shown, "equal lines") || strings.Count(shown, "<li") > 100 {
		t.Errorf("%d lines", strings.Count(shown, "<li"))
	}
}

func TestAFightIsCopied(t *testing.T) {
	tab := fought(t, 8)
	did := tab.do("copy-as-markdown .data.x")
	if len(did) != 1 {
		t.Fatalf("%+v", did)
	}
	want := "### Fight over a field: ConfigMap c\n\n| field | values | returns | managers |\n|---|---|---|---|\n| `.data.x` | "
	if got := did[0].(page.Copy).Text; !strings.HasPrefix(got, want) || !strings.Contains(got, "`git` (Update)") || !strings.Contains(got, "`operator` (Update)") || !strings.Contains(got, "came back 6 times") {
		t.Errorf("%s", got)
	}
	if c := tab.do("copy-as-image .data.x")[0].(page.Copy); c.Text != "" || !strings.HasPrefix(c.SVG, "<svg ") || c.File != "fieldmark-fight.png" {
		t.Errorf("%+v", c)
	}
	if did := tab.do("copy-as-markdown .data.y"); did != nil {
		t.Errorf("%+v", did)
	}
}
