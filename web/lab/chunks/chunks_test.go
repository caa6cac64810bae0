package chunks

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/chunk"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// awake is the page of three ConfigMaps by two, alive.
func awake(t *testing.T, query string) Model {
	t.Helper()
	q, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	m := Parse(q)
	m.Shell = shell.Model{Cluster: shell.Cluster{Slug: "practice"}}
	p, _ := m.Awake(time.Unix(1000, 0))
	return p.(Model)
}

// play tells a page what happens, and notes what it asks for: buttons by their words, messages as they are.
func play(t *testing.T, m Model, events ...any) (Model, []string) {
	t.Helper()
	var asked []string
	for _, e := range events {
		msgs := []page.Msg{}
		switch e := e.(type) {
		case string:
			msgs = append(msgs, page.Acted{Action: e})
		case page.Msg:
			msgs = append(msgs, e)
		case []page.Msg:
			msgs = e
		}
		for _, msg := range msgs {
			p, cmds := m.Update(msg)
			m = p.(Model)
			for _, c := range cmds {
				switch c := c.(type) {
				case page.Call:
					asked = append(asked, c.Path)
				case page.Cancel:
					asked = append(asked, "cancel "+c.ID)
				case page.Navigate:
					asked = append(asked, c.Address)
				}
			}
		}
	}
	return m, asked
}

func answer(id string, code int, body string) []page.Msg {
	return []page.Msg{page.Opened{ID: id, Status: code}, page.Arrived{ID: id, Part: []byte(body)}, page.Ended{ID: id, How: page.Whole}}
}

func listed(version, token string, remaining int, names ...string) string {
	items := make([]string, 0, len(names))
	for _, n := range names {
		items = append(items, fmt.Sprintf(`{"metadata":{"namespace":"lab","name":%q,"uid":"u-%s"}}`, n, n))
	}
	left := ""
	if remaining >= 0 {
		left = fmt.Sprintf(`,"remainingItemCount":%d`, remaining)
	}
	return fmt.Sprintf(`{"metadata":{"resourceVersion":%q,"continue":%q%s},"items":[%s]}`, version, token, left, strings.Join(items, ","))
}

const (
	configMaps = "path=/api/v1/namespaces/lab/configmaps&limit=2"
	base       = "/api/v1/namespaces/lab/configmaps"
	gone       = `{"kind":"Status","status":"Failure","reason":"Expired","code":410,"message":"too old","metadata":{"continue":"offered"}}`
)

var (
	first  = answer("chunk-1", 200, listed("7", "t1", 1, "a", "b"))
	second = answer("chunk-2", 200, listed("7", "", -1, "c"))
	lost   = answer("chunk-2", 410, gone)
)

func TestSteps(t *testing.T) {
	const one, two = base + "?limit=2", base + "?continue=t1&limit=2"
	tick := page.Tick{Now: time.Unix(1001, 0)}
	for name, c := range map[string]struct {
		events []any
		asked  []string
		phase  chunk.Phase
		sum    string
	}{
		"before anything":        {nil, nil, chunk.Ready, "No chunk has been requested yet"},
		"asked":                  {[]any{doNext, doNext}, []string{one}, chunk.Asking, "0 so far. The next chunk is being fetched"},
		"one":                    {[]any{doNext, first}, []string{one}, chunk.Ready, "2 so far, 1 left"},
		"all":                    {[]any{doNext, first, doNext, second, doNext}, []string{one, two}, chunk.Whole, "3 objects in 2 chunks"},
		"to the end":             {[]any{doRush, first, second}, []string{one, two}, chunk.Whole, "3 objects in 2 chunks"},
		"play waits":             {[]any{doPlay, first}, []string{one}, chunk.Ready, "2 so far, 1 left"},
		"play goes on":           {[]any{doPlay, first, tick, second, tick}, []string{one, two}, chunk.Whole, "3 objects in 2 chunks"},
		"paused":                 {[]any{doPlay, first, doPause, tick}, []string{one}, chunk.Ready, "2 so far, 1 left"},
		"by key":                 {[]any{page.Pressed{Key: "l"}, first, page.Pressed{Key: "G"}}, []string{one, two}, chunk.Asking, "2 so far. The next chunk is being fetched"},
		"expired":                {[]any{doRush, first, lost}, []string{one, two}, chunk.Expired, "2 so far. The token has expired"},
		"expired, begun anew":    {[]any{doRush, first, lost, doAnew}, []string{one, two, one}, chunk.Asking, "0 so far. The next chunk is being fetched"},
		"expired, gone on":       {[]any{doRush, first, lost, doGoOn, answer("chunk-3", 200, listed("9", "", -1, "c"))}, []string{one, two, base + "?continue=offered&limit=2"}, chunk.Whole, "3 objects in 2 chunks"},
		"begun anew on the way":  {[]any{doNext, doAnew}, []string{one, "cancel chunk-1", one}, chunk.Asking, "0 so far. The next chunk is being fetched"},
		"no list":                {[]any{doRush, answer("chunk-1", 200, "odd")}, []string{one}, chunk.Ready, "No chunk has been requested yet"},
		"no answer":              {[]any{doRush, page.Ended{ID: "chunk-1", How: page.CutOff}}, []string{one}, chunk.Ready, "No chunk has been requested yet"},
		"forbidden":              {[]any{doNext, answer("chunk-1", 403, `{"kind":"Status","code":403,"message":"no"}`)}, []string{one}, chunk.Refused, "The API server refused the request"},
		"to no end":              {[]any{doRush, answer("chunk-1", 200, listed("7", "t1", -1, "a", "b")), answer("chunk-2", 200, listed("7", "t1", -1, "a", "b"))}, []string{one, two}, chunk.Ready, "4 so far, and more"},
		"of an old request":      {[]any{doNext, doAnew, first}, []string{one, "cancel chunk-1", one}, chunk.Asking, "0 so far. The next chunk is being fetched"},
		"nothing to go on":       {[]any{doGoOn, doWatch, doStop}, nil, chunk.Ready, "No chunk has been requested yet"},
		"watched":                {[]any{doNext, first, doWatch, doWatch}, []string{one, base + "?allowWatchBookmarks=true&resourceVersion=7&watch=1"}, chunk.Ready, "2 so far, 1 left"},
		"another query is asked": {[]any{page.Addressed{Query: url.Values{"path": {"/api/v1/nodes"}, "limit": {"9"}}}}, []string{"/c/practice/-/chunks?limit=9&path=%2Fapi%2Fv1%2Fnodes"}, chunk.Ready, "No chunk has been requested yet"},
	} {
		m, asked := play(t, awake(t, configMaps), c.events...)
		if strings.Join(asked, " ") != strings.Join(c.asked, " ") || m.live.run.Phase != c.phase || m.sum() != c.sum {
			t.Errorf("%s: %s, %q, asked %q; want %s, %q, %q", name, m.live.run.Phase, m.sum(), asked, c.phase, c.sum, c.asked)
		}
		if text := shown(t, m); !strings.Contains(text, c.sum) {
			t.Errorf("%s: the page doesn't say %q", name, c.sum)
		}
	}
}

func shown(t *testing.T, m Model) string {
	t.Helper()
	var b bytes.Buffer
	if err := page.Main(m).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func line(kind, name, uid, version string) string {
	return fmt.Sprintf(`{"type":%q,"object":{"metadata":{"namespace":"lab","name":%q,"uid":%q,"resourceVersion":%q}}}`+"\n", kind, name, uid, version)
}

// What happens meanwhile stays out of the list, and comes by the watch, however its lines are cut.
func TestWatchFromTheList(t *testing.T) {
	stream := line("ADDED", "ab", "u-new", "8") + line("DELETED", "a", "u-a", "9") + line("MODIFIED", "b", "u-b", "10")
	events := []any{doNext, first, doWatch, page.Opened{ID: "watch", Status: 200}}
	for part := range (len(stream) + 6) / 7 {
		events = append(events, page.Arrived{ID: "watch", Part: []byte(stream[7*part : min(7*part+7, len(stream))])})
	}
	m, _ := play(t, awake(t, configMaps), append(events, doNext, second)...)
	if m.live.follow.count != 3 || m.live.run.Count() != 3 {
		t.Fatalf("%d events, %d objects", m.live.follow.count, m.live.run.Count())
	}
	text := shown(t, m)
	for _, want := range []string{`data-fate="born"`, `data-fate="gone"`, `data-fate="changed"`, "lab/ab", "1 created, 1 changed, 1 deleted", "It misses nothing", `data-event="ADDED"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page doesn't have %q", want)
		}
	}
}

func TestAWatchThatCantBegin(t *testing.T) {
	m, _ := play(t, awake(t, configMaps), doNext, first, doWatch, page.Opened{ID: "watch", Status: 200},
		page.Arrived{ID: "watch", Part: []byte(`{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old resource version"}}` + "\n")},
		page.Ended{ID: "watch", How: page.Whole})
	if text := shown(t, m); !strings.Contains(text, "410: the watch can’t begin at this version") || !strings.Contains(text, "The watch ended with an error.") {
		t.Error("the page doesn't say so")
	}
	m, _ = play(t, awake(t, configMaps), doNext, first, doWatch, answer("watch", 403, `{"kind":"Status","code":403,"message":"may not watch"}`))
	if text := shown(t, m); !strings.Contains(text, "may not watch") {
		t.Error("the page doesn't say why the watch is refused")
	}
}

// After an inconsistent continuation a watch misses something, and the page says what.
func TestASeamIsTold(t *testing.T) {
	m, _ := play(t, awake(t, configMaps), doRush, first, lost, doGoOn, answer("chunk-3", 200, listed("9", "", -1, "c")), doWatch)
	text := shown(t, m)
	for _, want := range []string{"not the version of the chunk before", "version 7", "version 9", "Only a new list is complete", "at 2 versions"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page doesn't have %q", want)
		}
	}
}

func TestRemaining(t *testing.T) {
	n := int64(1253)
	plain, narrowed := awake(t, configMaps), awake(t, "path=/api/v1/pods?labelSelector=a")
	for name, c := range map[string]struct {
		m    Model
		step chunk.Step
		want string
	}{
		"told":            {plain, chunk.Step{Token: "t", Remaining: &n}, "1,253"},
		"the last":        {plain, chunk.Step{}, "Absent: this is the last chunk."},
		"with a selector": {narrowed, chunk.Step{Token: "t"}, "Absent: with a selector"},
		"not told":        {plain, chunk.Step{Token: "t"}, "Absent: the API server doesn’t say how many."},
	} {
		if got := c.m.remaining(c.step); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestParse(t *testing.T) {
	for query, want := range map[string]string{
		"":                                          "/api/v1/pods by 500",
		"path=/api/v1/configmaps":                   "/api/v1/configmaps by 500",
		"path=/api/v1/pods?limit%3D7":               "/api/v1/pods by 7",
		"path=/api/v1/pods?limit%3D7&limit=9":       "/api/v1/pods by 9",
		"path=/api/v1/pods&limit=0":                 "/api/v1/pods by 500",
		"path=/api/v1/namespaces/shop/pods/a":       "/api/v1/namespaces/shop/pods by 500",
		"path=/api/v1/pods?fieldSelector%3Da%253Db": "/api/v1/pods?fieldSelector=a%3Db by 500",
		"path=/version":                             "problem",
		"path=nothing":                              "problem",
	} {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		m := Parse(q)
		got := fmt.Sprintf("%s by %d", m.Target.String(), m.Limit)
		if m.Problem != nil {
			got = "problem"
		}
		if got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
}

func TestManyChunksAreDrawnTogether(t *testing.T) {
	r := chunk.Begin(1)
	for n := range 950 {
		asked, _ := r.Ask()
		left := int64(1000 - n)
		r = asked.Took(chunk.Answer{Version: "7", Continue: "t", Remaining: &left, Items: []chunk.Item{{Name: fmt.Sprintf("%04d", n)}}})
	}
	var beside chunk.Beside
	p := draw(r, beside.Of(r))
	if len(p.Boxes) > mostBoxes+1 || len(p.Labels) != 1 {
		t.Errorf("%d boxes, %d labels", len(p.Boxes), len(p.Labels))
	}
	end := 0.0
	for _, b := range p.Boxes {
		if b.X < end-1e-9 || b.Width <= 0 {
			t.Errorf("%+v begins before %f", b, end)
		}
		end = b.X + b.Width
	}
	if end < 0.999 || end > 1.001 {
		t.Errorf("they end at %f", end)
	}
}
