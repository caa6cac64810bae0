package watch

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/fieldmark/fieldmark/kube/status"
)

// Type is what an event of a watch says.
type Type string

// The types of event.
const (
	Added    Type = "ADDED"
	Modified Type = "MODIFIED"
	Deleted  Type = "DELETED"
	Bookmark Type = "BOOKMARK" // nothing else happened up to the object's version
	Error    Type = "ERROR"    // the object is a Status, and the watch ends
)

// Event is one line of a watch.
type Event struct {
	Type Type
	// Object is the object, a Table of one row, or a Status, as it was sent.
	Object json.RawMessage
}

// ParseEvent reads one line of a watch.
func ParseEvent(line []byte) (Event, error) {
	var w struct {
		Type   Type            `json:"type"`
		Object json.RawMessage `json:"object"`
	}
	if err := json.Unmarshal(line, &w); err != nil {
		return Event{}, fmt.Errorf("reading an event: %w", err)
	}
	switch w.Type {
	case Added, Modified, Deleted, Bookmark, Error:
	default:
		return Event{}, fmt.Errorf("reading an event: its type is %.32q", w.Type)
	}
	if len(w.Object) == 0 || w.Object[0] != '{' {
		return Event{}, errors.New("reading an event: it has no object")
	}
	return Event{Type: w.Type, Object: w.Object}, nil
}

// Version is the version of the event's object: of the row's, where the object is a Table. It is empty where
// the object has none.
func (e Event) Version() string {
	row, whole := e.metadata()
	if row.ResourceVersion != "" {
		return row.ResourceVersion
	}
	return whole.ResourceVersion
}

// EndsInitialState tells whether a bookmark marks the end of the whole state that a watch began with.
func (e Event) EndsInitialState() bool {
	row, whole := e.metadata()
	return e.Type == Bookmark && (row.Annotations[initialEventsEnd] == "true" || whole.Annotations[initialEventsEnd] == "true")
}

const initialEventsEnd = "k8s.io/initial-events-end"

// metadata is that of the object of the last row, where the event's object is a Table, and that of the object.
func (e Event) metadata() (row, whole metadata) {
	var w struct {
		Metadata metadata `json:"metadata"`
		Rows     []struct {
			Object struct {
				Metadata metadata `json:"metadata"`
			} `json:"object"`
		} `json:"rows"`
	}
	if err := json.Unmarshal(e.Object, &w); err != nil {
		return metadata{}, metadata{}
	}
	if n := len(w.Rows); n > 0 {
		row = w.Rows[n-1].Object.Metadata
	}
	return row, w.Metadata
}

type metadata struct {
	ResourceVersion string            `json:"resourceVersion"`
	Annotations     map[string]string `json:"annotations"`
}

// Status reads the object of an Error. Its code is never 0, which would mean that nothing is wrong.
func (e Event) Status() status.Status {
	s := status.Parse(0, e.Object)
	if s.Code <= 0 {
		s.Code = unknownTrouble
	}
	return s
}

// unknownTrouble is the code of an error that has none: it may pass.
const unknownTrouble = 500
