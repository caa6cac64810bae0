package app

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/wire"
	"github.com/fieldmark/fieldmark/web/read"
	"github.com/fieldmark/fieldmark/web/read/collection"
)

// exchanges are requests and what is answered. A page's requests run beside the test.
type exchanges struct {
	mu      sync.Mutex
	answers map[string]Answer
	gets    []string
	writes  []Outgoing
	held    map[string]chan struct{} // addresses whose responses wait
}

func (c *exchanges) take(o Outgoing) Answer {
	c.mu.Lock()
	defer c.mu.Unlock()
	if o.Method == request.Get {
		c.gets = append(c.gets, o.Address)
		return c.answers[o.Address]
	}
	c.writes = append(c.writes, o)
	return c.answers[o.Method+" "+o.Address]
}

// answer says what a request gets from now on: of an address, or of a method and an address.
func (s *fakeScreen) answer(what string, a Answer) {
	s.calls.mu.Lock()
	defer s.calls.mu.Unlock()
	if s.calls.answers == nil {
		s.calls.answers = map[string]Answer{}
	}
	s.calls.answers[what] = a
}

// asked has the addresses that were read until now, and sent the requests that write.
func (s *fakeScreen) asked() []string {
	s.calls.mu.Lock()
	defer s.calls.mu.Unlock()
	return slices.Clone(s.calls.gets)
}

func (s *fakeScreen) sent() []Outgoing {
	s.calls.mu.Lock()
	defer s.calls.mu.Unlock()
	return slices.Clone(s.calls.writes)
}

// fakeScreen is a document that remembers what was done to it.
type fakeScreen struct {
	calls     exchanges
	model     []byte
	address   string
	target    string // the place in the page that was gone to
	submitted string // a form, and the field that was added
	places    map[Place]string
	shows     []Place
	focus     string
	title     string
	said      []string
	steps     []string // addresses in the history
	opened    []string // addresses in new tabs
	left      string   // the document that was loaded instead
	busy      bool
	modal     bool
	frames    int
	at        Position
	hidden    bool
	missing   map[string]bool // ids that are not there
	downloads []string
	copies    []string
	theme     string
	cookies   map[string]string
	kept      map[string]string
	told      []string
	torn      int    // changes of rows that were not there
	wanted    string // the id of what gets the focus with the next paint
	noted     Position
	keys      Keys
	handled   int
	prepared  []string // programs
	passed    []string // programs, and the addresses of pages that were passed to them
}

func newScreen(t *testing.T, p page.Page, address string) *fakeScreen {
	t.Helper()
	return &fakeScreen{model: embed(t, p), address: address, places: map[Place]string{}, cookies: map[string]string{}, kept: map[string]string{}, missing: map[string]bool{}}
}

func embed(t *testing.T, p page.Page) []byte {
	t.Helper()
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func (s *fakeScreen) Address() string { return s.address }
func (s *fakeScreen) Origin() string  { return "ws://here" }
func (s *fakeScreen) Show(where Place, html string) {
	if around, after, kept := strings.Cut(html, keptBody); kept {
		html = around + components.RowsBegin + strings.Join(part(s.places[where]).rows, "") + after
	}
	s.places[where] = html
	s.shows = append(s.shows, where)
}

func (s *fakeScreen) ShowRows(c RowSteps) {
	shown := part(s.places[Main])
	if !shown.ok || len(shown.rows) != c.Before {
		s.torn++
		return
	}
	fresh := strings.SplitAfter(c.HTML, components.RowEnds)
	var rows []string
	for step := range strings.FieldsSeq(c.Steps) {
		at, places, some := strings.Cut(step, ":")
		n, err := strconv.Atoi(at)
		switch {
		case some:
			rows, fresh = append(rows, withCells(shown.rows[n], places, fresh[0])), fresh[1:]
		case err != nil: // a + is no number
			rows, fresh = append(rows, fresh[0]), fresh[1:]
		default:
			rows = append(rows, shown.rows[n])
		}
	}
	s.places[Main] = shown.before + components.RowsBegin + strings.Join(rows, "") + components.RowsEnd + shown.after
}

// withCells is a row with the tag and the cells of another one in some places.
func withCells(row, places, fresh string) string {
	cells, changed := splitCells(row), splitCells(fresh)
	cells[0] = changed[0]
	for n, place := range strings.FieldsFunc(places, func(r rune) bool { return r == ',' }) {
		at, _ := strconv.Atoi(place)
		cells[at+1] = changed[n+1]
	}
	return strings.Join(cells, "") + components.RowEnds
}

func (s *fakeScreen) Title(title string) { s.title = title }
func (s *fakeScreen) Remember(address string, replace bool) {
	if replace && len(s.steps) > 0 {
		s.steps[len(s.steps)-1] = address
		return
	}
	s.steps = append(s.steps, address)
}

func (s *fakeScreen) Submit(form, field, text string) { s.submitted = form + " " + field + "=" + text }

func (s *fakeScreen) Theme(choice string)         { s.theme = choice }
func (s *fakeScreen) Prefer(cookie, value string) { s.cookies[cookie] = value }
func (s *fakeScreen) Keep(key, value string) {
	s.kept[key] = value
	if value == "" {
		delete(s.kept, key)
	}
}

func (s *fakeScreen) Kept(key string) (value string, ok bool) {
	value, ok = s.kept[key]
	return value, ok
}

func (s *fakeScreen) Leave(address string) { s.left = address }
func (s *fakeScreen) Open(address string)  { s.opened = append(s.opened, address) }
func (s *fakeScreen) Call(o Outgoing) Answer {
	s.calls.mu.Lock()
	held := s.calls.held[o.Address]
	s.calls.mu.Unlock()
	if held != nil {
		<-held
	}
	return s.calls.take(o)
}

// holdBack lets the responses of an address wait until the returned function is called.
func (s *fakeScreen) holdBack(address string) (let func()) {
	held := make(chan struct{})
	s.calls.mu.Lock()
	defer s.calls.mu.Unlock()
	s.calls.held = map[string]chan struct{}{address: held}
	return func() { close(held) }
}

// embedded is the model of a page, as the server answers with it.
func embedded(t *testing.T, address string, p page.Page) Answer {
	t.Helper()
	return Answer{Head: Head{Status: 200, Address: address, Header: []request.Header{{Name: "content-type", Value: page.MediaType}}}, Body: embed(t, p)}
}

func (s *fakeScreen) Focus(id string) {
	if s.wanted = id; !s.missing[id] {
		s.focus, s.wanted = id, ""
	}
}
func (s *fakeScreen) Modal(on bool)    { s.modal = on }
func (s *fakeScreen) Bring(int, int)   {}
func (s *fakeScreen) Shift(by int)     { s.at.Rows += by }
func (s *fakeScreen) Reveal(string)    {}
func (s *fakeScreen) Target(id string) { s.target = id }
func (s *fakeScreen) Download(name, _ string, body []byte) {
	s.downloads = append(s.downloads, name+": "+string(body))
}

func (s *fakeScreen) Copy(text, svg, file string) {
	s.copies = append(s.copies, text+svg+" "+file)
}
func (s *fakeScreen) Tell(words string)   { s.told = append(s.told, words) }
func (s *fakeScreen) Stay()               { s.noted = s.at }
func (s *fakeScreen) Return()             { s.at = s.noted }
func (s *fakeScreen) ScrollTo(p Position) { s.at = p }
func (s *fakeScreen) Keys(k Keys)         { s.keys = k }
func (s *fakeScreen) Handled()            { s.handled++ }
func (s *fakeScreen) Prepare(name string) { s.prepared = append(s.prepared, name) }
func (s *fakeScreen) Pass(program string, to Arrival) {
	s.passed = append(s.passed, program+" "+to.Address)
}
func (s *fakeScreen) Announce(said string) { s.said = append(s.said, said) }
func (s *fakeScreen) Busy(on bool)         { s.busy = on }
func (s *fakeScreen) State(string)         {}
func (s *fakeScreen) Mark(string)          {}
func (s *fakeScreen) Frame()               { s.frames++ }
func (s *fakeScreen) Pause()               {}
func (s *fakeScreen) Visible() bool        { return !s.hidden }

// fakeServer is the other end of the socket, one connection at a time.
type fakeServer struct {
	conns chan *fakeConn
	down  chan struct{} // closed: nobody answers
}

type fakeConn struct {
	in   chan []byte // to the page
	out  chan wire.Request
	cut  chan struct{}
	once sync.Once
	// renew says that the server closes the connection so that the session is renewed; set before Close.
	renew bool
}

func newServer() *fakeServer {
	return &fakeServer{conns: make(chan *fakeConn, 8), down: make(chan struct{})}
}

func (s *fakeServer) dial(context.Context, string) (Conn, error) {
	select {
	case <-s.down:
		return nil, errors.New("refused")
	default:
	}
	c := &fakeConn{in: make(chan []byte, 64), out: make(chan wire.Request, 64), cut: make(chan struct{})}
	s.conns <- c
	return c, nil
}

func (c *fakeConn) Read(context.Context) ([]byte, error) {
	select {
	case data := <-c.in:
		return data, nil
	case <-c.cut:
		if c.renew {
			return nil, ErrRenew
		}
		return nil, errors.New("cut")
	}
}

func (c *fakeConn) Write(_ context.Context, data []byte) error {
	r, err := wire.ParseRequest(data)
	if err != nil {
		return err
	}
	c.out <- r
	return nil
}

func (c *fakeConn) Close() { c.once.Do(func() { close(c.cut) }) }

func (c *fakeConn) send(t *testing.T, m wire.Message) {
	t.Helper()
	c.in <- encode(t, m)
}

// bench is an app on a fake screen; its events are handled when the test says so, on the test's goroutine.
type bench struct {
	*App
	t      *testing.T
	screen *fakeScreen
	server *fakeServer
}

func start(t *testing.T, p page.Page, address string) *bench {
	t.Helper()
	b := &bench{t: t, screen: newScreen(t, p, address), server: newServer()}
	b.App = New(b.screen, b.server.dial, read.Pages())
	b.open()
	return b
}

// open does what Run does before it waits.
func (b *bench) open() {
	b.takeUp(b.screen.model)
	b.settle()
}

// settle handles what has come, and paints.
func (b *bench) settle() {
	b.drain()
	for b.screen.frames > 0 {
		b.screen.frames = 0
		b.handle(Frame{})
		b.drain()
	}
}

// until handles events until something is so.
func (b *bench) until(what string, so func() bool) {
	b.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		b.settle()
		if so() {
			return
		}
	}
	b.t.Fatalf("never: %s", what)
}

// conn is the next connection of the page, with the first request on it.
func (b *bench) conn() (*fakeConn, wire.Request) {
	b.t.Helper()
	var c *fakeConn
	b.until("a connection", func() bool {
		select {
		case c = <-b.server.conns:
			return true
		default:
			return false
		}
	})
	var r wire.Request
	b.until("a request", func() bool {
		select {
		case r = <-c.out:
			return true
		default:
			return false
		}
	})
	return c, r
}

func encode(t *testing.T, m wire.Message) []byte {
	t.Helper()
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func (b *bench) act(events ...any) {
	for _, e := range events {
		b.Post(e)
		b.settle()
	}
}

func (b *bench) main() string {
	if html, shown := b.screen.places[Main]; shown && b.screen.shows[len(b.screen.shows)-1] == Main || !slices.Contains(b.screen.shows, Everything) {
		return html
	}
	return b.screen.places[Everything]
}

var testNow = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func pods(names ...string) collection.Model {
	m := collection.Model{
		Frame: page.Frame{Kind: collection.Kind, Shell: shell.Model{
			Title: "Pods", Here: "/c/test/api/v1/pods", Cluster: shell.Cluster{Slug: "test", Name: "test"},
			Path: apipath.Collection("", "v1", "", "pods"), Assets: shell.Assets{Build: "b1"},
		}},
		Type:  discovery.Type{Version: "v1", Resource: "pods", Kind: "Pod", Namespaced: true, Verbs: []string{"get", "list", "watch"}},
		Query: collection.ParseQuery(nil),
		Table: table.Table{Columns: []table.Column{{Name: "Name", Format: "name"}, {Name: "Status"}}, ResourceVersion: "10", Printed: true},
	}
	for _, n := range names {
		m.Table.Rows = append(m.Table.Rows, row(n, "Running"))
	}
	return m
}

func row(name, status string) table.Row {
	return table.Row{UID: "u-" + name, Namespace: "shop", Name: name, ResourceVersion: "1", Created: testNow, Cells: []table.Cell{table.Cell(name), table.Cell(status)}}
}
