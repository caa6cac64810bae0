package scenario

import (
	"cmp"

	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Cache is what happens to the events that the API server keeps in memory, besides the store.
type Cache string

// What can happen to them. The zero value means Keep.
const (
	Keep   Cache = "Keep"   // for lists, the API server drops them within 15 seconds; no connection breaks
	Forget Cache = "Forget" // the API server restarts, so that it also refuses watches from earlier versions
)

// scenario is the Scenario to create.
func (c Cache) scenario() []byte {
	return []byte(`{"apiVersion":"` + APIVersion + `","kind":"Scenario","metadata":{"generateName":"compaction-"},` +
		`"spec":{"faults":[{"name":"compact","compact":{"watchCache":"` + string(cmp.Or(c, Keep)) + `"}}]}}`)
}

// DoCompact is the data-do of the button.
const DoCompact = "compact"

// The ids of the requests.
const (
	create = "compaction/create"
	look   = "compaction/look"
	remove = "compaction/delete"
)

// Stage is how far a compaction is.
type Stage string

// The stages.
const (
	None    Stage = ""
	Asked   Stage = "asked"   // the Scenario is being created
	Works   Stage = "works"   // the Scenario exists, and is being carried out
	Done    Stage = "done"    // earlier versions are gone
	Refused Stage = "refused" // the compaction failed
)

// Compaction makes the store of a practice cluster delete its history, for pages that show what happens to old versions then. It creates a
// Scenario, and deletes it when it is done or has failed. The zero value has not begun.
type Compaction struct {
	Cache   Cache
	Stage   Stage
	Creates call.Call // the request that creates the Scenario, shown to the reader
	Words   string    // the Scenario's message

	path string // of the Scenario
	call call.Call
}

// Begin begins a compaction, unless one is under way or the cluster can't do it.
func (r Compaction) Begin(frame shell.Model) (Compaction, []page.Cmd) {
	if r.Busy() || frame.ReadOnly || !Offered(frame.Catalog) {
		return r, nil
	}
	x := call.Call{
		ID: create, Cluster: frame.Cluster.Slug, Method: "POST", Path: Path().String(), Body: r.Cache.scenario(),
		Header: []request.Header{{Name: "Content-Type", Value: "application/json"}, {Name: "Accept", Value: "application/json"}},
	}
	x, cmd := x.Begin()
	return Compaction{Cache: r.Cache, Stage: Asked, Creates: x}, []page.Cmd{cmd}
}

// Busy tells whether the compaction is under way.
func (r Compaction) Busy() bool { return r.Stage == Asked || r.Stage == Works }

// Hear takes in a message. It returns false if the message is about something else.
func (r Compaction) Hear(m page.Msg) (Compaction, []page.Cmd, bool) {
	if x, mine := r.Creates.Hear(m); mine {
		r.Creates = x
		if x.Done() && r.Stage == Asked {
			return r.created()
		}
		return r, nil, true
	}
	x, mine := r.call.Hear(m)
	if !mine || r.call.ID == "" {
		return r, nil, false
	}
	r.call = x
	if !x.Done() || x.ID != look || r.Stage != Works {
		return r, nil, true
	}
	return r.looked()
}

func (r Compaction) created() (Compaction, []page.Cmd, bool) {
	made, read := Read(r.Creates.Kept)
	if !r.Creates.OK() || !read {
		r.Stage, r.Words = Refused, "Fieldmark did not respond."
		if no := r.Creates.No(); no != nil {
			r.Words = no.Message
		}
		return r, nil, true
	}
	r.Stage, r.path = Works, Named(made.Name).String()
	return r, nil, true
}

// looked takes in the status of the Scenario. Once the Scenario holds or has failed, it is deleted.
func (r Compaction) looked() (Compaction, []page.Cmd, bool) {
	now, read := Read(r.call.Kept)
	if !r.call.OK() || !read {
		return r, nil, true // the next Tick reads it again
	}
	r.Words = now.Words
	switch {
	case now.Holds:
		r.Stage = Done
	case now.Failed:
		r.Stage = Refused
	}
	if r.Stage == Works {
		return r, nil, true
	}
	x, cmd := r.request("DELETE", remove).Begin()
	r.call = x
	return r, []page.Cmd{cmd}, true
}

func (r Compaction) request(method, id string) call.Call {
	return call.Call{ID: id, Cluster: r.Creates.Cluster, Method: method, Path: r.path, Header: []request.Header{{Name: "Accept", Value: "application/json"}}}
}

// Tick reads the status of the Scenario.
func (r Compaction) Tick() (Compaction, []page.Cmd) {
	if r.Stage != Works || r.call.Under() {
		return r, nil
	}
	x, cmd := r.request("GET", look).Begin()
	r.call = x
	return r, []page.Cmd{cmd}
}
