package scenario

import (
	"cmp"

	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Cache is what becomes of the events that the API server keeps in memory, besides the store.
type Cache string

// What may become of them; nothing said is Keep.
const (
	Keep   Cache = "Keep"   // it forgets by itself within a quarter of a minute, for lists; no one's connection breaks
	Forget Cache = "Forget" // the API server is started anew, so that watches from before are refused as well
)

// scenario is the Scenario that is created.
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

// The states.
const (
	None    Stage = ""
	Asked   Stage = "asked"   // the Scenario is being created
	Works   Stage = "works"   // the store was told; the API server has not noticed yet
	Done    Stage = "done"    // what is older than that is gone
	Refused Stage = "refused" // it could not be brought about
)

// Compaction makes a practice cluster's store forget its history, for the pages that show what becomes of old versions then. It is a
// Scenario, one object of the API, which is deleted once it has been brought about. The zero value has not begun.
type Compaction struct {
	Cache   Cache
	Stage   Stage
	Creates call.Call // shown to the reader
	Words   string    // how far it is, in the Scenario's own words

	path string // of the Scenario
	call call.Call
}

// Begin begins one, unless one is under way.
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

// Busy tells whether it is under way.
func (r Compaction) Busy() bool { return r.Stage == Asked || r.Stage == Works }

// Hear takes in what happened; false: it is about something else.
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

// looked takes in how far the Scenario is. Once it holds, or has failed, it is deleted.
func (r Compaction) looked() (Compaction, []page.Cmd, bool) {
	now, read := Read(r.call.Kept)
	if !r.call.OK() || !read {
		return r, nil, true // asked again
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

// Tick looks how far it is.
func (r Compaction) Tick() (Compaction, []page.Cmd) {
	if r.Stage != Works || r.call.Under() {
		return r, nil
	}
	x, cmd := r.request("GET", look).Begin()
	r.call = x
	return r, []page.Cmd{cmd}
}
