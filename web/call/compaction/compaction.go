// Package compaction has a practice cluster's store forget its history, for the pages on which one sees what becomes of old versions
// then. It is a Scenario, one object of the API, which is deleted once it has been brought about.
package compaction

import (
	"cmp"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/scenario"
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
	return []byte(`{"apiVersion":"` + scenario.APIVersion + `","kind":"Scenario","metadata":{"generateName":"compaction-"},` +
		`"spec":{"faults":[{"name":"compact","compact":{"watchCache":"` + string(cmp.Or(c, Keep)) + `"}}]}}`)
}

// Do is the data-do of the button.
const Do = "compact"

// The ids of the requests.
const (
	create = "compaction/create"
	look   = "compaction/look"
	remove = "compaction/delete"
)

// State is how far it is.
type State string

// The states.
const (
	None    State = ""
	Asked   State = "asked"   // the Scenario is being created
	Works   State = "works"   // the store was told; the API server has not noticed yet
	Done    State = "done"    // what is older than that is gone
	Refused State = "refused" // it could not be brought about
)

// Run is one compaction. It is none until it begins.
type Run struct {
	Cache   Cache
	State   State
	Creates call.Exchange // shown to the reader
	Words   string        // how far it is, in the Scenario's own words

	path string // of the Scenario
	call call.Exchange
}

// Offered tells whether a cluster can be told to forget.
func Offered(c discovery.Catalog) bool { return scenario.Offered(c) }

// Begin begins one, unless one is under way.
func (r Run) Begin(frame shell.Model) (Run, []page.Cmd) {
	if r.Busy() || frame.ReadOnly || !Offered(frame.Catalog) {
		return r, nil
	}
	x := call.Exchange{
		ID: create, Cluster: frame.Cluster.Slug, Method: "POST", Path: scenario.Path().String(), Body: r.Cache.scenario(),
		Header: []page.Header{{Name: "Content-Type", Value: "application/json"}, {Name: "Accept", Value: "application/json"}},
	}
	x, cmd := x.Begin()
	return Run{Cache: r.Cache, State: Asked, Creates: x}, []page.Cmd{cmd}
}

// Busy tells whether it is under way.
func (r Run) Busy() bool { return r.State == Asked || r.State == Works }

// Hear takes in what happened; false: it is about something else.
func (r Run) Hear(m page.Msg) (Run, []page.Cmd, bool) {
	if x, mine := r.Creates.Hear(m); mine {
		r.Creates = x
		if x.Done() && r.State == Asked {
			return r.created()
		}
		return r, nil, true
	}
	x, mine := r.call.Hear(m)
	if !mine || r.call.ID == "" {
		return r, nil, false
	}
	r.call = x
	if !x.Done() || x.ID != look || r.State != Works {
		return r, nil, true
	}
	return r.looked()
}

func (r Run) created() (Run, []page.Cmd, bool) {
	made, read := scenario.Read(r.Creates.Kept)
	if !r.Creates.OK() || !read {
		r.State, r.Words = Refused, "Fieldmark gave no answer."
		if no := r.Creates.No(); no != nil {
			r.Words = no.Message
		}
		return r, nil, true
	}
	r.State, r.path = Works, scenario.Named(made.Name).String()
	return r, nil, true
}

// looked takes in how far the Scenario is. Once it holds, or has failed, it is deleted.
func (r Run) looked() (Run, []page.Cmd, bool) {
	now, read := scenario.Read(r.call.Kept)
	if !r.call.OK() || !read {
		return r, nil, true // asked again
	}
	r.Words = now.Words
	switch {
	case now.Holds:
		r.State = Done
	case now.Failed:
		r.State = Refused
	}
	if r.State == Works {
		return r, nil, true
	}
	x, cmd := r.request("DELETE", remove).Begin()
	r.call = x
	return r, []page.Cmd{cmd}, true
}

func (r Run) request(method, id string) call.Exchange {
	return call.Exchange{ID: id, Cluster: r.Creates.Cluster, Method: method, Path: r.path, Header: []page.Header{{Name: "Accept", Value: "application/json"}}}
}

// Tick looks how far it is.
func (r Run) Tick() (Run, []page.Cmd) {
	if r.State != Works || r.call.Under() {
		return r, nil
	}
	x, cmd := r.request("GET", look).Begin()
	r.call = x
	return r, []page.Cmd{cmd}
}
