package follow

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// State is the state of an object, as far as the page knows.
type State struct {
	Object  object.Object // without secrets; the last known version if the object is deleted
	Went    time.Time     // when the page learned of the deletion; zero: the object exists
	Missed  bool          // the page learned of the deletion later, from a state without the object
	Renewed bool          // before, another object had this name

	gone bool
}

// Gone tells whether the object doesn't exist, or no longer exists.
func (s State) Gone() bool { return s.gone }

// UID is the uid of the last known version.
func (s State) UID() string { return s.Object.Meta("uid") }

// Version is the resource version of the last known version.
func (s State) Version() string { return s.Object.Meta("resourceVersion") }

// Is tells whether two states show the same.
func (s State) Is(other State) bool {
	return s.gone == other.gone && s.Went.Equal(other.Went) && s.UID() == other.UID() && s.Version() == other.Version() && s.Version() != ""
}

// Object is an object that is followed. It is a value.
type Object struct {
	Contact
	State

	heard       int    // changes that the subscription has told
	asked       int    // heard, when another request for the object left
	gen         uint32 // generation of the state; 0: none has arrived yet
	came, found bool   // a state is arriving; it has the object
}

// What happens to an object.
const (
	Arrives What = iota // a state begins to arrive; versions before it may be missing
	Is                  // the object has this version now
	Went                // the object was deleted
	Missing             // a state arrived without the object, so it was deleted before
)

// What is one of the things that happen.
type What int

// Change is one of the things that a message reports, for pages that keep a history.
type Change struct {
	What   What
	Object object.Object   // without secrets
	Text   json.RawMessage // for Is: the object as it arrived
}

// NewObject begins with the version that the server made the page with. If it has no fields, the object doesn't exist.
func NewObject(have object.Object, now time.Time) Object {
	return Object{Contact: NewContact(now), State: State{Object: have, gone: have.Fields == nil}}
}

// Hear takes in a message of the subscription, and returns what happened to the object, in order.
func (f *Object) Hear(m wire.Message) []Change {
	f.Contact.Hear(m)
	var changes []Change
	switch m.Type {
	case wire.Rows:
		f.came, f.found = true, f.came && f.found || len(m.Objects) > 0
		changes = append(changes, Change{What: Arrives})
		for _, text := range m.Objects {
			changes = append(changes, f.adoptObject(text)...)
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
	f.heard += len(changes)
	return changes
}

func (f *Object) happen(e wire.Event) []Change {
	if e.Type != watch.Deleted {
		return f.adoptObject(e.Object)
	}
	last, ok := parseObject(e.Object)
	if ok && last.Meta("uid") != f.UID() || f.gone {
		return nil // a former object of this name
	}
	if ok {
		f.Object = last
	}
	f.lose(false)
	return []Change{{What: Went, Object: f.Object}}
}

func (f *Object) adoptObject(text json.RawMessage) []Change {
	o, ok := parseObject(text)
	if !ok {
		return nil
	}
	f.adopt(o)
	return []Change{{What: Is, Object: o, Text: text}}
}

// Ask says that another request for the object leaves.
func (f *Object) Ask() { f.asked = f.heard }

// Overtaken tells whether the subscription has told of the object since Ask. The answer to that request may be older.
func (f *Object) Overtaken() bool { return f.heard != f.asked }

// Take takes in the object from another response, unless the subscription has told of it since Ask, and the response isn't known to be newer.
func (f *Object) Take(o object.Object) {
	if f.Live() && f.Overtaken() && !object.Older(f.Version(), o.Meta("resourceVersion")) {
		return
	}
	f.adopt(o)
}

func (f *Object) adopt(o object.Object) {
	renewed := f.Renewed || f.UID() != "" && o.Meta("uid") != f.UID()
	f.State = State{Object: o.Masked(), Renewed: renewed}
}

// Lose takes in from another response that the object is deleted.
func (f *Object) Lose() {
	if !f.gone {
		f.lose(false)
	}
}

func (f *Object) lose(missed bool) { f.Went, f.Missed, f.gone = f.now, missed, true }

// Connect takes in the state of the socket. If the connection broke while a state was arriving, the state will arrive again from its beginning.
func (f *Object) Connect(to page.Connection) {
	f.Contact.Connect(to)
	if to.State != page.Open && to.State != page.Silent {
		f.came = false
	}
}

// Liveness is the contact in words. An object has no rows.
func (f Object) Liveness(have, left int64) components.Liveness {
	l := f.Contact.Liveness(have, left)
	l.Words = strings.Replace(l.Words, rowsAsOf, objectAsOf, 1)
	return l
}

// Heard tells whether the subscription has brought a state.
func (f *Object) Heard() bool { return f.gen > 0 }

// Resumes takes over the state of the same object from another page. It returns false if that page has no complete state, or if the object is
// deleted.
func (f *Object) Resumes(from Object) bool {
	if from.gen == 0 || from.came || from.gone {
		return false
	}
	f.gen, f.State = from.gen, from.State
	return true
}

// parseObject reads an object. The server has masked its secrets already, and read masks them again to be sure. A Status is not an object.
func parseObject(text json.RawMessage) (object.Object, bool) {
	o, err := object.Parse(text)
	return o.Masked(), err == nil && o.Kind() != "Status"
}
