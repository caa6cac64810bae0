package act

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	plans "github.com/fieldmark/fieldmark/kube/act"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/words"
)

// busy tells whether requests still have to be accepted.
func (m Model) busy() bool {
	return m.live != nil && (m.is((*job).writing) || slices.ContainsFunc(m.live.items, func(it *item) bool { return it.finding > 0 }))
}

// Unfinished implements page.Unfinished.
func (m Model) Unfinished() bool { return m.busy() }

// follows tells whether the page waits for the goal of a request.
func (m Model) follows() bool { return m.live != nil && m.is((*job).active) }

func (m Model) is(in func(*job) bool) bool { return slices.ContainsFunc(m.jobs(), in) }

// jobCount is the number of jobs in some states.
func (m Model) jobCount(states ...State) (n int) {
	for _, j := range m.jobs() {
		if slices.Contains(states, j.state) {
			n++
		}
	}
	return n
}

// unready says why the requests can't be sent now; empty if they can.
func (m Model) unready() string {
	l := m.live
	if l == nil {
		return "Fieldmark sends the dry runs when its program has started."
	}
	if limit := m.Shell.Limit(); limit != "" {
		return limit + " Fieldmark sends only dry runs."
	}
	switch {
	case m.busy():
		return "Fieldmark is sending the requests."
	case m.reading():
		return "Fieldmark is reading the objects again."
	case len(m.jobs()) == 0:
		return "There is nothing to send."
	case m.denied() != "" && len(m.allowed()) == 0:
		return m.denied()
	case l.settling.Waits() || m.trying():
		return "Fieldmark is waiting for the dry runs."
	case m.ready() > 0:
		return ""
	case m.is(func(j *job) bool { return j.real != nil || j.state != Planned }):
		return "The requests have been sent. Plan again to send more."
	case m.is((*job).untried):
		return "No dry run has passed yet."
	}
	return "The API server refuses the requests."
}

// denied says which permission the reader doesn't have for any of the objects; empty if nothing is known against it.
func (m Model) denied() string {
	for _, it := range m.items() {
		if not := m.not(it); not != "" {
			return not
		}
	}
	return ""
}

// allowed are the items with requests against which nothing is known.
func (m Model) allowed() []*item {
	return slices.DeleteFunc(slices.Clone(m.items()), func(it *item) bool { return len(it.jobs) == 0 || m.not(it) != "" })
}

// reading tells whether an object is read again.
func (m Model) reading() bool {
	return slices.ContainsFunc(m.live.items, func(it *item) bool { return it.reading > 0 })
}

// ready is the number of items whose requests can be sent.
func (m Model) ready() (n int) {
	if m.live == nil {
		return 0
	}
	for _, it := range m.live.items {
		if m.sendable(it) {
			n++
		}
	}
	return n
}

// button is the text of the button that sends.
func (m Model) button() string {
	a, _ := m.chosenAct()
	more := ""
	if !m.Practice {
		more = "…"
	}
	n, of := m.ready(), len(m.usable())
	switch {
	case of <= 1:
		return a.Title + more
	case n == of || n == 0:
		return fmt.Sprintf("%s all %d%s", a.Title, of, more)
	}
	return fmt.Sprintf("%s %d of %d%s", a.Title, n, of, more)
}

// amount says how many requests are sent.
func (m Model) amount() string {
	n := 0
	for _, it := range m.items() {
		if m.sendable(it) {
			n += len(it.jobs)
		}
	}
	return words.Count(int64(n), "request", "requests")
}

// title says what the act is, and on which objects.
func (m Model) title() string {
	if a, ok := m.chosenAct(); ok {
		return a.Title
	}
	return "Act on"
}

// name names a target.
func (t Target) name() string {
	name := t.Path.Name
	if t.Path.Namespace != "" {
		name = t.Path.Namespace + "/" + name
	}
	if t.Type.Kind == "" {
		return t.Path.String()
	}
	return t.Type.Kind + " " + name
}

// together names the targets together.
func (m Model) together() string {
	n := int64(len(m.Targets))
	kinds := map[string]bool{}
	for _, t := range m.Targets {
		kinds[shell.Plural(t.Type)] = true
	}
	if len(kinds) == 1 && m.Targets[0].Type.Kind != "" {
		return words.Thousands(n) + " " + shell.Plural(m.Targets[0].Type)
	}
	return words.Count(n, "object", "objects")
}

// links are the acts that the objects have. An act that does nothing to any of them is left out, unless it is chosen.
func (m Model) links() (all []components.Link) {
	targets := m.usable()
	for _, a := range m.acts() {
		if a.Name != m.Query.Act && (a.ForSeveral && !m.several() || !slices.ContainsFunc(targets, func(t Target) bool { return a.Idle(t.Subject()) == "" })) {
			continue
		}
		all = append(all, components.Link{
			Text: a.Title, Hint: a.Hint, Href: web.ActOn(m.Shell.Cluster.Slug, a.Name, m.Query.Paths...), Current: a.Name == m.Query.Act,
		})
	}
	return all
}

// sum is the state in a sentence; empty if there is nothing to say.
func (m Model) sum() string {
	if m.live == nil {
		return ""
	}
	total := len(m.jobs())
	done := m.jobCount(Done)
	bad := m.jobCount(Refused, Failed, Lost)
	switch {
	case m.jobCount(Planned) == total && (m.raced() == 0 || !m.several()):
		return m.trials(total)
	case m.jobCount(Waiting) > 0:
		return fmt.Sprintf("%s. The API server refuses %s for now, and Fieldmark tries again.", m.doneOf(done, total), words.Count(int64(m.jobCount(Waiting)), "request", "requests"))
	case m.busy():
		return m.doneOf(done, total) + ". Fieldmark is sending the requests."
	case m.follows():
		return m.doneOf(done, total) + ". Fieldmark follows the rest."
	case m.jobCount(Changed) > 0:
		return "The object has changed since the plan was made, so the API server refused the request."
	case m.raced() > 0 && m.several():
		return m.doneOf(done, total) + ". The API server refused " + words.Count(int64(m.raced()), "request", "requests") + ", because the objects had changed. Their plans are new."
	case m.jobCount(Stopped) > 0:
		return m.doneOf(done, total) + ". " + words.Count(int64(m.jobCount(Stopped)), "request was stopped.", "requests were stopped.")
	case bad > 0:
		return m.doneOf(done, total) + ". " + words.Count(int64(bad), "failed.", "failed.")
	}
	return m.doneOf(done, total) + "."
}

// trials says how far the dry runs of several objects are; empty once all of them have responses.
func (m Model) trials(total int) string {
	trying, untried := 0, 0
	for _, j := range m.jobs() {
		switch {
		case j.trying:
			trying++
		case j.untried():
			untried++
		}
	}
	of := fmt.Sprintf("%s of %s done", words.Thousands(int64(total-trying-untried)), words.Count(int64(total), "dry run", "dry runs"))
	switch {
	case !m.several():
		return ""
	case trying > 0:
		return of + "."
	case m.rest() > 0:
		return of + ". The others were canceled."
	}
	return ""
}

// rest is the number of dry runs that were canceled.
func (m Model) rest() (n int) {
	if m.live == nil || !m.several() {
		return 0
	}
	for _, it := range m.items() {
		if it.is((*job).untried) && m.not(it) == "" {
			n++
		}
	}
	return n
}

// trying tells whether dry runs have no response yet.
func (m Model) trying() bool { return m.is(func(j *job) bool { return j.trying }) }

// raced is how many objects had changed when their requests were sent.
func (m Model) raced() (n int) {
	for _, it := range m.items() {
		if it.raced != nil {
			n++
		}
	}
	return n
}

// doneOf says how many requests have reached their goals.
func (m Model) doneOf(done, total int) string {
	if total == 1 && done == 1 {
		return "Done"
	}
	if m.several() && total == len(m.allowed()) {
		return fmt.Sprintf("%d of %s done", done, words.Count(int64(total), "object", "objects"))
	}
	return fmt.Sprintf("%d of %s done", done, words.Count(int64(total), "step", "steps"))
}

// tone is the class of the state.
func (m Model) tone() string {
	switch {
	case m.follows():
		return "tone-busy"
	case m.jobCount(Done) == len(m.jobs()):
		return "done"
	}
	return ""
}

// say announces the state to screen readers, if it has changed.
func (m Model) say() []page.Cmd {
	words := m.sum()
	if words == "" || words == m.live.said || m.several() && (m.busy() || m.trying()) { // hundreds of responses are no news each
		return nil
	}
	m.live.said = words
	return []page.Cmd{page.Announce{Words: words}}
}

// standing says how far a job is.
func (m Model) standing(j *job) string {
	switch j.state {
	case Queued:
		return "waits for the requests before it"
	case Sending:
		return "sending…"
	case Waiting:
		return fmt.Sprintf("refused for now, try %d in %s", j.tries+1, table.Duration(max(0, j.again.Sub(m.Now))))
	case Accepted:
		return "accepted, in progress"
	case Done:
		return "done"
	case Refused:
		return "refused"
	case Changed:
		return "refused, because the object has changed"
	case Lost:
		return "no response"
	case Failed:
		return "accepted, but not finished"
	case Stopped:
		return "stopped before it was accepted"
	}
	return m.trial(j)
}

// trial says how the dry run went.
func (m Model) trial(j *job) string {
	switch {
	case j.late:
		return "found since the plan was made"
	case m.live == nil && m.several():
		return "predicted"
	case m.live == nil:
		return ""
	case j.untried():
		return "not tried"
	case j.dry == nil:
		return "dry run…"
	case j.later():
		return "dry run refused for now"
	case !j.dry.OK() && j.dry.No.Code == status.CodeConflict:
		return "dry run refused, because the object has changed since it was read"
	case !j.dry.OK():
		return "dry run refused"
	}
	return "dry run passed"
}

// progress says how far the goal of a job is; empty before it is accepted.
func (m Model) progress(j *job) string {
	if j.progress.Words == "" || j.state == Planned {
		return ""
	}
	if took := m.Now.Sub(j.since); j.state == Accepted && took > 0 {
		return j.progress.Words + " Followed for " + table.Duration(took) + "."
	}
	return j.progress.Words
}

// form is a request as other programs write it.
func form(x call.Call) request.Request {
	r := request.New(x.Method, x.Path)
	for _, h := range x.Header {
		r = r.With(h.Name, h.Value)
	}
	r.Body = x.Body
	return r
}

// loses says who loses a field, and what they will do.
func loses(t plans.Touch) string {
	var all []string
	for _, h := range t.Loses {
		all = append(all, h.Owner.Words()+" loses the field. "+h.Words)
	}
	if len(all) == 0 {
		return ""
	}
	return strings.Join(all, " ")
}

// patience says how long the page tries again what the API server refuses for now.
func patience(p plans.Plan) string {
	if p.Patience <= 0 {
		return ""
	}
	return "If the API server refuses a request for now (429), Fieldmark tries it again for up to " + table.Duration(p.Patience) + "."
}

func number(n int) string { return strconv.Itoa(n) }

// mostTouches is how many changed fields are listed.
const mostTouches = 100

// state is the state of an item: the worst of its jobs.
func (it *item) state() State {
	for _, s := range []State{Waiting, Sending, Queued, Accepted, Refused, Changed, Lost, Failed, Stopped, Done} {
		if it.is(func(j *job) bool { return j.state == s }) {
			return s
		}
	}
	return Planned
}

// foreseen tells whether it is still to come who will own the fields: no request was sent, and no dry run refused. Then the requests show it.
func (it *item) foreseen() bool {
	return it.state() == Planned && !it.is(func(j *job) bool { return j.dry != nil && !j.dry.OK() && !j.later() })
}

// many tells whether the requests don’t fit on a screen.
func (m Model) many() bool { return m.several() || len(m.jobs()) > 3 }

// form are the options of the act.
func (m Model) form(items []*item) []field {
	if m.live != nil {
		return m.live.options
	}
	return m.fields(items)
}
