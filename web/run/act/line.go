package act

import (
	"slices"
	"strconv"

	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// mostUnder is how many requests of the page are under way at the same time.
const mostUnder = 8

// order is a request of the page, and what to do with its response.
type order struct {
	it   *item // the item that it is for; nil: the page
	job  *job  // the write that it is; nil: it changes nothing
	dry  *job  // the job whose dry run it is; nil: it is none
	cmd  page.Call
	then func(page.Response)
}

// line has the requests that wait, and those that are under way. So many objects are no burst for the API server.
type line struct {
	waits []order
	under map[string]order // by the ID of the request
	n     int
}

// addRequest puts a request for an item at the end of the line. job is the write that it is.
func (l *line) addRequest(it *item, j *job, x call.Call, then func(page.Response)) {
	l.put(order{it: it, job: j, cmd: x.Send(""), then: then})
}

// put puts an order at the end of the line.
func (l *line) put(o order) { l.waits = append(l.waits, o) }

// drop removes an item's requests that only try or read, and forgets those under way. Writes stay.
func (l *line) drop(it *item) {
	l.dropDry(func(o order) bool { return o.it == it })
	l.waits = slices.DeleteFunc(l.waits, func(o order) bool { return o.it == it && o.job == nil })
	for id, o := range l.under {
		if o.it == it && o.job == nil {
			o.then = func(page.Response) {}
			if o.dry != nil {
				o.dry.trying = false
			}
			l.under[id] = o
		}
	}
}

// dropDry removes dry runs that wait.
func (l *line) dropDry(which func(order) bool) {
	l.waits = slices.DeleteFunc(l.waits, func(o order) bool {
		if o.dry == nil || !which(o) {
			return false
		}
		o.dry.trying = false
		return true
	})
}

// stop removes the writes that wait, and returns their jobs.
func (l *line) stop() (jobs []*job) {
	l.waits = slices.DeleteFunc(l.waits, func(o order) bool {
		if o.job != nil {
			jobs = append(jobs, o.job)
		}
		return o.job != nil
	})
	return jobs
}

// dequeueRequests are the requests that can be sent now.
func (l *line) dequeueRequests() (commands []page.Cmd) {
	for len(l.waits) > 0 && len(l.under) < mostUnder {
		o := l.waits[0]
		l.waits = l.waits[1:]
		l.n++
		o.cmd.ID = "act " + strconv.Itoa(l.n)
		if l.under == nil {
			l.under = map[string]order{}
		}
		l.under[o.cmd.ID] = o
		if o.job != nil {
			o.job.state = Sending
			o.job.tries++
		}
		commands = append(commands, o.cmd)
	}
	return commands
}

// handleResponse takes in a response.
func (l *line) handleResponse(f page.Response) {
	o, mine := l.under[f.ID]
	if !mine {
		return
	}
	delete(l.under, f.ID)
	o.then(f)
}

// pump sends the requests that can be sent now.
func (m Model) pump() []page.Cmd { return m.live.line.dequeueRequests() }
