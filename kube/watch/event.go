package watch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/walk"
)

// Type is the type of a watch event.
type Type string

// The types of event.
const (
	Added    Type = "ADDED"
	Modified Type = "MODIFIED"
	Deleted  Type = "DELETED"
	Bookmark Type = "BOOKMARK" // there are no other changes up to the object's version
	Error    Type = "ERROR"    // the object is a Status, and the watch ends
)

// Event is one line of a watch.
type Event struct {
	Type Type
	// Object is the object, a Table of one row, or a Status, as the server sent it.
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

// SplitEvent reads one line of a watch as ParseEvent does, for callers that decode the object themselves. If an object was added,
// modified or deleted, its text isn't checked, and it stays a part of the line.
func SplitEvent(line []byte) (Event, error) {
	var e Event
	end := walk.Members(line, func(name, _, value []byte) {
		switch string(name) {
		case "type":
			e.Type = Type(walk.Word(value))
		case "object":
			e.Object = value
		}
	})
	whole := end > 0 && len(bytes.TrimSpace(line[end:])) == 0 && len(e.Object) > 0 && e.Object[0] == '{'
	if whole && (e.Type == Added || e.Type == Modified || e.Type == Deleted) {
		return e, nil
	}
	return ParseEvent(line)
}

// Version is the resource version of the event's object. If the object is a Table, it is that of the row's object. It is empty if there
// is none.
func (e Event) Version() string { return e.Head().Version }

// EndsInitialState tells whether a bookmark marks the end of the whole state that a watch began with.
func (e Event) EndsInitialState() bool { return e.Head().EndsInitialState }

const initialEventsEnd = "k8s.io/initial-events-end"

// Head is the identity of an event's object, read in one pass. If the object is a Table, it is the identity of the last row's object.
type Head struct {
	Kind, APIVersion     string // of the event's object itself
	Namespace, Name, UID string
	Version              string
	EndsInitialState     bool
}

// Head reads the Head. Fields that are missing or can't be read are empty.
func (e Event) Head() Head {
	var w struct {
		Kind       string   `json:"kind"`
		APIVersion string   `json:"apiVersion"`
		Metadata   metadata `json:"metadata"`
		Rows       []struct {
			Object struct {
				Metadata metadata `json:"metadata"`
			} `json:"object"`
		} `json:"rows"`
	}
	if err := json.Unmarshal(e.Object, &w); err != nil {
		return Head{}
	}
	of := w.Metadata
	ends := of.Annotations[initialEventsEnd] == "true"
	if n := len(w.Rows); n > 0 {
		row := w.Rows[n-1].Object.Metadata
		ends = ends || row.Annotations[initialEventsEnd] == "true"
		if row.ResourceVersion == "" {
			row.ResourceVersion = of.ResourceVersion
		}
		of = row
	}
	return Head{
		Kind: w.Kind, APIVersion: w.APIVersion, Namespace: of.Namespace, Name: of.Name, UID: of.UID, Version: of.ResourceVersion,
		EndsInitialState: e.Type == Bookmark && ends,
	}
}

type metadata struct {
	Namespace       string            `json:"namespace"`
	Name            string            `json:"name"`
	UID             string            `json:"uid"`
	ResourceVersion string            `json:"resourceVersion"`
	Annotations     map[string]string `json:"annotations"`
}

// Status reads the object of an Error. Its code is never 0, because 0 means no error.
func (e Event) Status() status.Status {
	s := status.Parse(0, e.Object)
	if s.Code <= 0 {
		s.Code = unknownTrouble
	}
	return s
}

// unknownTrouble is the code of an error that has none. A request with this code is sent again.
const unknownTrouble = 500
