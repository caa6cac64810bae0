package follow

import (
	"encoding/json"
	"time"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// State is how an object is, as far as the page has heard.
type State struct {
	Object  object.Object // masked; the last that was seen, where it is gone
	Went    time.Time     // when the page heard of the deletion; zero: the object is there
	Missed  bool          // the object was found to be gone, some time after its deletion
	Renewed bool          // another object of this name was here before

	gone bool
}

// Gone tells whether there is no such object, or no longer.
func (s State) Gone() bool { return s.gone }

// UID is the uid of the object that was seen last.
func (s State) UID() string { return s.Object.Meta("uid") }

// Version is the resource version that was seen last.
func (s State) Version() string { return s.Object.Meta("resourceVersion") }

// Is tells whether two states show the same.
func (s State) Is(other State) bool {
	return s.gone == other.gone && s.Went.Equal(other.Went) && s.UID() == other.UID() && s.Version() == other.Version() && s.Version() != ""
}

// Object is an object that is followed. It is a value.
type Object struct {
	Contact
	State

	gen         uint32 // of the state that is here; 0: none has come since the page is alive
	came, found bool   // a state is arriving; the object is in it
}

// What became of an object.
const (
	Arrives What = iota // a state begins to arrive; versions may be missing before it
	Is                  // this is how the object is now
	Went                // the object was deleted
	Missing             // the object was found to be gone
)

// What names one of these.
type What int

// Change is a part of what a message tells, for pages that keep a record of it.
type Change struct {
	What   What
	Object object.Object   // masked
	Text   json.RawMessage // of an Is: the object as it came
}

// NewObject begins with the state that the page was made of, at the reader's time.
func NewObject(have object.Object, now time.Time) Object {
	return Object{Contact: NewContact(now), State: State{Object: have, gone: have.Fields == nil}}
}

// Hear takes a message of the subscription in, and gives what became of the object, in order.
func (f *Object) Hear(m wire.Message) []Change {
	f.Contact.Hear(m)
	var changes []Change
	switch m.Type {
	case wire.Rows:
		f.came, f.found = true, f.came && f.found || len(m.Objects) > 0
		changes = append(changes, Change{What: Arrives})
		for _, text := range m.Objects {
			changes = append(changes, f.take(text)...)
		}
	case wire.Synced:
		if (f.came || m.Gen != f.gen) && !(f.came && f.found) && !f.gone {
			f.lose(true)
			changes = append(changes, Change{What: Missing, Object: f.Object})
		}
		f.gen, f.came = m.Gen, false
	case wire.Gap:
		f.came = false
	case wire.Events:
		for _, e := range m.Events {
			changes = append(changes, f.happen(e)...)
		}
	}
	return changes
}

func (f *Object) happen(e wire.Event) []Change {
	if e.Type != watch.Deleted {
		return f.take(e.Object)
	}
	last, ok := read(e.Object)
	if ok && last.Meta("uid") != f.UID() || f.gone {
		return nil // one that was here before
	}
	if ok {
		f.Object = last
	}
	f.lose(false)
	return []Change{{What: Went, Object: f.Object}}
}

func (f *Object) take(text json.RawMessage) []Change {
	o, ok := read(text)
	if !ok {
		return nil
	}
	f.Take(o)
	return []Change{{What: Is, Object: o, Text: text}}
}

// Take takes in how the object is, as another response told.
func (f *Object) Take(o object.Object) {
	renewed := f.Renewed || f.UID() != "" && o.Meta("uid") != f.UID()
	f.State = State{Object: o.Masked(), Renewed: renewed}
}

// Lose takes in that the object is gone, as another response told.
func (f *Object) Lose() {
	if !f.gone {
		f.lose(false)
	}
}

func (f *Object) lose(missed bool) { f.Went, f.Missed, f.gone = f.now, missed, true }

// Connect takes the socket's state in. A state that was arriving over a connection that broke is asked for again, from its beginning.
func (f *Object) Connect(to page.Connection) {
	f.Contact.Connect(to)
	if to.State != page.Open && to.State != page.Silent {
		f.came = false
	}
}

// Heard tells whether a state has come since the page is alive.
func (f *Object) Heard() bool { return f.gen > 0 }

// Resumes goes on with what another page has heard of the same object, unless a state of it was arriving, or it is gone.
func (f *Object) Resumes(from Object) bool {
	if from.gen == 0 || from.came || from.gone {
		return false
	}
	f.gen, f.State = from.gen, from.State
	return true
}

// read reads an object. The server has read it before us, and masked it; that it is masked here, too, costs nothing. A Status is none.
func read(text json.RawMessage) (object.Object, bool) {
	o, err := object.Parse(text)
	return o.Masked(), err == nil && o.Kind() != "Status"
}
