package pages

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/fieldmark/fieldmark/kube/request"
	guide "github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/lesson"
	"github.com/fieldmark/fieldmark/web/learn/progress"
)

// learner is the page of a lesson as it runs in a browser, with a real API server. The learner sees only what the page shows, and presses only
// its buttons.
type learner struct {
	t       *testing.T
	page    page.Page
	id      string   // of the lesson
	name    string   // of the learner
	steps   []string // ids
	patient []bool   // for each step, whether a check of it allows more than a minute
	targets map[string]upstream.Target
	msgs    chan page.Msg
	calls   map[string]context.CancelFunc
	ahead   time.Duration // how far the page's clock is before the real one
	last    time.Time     // of the last tick
	tree    *html.Node    // what the page shows; nil: it has changed
}

// patience bounds how long a learner waits for a response or a check.
const patience = 90 * time.Second

// lesson is the page of a lesson, as the server sends it.
func (s *site) lesson(t *testing.T, id string) lesson.Model {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.server.URL+web.Lesson(id), http.NoBody)
	must(t, err)
	r.Header.Set("Accept", page.MediaType)
	var m lesson.Model
	must(t, json.Unmarshal([]byte(s.do(r).body), &m))
	return m
}

// newLearner opens a lesson, and begins it.
func (s *site) newLearner(t *testing.T, id string) *learner {
	t.Helper()
	m := s.lesson(t, id)
	name := strings.ToLower(rand.Text()[:5])
	l := &learner{t: t, id: id, name: name, targets: map[string]upstream.Target{}, msgs: make(chan page.Msg, 1024), calls: map[string]context.CancelFunc{}}
	for _, step := range m.Lesson.Steps {
		l.steps = append(l.steps, step.ID)
		l.patient = append(l.patient, slices.ContainsFunc(step.Blocks, func(b guide.Block) bool { return b.Check != nil && b.Check.Within > 60 }))
	}
	for _, c := range s.clusters.List() {
		target, err := c.Target()
		must(t, err)
		l.targets[c.Slug()] = target
	}
	next, cmds := m.Awake(time.Now())
	l.page = next
	l.run(cmds)
	l.update(page.Kept{Values: map[string]string{progress.Key: progress.Book{Learner: name}.String()}})
	l.press("begin")
	l.await("the lesson begins", func() bool { return l.find("button", "data-do=begin") == nil && l.find("", "data-phase=ready") != nil })
	return l
}

func (l *learner) update(m page.Msg) {
	next, cmds := l.page.Update(m)
	l.page, l.tree = next, nil
	l.run(cmds)
}

func (l *learner) press(action string) { l.update(page.Acted{Action: action}) }

// run carries commands out, like the browser's program.
func (l *learner) run(cmds []page.Cmd) {
	for _, c := range cmds {
		switch c := c.(type) {
		case page.Call:
			ctx, cancel := context.WithCancel(l.t.Context())
			if before := l.calls[c.ID]; before != nil {
				before()
			}
			l.calls[c.ID] = cancel
			go l.send(ctx, c)
		case page.Cancel:
			if cancel := l.calls[c.ID]; cancel != nil {
				cancel()
			}
		}
	}
}

// send sends a request to the API server, and tells the page about the response while it arrives.
func (l *learner) send(ctx context.Context, c page.Call) {
	target, ended := l.targets[c.Cluster], page.Ended{ID: c.ID, How: page.CutOff}
	defer func() {
		if ctx.Err() != nil {
			ended.How = page.Canceled
		}
		l.msgs <- ended
	}()
	r, err := http.NewRequestWithContext(ctx, c.Method, target.Base.String()+c.Path, bytes.NewReader(c.Body))
	if err != nil {
		return
	}
	for _, h := range c.Header {
		r.Header.Set(h.Name, h.Value)
	}
	if c.Coding != "" {
		r.Header.Set("Accept-Encoding", c.Coding)
	}
	response, err := target.Transport.RoundTrip(r)
	if err != nil {
		return
	}
	defer response.Body.Close()
	opened := page.Opened{ID: c.ID, Status: response.StatusCode}
	for name, values := range response.Header {
		opened.Header = append(opened.Header, request.Header{Name: strings.ToLower(name), Value: strings.Join(values, ", ")})
	}
	l.msgs <- opened
	wire := &counting{from: response.Body}
	var body io.Reader = wire
	if response.Header.Get("Content-Encoding") == "gzip" {
		if body, err = gzip.NewReader(body); err != nil {
			return
		}
	}
	part := make([]byte, 1<<20)
	for {
		n, err := body.Read(part)
		ended.Bytes += int64(n)
		ended.Wire = wire.n
		l.msgs <- page.Arrived{ID: c.ID, Part: bytes.Clone(part[:n]), Bytes: ended.Bytes}
		if err != nil {
			if err == io.EOF {
				ended.How = page.Whole
			}
			return
		}
	}
}

// counting counts the bytes on the wire.
type counting struct {
	from io.Reader
	n    int64
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += int64(n)
	return n, err
}

// shown is what the page shows now.
func (l *learner) shown() *html.Node {
	if l.tree == nil {
		var b bytes.Buffer
		must(l.t, page.Main(l.page).Render(l.t.Context(), &b))
		if at := variable.FindIndex(b.Bytes()); at != nil {
			l.t.Errorf("the page shows a variable: %s", b.Bytes()[max(at[0]-80, 0):at[1]])
		}
		tree, err := html.Parse(&b)
		must(l.t, err)
		l.tree = tree
	}
	return l.tree
}

// find is the first element in sight with a name and an attribute, both optional. It is nil if there is none.
func (l *learner) find(name, attribute string) *html.Node {
	all := l.all(name, attribute)
	if len(all) == 0 {
		return nil
	}
	return all[0]
}

// all are the elements in sight with a name and an attribute. An attribute with * at its end needs only begin so.
func (l *learner) all(name, attribute string) []*html.Node {
	key, want, _ := strings.Cut(attribute, "=")
	begins := strings.HasSuffix(want, "*")
	want = strings.TrimSuffix(want, "*")
	var found []*html.Node
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode {
			if slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "hidden" }) {
				return
			}
			has := value(n, key)
			if (name == "" || n.Data == name) && (has == want || begins && strings.HasPrefix(has, want)) {
				found = append(found, n)
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(l.shown())
	return found
}

// await takes messages in until something is so.
func (l *learner) await(what string, so func() bool) {
	l.t.Helper()
	l.awaitLong(patience, what, so)
}

func (l *learner) awaitLong(most time.Duration, what string, so func() bool) {
	l.t.Helper()
	for until := time.Now().Add(most); !so(); {
		if time.Now().After(until) {
			l.t.Fatalf("%s: not within %v: %s", what, most, l.said())
		}
		select {
		case m := <-l.msgs:
			l.update(m)
			l.drain()
		case <-time.After(100 * time.Millisecond): // the page's clock ticks; nothing is asserted about it
		}
		if time.Since(l.last) > 300*time.Millisecond {
			l.last = time.Now()
			l.update(page.Tick{Now: time.Now().Add(l.ahead)})
		}
	}
}

// drain takes in what has arrived.
func (l *learner) drain() {
	for {
		select {
		case m := <-l.msgs:
			l.update(m)
		default:
			return
		}
	}
}

// said is the text of the step in sight.
func (l *learner) said() string {
	var said []string
	for _, n := range append(l.all("", "class=reason"), l.all("span", "id=why-*")...) {
		if text := textOf(n); text != "" {
			said = append(said, text)
		}
	}
	return strings.Join(said, " | ")
}

func textOf(n *html.Node) string {
	var b strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(n)
	return strings.Join(strings.Fields(b.String()), " ")
}

// turn goes to a step.
func (l *learner) turn(step int) { l.press("turn " + strconv.Itoa(step)) }

// do does what a step offers, and waits for its checks. With again, what has failed in the step is done once more before that.
func (l *learner) do(step int, again bool) {
	l.t.Helper()
	l.turn(step)
	here := strconv.Itoa(step) + "."
	l.idle(here)
	for _, b := range l.all("button", "data-do=*") {
		action := value(b, "data-do")
		resends := strings.HasPrefix(action, "send-request "+here) && textOf(b) == "Send the request again"
		if again && (resends || strings.HasPrefix(action, "check-again "+here)) {
			l.press(action)
			l.idle(here)
		}
	}
	for range 40 {
		l.idle(here)
		if question := l.unsure(here); question != "" {
			l.press(question)
			continue
		}
		buttons := l.all("button", "data-do=send-request "+here+"*")
		i := slices.IndexFunc(buttons, func(b *html.Node) bool {
			return strings.HasPrefix(value(b, "id"), "send-") && textOf(b) == "Send" && !has(b, "disabled")
		})
		if i < 0 {
			return
		}
		l.press(value(buttons[i], "data-do"))
	}
}

// unsure is the action of an open prediction's button for “I don’t know”; empty: no prediction is open.
func (l *learner) unsure(here string) string {
	for _, b := range l.all("button", "data-do=guess "+here+"*") {
		if strings.HasSuffix(value(b, "data-do"), " ?") && value(b, "aria-pressed") != "true" {
			return value(b, "data-do")
		}
	}
	return ""
}

// idle waits until no response and no check is under way in the step in sight.
func (l *learner) idle(here string) {
	l.t.Helper()
	begun, jumped, bound := time.Now(), false, l.longest(here)
	l.await("the step comes to rest", func() bool {
		if !jumped && time.Since(begun) > bound {
			l.ahead, jumped = l.ahead+2*time.Minute, true // a check that waits for a state that never comes
		}
		return l.find("", "data-state=waiting") == nil && l.find("", "data-check=waiting") == nil && !l.answering(here)
	})
	l.settle()
}

// longest is how long a state of a step may take to come. Compactions restart the API server, and a busy machine needs longer than most checks allow.
func (l *learner) longest(here string) time.Duration {
	step, _ := strconv.Atoi(strings.TrimSuffix(here, "."))
	if l.patient[step] {
		return patience * 2 / 3
	}
	return 8 * time.Second
}

// answering tells whether a response that is no stream arrives in a step.
func (l *learner) answering(here string) bool {
	for _, n := range l.all("", "id=answer-"+here+"*") {
		if value(n, "data-state") == "answering" && l.find("button", "data-do=stop "+strings.TrimPrefix(value(n, "id"), "answer-")) == nil {
			return true
		}
	}
	return false
}

// settle takes in what arrives until nothing comes for a moment: the page looks for reasons.
func (l *learner) settle() {
	for {
		select {
		case m := <-l.msgs:
			l.update(m)
		case <-time.After(150 * time.Millisecond): // responses to the page's own questions
			return
		}
	}
}

// setUp lets the page set up the step in sight, and does what the step then offers.
func (l *learner) setUp(step int) {
	l.t.Helper()
	l.turn(step)
	if l.find("button", "data-do=set-up") == nil {
		l.t.Errorf("step %d can’t be set up: %s", step+1, l.said())
		return
	}
	l.press("set-up")
	l.press("set-up-now")
	l.awaitLong(patience*time.Duration(step+1), "the step is set up", func() bool {
		return l.find("", "data-replay=played") != nil || l.find("", "data-replay=stuck") != nil
	})
	if stuck := l.find("", "data-replay=stuck"); stuck != nil {
		l.t.Errorf("step %d isn’t set up: %s", step+1, textOf(stuck))
		return
	}
	if l.do(step, false); !l.passed() {
		var came []string
		for _, n := range append(l.all("dl", "class=apart"), l.all("p", "class=wire-line*")...) {
			came = append(came, textOf(n))
		}
		l.t.Errorf("step %d was set up, and doesn’t pass: %s %s", step+1, l.said(), strings.Join(came, "; "))
	}
}

// passed tells whether nothing is left to do in the step in sight, and nothing has failed.
func (l *learner) passed() bool {
	return l.find("", "data-check=failed") == nil && l.said() == "" && l.find("p", "class=working") == nil
}

// advice is what the step in sight says about what is missing: the words, and the step or the stream that it leads to.
func (l *learner) advice() (words string, to int, stream string) {
	words, to = l.said(), -1
	for _, b := range l.all("button", "data-do=send-request *") {
		if textOf(b) == "Open the stream again" {
			stream = value(b, "data-do")
		}
	}
	for _, a := range l.all("a", "href=*") {
		if n := leadsTo.FindStringSubmatch(textOf(a)); n != nil && to < 0 {
			to, _ = strconv.Atoi(n[1])
			to--
		}
	}
	return words, to, stream
}

// variable is a variable that wasn't filled in. It begins with a text, so that it is looked for fast: learners look at their page all the time.
var variable = regexp.MustCompile(`\{\{[^}]*\}\}`)

var leadsTo = regexp.MustCompile(`^Go to step (\d+)$`)

// leave deletes what the lesson has created.
func (l *learner) leave() {
	l.press("tidy")
	for until := time.Now().Add(patience); time.Now().Before(until); {
		select {
		case m := <-l.msgs:
			l.update(m)
		case <-time.After(time.Second): // all responses have come
			for _, cancel := range l.calls {
				cancel()
			}
			return
		}
	}
}
