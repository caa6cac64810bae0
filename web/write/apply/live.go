package apply

import (
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/change"
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

// What the page's buttons do, and its fields; those of a document are followed by its place, those of a conflict by the
// conflict's place in it: "share 0 2".
const (
	doPreview   = "preview"
	doApply     = "apply"
	doStop      = "stop"
	doOverwrite = "overwrite"
	doAsk       = "unforce"
	doGiveUp    = "give-up"
	doShare     = "share"
	doSide      = "side"
	doInline    = "inline"
	doFold      = "fold"
	doLong      = "long"
	doGoOn      = "go-on"

	fieldManager    = "manager"
	fieldValidation = "validation"
	fieldNamespace  = "namespace"

	fieldSubresource = "subresource"
)

// live is what only the living page knows. It is shared by the copies of a Model, of which only the newest counts.
type live struct {
	awake bool
	now   time.Time
	text  source.Text
	whole string      // the text as it was typed
	docs  []*document // one for each of the text's documents; changed in place
	seq   int         // of the last dry run
	// schemas are those of the kinds that the text speaks of.
	schemas  aim.Schemas
	run      *run // what is being applied, or was last
	goOn     bool // after a document that fails
	look     look
	said     string        // what was said last to screen readers
	settling page.Settling // settings that were changed
	drafted  bool          // the text is one that was kept
	handed   page.Manifest // a text that another page had for this one
	from     page.Page     // that page
}

// look is how changes are shown.
type look struct {
	Side bool // side by side; else one below the other
	All  bool // the lines that stay, too
	Long bool // however much there is
}

// document is one of the text's.
type document struct {
	read   source.Document
	target aim.Target
	why    string // why nothing can be sent
	force  bool   // the reader chose to overwrite what others own
	forced string // which conflicts they saw then
	dryRun dryRun // the newest
	shown  *shown // the newest that is done; nil before
	laid   *laid
	same   *same // other ways to make the change; nil: the reader didn't ask for them
	may    []*may
	result *result // what came of applying it
}

// most is how many documents are asked about at the same time.
const most = 4

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	m.live = &live{awake: true, now: now}
	m.live.look.Side = true
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
	case page.Acted:
		return m.acted(msg.Action)
	case page.Loaded:
		return m.loaded(msg)
	case page.Tick:
		return m.ticked(msg.Now)
	case page.Connection:
		return m.take()
	case page.Addressed:
		return m, []page.Cmd{page.Navigate{Address: web.WithQuery(web.Tool(m.Shell.Cluster.Slug, web.Apply), msg.Query)}}
	}
	return m, nil
}

// written takes in what was typed into a field.
func (m Model) written(msg page.Typed) (page.Page, []page.Cmd) {
	switch msg.Field {
	case Field:
		m.live.drafted = false
		next, commands := m.typed(msg.Text)
		return next, append(commands, next.keep())
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

// ticked asks anew once what was chosen has rested for a moment: letters of a name come one by one.
func (m Model) ticked(now time.Time) (page.Page, []page.Cmd) {
	m.live.now = now
	if !m.live.settling.Rested() {
		return m, nil
	}
	m, commands := m.plan()
	return m, append([]page.Cmd{page.Remember{Address: m.address(), Replace: true}, page.Keep{Key: keptManager, Value: m.Manager}}, commands...)
}

// typed reads the text anew, and asks about the documents that are others than before.
func (m Model) typed(text string) (Model, []page.Cmd) {
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

// plan finds out where each document goes, and asks about those whose request is another than before.
func (m Model) plan() (Model, []page.Cmd) {
	for _, d := range m.live.docs {
		t, why := m.aim(d.read)
		if t.Path != d.target.Path {
			*d = document{read: d.read}
		}
		d.target, d.why = t, why
	}
	return m, m.ask()
}

func (m Model) aim(d source.Document) (aim.Target, string) {
	if d.Broken || d.Root == nil {
		return aim.Target{}, "Fieldmark can’t parse this document. The editor marks the place."
	}
	if m.Manager == "" {
		return aim.Target{}, "An apply request needs a field manager. Enter a name."
	}
	return aim.At(aim.Head{APIVersion: d.APIVersion, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name, GenerateName: d.GenerateName}, m.Shell.Catalog, m.Namespace, m.Subresource)
}

// ask begins the dry runs that are due, as many as may be under way.
func (m *Model) ask() []page.Cmd {
	var commands []page.Cmd
	for _, d := range m.live.docs {
		if d.why != "" {
			d.dryRun = dryRun{} // what is on its way is of no use
		}
	}
	for _, d := range m.live.docs {
		if d.why != "" {
			continue
		}
		if of := d.target.Request(d.read.Text, m.options(), true, false); !d.dryRun.of.Same(of) && m.underWay() < most {
			commands = append(commands, m.begin(d, of)...)
		}
	}
	return commands
}

// underWay counts the documents that are being asked about.
func (m Model) underWay() int {
	n := 0
	for _, d := range m.live.docs {
		if d.dryRun.seq > 0 && !d.dryRun.whole() {
			n++
		}
	}
	return n
}

// waits tells whether anything that is to be previewed isn't yet.
func (m Model) waits() bool {
	for _, d := range m.live.docs {
		if d.why == "" && (d.shown == nil || d.shown.dryRun.seq != d.dryRun.seq) {
			return true
		}
	}
	return false
}

// begin asks about a document.
func (m *Model) begin(d *document, of call.Call) []page.Cmd {
	m.live.seq++
	again := 0
	if d.dryRun.of.Same(of) && d.dryRun.whole() {
		again = d.dryRun.again + 1
	}
	d.dryRun = dryRun{seq: m.live.seq, of: of, again: again}
	commands := []page.Cmd{of.Send(dryrun.ID(askPlain, d.dryRun.seq))}
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

// fetched takes an answer in.
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
	}
	for _, d := range m.live.docs {
		if d.dryRun.seq == seq && seq > 0 {
			return m.heard(d, what, f)
		}
	}
	return m, nil // of a text that is no more
}

// heard takes in the answer to one of a dry run's requests.
func (m Model) heard(d *document, what string, f page.Response) (page.Page, []page.Cmd) {
	var more []page.Cmd
	switch what {
	case askLive:
		d.dryRun.live = dryrun.Read(f)
		d.lay(m.schemaOf(d)) // while the dry run is under way
		if d.dryRun.live.Missing() {
			more = m.mayI(d, "create")
		}
	case askPlain:
		d.dryRun.plain = dryrun.Read(f)
		if d.dryRun.plain.Conflicts() {
			return m, []page.Cmd{d.target.Request(d.read.Text, m.options(), true, true).Send(dryrun.ID(askForced, d.dryRun.seq))}
		}
	case askForced:
		d.dryRun.forced = dryrun.Read(f)
	}
	switch {
	case !d.dryRun.whole():
		return m, more
	case d.dryRun.moved() && d.dryRun.again < 2:
		more = append(more, m.begin(d, d.dryRun.of)...)
		return m, more
	}
	next, commands := m.judged(d)
	return next, append(more, commands...)
}

// judged shows what a dry run came to, and goes on with the next document.
func (m Model) judged(d *document) (page.Page, []page.Cmd) {
	if d.same != nil && d.same.done == nil {
		d.same = nil // it was of another change
	}
	d.shown = d.judge(d.read.Fields(), m.writer(d), m.schemaOf(d))
	if d.force && contested(d) != d.forced {
		d.force = false // what the reader chose to overwrite was something else
	}
	commands := append(m.ask(), m.marks())
	if !m.waits() {
		if words := m.sum(); words != m.live.said {
			m.live.said = words
			commands = append(commands, page.Announce{Words: words})
		}
	}
	return m, commands
}

// writer is who would own what a document states.
func (m Model) writer(d *document) ownership.Manager {
	w := ownership.Manager{Name: m.Manager, Operation: ownership.Apply, Subresource: m.Subresource, APIVersion: d.read.APIVersion}
	if d.target.Creates() {
		w.Operation = ownership.Update
	}
	return w
}

// conflicts are those of a document's last preview, with the values as they are.
func (m Model) conflicts(d *document) []change.Conflict {
	if d.shown == nil || len(d.shown.conflicts) == 0 {
		return nil
	}
	t := d.shown.dryRun
	return change.Conflicts(*t.plain.No, change.Refused{Live: t.live.Object.Fields, Sent: d.shown.sent, Manager: m.writer(d), Schema: m.schemaOf(d)})
}

// contested names the conflicts of a document's preview: fields, values, and who owns them.
func contested(d *document) string {
	var b strings.Builder
	if d.shown == nil {
		return ""
	}
	for _, c := range d.shown.conflicts {
		b.WriteString(c.Path + "\n" + c.Live + "\n" + c.Yours + "\n" + holders(c) + "\n")
	}
	return b.String()
}
