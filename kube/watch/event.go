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
	var w struct {
		Metadata metadata `json:"metadata"`
		Rows     []struct {
			Object struct {
				Metadata metadata `json:"metadata"`
			} `json:"object"`
		} `json:"rows"`
	}
	if err := json.Unmarshal(e.Object, &w); err != nil {
		return ""
	}
	if n := len(w.Rows); n > 0 && w.Rows[n-1].Object.Metadata.ResourceVersion != "" {
		return w.Rows[n-1].Object.Metadata.ResourceVersion
	}
	return w.Metadata.ResourceVersion
}

type metadata struct {
	ResourceVersion string `json:"resourceVersion"`
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
