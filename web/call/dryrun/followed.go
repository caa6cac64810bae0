package dryrun

import (
	"encoding/json"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// Followed is an object as a subscription to it tells of it.
type Followed struct {
	Object object.Object // masked; the last that was seen, where it is gone
	Gone   bool

	gen         uint32
	came, found bool // a state is arriving; the object is in it
}

// Hear takes a message of the subscription in.
func (f *Followed) Hear(m wire.Message) {
	switch m.Type {
	case wire.Rows:
		f.came, f.found = true, f.came && f.found || len(m.Objects) > 0
		for _, text := range m.Objects {
			f.take(text)
		}
	case wire.Synced:
		if (f.came || m.Gen != f.gen) && !(f.came && f.found) {
			f.Gone = true
		}
		f.gen, f.came = m.Gen, false
	case wire.Gap:
		f.came = false
	case wire.Events:
		for _, e := range m.Events {
			f.happen(e)
		}
	}
}

func (f *Followed) happen(e wire.Event) {
	if e.Type != wire.Deleted {
		f.take(e.Object)
		return
	}
	last, err := object.Parse(e.Object)
	if err == nil && last.Meta("uid") != f.Object.Meta("uid") {
		return // one that stood here before
	}
	f.Gone = true
}

func (f *Followed) take(text json.RawMessage) {
	if o, err := object.Parse(text); err == nil {
		f.Take(o)
	}
}

// Take takes in how the object is, as another answer told.
func (f *Followed) Take(o object.Object) { f.Object, f.Gone = o.Masked(), false }
