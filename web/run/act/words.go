package act

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	plans "github.com/fieldmark/fieldmark/kube/act"
	"github.com/fieldmark/fieldmark/kube/request"
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
	for _, may := range l.may {
		if not := may.Not(""); not != "" {
			return not
		}
	}
	switch {
	case m.busy():
		return "Fieldmark is sending the requests."
	case m.reading():
		return "Fieldmark is reading the objects again."
	case l.settling.Waits() || slices.ContainsFunc(l.items, func(it *item) bool { return !it.tried() }):
		return "Fieldmark is waiting for the dry runs."
	case len(m.jobs()) == 0:
		return "There is nothing to send."
	case m.is(func(j *job) bool { return j.real != nil || j.state != Planned }):
		return "The requests have been sent. Plan again to send more."
	case m.ready() == 0:
		return "The API server refuses the requests."
	}
	return ""
}

// reading tells whether an object is read again.
func (m Model) reading() bool {
	return slices.ContainsFunc(m.live.items, func(it *item) bool { return it.reading > 0 })
}

// ready is the number of items whose requests can be sent.
func (m Model) ready() (n int) {
	for _, it := range m.items() {
		if it.sendable() {
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
		if it.sendable() {
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

// several names the targets together.
func (m Model) several() string {
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
		if a.Name != m.Query.Act && !slices.ContainsFunc(targets, func(t Target) bool { return a.Idle(t.Subject()) == "" }) {
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
	total := len(m.jobs())
	done := m.jobCount(Done)
	bad := m.jobCount(Refused, Failed, Lost)
	switch {
	case m.live == nil || m.jobCount(Planned) == total && (m.raced() == 0 || len(m.targets()) == 1):
		return ""
	case m.jobCount(Waiting) > 0:
		return fmt.Sprintf("%s. The API server refuses %s for now, and Fieldmark tries again.", m.doneOf(done, total), words.Count(int64(m.jobCount(Waiting)), "request", "requests"))
	case m.busy():
		return m.doneOf(done, total) + ". Fieldmark is sending the requests."
	case m.follows():
		return m.doneOf(done, total) + ". Fieldmark follows the rest."
	case m.jobCount(Changed) > 0:
		return "The object has changed since the plan was made, so the API server refused the request."
	case m.raced() > 0 && len(m.targets()) > 1:
		return m.doneOf(done, total) + ". The API server refused " + words.Count(int64(m.raced()), "request", "requests") + ", because the objects had changed. Their plans are new."
	case m.jobCount(Stopped) > 0:
		return m.doneOf(done, total) + ". " + words.Count(int64(m.jobCount(Stopped)), "request was stopped.", "requests were stopped.")
	case bad > 0:
		return m.doneOf(done, total) + ". " + words.Count(int64(bad), "failed.", "failed.")
	}
	return m.doneOf(done, total) + "."
}

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
	if words == "" || words == m.live.said {
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
	case m.live == nil:
		return ""
	case j.dry == nil:
		return "dry run…"
	case j.later():
		return "dry run refused for now"
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

// verdict says how an item is, in a few words.
func (m Model) verdict(it *item) string {
	switch {
	case it.Problem != nil:
		return it.Problem.Title
	case it.plan.Nothing != "":
		return "nothing to do"
	case len(it.plan.Wrong) > 0:
		return "an option is wrong"
	case len(it.jobs) == 1:
		return m.standing(it.jobs[0])
	case len(it.jobs) == 0:
		return ""
	}
	return words.Count(int64(len(it.jobs)), "step", "steps")
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

// isInitiallyOpen tells whether the details of an item are open at first: the reader should see what went wrong.
func (it *item) isInitiallyOpen() bool {
	return it.Problem != nil || it.raced != nil || slices.Contains([]State{Refused, Lost, Failed}, it.state())
}

// many tells whether the requests don’t fit on a screen.
func (m Model) many() bool { return len(m.jobs()) > 3 || len(m.targets()) > 3 }

// form are the options of the act.
func (m Model) form(items []*item) []field {
	if m.live != nil {
		return m.live.options
	}
	return m.fields(items)
}
