package check

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/copying"
	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/write/aim"
	"github.com/fieldmark/fieldmark/words"
)

// Actions of the page's buttons. The action open has two numbers: of a document, and of one of its findings.
const (
	doCheck   = "check"
	doAgain   = "check-again"
	doStop    = "stop"
	doGoOn    = "go-on"
	doOpen    = "open"
	doGroup   = "group"
	doFold    = "fold"
	doClose   = "close-finding"
	doPreview = "to-preview"
)

// Names of the fields for files and for a folder.
const (
	FieldFiles  = "files"
	FieldFolder = "folder"
)

// live is the state of the page in the browser. The copies of a Model share it, and only the newest copy is used.
type live struct {
	awake  bool
	now    time.Time
	pasted string // the text in the field

	input   input
	of      Options // the options of this check
	begun   bool    // the input has been read, and requests are sent
	stopped bool
	next    int          // the document whose first request comes next
	seq     int          // number of the last request
	under   map[int]*doc // requests under way, by their numbers
	heard   []*doc       // documents to be judged, or to be counted in the survey
	done    int          // number of judged documents
	schemas aim.Schemas
	// If the reader named no manager, a survey reads all live objects first.
	plan     *check.Plan
	surveyed int // number of documents in the survey
	choice   check.Choice

	counts   map[check.Kind]int // findings that no rule expects
	lacking  check.Lacking      // namespaces that don't exist
	expected map[string]int     // findings that a rule expects, by the rule's reason
	idle     []check.Idle
	cast     owners.Cast // the managers in findings

	view   page.Scrolled
	over   bool // the pointer is over the rows
	found  map[check.Kind][]chosen
	late   []chosen            // what was found while the pointer was over the rows
	folds  map[check.Kind]bool // the groups that the reader folded or unfolded
	chosen chosen
	closed bool   // the reader closed the panel of the chosen finding
	handed *doc   // the document that the apply preview gets
	said   string // announced last
	drawn  drawn
	// unfolded tells that the reader shows the text again after the check.
	unfolded bool
}

// doc is one document.
type doc struct {
	*check.Inquiry
	place    int
	response *page.Response // waits for the schema of the kind
	judged   bool
	found    []check.Finding
	lines    *lines
}

// chosen is the selected finding, or the selected group.
type chosen struct {
	doc     *doc
	finding int
	group   bool
	kind    check.Kind // of the group
}

// buildState makes the page's state, with the findings of the server.
func (m *Model) buildState(now time.Time) {
	m.readAll(now, func() bool { return false })
	m.show()
}

// readAll reads the text. If over is true, the rest is not read.
func (m *Model) readAll(now time.Time, over func() bool) {
	m.live = &live{now: now, pasted: m.Text}
	if m.Text == "" {
		m.clear()
		return
	}
	m.paste(m.Text)
	for in := &m.live.input; len(in.pieces) > 0; {
		if over() {
			in.wrong = append(in.wrong, wrong{fmt.Sprintf("%s:%d", Pasted, in.pieces[0].Line()), "The text from here on was not read, because the check took too long."})
			in.pieces = nil
			return
		}
		m.readNextPiece()
	}
}

// show adds the findings of the server to the text that was read.
func (m *Model) show() {
	l := m.live
	if m.Text == "" {
		return
	}
	l.begun, l.stopped, l.choice = true, true, m.Choice
	l.plan.Contents = check.ContentsOf(documents(l.input.docs))
	for i, d := range l.input.docs {
		if i < len(m.Judged) {
			m.recordFindings(d, m.Judged[i])
			l.next = i + 1
		}
	}
	l.plan.Manager = m.manager()
	if l.done == len(l.input.docs) {
		m.finish()
	}
}

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	m.buildState(now)
	m.live.awake = true
	m.choose()
	return m, nil
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	if !m.passing(msg) {
		m.live.drawn.html = ""
	}
	return m.handleMessage(msg)
}

func (m Model) handleMessage(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Typed:
		m.typed(msg)
	case page.Choosing:
		return m.expect(msg)
	case page.Loaded:
		return m.load(msg)
	case page.Worked:
		return m.worked()
	case page.Response:
		return m, m.respond(msg)
	case page.Acted:
		return m.handleAction(msg.Action)
	case page.Addressed:
		return m.addressed(msg)
	case page.Pressed:
		return m.pressed(msg.Key)
	case page.Tick:
		m.live.now = msg.Now
	case page.Scrolled:
		m.live.view = msg
	case page.Pointed:
		m.live.over = msg.Over
		if !msg.Over {
			m.live.arrange()
		}
	}
	return m, nil
}

func (m *Model) typed(msg page.Typed) {
	switch msg.Field {
	case FieldText:
		m.live.pasted = msg.Text
	case QueryManager:
		m.Options.Manager = strings.TrimSpace(msg.Text)
	case QueryForce:
		m.Options.Force = msg.Text == "1"
	case QueryNamespace:
		if m.Options.Namespace = strings.TrimSpace(msg.Text); m.Options.Namespace == "" {
			m.Options.Namespace = UsualNamespace
		}
	}
}

func (m Model) handleAction(action string) (page.Page, []page.Cmd) {
	l := m.live
	if form, key, is := components.ReadCopy(action); is {
		return m, m.copied(form, key)
	}
	do, rest, _ := strings.Cut(action, " ")
	switch do {
	case doCheck:
		m.paste(l.pasted)
	case doAgain:
		m.again()
	case doStop:
		l.stopped = true
	case doGoOn:
		l.stopped = false
		return m, m.startDocuments()
	case doFold:
		l.unfolded = !l.unfolded
		return m, nil
	case doClose:
		return m.close()
	case doPreview:
		return m.preview()
	case doOpen:
		if c, ok := m.findingAt(rest); ok {
			l.chosen = c
		}
		return m, nil
	case doGroup:
		m.fold(check.Kind(rest))
		return m, nil
	}
	return m, []page.Cmd{page.Remember{Address: m.lookAddress(m.Look), Replace: true}}
}

// findingAt is the finding that an action names by two numbers.
func (m Model) findingAt(numbers string) (c chosen, ok bool) {
	document, finding, _ := strings.Cut(numbers, " ")
	d, _ := strconv.Atoi(document)
	f, _ := strconv.Atoi(finding)
	if docs := m.live.input.docs; d < 0 || d >= len(docs) || f < 0 || f >= len(docs[d].found) {
		return chosen{}, false
	}
	return chosen{doc: m.live.input.docs[d], finding: f}, true
}

// copied copies a finding. Values of Secrets in it are masked.
func (m Model) copied(form components.CopyForm, key string) []page.Cmd {
	c, ok := m.findingAt(key)
	if !ok {
		return nil
	}
	f := c.doc.found[c.finding]
	field := copying.Contested{Path: f.Path, Live: string(f.Live), Stated: string(f.Stated)}
	for _, o := range f.Owners {
		field.Owners = append(field.Owners, copying.Owner{Manager: m.live.cast.Of(o.Manager), Wrote: owners.Wrote(o, m.live.now)})
	}
	return page.CopyAs(form, copying.Conflict{Title: capital(string(f.Kind)), Object: c.doc.title(), Fields: []copying.Contested{field}, Why: f.Why})
}

// capital is a word of ours with a capital letter.
func capital(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// again checks the same documents again, with the current options.
func (m Model) again() {
	former := m.live.input
	m.clear()
	in := &m.live.input
	in.passed, in.unread = former.passed, former.unread
	for _, g := range former.given {
		in.addText(g.name, g.text)
	}
}

// addressed shows the findings that the new address selects.
func (m Model) addressed(msg page.Addressed) (page.Page, []page.Cmd) {
	_, m.Look = Parse(msg.Query)
	m.choose()
	return m, []page.Cmd{page.Remember{Address: m.lookAddress(m.Look)}, page.Announce{Words: words.Count(int64(m.findings()), "finding", "findings")}}
}

// Work implements page.Working: it reads a piece of the input, or judges a document.
func (m Model) Work() bool {
	l := m.live
	switch {
	case l.input.coming == 0 && len(l.input.pieces) > 0:
		m.readNextPiece()
	case len(l.heard) > 0:
		d := l.heard[0]
		l.heard = l.heard[1:]
		if l.plan.Surveys() {
			l.plan.Count(d.Inquiry)
			l.surveyed++
		} else {
			m.recordFindings(d, d.Judge())
		}
	default:
		return false
	}
	return true
}

// worked starts the next stage after Work: requests for all documents, the choice of a manager, or the end.
func (m Model) worked() (page.Page, []page.Cmd) {
	l := m.live
	switch {
	case !l.input.isRead() || len(l.input.given) == 0:
		return m, nil
	case !l.begun:
		l.begun, l.plan.Contents = true, check.ContentsOf(documents(l.input.docs))
		if len(l.input.docs) > 0 {
			return m, append(m.startDocuments(), page.Focus{ID: "findings"})
		}
	case l.plan.Surveys() && l.surveyed == len(l.input.docs):
		m.chooseManager()
		return m, m.startDocuments()
	case l.done < len(l.input.docs):
		return m, nil
	}
	return m, m.finish()
}
