package apply

import (
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/write/aim"
)

// Field is the name of the editor.
const Field = "manifest"

// Actions of the page's buttons, and names of its fields. An action for a document has the document's number, an action for a conflict
// also the number of its row: "share 0 2", or "share all"; see choice.
const (
	doPreview = "preview"
	doApply   = "apply"
	doStop    = "stop"
	doSide    = "side"
	doInline  = "inline"
	doFold    = "fold"
	doLong    = "long"
	doGoOn    = "go-on"

	fieldManager    = "manager"
	fieldValidation = "validation"
	fieldNamespace  = "namespace"

	fieldSubresource = "subresource"
)

// live is the state of the page in the browser. The copies of a Model share it, and only the newest copy is used.
type live struct {
	awake bool
	now   time.Time
	text  source.Text
	whole string      // the text as typed
	docs  []*document // one for each document of the text; changed in place
	seq   int         // number of the last request
	// schemas are the schemas of the kinds in the text.
	schemas  aim.Schemas
	run      *run // the documents being applied, or applied last
	goOn     bool // continue after a failed document
	look     look
	said     string        // announced last to screen readers
	settling page.Settling // settings are being changed
	drafted  bool          // the text is a draft that the browser kept
	opened   *opened       // the object that the editor began with; nil: none
	mode     mode          // the reader's choice of what is applied
	asking   bool          // whether to apply the whole document
	handed   page.Manifest // a text from the former page
	from     page.Page     // the former page
	unserved []unserved    // types that the API server is asked for until it serves them

	// before and after are the text before all choices that change it, and with them; empty: there are none.
	before, after string
	focused       string // the id of the element that got the focus last
}

// look is how changes are shown.
type look struct {
	Side bool // side by side, otherwise one below the other
	All  bool // also unchanged lines
	Long bool // without limits
}

// document is a document of the text.
type document struct {
	read   source.Document
	target aim.Target
	why    string // why nothing can be sent
	// untyped is the type of the document that only another document defines; nil: the API server serves the type.
	untyped *untyped
	defines definitions
	flaws   flaws       // the last examination of the text
	share   [][]string  // parts of the paths of unchanged fields to apply, because the reader shares them
	rows    []contested // the conflicts, with the reader's choices
	dryRun  dryRun      // the newest
	shown   *shown      // the newest complete preview; nil if there is none yet
	laid    *laid
	same    *same // other ways to make the change; nil: the reader didn't open them
	may     []*may
	result  *result // of applying the document
}

// most is how many documents have requests under way at the same time.
const most = 4

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	m.live = &live{awake: true, now: now}
	m.live.look.Side = true
	if m.From != nil && m.From.As == "" {
		m.live.opened = openedAs(m.From.Path, m.Text)
	}
	return m.typed(m.Text)
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Typed:
		return m.written(msg)
	case page.Response:
		return m.fetched(msg)
	case page.Kept:
		return m.kept(msg.Values)
	case page.Pressed:
		return m.pressed(msg.Key)
	case page.Focused:
		m.live.focused = msg.ID
	case page.Acted:
		return m.handleAction(msg.Action)
	case page.Loaded:
		return m.loaded(msg)
	case page.Tick:
		return m.ticked(msg.Now)
	case page.Connection:
		return m.adoptHandedText()
	case page.Addressed:
		return m, []page.Cmd{page.Navigate{Address: web.WithQuery(web.Tool(m.Shell.Cluster.Slug, web.Apply), msg.Query)}}
	}
	return m, nil
}

// written takes in the text of a field.
func (m Model) written(msg page.Typed) (page.Page, []page.Cmd) {
	switch msg.Field {
	case Field:
		m.live.drafted = false
		next, commands := m.typed(msg.Text)
		return next, append(commands, next.keep(), next.keepOpened())
	case fieldManager:
		m.Manager = msg.Text
	case fieldValidation:
		m.Validation = aim.ParseValidation(msg.Text)
	case fieldNamespace:
		m.Namespace = msg.Text
	case fieldSubresource:
		m.Subresource = msg.Text
	default:
		return m, nil
	}
	m.live.settling.Begin()
	return m, nil
}

// ticked makes new previews after a change of the settings, when the reader pauses.
func (m Model) ticked(now time.Time) (page.Page, []page.Cmd) {
	m.live.now = now
	asked := m.askServed()
	if !m.live.settling.Rested() {
		return m, asked
	}
	m.settle()
	m, commands := m.plan()
	return m, slices.Concat(asked, []page.Cmd{page.Remember{Address: m.pageAddress(), Replace: true}, page.Keep{Key: keptManager, Value: m.Manager}}, commands)
}

// typed parses the text, and makes previews of the documents that have changed.
func (m Model) typed(text string) (Model, []page.Cmd) {
	if text != m.live.after {
		m.settle()
	}
	m.live.whole, m.live.text = text, source.Parse(text)
	former := slices.Clone(m.live.docs)
	m.live.docs = nil
	for _, read := range m.live.text.Documents {
		d := &document{read: read}
		for i, f := range former {
			if f != nil && f.read.Kind == read.Kind && f.read.Name == read.Name && f.read.Namespace == read.Namespace && f.read.GenerateName == read.GenerateName {
				d, former[i] = f, nil
				d.read = read
				break
			}
		}
		m.live.docs = append(m.live.docs, d)
	}
	m, commands := m.plan()
	return m, append(commands, m.marks())
}

// plan finds the target of each document, and makes previews of those whose request has changed.
func (m Model) plan() (Model, []page.Cmd) {
	for _, d := range m.live.docs {
		t, u, why := m.aim(d.read)
		if t.Path != d.target.Path {
			*d = document{read: d.read}
		}
		if u != nil {
			d.shown, d.rows = nil, nil
		}
		d.target, d.untyped, d.why = t, u, why
	}
	return m, m.refreshDryRuns()
}

// aim finds the target of a document, by the types that the API server serves, or else by those that the text defines.
func (m Model) aim(d source.Document) (t aim.Target, u *untyped, why string) {
	if d.Broken || d.Root == nil {
		return t, nil, "Fieldmark can’t parse this document. The editor marks the place."
	}
	if m.Manager == "" {
		return t, nil, "An apply request needs a field manager. Enter a name."
	}
	head := aim.Head{APIVersion: d.APIVersion, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name, GenerateName: d.GenerateName}
	k := aim.KindOf(d)
	if _, serves := m.Shell.Catalog.Kind(k.Group, k.Version, k.Kind); !serves {
		u = m.definition(d)
	}
	if u == nil {
		t, why = aim.At(head, m.Shell.Catalog, m.Namespace, m.Subresource)
		return t, nil, why
	}
	t, why = aim.At(head, u.catalog(), m.Namespace, m.Subresource)
	return t, u, why
}

// refreshDryRuns begins dry runs for documents whose request has changed, up to the limit.
func (m *Model) refreshDryRuns() []page.Cmd {
	var commands []page.Cmd
	for _, d := range m.live.docs {
		if d.why != "" || d.untyped != nil {
			d.dryRun = dryRun{} // ignores responses under way
		}
	}
	for _, d := range m.live.docs {
		if d.why != "" || d.untyped != nil {
			continue
		}
		if of := d.target.Request(d.read.Text, m.options(), true, false); !d.dryRun.of.Same(of) && m.underWay() < most {
			commands = append(commands, m.startDryRun(d, of)...)
		}
	}
	return commands
}

// dry is the dry run of a document, with force or without.
func (m Model) dry(d *document, force bool) call.Call {
	return d.target.Request(d.dryRun.body, m.options(), true, force)
}

// underWay counts the documents with requests under way.
func (m Model) underWay() int {
	n := 0
	for _, d := range m.live.docs {
		if d.dryRun.seq > 0 && !d.dryRun.whole() {
			n++
		}
	}
	return n
}

// waits tells whether a preview is missing or not current.
func (m Model) waits() bool {
	for _, d := range m.live.docs {
		if d.why == "" && d.untyped == nil && (d.shown == nil || d.shown.dryRun.seq != d.dryRun.seq) {
			return true
		}
	}
	return false
}

// startDryRun begins the dry run of a document.
func (m *Model) startDryRun(d *document, of call.Call) []page.Cmd {
	m.live.seq++
	again := 0
	if d.dryRun.of.Same(of) && d.dryRun.whole() {
		again = d.dryRun.again + 1
	}
	d.dryRun = dryRun{seq: m.live.seq, of: of, again: again, body: d.read.Text, stated: d.read.Fields()}
	var commands []page.Cmd
	if !m.partly(d) {
		d.dryRun.asked = true
		commands = append(commands, of.Send(dryrun.ID(askPlain, d.dryRun.seq)))
	}
	if d.target.Creates() {
		d.dryRun.live = &dryrun.Response{No: &status.Status{Code: 404}}
	} else {
		commands = append(commands, page.Get(dryrun.ID(askLive, d.dryRun.seq), m.Shell.Cluster.Slug, d.target.Path.String(), "application/json"))
	}
	if d.target.Creates() {
		return slices.Concat(commands, m.mayI(d, "create"), m.learn(d))
	}
	return slices.Concat(commands, m.mayI(d, "patch"), m.learn(d))
}

// fetched takes in a response.
func (m Model) fetched(f page.Response) (page.Page, []page.Cmd) {
	what, seq := dryrun.ParseID(f.ID)
	switch what {
	case askMay:
		m.heardMay(seq, f)
		return m, nil
	case askApply:
		return m.applied(seq, f)
	case aim.AskSchema:
		return m.learned(seq, f)
	case askSame, askSameSend:
		return m.heardSame(what, seq, f)
	case askServed:
		return m.served(f)
	}
	for _, d := range m.live.docs {
		if d.dryRun.seq == seq && seq > 0 {
			return m.heard(d, what, f)
		}
	}
	return m, nil // of a former text
}

// manifest is the document as an object.
func (d *document) manifest() object.Object { return object.Object{Fields: d.read.Fields()} }

// heard takes in the response to one of a dry run's requests.
func (m Model) heard(d *document, what string, f page.Response) (page.Page, []page.Cmd) {
	var more []page.Cmd
	switch what {
	case askLive:
		d.dryRun.live = dryrun.Read(f)
		d.lay(m.schemaOf(d)) // while the dry run is under way
		if d.dryRun.live.Missing() {
			more = m.mayI(d, "create")
		}
		more = append(more, m.proceed(d)...)
	case askPlain:
		d.dryRun.plain = dryrun.Read(f).Hush(d.manifest())
		if d.dryRun.plain.Conflicts() {
			return m, []page.Cmd{m.dry(d, true).Send(dryrun.ID(askForced, d.dryRun.seq))}
		}
	case askForced:
		d.dryRun.forced = dryrun.Read(f).Hush(d.manifest())
	}
	switch {
	case !d.dryRun.whole():
		return m, more
	case d.dryRun.moved() && d.dryRun.again < 2:
		more = append(more, m.startDryRun(d, d.dryRun.of)...)
		return m, more
	}
	next, commands := m.judged(d)
	return next, append(more, commands...)
}

// judged shows the result of a dry run, and continues with the next document.
func (m Model) judged(d *document) (page.Page, []page.Cmd) {
	if d.same != nil && d.same.done == nil {
		d.same = nil // it belongs to a former change
	}
	d.shown = d.judge(d.dryRun.stated, m.writer(d), m.schemaOf(d))
	m.contest(d)
	commands := append(m.refreshDryRuns(), m.marks())
	if !m.waits() {
		if words := m.sum(); words != m.live.said {
			m.live.said = words
			commands = append(commands, page.Announce{Words: words})
		}
	}
	return m, commands
}

// writer is the manager that would own the fields of a document.
func (m Model) writer(d *document) ownership.Manager {
	w := ownership.Manager{Name: m.Manager, Operation: ownership.Apply, Subresource: m.Subresource, APIVersion: d.read.APIVersion}
	if d.target.Creates() {
		w.Operation = ownership.Update
	}
	return w
}

// conflicts are the conflicts of a document's last preview, with their real values, which may be secrets.
func (m Model) conflicts(d *document) []change.Conflict {
	if d.shown == nil || len(d.shown.conflicts) == 0 {
		return nil
	}
	t := d.shown.dryRun
	return change.Conflicts(*t.plain.No, change.Refused{Live: t.live.Object.Fields, Sent: d.shown.sent, Manager: m.writer(d), Schema: m.schemaOf(d)})
}
