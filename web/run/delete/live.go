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

// Actions of the page's buttons.
const (
	doTry    = "try"
	doDelete = "delete"
	doAgain  = "again"
)

// Kinds of requests, and the ID of the subscription to the object.
const (
	askDry  = "dry"  // the deletion as a dry run
	askReal = "real" // the deletion
	askLook = "look" // the object as it is now
	askMay  = "may"  // the permission

	subscription = 1
)

// live is the state of the page in the browser. The copies of a Model share it, and only the newest copy is used.
type live struct {
	pinned   object.Object // the version that the reader saw; requests are about this version
	followed follow.Object // the object as it is now
	may      call.May
	seq      int
	dry      *attempt      // the newest dry run
	real     *attempt      // the newest deletion
	raced    *raced        // the deletion was refused, because the object had changed
	looking  bool          // the object is being read
	settling page.Settling // the grace period is being typed
	named    string        // typed as the object's name
	said     string        // announced last
}

// attempt is a request and its response.
type attempt struct {
	seq    int
	of     call.Call
	answer *dryrun.Response // nil: the request is under way
}

// raced is how the object changed between the version that the reader saw and the deletion.
type raced struct {
	seen   bool // the current version has been read
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
		return m.handleAction(msg.Action)
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

// ticked tries the typed grace period when the reader pauses. It also reads an object that the page can't follow.
func (m Model) ticked(now time.Time) (page.Page, []page.Cmd) {
	m.Now = now
	m.live.followed.Tick(now)
	if m.live.settling.Rested() {
		return m.chosen(m.Options)
	}
	if m.waiting() && !m.live.followed.Live() {
		return m, m.readObject()
	}
	return m, nil
}

// waiting tells whether the API server accepted the deletion, and the object still exists as far as the page knows.
func (m Model) waiting() bool {
	l := m.live
	return l.real != nil && l.real.answer.OK() && !l.followed.Gone() && !m.another()
}

// typed takes in a field of the form.
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
	case fieldName:
		m.live.named = msg.Text
		return m, nil
	default:
		return m, nil
	}
	return m.chosen(o)
}

// chosen makes a dry run with other options.
func (m Model) chosen(o Options) (page.Page, []page.Cmd) {
	m.Options = o
	m.Shell.Here = m.pageAddress()
	return m, append([]page.Cmd{page.Remember{Address: m.pageAddress(), Replace: true}}, m.try()...)
}

// handleAction does the action of a button.
func (m Model) handleAction(action string) (page.Page, []page.Cmd) {
	switch action {
	case doTry:
		m.pin()
		return m, append(m.readObject(), m.try()...)
	case doDelete:
		return m.deleteObject()
	case doAgain:
		return m, []page.Cmd{page.Reload{}}
	}
	return m, nil
}

// pin makes the current version the one that the reader saw.
func (m Model) pin() {
	l := m.live
	if !l.followed.Gone() {
		l.pinned = l.followed.Object
	}
	l.raced = nil
}

// readObject reads the object.
func (m Model) readObject() []page.Cmd {
	if m.live.looking {
		return nil
	}
	m.live.looking = true
	m.live.followed.Ask()
	return []page.Cmd{page.Get(askLook, m.Shell.Cluster.Slug, m.Path.String(), "application/json")}
}

// try makes a dry run of the deletion.
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

// options are DeleteOptions, with the fields in an order that is easy to read.
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

// request is the deletion. The server reads only the options in the body. A dry run also has dryRun in the query, for Fieldmark and
// proxies in between.
func (m Model) request(dry bool) call.Call {
	o := options{Kind: "DeleteOptions", APIVersion: "v1", Propagation: string(m.policy())}
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
	body, _ := json.MarshalIndent(o, "", "  ") // strings and numbers never fail
	r := call.New(m.Shell.Cluster.Slug, "DELETE", m.Path.String(), "application/json", body)
	if dry {
		return r.Dry()
	}
	return r
}

// unready says why the object can't be deleted now; empty if it can.
func (m Model) unready() string {
	l := m.live
	if l == nil {
		return "Fieldmark sends the dry run when its program has started."
	}
	if why := l.may.Not(m.Shell.Limit()); why != "" {
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
	return m.unnamed()
}

// deleteObject deletes the object.
func (m Model) deleteObject() (page.Page, []page.Cmd) {
	if m.unready() != "" {
		return m, nil
	}
	l := m.live
	l.seq++
	l.raced = nil
	l.real = &attempt{seq: l.seq, of: m.request(false)}
	return m, []page.Cmd{l.real.of.Send(dryrun.ID(askReal, l.seq)), page.Focus{ID: "state"}, page.Reveal{ID: "state"}}
}

// fetched takes in a response.
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

// answered takes in the response to the deletion.
func (m Model) answered(a *dryrun.Response) (page.Page, []page.Cmd) {
	switch {
	case a.OK() && m.live.followed.Live():
		return m, m.say() // the subscription tells the rest
	case a.OK():
	case a.No.Code == 404:
		m.live.followed.Lose()
		return m, m.say()
	case a.No.Code == status.CodeConflict:
		m.live.raced = &raced{}
	}
	return m, append(m.readObject(), m.say()...)
}

// looked takes in the current version of the object.
func (m Model) looked(a *dryrun.Response) (page.Page, []page.Cmd) {
	l := m.live
	l.looking = false
	switch {
	case a.OK():
		l.followed.Take(a.Object)
	case a.No.Code == 404 && l.followed.Live() && l.followed.Overtaken(): // the subscription tells of its end, or of its return
	case a.No.Code == 404:
		l.followed.Lose()
	default:
		return m, nil // the subscription or the next look will tell
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

// another tells whether the name belongs to another object than the one that the reader saw.
func (m Model) another() bool {
	l := m.live
	return l != nil && !l.followed.Gone() && l.followed.UID() != l.pinned.Meta("uid")
}

// written tells whether the object has changed since the reader saw it, and no deletion was sent.
func (m Model) written() bool {
	l := m.live
	return l != nil && !l.followed.Gone() && !m.another() && l.real == nil &&
		l.followed.Version() != l.pinned.Meta("resourceVersion")
}

// going tells whether the object is marked for deletion.
func (m Model) going() bool {
	return m.live != nil && !m.live.followed.Gone() && !m.another() && !m.live.followed.Object.Deleted().IsZero()
}

// say announces the state to screen readers, if it has changed.
func (m Model) say() []page.Cmd {
	words := m.sum()
	if words == m.live.said || words == "" {
		return nil
	}
	m.live.said = words
	return []page.Cmd{page.Announce{Words: words}}
}

// sum is the state in a sentence; empty if there is nothing to say.
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

// verdict says what a response to a DELETE means. The response is a Status, or the object as it is afterwards.
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
		return "the Pod has " + grace + " s to stop. The Pod is deleted once its node reports the stop, or after that time."
	}
	return "the object is deleted at once."
}
