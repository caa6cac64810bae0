package deletion

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/web/follow"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
	"github.com/fieldmark/fieldmark/words"
)

// What the page's buttons do.
const (
	doTry    = "try"
	doDelete = "delete"
	doAgain  = "again"
)

// What is asked, and the id of the subscription to the object.
const (
	askDry  = "dry"
	askReal = "real"
	askLook = "look"
	askMay  = "may"

	subscription = 1
)

// live is what only the living page knows. It is shared by the copies of a Model, of which only the newest counts.
type live struct {
	pinned   object.Object // what was seen, and is tried and deleted
	followed follow.Object
	may      call.May
	seq      int
	dry      *attempt      // the newest
	real     *attempt      // what was sent, or was last
	raced    *raced        // what was sent was refused because the object had changed
	looking  bool          // the object is being asked for
	settling page.Settling // the grace period that was typed
	said     string
}

// attempt is a request, and what came of it.
type attempt struct {
	seq    int
	of     call.Call
	answer *dryrun.Response // nil: it is on its way
}

// raced is what became of the object between the look at it and the request.
type raced struct {
	seen   bool // how the object is now is known
	effect dryrun.Effect
	err    error
}

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	m.Now = now
	m.live = &live{pinned: m.Object, followed: follow.NewObject(m.Object, now)}
	may, ask := call.MayI(askMay, m.Shell.Cluster.Slug, "delete", m.Path)
	m.live.may = may
	commands := []page.Cmd{ask}
	if m.Type.Watchable() {
		commands = append(commands, page.Subscribe{ID: subscription, Cluster: m.Shell.Cluster.Slug, Path: m.Path.String(), As: wire.Object})
	}
	return m, append(commands, m.try()...)
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Received:
		m.live.followed.Hear(msg.Message)
		return m, append(m.live.followed.News(), m.say()...)
	case page.Connection:
		m.live.followed.Connect(msg)
		return m, nil
	case page.Tick:
		return m.ticked(msg.Now)
	case page.Typed:
		return m.typed(msg)
	case page.Acted:
		return m.acted(msg.Action)
	case page.Response:
		return m.fetched(msg)
	case page.Addressed:
		if path := msg.Query.Get(QueryPath); path != m.Path.String() {
			return m, []page.Cmd{page.Navigate{Address: web.WithQuery(web.Tool(m.Shell.Cluster.Slug, web.Delete), msg.Query)}}
		}
		return m.chosen(ParseOptions(msg.Query))
	}
	return m, nil
}

// ticked acts on what was typed once it has rested, and looks at an object that nobody follows.
func (m Model) ticked(now time.Time) (page.Page, []page.Cmd) {
	m.Now = now
	m.live.followed.Tick(now)
	if m.live.settling.Rested() {
		return m.chosen(m.Options)
	}
	if m.waiting() && !m.live.followed.Live() {
		return m, m.look()
	}
	return m, nil
}

// waiting tells whether the object was deleted, and is still there as far as the page knows.
func (m Model) waiting() bool {
	l := m.live
	return l.real != nil && l.real.answer.OK() && !l.followed.Gone() && !m.another()
}

// typed takes in what was chosen in the form.
func (m Model) typed(msg page.Typed) (page.Page, []page.Cmd) {
	o := m.Options
	switch msg.Field {
	case QueryPropagation:
		o.Propagation = Propagation(msg.Text)
	case QueryOnlyIf:
		o.OnlyIf = Condition(msg.Text)
	case QueryGrace:
		m.Options.Grace = msg.Text
		m.live.settling.Begin()
		return m, nil
	default:
		return m, nil
	}
	return m.chosen(o)
}

// chosen tries other options.
func (m Model) chosen(o Options) (page.Page, []page.Cmd) {
	m.Options = o
	m.Shell.Here = m.address()
	return m, append([]page.Cmd{page.Remember{Address: m.address(), Replace: true}}, m.try()...)
}

// acted does what a button says.
func (m Model) acted(action string) (page.Page, []page.Cmd) {
	switch action {
	case doTry:
		m.pin()
		return m, append(m.look(), m.try()...)
	case doDelete:
		return m.send()
	case doAgain:
		return m, []page.Cmd{page.Reload{}}
	}
	return m, nil
}

// pin takes the object as it is known to be now for what the reader has seen.
func (m Model) pin() {
	l := m.live
	if !l.followed.Gone() {
		l.pinned = l.followed.Object
	}
	l.raced = nil
}

// look asks how the object is.
func (m Model) look() []page.Cmd {
	if m.live.looking {
		return nil
	}
	m.live.looking = true
	return []page.Cmd{page.Get(askLook, m.Shell.Cluster.Slug, m.Path.String(), "application/json")}
}

// try asks what would come of it.
func (m Model) try() []page.Cmd {
	m.live.dry = nil
	if _, _, wrong := m.grace(); wrong != "" || m.live.followed.Gone() {
		return nil
	}
	m.live.seq++
	of := m.request(true)
	m.live.dry = &attempt{seq: m.live.seq, of: of}
	return []page.Cmd{of.Send(dryrun.ID(askDry, m.live.seq))}
}

// options are DeleteOptions. Their fields come in the order in which they are read best.
type options struct {
	Kind          string         `json:"kind"`
	APIVersion    string         `json:"apiVersion"`
	DryRun        []string       `json:"dryRun,omitempty"`
	Propagation   string         `json:"propagationPolicy"`
	Grace         *int64         `json:"gracePeriodSeconds,omitempty"`
	Preconditions *preconditions `json:"preconditions,omitempty"`
}

type preconditions struct {
	UID             string `json:"uid,omitempty"`
	ResourceVersion string `json:"resourceVersion,omitempty"`
}

// request is what is sent. The server reads the options of the body alone; what stands between may look at the query.
func (m Model) request(dry bool) call.Call {
	o := options{Kind: "DeleteOptions", APIVersion: "v1", Propagation: string(m.Options.Propagation)}
	if n, own, _ := m.grace(); own {
		o.Grace = &n
	}
	if m.Options.OnlyIf != Whatever {
		o.Preconditions = &preconditions{UID: m.seen().Meta("uid")}
		if m.Options.OnlyIf == SameVersion {
			o.Preconditions.ResourceVersion = m.seen().Meta("resourceVersion")
		}
	}
	if dry {
		o.DryRun = []string{"All"}
	}
	body, _ := json.MarshalIndent(o, "", "  ") // strings and a number can always be written
	r := call.New(m.Shell.Cluster.Slug, "DELETE", m.Path.String(), "application/json", body)
	if dry {
		return r.Dry()
	}
	return r
}

// unready says why it can't be deleted now; empty: it can.
func (m Model) unready() string {
	l := m.live
	if l == nil {
		return "Fieldmark sends the dry run when its program has started."
	}
	if why := l.may.Not(m.Shell.ReadOnly); why != "" {
		return why
	}
	_, _, wrong := m.grace()
	switch {
	case l.followed.Gone():
		return "The object is already deleted."
	case m.another():
		return "Another object has this name now."
	case wrong != "":
		return wrong
	case l.real != nil && l.real.answer == nil:
		return "Fieldmark is sending the request."
	case l.settling.Waits(), l.dry == nil, l.dry.answer == nil:
		return "Fieldmark is waiting for the dry run."
	case !l.dry.answer.OK():
		return "The API server refuses the request."
	}
	return ""
}

// send deletes the object.
func (m Model) send() (page.Page, []page.Cmd) {
	if m.unready() != "" {
		return m, nil
	}
	l := m.live
	l.seq++
	l.raced = nil
	l.real = &attempt{seq: l.seq, of: m.request(false)}
	return m, []page.Cmd{l.real.of.Send(dryrun.ID(askReal, l.seq)), page.Focus{ID: "state"}, page.Reveal{ID: "state"}}
}

// fetched takes an answer in.
func (m Model) fetched(f page.Response) (page.Page, []page.Cmd) {
	l := m.live
	what, seq := dryrun.ParseID(f.ID)
	switch {
	case what == askMay:
		l.may.Hear(f)
	case what == askLook:
		return m.looked(dryrun.Read(f))
	case what == askDry && l.dry != nil && l.dry.seq == seq:
		l.dry.answer = dryrun.Read(f)
		return m, m.say()
	case what == askReal && l.real != nil && l.real.seq == seq:
		l.real.answer = dryrun.Read(f)
		return m.answered(l.real.answer)
	}
	return m, nil
}

// answered goes on after the API server's answer to the deletion.
func (m Model) answered(a *dryrun.Response) (page.Page, []page.Cmd) {
	switch {
	case a.OK() && m.live.followed.Live():
		return m, m.say() // what is followed tells the rest
	case a.OK():
	case a.No.Code == 404:
		m.live.followed.Lose()
		return m, m.say()
	case a.No.Code == status.CodeConflict:
		m.live.raced = &raced{}
	}
	return m, append(m.look(), m.say()...)
}

// looked takes in how the object is.
func (m Model) looked(a *dryrun.Response) (page.Page, []page.Cmd) {
	l := m.live
	l.looking = false
	switch {
	case a.OK():
		l.followed.Take(a.Object)
	case a.No.Code == 404:
		l.followed.Lose()
	default:
		return m, nil // what is followed tells, or the next look does
	}
	if l.raced == nil || l.raced.seen {
		return m, m.say()
	}
	l.raced.seen = true
	if !l.followed.Gone() {
		l.raced.effect, l.raced.err = dryrun.Compare(l.pinned, l.followed.Object)
		l.pinned = l.followed.Object
	}
	return m, append(m.try(), m.say()...)
}

// another tells whether an object of the name is there, but not the one that was seen.
func (m Model) another() bool {
	l := m.live
	return l != nil && !l.followed.Gone() && l.followed.UID() != l.pinned.Meta("uid")
}

// written tells whether the object was written since it was seen, and is not on its way out.
func (m Model) written() bool {
	l := m.live
	return l != nil && !l.followed.Gone() && !m.another() && l.real == nil &&
		l.followed.Version() != l.pinned.Meta("resourceVersion")
}

// going tells whether the object is marked as being deleted.
func (m Model) going() bool {
	return m.live != nil && !m.live.followed.Gone() && !m.another() && !m.live.followed.Object.Deleted().IsZero()
}

// say tells screen readers how it stands, when that is news.
func (m Model) say() []page.Cmd {
	words := m.sum()
	if words == m.live.said || words == "" {
		return nil
	}
	m.live.said = words
	return []page.Cmd{page.Announce{Words: words}}
}

// sum says how it stands.
func (m Model) sum() string {
	l := m.live
	switch {
	case l == nil:
		return ""
	case l.followed.Gone():
		return "The object is deleted."
	case m.another():
		return "The object is deleted. Another object has this name now."
	case m.going():
		return "The deletion waits for " + words.Count(int64(len(finalizers(l.followed.Object))), "finalizer", "finalizers") + "."
	case l.raced != nil:
		return "The object has changed since you saw it, so nothing was deleted."
	case l.real != nil && l.real.answer == nil:
		return "Fieldmark is sending the request."
	case l.real != nil && !l.real.answer.OK():
		return "The API server refused the deletion."
	case l.dry == nil || l.dry.answer == nil:
		return ""
	case !l.dry.answer.OK():
		return "The API server refused the dry run."
	}
	return "Dry run: " + m.verdict(l.dry.answer)
}

// verdict says what an answer to a DELETE means: a Status, or the object as it is from then on.
func (m Model) verdict(a *dryrun.Response) string {
	holding := finalizers(a.Object)
	grace := a.Object.Meta("deletionGracePeriodSeconds")
	switch {
	case a.Object.Kind() == "Status":
		return "the object is deleted at once."
	case len(holding) == 1:
		return "the object stays, marked for deletion, until its finalizer is removed."
	case len(holding) > 1:
		return fmt.Sprintf("the object stays, marked for deletion, until its %d finalizers are removed.", len(holding))
	case grace != "" && grace != "0":
		return "the Pod has " + grace + " s to stop. It is deleted when its node reports that it has stopped, or after that time."
	}
	return "the object is deleted at once."
}
