package representations

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/media"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// The actions of the page's buttons. Those that end with a colon are followed by a number.
const (
	doAgain   = "again"
	doRepeat  = "repeat"
	doStop    = "stop"
	doRange   = "range:"
	doByte    = "byte:"
	doUp      = "up"
	doDown    = "down"
	doDrop    = "drop-first"
	doFlip    = "flip-magic"
	doRestore = "restore"
	doSend    = "send-bytes"
)

// The fields for text.
const (
	fieldBytes = "bytes"
	fieldFile  = "file"
)

// repeats is how often each format is requested for a median.
const repeats = 5

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	if m.live == nil {
		return m, nil
	}
	switch msg := msg.(type) {
	case page.Tick:
		m.live.now = msg.Now
	case page.Addressed:
		return m.addressed(msg.Query)
	case page.Acted:
		return m, m.act(msg.Action)
	case page.Pressed:
		return m, m.press(msg.Key)
	case page.Typed:
		m.typed(msg)
	case page.Loaded:
		m.loaded(msg)
	default:
		return m, m.live.handleMessage(m, msg)
	}
	return m, nil
}

// addressed takes the settings of another address. Another path is another page.
func (m Model) addressed(query url.Values) (page.Page, []page.Cmd) {
	if strings.TrimSpace(query.Get(QueryPath)) != m.Asked {
		return m, []page.Cmd{page.Navigate{Address: web.WithQuery(m.tool(), query)}}
	}
	before := m
	m.choose(query)
	m.Shell.Here = m.pageAddress()
	commands := []page.Cmd{page.Remember{Address: m.Shell.Here}}
	if !m.fits() {
		return m, commands
	}
	if m.As != before.As {
		m.live.broken, m.live.sent = nil, nil
		m.live.piece, m.live.from = noStop, 0
	}
	switch {
	case m.Indented != before.Indented:
		commands = append(commands, m.live.stop()...)
		m.live.resetLanes(m)
		m.live.queueAllFormats(m, 1)
	case m.As != before.As:
	case m.Accept != "":
		m.live.tryOut(m, m.Accept)
	case m.live.doing == nil:
		m.live.queueAllFormats(m, 1)
	}
	return m, append(commands, m.live.sendNextRequest()...)
}

func (m Model) act(action string) []page.Cmd {
	l := m.live
	switch action {
	case doAgain:
		if l.doing == nil {
			l.queueAllFormats(m, 1)
		}
	case doRepeat:
		if l.doing == nil {
			l.queueAllFormats(m, repeats)
		}
	case doStop:
		return l.stop()
	default:
		return m.inspects(action)
	}
	return l.sendNextRequest()
}

// inspects does the actions on the bytes.
func (m Model) inspects(action string) []page.Cmd {
	l, in := m.live, m.inspected()
	if in == nil {
		return nil
	}
	if number, ok := numbered(action, doRange); ok {
		return m.selects(number)
	}
	if number, ok := numbered(action, doByte); ok {
		return m.selects(in.stopAt(number))
	}
	switch action {
	case doUp:
		l.from = max(0, l.from-hexRows/2*media.PerRow)
	case doDown:
		l.from = min(max(0, len(in.content)-1), l.from+hexRows/2*media.PerRow)
	case doDrop:
		if len(in.content) > 0 {
			m.breaks("the response without its first byte", in.content[1:], in.whole)
		}
	case doFlip:
		m.flip(in)
	case doRestore:
		l.broken, l.sent, l.pasted, l.wrong = nil, nil, "", ""
		l.piece, l.from = noStop, 0
	case doSend:
		l.queueCreation(m, in.content)
		return l.sendNextRequest()
	}
	return nil
}

// numbered is the number after an action.
func numbered(action, name string) (int, bool) {
	number, ok := strings.CutPrefix(action, name)
	n, err := strconv.Atoi(number)
	return n, ok && err == nil
}

// flip changes the last byte of the magic.
func (m Model) flip(in *inspector) {
	last := len(media.Magic) - 1
	if len(in.content) <= last {
		return
	}
	content := append([]byte(nil), in.content...)
	content[last] ^= 'x'
	m.breaks("the response with a changed last magic byte", content, in.whole)
}

// breaks shows bytes that the reader made.
func (m Model) breaks(of string, content []byte, whole bool) {
	m.live.broken, m.live.sent, m.live.wrong = newInspector(of, content, whole), nil, ""
	m.live.piece, m.live.from = noStop, 0
}

// inspected are the shown bytes: those that the reader made, or else those of the response.
func (m Model) inspected() *inspector {
	if m.live.broken != nil {
		return m.live.broken
	}
	l := m.lane()
	if l == nil {
		return nil
	}
	if in := l.inspectResponse(m); in != nil {
		return in.bytes
	}
	return nil
}

// selects selects a range, and scrolls the hex view to its first byte.
func (m Model) selects(i int) []page.Cmd {
	in := m.inspected()
	if in == nil || i < 0 || i >= len(in.stops) {
		return nil
	}
	m.live.piece = i
	begins := in.stops[i].From
	if begins < m.live.from || begins >= m.live.from+hexRows*media.PerRow {
		m.live.from = max(0, begins/media.PerRow-2) * media.PerRow
	}
	e, _ := in.explain(i)
	return []page.Cmd{page.Reveal{ID: "stop-" + strconv.Itoa(i)}, page.Announce{Words: e.title + ", " + spanWords(e.span)}}
}

func (m Model) press(key string) []page.Cmd {
	in := m.inspected()
	if in == nil {
		return nil
	}
	last := len(in.stops) - 1
	switch key {
	case "j":
		return m.selects(min(last, m.live.piece+1))
	case "k":
		return m.selects(max(0, m.live.piece-1))
	case "g":
		return m.selects(0)
	case "G":
		return m.selects(last)
	}
	return nil
}

func (m Model) typed(t page.Typed) {
	switch t.Field {
	case QueryAccept:
		m.live.typed = t.Text
	case fieldBytes:
		m.live.pasted = t.Text
		content, err := media.ParseHex(t.Text)
		if err != nil {
			m.live.wrong = err.Error()
			return
		}
		m.breaks("the pasted bytes", content, true)
	}
}

func (m Model) loaded(f page.Loaded) {
	if f.Field != fieldFile {
		return
	}
	if f.Body == nil {
		m.live.wrong = "the file is larger than " + strconv.Itoa(media.MostPasted) + " bytes, or can’t be read"
		return
	}
	m.breaks("the file "+f.Name, f.Body, true)
}
