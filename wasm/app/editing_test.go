package app

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/read"
)

// desk is a page with an editor: it notes what it hears, and answers as the test says.
type desk struct {
	*notes
	keeps  []string
	answer func(page.Question) (page.Answer, []page.Cmd)
	then   func(page.Msg) []page.Cmd
	awake  []page.Cmd
}

type notes struct {
	heard []page.Msg
	asked []page.Question
	shown int
}

func (d desk) Awake(time.Time) (page.Page, []page.Cmd) { return d, d.awake }
func (d desk) Framed() page.Frame                      { return page.Frame{Kind: "desk"} }
func (d desk) Keeps() []string                         { return d.keeps }

func (d desk) Update(m page.Msg) (page.Page, []page.Cmd) {
	d.heard = append(d.heard, m)
	if d.then == nil {
		return d, nil
	}
	return d, d.then(m)
}

func (d desk) Help(q page.Question) (page.Answer, []page.Cmd) {
	d.asked = append(d.asked, q)
	return d.answer(q)
}

func (d desk) Content() templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		d.shown++
		_, err := fmt.Fprintf(w, "<p>%d</p>", len(d.heard))
		return err
	})
}

// fakeEditors note what they are told, and in which paint.
type fakeEditors struct {
	page *notes
	told []string
	kept map[string]string
}

func (f *fakeEditors) Listen() {}

func (f *fakeEditors) Edit(field, text string) {
	f.told = append(f.told, fmt.Sprintf("edit %s: %q after paint %t", field, text, f.page.shown > 0))
}

func (f *fakeEditors) Mark(field string, marks []page.Marking) {
	f.told = append(f.told, fmt.Sprintf("mark %s: %d", field, len(marks)))
}

func (f *fakeEditors) Point(field string, line, column int) {
	f.told = append(f.told, fmt.Sprintf("point %s: %d:%d", field, line, column))
}

func (f *fakeEditors) Help(field string, id int, a page.Answer) {
	f.told = append(f.told, fmt.Sprintf("help %s %d: %s", field, id, a.Heading))
}

// atDesk is an app with editors, on such a page.
func atDesk(t *testing.T, d desk) (*bench, *fakeEditors) {
	t.Helper()
	b := &bench{t: t, screen: newScreen(t, pods("a"), here), server: newServer()}
	b.App = New(b.screen, b.server.dial, read.Pages())
	b.screen.kept = map[string]string{"draft": "kept text", "other": "of another page"}
	editors := &fakeEditors{page: d.notes, kept: b.screen.kept}
	Edits(b.App, editors)
	b.open()
	b.startPage(d)
	b.settle()
	return b, editors
}

func heard[M page.Msg](n *notes) (found []M) {
	for _, m := range n.heard {
		if m, ok := m.(M); ok {
			found = append(found, m)
		}
	}
	return found
}

func TestCommandsOfEditors(t *testing.T) {
	for what, c := range map[string]struct {
		commands []page.Cmd
		want     []string
		kept     map[string]string
	}{
		"a text":                          {[]page.Cmd{page.Edit{Field: "manifest", Text: "a: 1"}}, []string{`edit manifest: "a: 1" after paint true`}, nil},
		"marks":                           {[]page.Cmd{page.Mark{Field: "manifest", Marks: []page.Marking{{Line: 1}, {Line: 2}}}}, []string{"mark manifest: 2"}, nil},
		"no marks":                        {[]page.Cmd{page.Mark{Field: "manifest"}}, []string{"mark manifest: 0"}, nil},
		"a place":                         {[]page.Cmd{page.Point{Field: "manifest", Line: 3, Column: 5}}, []string{"point manifest: 3:5"}, nil},
		"in their order":                  {[]page.Cmd{page.Edit{Field: "m", Text: "b"}, page.Mark{Field: "m"}, page.Edit{Field: "m", Text: "c"}}, []string{`edit m: "b" after paint true`, "mark m: 0", `edit m: "c" after paint true`}, nil},
		"an answer that nobody waits for": {[]page.Cmd{page.Helped{Field: "manifest", ID: 7, Answer: page.Answer{Heading: "spec"}}}, nil, nil},
		"a value to keep":                 {[]page.Cmd{page.Keep{Key: "draft", Value: "new"}}, nil, map[string]string{"draft": "new", "other": "of another page"}},
		"a value to forget":               {[]page.Cmd{page.Keep{Key: "draft"}}, nil, map[string]string{"other": "of another page"}},
	} {
		t.Run(what, func(t *testing.T) {
			_, editors := atDesk(t, desk{notes: &notes{}, awake: c.commands})
			if !slices.Equal(editors.told, c.want) {
				t.Errorf("told %q, want %q", editors.told, c.want)
			}
			if c.kept != nil && !reflect.DeepEqual(editors.kept, c.kept) {
				t.Errorf("kept %v, want %v", editors.kept, c.kept)
			}
		})
	}
}

func TestWithoutEditorsTheirCommandsDoNothing(t *testing.T) {
	b := start(t, pods("a"), here)
	n := &notes{}
	b.startPage(desk{notes: n, awake: []page.Cmd{page.Edit{Field: "m"}, page.Mark{Field: "m"}, page.Helped{}}})
	b.act(Asked{})
	if len(n.asked) > 0 {
		t.Errorf("%+v", n)
	}
}

func TestTellsAPageWhatWasKept(t *testing.T) {
	for what, c := range map[string]struct {
		keeps []string
		want  map[string]string
	}{
		"what it asks for":      {[]string{"draft"}, map[string]string{"draft": "kept text"}},
		"and not what is not":   {[]string{"draft", "manager"}, map[string]string{"draft": "kept text"}},
		"nothing":               {nil, map[string]string{}},
		"nothing that is there": {[]string{"manager"}, map[string]string{}},
	} {
		n := &notes{}
		atDesk(t, desk{notes: n, keeps: c.keeps})
		if got := heard[page.Kept](n); len(got) != 1 || !reflect.DeepEqual(got[0].Values, c.want) {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
	}
}

// TestADraftComesAfterWhatThePageBeginsWith: what was kept is what the reader sees in the end.
func TestADraftComesAfterWhatThePageBeginsWith(t *testing.T) {
	_, editors := atDesk(t, desk{
		notes: &notes{}, keeps: []string{"draft"}, awake: []page.Cmd{page.Edit{Field: "m", Text: "live"}},
		then: func(m page.Msg) []page.Cmd {
			if k, ok := m.(page.Kept); ok {
				return []page.Cmd{page.Edit{Field: "m", Text: k.Values["draft"]}}
			}
			return nil
		},
	})
	if want := []string{`edit m: "live" after paint true`, `edit m: "kept text" after paint true`}; !slices.Equal(editors.told, want) {
		t.Errorf("%q", editors.told)
	}
}

func TestWhatWasTypedAndRefused(t *testing.T) {
	n := &notes{}
	b, _ := atDesk(t, desk{notes: n})
	b.act(page.Typed{Field: "manifest", Text: "kind: Pod\n"}, page.Loaded{Field: "manifest", Name: "big.yaml", Size: 9e9})
	if got := heard[page.Typed](n); len(got) != 1 || got[0] != (page.Typed{Field: "manifest", Text: "kind: Pod\n"}) {
		t.Errorf("typed %v", got)
	}
	if got := heard[page.Loaded](n); len(got) != 1 || got[0].Name != "big.yaml" || got[0].Size != 9e9 || got[0].Body != nil {
		t.Errorf("refused %v", got)
	}
}

func question(id int, what page.Matter) Asked {
	return Asked{page.Question{Field: "manifest", ID: id, What: what, Kind: "Pod", Path: []string{"spec"}}}
}

// TestQuestions: each is answered once, at once or when the page knows, and only while it is the last of its sort.
func TestQuestions(t *testing.T) {
	known := false // whether the page has what it needs
	now := func(page.Question) (page.Answer, []page.Cmd) { return page.Answer{Heading: "now"}, nil }
	later := func(page.Question) (page.Answer, []page.Cmd) {
		return page.Answer{Pending: !known, Heading: "later"}, []page.Cmd{page.Announce{Words: "asking"}}
	}
	comes := func() { known = true }
	tick := page.Tick{}
	for what, c := range map[string]struct {
		answer func(page.Question) (page.Answer, []page.Cmd)
		do     func(*bench)
		want   []string
		said   int
	}{
		"at once":           {now, func(b *bench) { b.act(question(1, page.Complete)) }, []string{"help manifest 1: now"}, 0},
		"one after another": {now, func(b *bench) { b.act(question(1, page.Hover), question(2, page.Hover)) }, []string{"help manifest 1: now", "help manifest 2: now"}, 0},
		"not yet":           {later, func(b *bench) { b.act(question(1, page.Hover)); b.update(tick) }, nil, 1},
		"when it is known": {later, func(b *bench) {
			b.act(question(1, page.Hover))
			b.update(tick)
			comes()
			b.update(tick)
			b.update(tick)
		}, []string{"help manifest 1: later"}, 1},
		"when the page says so": {later, func(b *bench) {
			b.act(question(1, page.Hover))
			b.do(page.Helped{Field: "manifest", ID: 1, Answer: page.Answer{Heading: "said"}})
			b.do(page.Helped{Field: "manifest", ID: 1, Answer: page.Answer{Heading: "said again"}})
		}, []string{"help manifest 1: said"}, 1},
		"overtaken": {later, func(b *bench) {
			b.act(question(1, page.Complete), question(2, page.Complete))
			comes()
			b.update(tick)
		}, []string{"help manifest 2: later"}, 2},
		"two sorts at once": {later, func(b *bench) {
			b.act(question(1, page.Complete), question(2, page.Hover))
			comes()
			b.update(tick)
		}, []string{"help manifest 1: later", "help manifest 2: later"}, 2},
		"the page is left": {later, func(b *bench) {
			b.act(question(1, page.Complete))
			comes()
			b.startPage(desk{notes: &notes{}, answer: now})
		}, nil, 1},
		"a page that knows nothing": {now, func(b *bench) {
			b.startPage(pods("a"))
			b.act(question(3, page.Hover))
		}, []string{"help manifest 3: "}, 0},
	} {
		t.Run(what, func(t *testing.T) {
			known = false
			b, editors := atDesk(t, desk{notes: &notes{}, answer: c.answer})
			c.do(b)
			wantTold(t, b, editors, c.want, c.said)
		})
	}
}

// wantTold wants what the editors were told, in any order, and how often the page did what it does once.
func wantTold(t *testing.T, b *bench, editors *fakeEditors, want []string, said int) {
	t.Helper()
	b.settle()
	slices.Sort(editors.told)
	if !slices.Equal(editors.told, want) {
		t.Errorf("told %q, want %q", editors.told, want)
	}
	if len(b.screen.said) != said {
		t.Errorf("what the page does once was done %d times, want %d", len(b.screen.said), said)
	}
}
