package app

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/errorpage"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/wire"
	"github.com/fieldmark/fieldmark/web/read"
	"github.com/fieldmark/fieldmark/web/read/collection"
)

const here = "/c/test/api/v1/pods"

// liveness is the word of a page that is live.
var liveness = regexp.MustCompile(`id="liveness"[^>]*>\s*live\b`)

func TestGoesOnFromWhatWasEmbedded(t *testing.T) {
	b := start(t, pods("a", "b"), here)
	_, r := b.conn()
	want := wire.Request{Type: wire.Subscribe, ID: 1, Cluster: "test", Path: "/api/v1/pods", As: wire.Table, ResourceVersion: "10", Gen: 1}
	if r != want {
		t.Errorf("subscribed with %+v, want %+v", r, want)
	}
	if len(b.screen.asked()) > 0 {
		t.Errorf("asked the server for %v again", b.screen.asked())
	}
	if html := b.main(); !strings.Contains(html, `data-name="a"`) || !strings.Contains(html, `data-name="b"`) {
		t.Errorf("%s", html)
	}
}

func TestPaintsOncePerFrame(t *testing.T) {
	b := start(t, pods("a"), here)
	c, _ := b.conn()
	b.until("the first paint", func() bool { return len(b.screen.shows) > 0 })
	c.send(t, wire.Message{Type: wire.Synced, ID: 1, Gen: 1, ResourceVersion: "10"})
	b.until("live", func() bool { return liveness.FindString(b.main()) != "" })
	before := len(b.screen.shows)
	for range 20 {
		r := row("b", "Running")
		b.Post(message{b.link.number, encode(t, wire.Message{Type: wire.Events, ID: 1, Gen: 1, ResourceVersion: "11", Events: []wire.Event{{Type: watch.Added, Row: &r}}})})
	}
	b.drain()
	if b.screen.frames != 1 {
		t.Errorf("%d frames were asked for", b.screen.frames)
	}
	b.settle()
	if n := len(b.screen.shows) - before; n != 1 {
		t.Errorf("shown %d times", n)
	}
	b.dirty()
	b.settle()
	if n := len(b.screen.shows) - before; n != 1 {
		t.Errorf("shown again although nothing has changed")
	}
}

// TestAPageThatFillsUpIsPaintedNowAndThen: not for each chunk, but for whatever else happens.
func TestAPageThatFillsUpIsPaintedNowAndThen(t *testing.T) {
	b := start(t, pods("a"), here)
	b.conn()
	b.until("open", func() bool { return b.link.conn != nil })
	b.settle()
	clock := b.now().Add(time.Hour)
	b.now = func() time.Time { return clock }
	left := int64(100)
	chunk := func(name string) message {
		return message{b.link.number, encode(t, wire.Message{Type: wire.Rows, ID: 1, Gen: 1, Rows: table.Rows{row(name, "Running")}, Remaining: &left})}
	}
	b.act(chunk("b"))
	if !strings.Contains(b.main(), `data-name="b"`) {
		t.Error("the first chunk after a while was not shown at once")
	}
	b.handle(chunk("c"))
	if b.screen.frames > 0 {
		t.Error("the next chunk was shown at once, too")
	}
	b.until("it is shown", func() bool { return strings.Contains(b.main(), `data-name="c"`) })
	b.handle(chunk("d"))
	b.act(Rows{Top: 0, Height: 500})
	if !strings.Contains(b.main(), `data-name="d"`) {
		t.Error("the reader scrolled, and what had come was not shown")
	}
}

// TestWorkIsDoneBetweenEventsAndAmongThem: what takes long comes to an end and is shown, whether or not anything else happens.
func TestWorkIsDoneBetweenEventsAndAmongThem(t *testing.T) {
	for what, busy := range map[string]bool{"nothing else": false, "without a pause": true} {
		var names []string
		for i := range 30_000 {
			names = append(names, fmt.Sprintf("row-%05d", i))
		}
		b := start(t, pods(names...), here)
		b.conn()
		b.settle()
		b.Post(Click{Address: here + "?sort=-Name"})
		for n := 0; !strings.Contains(b.main(), `data-name="row-29999"`); n++ {
			if n > 5000 {
				t.Fatalf("%s: the rows are not sorted", what)
			}
			for range map[bool]int{true: 3}[busy] {
				b.Post(Rows{Top: 0, Height: 500 + n%2})
			}
			b.settle()
		}
	}
}

func TestGivesCredit(t *testing.T) {
	b := start(t, pods("a"), here)
	c, _ := b.conn()
	for range wire.Window / 4 {
		c.send(t, wire.Message{Type: wire.Bookmark, ID: 1, ResourceVersion: "11"})
	}
	var r wire.Request
	b.until("credit", func() bool {
		select {
		case r = <-c.out:
			return true
		default:
			return false
		}
	})
	if r.Type != wire.Credit || r.ID != 1 || r.N != wire.Window/4 {
		t.Errorf("%+v", r)
	}
}

// TestTakesUpWhereItWas: after a cut, each subscription goes on from the last version it saw; one whose initial
// state was still on its way asks for it anew.
func TestTakesUpWhereItWas(t *testing.T) {
	for what, c := range map[string]struct {
		heard []wire.Message
		want  wire.Request
	}{
		"nothing heard yet": {nil, wire.Request{ResourceVersion: "10", Gen: 1}},
		"synced":            {[]wire.Message{{Type: wire.Synced, Gen: 1, ResourceVersion: "10"}}, wire.Request{ResourceVersion: "10", Gen: 1}},
		"waiting at once":   {[]wire.Message{{Type: wire.Waiting}}, wire.Request{ResourceVersion: "10", Gen: 1}},
		"an event":          {[]wire.Message{{Type: wire.Synced, Gen: 1, ResourceVersion: "10"}, {Type: wire.Events, Gen: 1, ResourceVersion: "12"}}, wire.Request{ResourceVersion: "12", Gen: 1}},
		"a bookmark":        {[]wire.Message{{Type: wire.Synced, Gen: 1, ResourceVersion: "10"}, {Type: wire.Bookmark, ResourceVersion: "15"}}, wire.Request{ResourceVersion: "15", Gen: 1}},
		"a gap":             {[]wire.Message{{Type: wire.Synced, Gen: 1, ResourceVersion: "10"}, {Type: wire.Gap, Gen: 2, Reason: watch.Expired}}, wire.Request{Gen: 2}},
		"half a state":      {[]wire.Message{{Type: wire.Gap, Gen: 2, Reason: watch.Expired}, {Type: wire.Rows, Gen: 2}}, wire.Request{Gen: 2}},
		"waiting":           {[]wire.Message{{Type: wire.Synced, Gen: 1, ResourceVersion: "10"}, {Type: wire.Waiting}}, wire.Request{ResourceVersion: "10", Gen: 1}},
	} {
		b := start(t, pods("a"), here)
		conn, _ := b.conn()
		b.until("open", func() bool { return b.link.conn != nil })
		for _, m := range c.heard {
			m.ID = 1
			b.act(message{b.link.number, encode(t, m)})
		}
		conn.Close()
		b.until("the words", func() bool { return strings.Contains(b.main(), "connection lost") })
		b.link.wake()
		_, r := b.conn()
		c.want.Type, c.want.ID, c.want.Cluster, c.want.Path, c.want.As = wire.Subscribe, 1, "test", "/api/v1/pods", wire.Table
		if r != c.want {
			t.Errorf("%s: went on with %+v, want %+v", what, r, c.want)
		}
	}
}

// TestRenewsTheSessionUnseen: where the server only wants another connection, the page goes on as if nothing had happened. If that connection
// can't be made, the page says so.
func TestRenewsTheSessionUnseen(t *testing.T) {
	b := start(t, pods("a"), here)
	conn, _ := b.conn()
	b.until("open", func() bool { return b.link.conn != nil })
	conn.send(t, wire.Message{Type: wire.Synced, ID: 1, Gen: 1, ResourceVersion: "12"})
	b.until("heard", func() bool { return len(conn.in) == 0 })
	conn.renew = true
	conn.Close()
	next, r := b.conn()
	if r.ResourceVersion != "12" || strings.Contains(b.main(), "connection lost") || b.link.state() != page.Open {
		t.Errorf("went on with %+v, in the state %v:\n%s", r, b.link.state(), b.main())
	}
	close(b.server.down)
	next.send(t, wire.Message{Type: wire.Beat})
	b.until("heard", func() bool { return len(next.in) == 0 })
	next.renew = true
	next.Close()
	b.until("the words", func() bool { return strings.Contains(b.main(), "connection lost") })
}

func TestSaysThatTheSessionHasEnded(t *testing.T) {
	b := &bench{t: t, screen: newScreen(t, pods("a"), here), server: newServer()}
	close(b.server.down)
	b.screen.answer("/socket", Answer{Head: Head{Status: 401}})
	b.App = New(b.screen, b.server.dial, read.Pages())
	b.open()
	b.until("the words", func() bool { return strings.Contains(b.main(), "signed out") })
}

func TestGoesToAnotherPageAndBack(t *testing.T) {
	b := start(t, pods("a"), here)
	c, _ := b.conn()
	other := pods("z")
	other.Shell.Path = other.Shell.Path.In("shop")
	other.Shell.Title = "Pods in shop"
	there := "/c/test/api/v1/namespaces/shop/pods"
	b.screen.answer(there, embedded(t, there, other))
	b.screen.answer(here, embedded(t, here, pods("a")))
	b.screen.at = Position{Rows: 300}
	b.Post(Click{Address: there})
	b.until("the other page", func() bool { return strings.Contains(b.main(), `data-name="z"`) })
	if len(b.screen.steps) != 1 || b.screen.steps[0] != there || b.screen.title != "Pods in shop · Fieldmark" || b.screen.focus != "main" {
		t.Errorf("history %v, title %q, focus %q", b.screen.steps, b.screen.title, b.screen.focus)
	}
	if b.screen.at != (Position{}) {
		t.Errorf("a new page begins at %+v", b.screen.at)
	}
	ended, begun := <-c.out, <-c.out
	if ended.Type != wire.Unsubscribe || ended.ID != 1 || begun.Type != wire.Subscribe || begun.ID != 2 {
		t.Errorf("subscriptions: %+v, %+v", ended, begun)
	}
	b.Post(Popped{Address: here, At: Position{Rows: 300}})
	b.until("the first page", func() bool { return strings.Contains(b.main(), `data-name="a"`) })
	if len(b.screen.steps) != 1 || b.screen.at.Rows != 300 {
		t.Errorf("back: history %v, scrolled to %+v", b.screen.steps, b.screen.at)
	}
}

// TestALinkToAPlaceInAnotherPage: the server's response has no fragment, the address in the bar has, and the page is scrolled there.
func TestALinkToAPlaceInAnotherPage(t *testing.T) {
	b := start(t, pods("a"), here)
	b.conn()
	b.screen.answer("/c/other", embedded(t, "/c/other", said("other")))
	b.Post(Click{Address: "/c/other#there"})
	b.until("the other page", func() bool { return strings.Contains(b.main(), "said other") && b.screen.target != "" })
	if b.screen.steps[len(b.screen.steps)-1] != "/c/other#there" || b.screen.target != "there" || b.address != "/c/other#there" {
		t.Errorf("history %v, place %q, address %q", b.screen.steps, b.screen.target, b.address)
	}
	b.screen.target = ""
	b.do(page.Reload{})
	b.until("the page again", func() bool { return b.reload == b.asked-1 })
	if b.address != "/c/other#there" || b.screen.target != "" {
		t.Errorf("after a reload: address %q, place %q", b.address, b.screen.target)
	}
}

// heir is a page that goes on with what another has.
type heir struct {
	collection.Model
	resumes bool
}

func (h heir) Awake(time.Time) (page.Page, []page.Cmd) {
	return h, []page.Cmd{page.Subscribe{ID: 1, Cluster: "test", Path: "/x", As: wire.Object}}
}

func (h heir) Update(page.Msg) (page.Page, []page.Cmd) { return h, nil }

func (h heir) Inherit(page.Page) (page.Page, bool) { return h, h.resumes }

// TestAnHeirGoesOn: what the former page followed goes on where it was, and ends only once it is taken over.
func TestAnHeirGoesOn(t *testing.T) {
	for _, c := range []struct {
		resumes bool
		want    []wire.Request
	}{
		{true, []wire.Request{{Type: wire.Subscribe, ID: 3, Cluster: "test", Path: "/x", As: wire.Object, ResourceVersion: "12", Gen: 2}, {Type: wire.Unsubscribe, ID: 2}}},
		{false, []wire.Request{{Type: wire.Unsubscribe, ID: 2}, {Type: wire.Subscribe, ID: 3, Cluster: "test", Path: "/x", As: wire.Object, Gen: 1}}},
	} {
		b := start(t, pods("a"), here)
		conn, _ := b.conn()
		b.until("open", func() bool { return b.link.conn != nil })
		b.startPage(heir{})
		<-conn.out
		<-conn.out
		b.act(message{b.link.number, encode(t, wire.Message{Type: wire.Events, ID: 2, Gen: 2, ResourceVersion: "12"})})
		b.startPage(heir{resumes: c.resumes})
		if got := []wire.Request{<-conn.out, <-conn.out}; !reflect.DeepEqual(got, c.want) {
			t.Errorf("asked for %+v, want %+v", got, c.want)
		}
	}
}

func TestAFileIsThePages(t *testing.T) {
	b := start(t, pods("a"), here)
	b.conn()
	b.do(page.Download{Name: "n", Body: []byte("x")})
	b.act(page.Loaded{Field: "f", Name: "n"})
	if len(b.screen.downloads) != 1 || b.screen.downloads[0] != "n: x" {
		t.Errorf("%v", b.screen.downloads)
	}
}

func TestWhatAPageCopies(t *testing.T) {
	b := start(t, pods("a"), here)
	b.conn()
	b.do(page.Copy{Text: "| a |"})
	b.do(page.Copy{SVG: "<svg/>", File: "a.png"})
	b.act(page.Loaded{Field: "f", Name: "n"})
	if want := []string{"| a | ", "<svg/> a.png"}; !slices.Equal(b.screen.copies, want) {
		t.Errorf("%q", b.screen.copies)
	}
}

func TestOnlyTheLastNavigationCounts(t *testing.T) {
	b := start(t, pods("a"), here)
	for _, name := range []string{"x", "y"} {
		b.screen.answer("/c/"+name, embedded(t, "/c/"+name, said(name)))
	}
	b.handle(Click{Address: "/c/x"})
	b.handle(Click{Address: "/c/y"})
	b.until("y", func() bool { return strings.Contains(b.main(), "said y") })
	time.Sleep(5 * time.Millisecond) // what must not happen can only be waited for
	b.settle()
	if strings.Contains(b.main(), "said x") || len(b.screen.steps) != 1 {
		t.Errorf("history %v", b.screen.steps)
	}
}

func said(what string) errorpage.Model {
	return errorpage.Model{Frame: page.Frame{Kind: errorpage.Kind, Shell: shell.Model{Title: what}}, Notice: components.Notice{Title: "said " + what}}
}

// TestWhatIsNoPageOfOursIsLeftToTheBrowser: a sign-in page, a server that is gone, a model of another build.
func TestWhatIsNoPageOfOursIsLeftToTheBrowser(t *testing.T) {
	for what, answer := range map[string]Answer{
		"a document":   {Head: Head{Status: 401, Address: "/c/other", Header: []request.Header{{Name: "content-type", Value: "text/html"}}}, Body: []byte("<p>sign in")},
		"no answer":    {},
		"unknown kind": {Head: Head{Status: 200, Address: "/c/other", Header: []request.Header{{Name: "content-type", Value: page.MediaType}}}, Body: []byte(`{"kind":"later","page":{}}`)},
	} {
		b := start(t, pods("a"), here)
		b.screen.answer("/c/other", answer)
		b.Post(Click{Address: "/c/other"})
		b.until(what, func() bool { return b.screen.left == "/c/other" })
	}
}

func TestAStaleTabLoadsTheNextPageAsADocument(t *testing.T) {
	b := start(t, pods("a"), here)
	c, _ := b.conn()
	c.send(t, wire.Message{Type: wire.Hello, Build: "b2"})
	b.until("stale", func() bool { return b.stale })
	b.act(Clock{Now: b.touched.Add(time.Second)})
	if b.screen.left != "" {
		t.Fatal("it reloaded under the reader's hands")
	}
	b.act(Click{Address: "/c/other"})
	if b.screen.left != "/c/other" {
		t.Errorf("went to %q", b.screen.left)
	}
	b.screen.left = ""
	b.act(Clock{Now: b.touched.Add(time.Minute)})
	if b.screen.left != here {
		t.Errorf("an idle tab goes to %q", b.screen.left)
	}
}

// unfinished is a page with work that would be lost.
type unfinished struct{ page.Page }

func (unfinished) Unfinished() bool { return true }

// Update keeps the page unfinished.
func (u unfinished) Update(page.Msg) (page.Page, []page.Cmd) { return u, nil }

// A shell must not end because the server was updated.
func TestAStaleTabStaysWithWhatIsUnfinished(t *testing.T) {
	b := start(t, pods("a"), here)
	c, _ := b.conn()
	c.send(t, wire.Message{Type: wire.Hello, Build: "b2"})
	b.until("stale", func() bool { return b.stale })
	whole := b.page
	b.page = unfinished{whole}
	b.act(Clock{Now: b.touched.Add(time.Hour)})
	if b.screen.left != "" {
		t.Fatalf("went to %q", b.screen.left)
	}
	b.page = whole
	b.act(Clock{Now: b.touched.Add(2 * time.Hour)})
	if b.screen.left != here {
		t.Errorf("afterwards, an idle tab goes to %q", b.screen.left)
	}
}

// A tab that shows a stream of logs is idle if nobody does anything there.
func TestAStreamIsNoSignOfAReader(t *testing.T) {
	b := start(t, pods("a"), here)
	before := b.touched
	b.act(Streamed{}, ofCall{of: &call{}, m: page.Arrived{}})
	if b.touched != before {
		t.Error("the tab counts as touched")
	}
	b.act(Key{Key: "j"})
	if b.touched == before {
		t.Error("a key doesn’t count")
	}
}

func TestTheSameBuildIsNotStale(t *testing.T) {
	b := start(t, pods("a"), here)
	b.conn()
	b.until("open", func() bool { return b.link.conn != nil })
	b.act(message{b.link.number, encode(t, wire.Message{Type: wire.Hello, Build: "b1"})}, Clock{Now: b.touched.Add(time.Hour)})
	if b.stale || b.screen.left != "" {
		t.Error("stale")
	}
}

func TestAQueryIsAnsweredByThePage(t *testing.T) {
	b := start(t, pods("b", "a"), here)
	b.act(Click{Address: here + "?sort=Name"})
	if len(b.screen.asked()) > 0 || len(b.screen.steps) != 1 || b.screen.steps[0] != here+"?sort=Name" {
		t.Errorf("asked %v, history %v", b.screen.asked(), b.screen.steps)
	}
	if html := b.main(); strings.Index(html, `data-name="a"`) > strings.Index(html, `data-name="b"`) {
		t.Error("not sorted")
	}
	b.act(page.Typed{Field: "filter", Text: "b"})
	if html := b.main(); strings.Contains(html, `data-name="a"`) || b.screen.steps[0] != here+"?filter=b&sort=Name" {
		t.Errorf("history %v", b.screen.steps)
	}
}

func TestKeys(t *testing.T) {
	b := start(t, pods("a", "b"), here)
	b.act(Key{Key: "j"}, Key{Key: "j"})
	if b.screen.focus != components.RowID("u-b") {
		t.Errorf("the focus is on %q", b.screen.focus)
	}
	b.act(Key{Key: "?"})
	if !b.screen.modal || !strings.Contains(b.screen.places[Overlay], "Next and previous row") {
		t.Errorf("the help: %s", b.screen.places[Overlay])
	}
	b.act(Key{Key: "Escape"})
	if b.screen.modal || b.screen.places[Overlay] != "" {
		t.Error("the help stays")
	}
}

func TestThePaletteOpensSearchesAndGoes(t *testing.T) {
	b := start(t, pods("ledger", "other"), here)
	b.act(Key{Key: "k", Ctrl: true}, page.Typed{Field: "palette", Text: "ledg"})
	if html := b.screen.places[Overlay]; !b.screen.modal || !strings.Contains(html, "ger") {
		t.Fatalf("%s", html)
	}
	object := "/c/test/api/v1/namespaces/shop/pods/ledger"
	b.screen.answer(object, embedded(t, object, said("ledger"))) // the palette asks for names meanwhile
	b.Post(Key{Key: "Enter"})
	b.until("the object", func() bool { return strings.Contains(b.main(), "said ledger") })
	if b.screen.modal || b.over.isOpen() {
		t.Error("the palette stays")
	}
}

func TestThePaletteOpensTheGuideInANewTab(t *testing.T) {
	b := start(t, pods("ledger"), here)
	b.act(Key{Key: "k", Ctrl: true}, page.Typed{Field: "palette", Text: "glossary"}, Key{Key: "Enter"})
	if !slices.Equal(b.screen.opened, []string{"/learn/glossary"}) || b.screen.left != "" || !strings.Contains(b.main(), "ledger") {
		t.Errorf("opened %q, left for %q", b.screen.opened, b.screen.left)
	}
	if b.screen.modal || b.over.isOpen() {
		t.Error("the palette stays")
	}
}

func TestThePaletteTakesAPastedRefusalToItsPage(t *testing.T) {
	b := start(t, pods("ledger"), here)
	b.act(Key{Key: "k", Ctrl: true}, page.Typed{Field: "palette", Text: `pods "x" is forbidden: no`}, Key{Key: "Enter"})
	if want := `refusal-form refusal=pods "x" is forbidden: no`; b.screen.submitted != want || b.screen.left != "" || b.over.isOpen() {
		t.Errorf("submitted %q, left for %q", b.screen.submitted, b.screen.left)
	}
}

func TestNamesTheKeysThatItHandles(t *testing.T) {
	b := start(t, pods("a"), here)
	has := func(k Keys, key string) bool { return slices.Contains(k.Plain, key) }
	if k := b.screen.keys; k.Covered || !has(k, "j") || !has(k, ":") || !has(k, "Escape") || has(k, "Enter") || has(k, "a") {
		t.Errorf("on a page: %+v", k)
	}
	b.act(Key{Key: "k", Ctrl: true})
	if k := b.screen.keys; !k.Covered || !has(k, "Tab") || !has(k, "Enter") || !has(k, "Escape") || has(k, "j") {
		t.Errorf("in the palette: %+v", k)
	}
	b.act(Key{Key: "Escape"}, Key{Key: "?"})
	if k := b.screen.keys; !k.Covered || !has(k, "?") || !has(k, "Escape") || has(k, "j") {
		t.Errorf("in the help: %+v", k)
	}
	b.act(Key{Key: "Escape"})
	if k := b.screen.keys; k.Covered || !has(k, "j") {
		t.Errorf("after the help: %+v", k)
	}
}

// TestSaysWhenAnActIsHandled: until then, the document holds the keys that follow. What the act has shown is there before.
func TestSaysWhenAnActIsHandled(t *testing.T) {
	b := start(t, pods("a"), here)
	for n, e := range []any{Key{Key: "j"}, Do{Action: "help"}, Key{Key: "Escape"}, page.Typed{Field: "filter", Text: "x"}} {
		b.Post(e)
		b.drain()
		if b.screen.handled != n+1 {
			t.Errorf("%+v: %d acts were handled, want %d", e, b.screen.handled, n+1)
		}
		if shown := b.screen.places[Overlay] != ""; shown != b.over.isOpen() {
			t.Errorf("%+v: handled, and the overlay is not as it is shown", e)
		}
	}
	b.act(Focus{ID: "main"}, Pointer{}, Rows{}, Shown{On: true})
	if b.screen.handled != 4 {
		t.Error("something that is no act was handled")
	}
}

// presser is a page that sends something when a button of its own is used.
type presser struct {
	page.Frame
	answer page.Response
}

func (p presser) Awake(time.Time) (page.Page, []page.Cmd) { return p, nil }
func (p presser) Content() templ.Component                { return templ.NopComponent }
func (p presser) Update(m page.Msg) (page.Page, []page.Cmd) {
	switch m := m.(type) {
	case page.Acted:
		return p, []page.Cmd{page.Call{ID: m.Action, Method: "POST", Cluster: "test", Path: "/api/v1/pods", Header: []request.Header{{Name: "Content-Type", Value: "application/json"}}, Body: []byte("{}")}}
	case page.Response:
		p.answer = m
	}
	return p, nil
}

func TestSendsOnceWhatAButtonOfThePageStandsFor(t *testing.T) {
	b := start(t, pods("a"), here)
	b.startPage(presser{Frame: page.Frame{Kind: errorpage.Kind}})
	b.screen.answer("POST /clusters/test/api/v1/pods", Answer{Head: Head{Status: 201}, Body: []byte("made")})
	b.act(Do{Action: "make/pod"})
	b.until("an answer", func() bool { return b.page.(presser).answer.ID != "" })
	if got := b.page.(presser).answer; got.ID != "make/pod" || got.Status != 201 || string(got.Body) != "made" {
		t.Errorf("%+v", got)
	}
	want := Outgoing{Method: "POST", Address: "/clusters/test/api/v1/pods", Header: []request.Header{{Name: "Content-Type", Value: "application/json"}}, Body: []byte("{}")}
	if len(b.screen.sent()) != 1 || !reflect.DeepEqual(b.screen.sent()[0], want) {
		t.Errorf("sent %+v", b.screen.sent())
	}
	b.act(Do{Action: doHelp})
	if len(b.screen.sent()) != 1 || !b.over.isOpen() {
		t.Error("an action of the app's own went to the page")
	}
}

func TestAnAnswerForAPageThatWasLeftIsNotForTheNext(t *testing.T) {
	b := start(t, pods("a"), here)
	b.startPage(presser{Frame: page.Frame{Kind: errorpage.Kind}})
	left := b.visit
	b.startPage(presser{Frame: page.Frame{Kind: errorpage.Kind}})
	b.act(response{left, page.Response{ID: "make/pod", Status: 201}})
	if got := b.page.(presser).answer; got.ID != "" {
		t.Errorf("%+v", got)
	}
}

// told is a page that notes what it is told of its object.
type told struct {
	collection.Model
	heard *[]string
}

func (p told) Update(m page.Msg) (page.Page, []page.Cmd) {
	if r, ok := m.(page.Received); ok {
		var words []string
		for _, e := range r.Message.Events {
			words = append(words, string(e.Object))
		}
		*p.heard = append(*p.heard, fmt.Sprintf("%s %s %v", r.Message.Type, strings.Join(words, ","), r.More))
	}
	return p, nil
}

// TestManyVersionsAreTakenInPortions: in their order, and before anything that came after them.
func TestManyVersionsAreTakenInPortions(t *testing.T) {
	b := start(t, pods("a"), here)
	b.conn()
	b.until("open", func() bool { return b.link.conn != nil })
	b.settle()
	var heard []string
	b.page = told{b.page.(collection.Model), &heard}
	events := wire.Message{Type: wire.Events, ID: 1, Gen: 1, ResourceVersion: "15"}
	for i := range 5 {
		events.Events = append(events.Events, wire.Event{Type: watch.Modified, Object: fmt.Append(nil, i)})
	}
	b.Post(message{b.link.number, encode(t, events)})
	b.Post(message{b.link.number, encode(t, wire.Message{Type: wire.Bookmark, ID: 1, ResourceVersion: "16"})})
	b.drain()
	if got, want := strings.Join(heard, "; "), "events 0,1 true; events 2,3 true; events 4 false; bookmark  false"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, s := range b.subs.byWire {
		if s.version != "16" || s.taken != 2 {
			t.Errorf("it goes on from %s, and owes credit for %d messages", s.version, s.taken)
		}
	}
}

// TestASilentSocketIsToldAndHeals: while nothing comes over the socket, the page says so. It goes on where it was when something comes,
// and a socket that stays silent is replaced.
func TestASilentSocketIsToldAndHeals(t *testing.T) {
	b := start(t, pods("a"), "/c/test/api/v1/pods")
	at := time.Now()
	b.now = func() time.Time { return at }
	ticks := func(n int) {
		for range n {
			at = at.Add(time.Second)
			b.act(Clock{Now: at})
		}
	}
	ticks(1)
	first, _ := b.conn()
	says := func(words string) func() bool {
		return func() bool { return strings.Contains(b.main(), words) }
	}
	first.send(t, wire.Message{Type: wire.Synced, ID: 1, Gen: 1, ResourceVersion: "10"})
	b.until("live", says(">live"))
	for range 3 {
		ticks(6)
		first.send(t, wire.Message{Type: wire.Beat})
		b.until("the beat is heard", func() bool { return b.link.ago(at) == 0 })
	}
	if !says(">live")() {
		t.Errorf("beats are no sign of life: %s", b.main())
	}
	ticks(9)
	if !says("Fieldmark doesn’t respond")() || !says("for 9s")() {
		t.Errorf("the silence is not told: %s", b.main())
	}
	first.send(t, wire.Message{Type: wire.Beat})
	b.until("live again", says(">live"))
	at = at.Add(time.Hour) // a tab that sleeps
	b.act(Clock{Now: at})
	ticks(5)
	if !says(">live")() {
		t.Errorf("the tab's own sleep counts: %s", b.main())
	}
	ticks(20)
	second, r := b.conn()
	if second == first || r.ResourceVersion != "10" {
		t.Errorf("resumed by %+v", r)
	}
	second.send(t, wire.Message{Type: wire.Synced, ID: 1, Gen: 1, ResourceVersion: "10"})
	b.until("live on another socket", says(">live"))
}
