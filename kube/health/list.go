package health

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/condition"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/object"
)

// List is the response to a Source.
type List struct {
	Source Source
	Items  []Item
	Events []Event
	// Rest is how many objects the list has besides; -1: some, and the server doesn't say how many.
	Rest int64
	// Untold tells that the server sent the objects in place of the Table that was requested. So nobody says how they are.
	Untold bool
}

// Item is one object of a list.
type Item struct {
	Meta  Meta
	Cells map[string]string // by the name of the column in lower case; nil without a Table
	State condition.State   // of Objects
}

// Meta are the parts of an object's metadata that the summary needs. Of managedFields, it has no fields.
type Meta struct {
	Namespace         string            `json:"namespace"`
	Name              string            `json:"name"`
	UID               string            `json:"uid"`
	Generation        int64             `json:"generation"`
	CreationTimestamp time.Time         `json:"creationTimestamp"`
	DeletionTimestamp *time.Time        `json:"deletionTimestamp"`
	Labels            map[string]string `json:"labels"`
	OwnerReferences   []struct {
		Kind       string `json:"kind"`
		Name       string `json:"name"`
		Controller bool   `json:"controller"`
	} `json:"ownerReferences"`
	ManagedFields []manager.Owner `json:"managedFields"`
}

// Event is an Event.
type Event struct {
	About   Ref // without its path
	Group   string
	Version string
	Reason  string
	Message string
	Count   int64
	First   time.Time
	Last    time.Time
	Warning bool
	Part    string // of the object, such as spec.containers{app}
	From    string // the component that reports it
}

type response struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Continue  string `json:"continue"`
		Remaining *int64 `json:"remainingItemCount"`
	} `json:"metadata"`
	Columns []struct {
		Name string `json:"name"`
	} `json:"columnDefinitions"`
	Rows []struct {
		Cells  []any `json:"cells"`
		Object struct {
			Metadata Meta `json:"metadata"`
		} `json:"object"`
	} `json:"rows"`
	Items []json.RawMessage `json:"items"`
}

// Read reads the response to a Source.
func Read(s Source, body []byte) (List, error) {
	var r response
	if err := json.Unmarshal(body, &r); err != nil {
		return List{}, fmt.Errorf("reading a list: %w", err)
	}
	if r.Kind != "Table" && !strings.HasSuffix(r.Kind, "List") {
		return List{}, errors.New("the response is neither a Table nor a list")
	}
	l := List{Source: s, Rest: r.rest(), Untold: s.Form == Table && r.Kind != "Table"}
	for _, row := range r.Rows {
		item := Item{Meta: row.Object.Metadata, Cells: map[string]string{}}
		for i, cell := range row.Cells {
			if i < len(r.Columns) && cell != nil {
				item.Cells[strings.ToLower(r.Columns[i].Name)] = fmt.Sprint(cell)
			}
		}
		l.Items = append(l.Items, item)
	}
	for _, raw := range r.Items {
		if err := l.addItem(raw); err != nil {
			return List{}, fmt.Errorf("reading an object of a list: %w", err)
		}
	}
	return l, nil
}

func (r response) rest() int64 {
	switch {
	case r.Metadata.Remaining != nil:
		return *r.Metadata.Remaining
	case r.Metadata.Continue != "":
		return -1
	default:
		return 0
	}
}

func (l *List) addItem(raw json.RawMessage) error {
	if l.Source.Form < Events {
		var item Item
		var status any
		if err := json.Unmarshal(raw, &struct {
			Metadata *Meta
			Status   *any
		}{&item.Meta, &status}); err != nil {
			return err //nolint:wrapcheck // Read says what was read
		}
		item.State = condition.Of(l.Source.Type.Group, object.Object{Fields: map[string]any{"kind": l.Source.Type.Kind, "status": status}})
		l.Items = append(l.Items, item)
		return nil
	}
	var e struct {
		Metadata Meta `json:"metadata"`
		Involved struct {
			APIVersion string `json:"apiVersion"`
			Kind       string `json:"kind"`
			Namespace  string `json:"namespace"`
			Name       string `json:"name"`
			Part       string `json:"fieldPath"`
		} `json:"involvedObject"`
		Reporter string `json:"reportingComponent"`
		Source   struct {
			Component string `json:"component"`
		} `json:"source"`
		Type    string    `json:"type"`
		Reason  string    `json:"reason"`
		Message string    `json:"message"`
		Count   int64     `json:"count"`
		First   time.Time `json:"firstTimestamp"`
		Last    time.Time `json:"lastTimestamp"`
		Time    time.Time `json:"eventTime"`
		Series  struct {
			Count int64     `json:"count"`
			Last  time.Time `json:"lastObservedTime"`
		} `json:"series"`
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		return err //nolint:wrapcheck // Read says what was read
	}
	group, version, named := strings.Cut(e.Involved.APIVersion, "/")
	if !named {
		group, version = "", group
	}
	l.Events = append(l.Events, Event{
		Group: group, Version: version,
		About:  Ref{Kind: e.Involved.Kind, Namespace: e.Involved.Namespace, Name: e.Involved.Name},
		Reason: e.Reason, Message: e.Message,
		Count: max(e.Count, e.Series.Count, 1),
		First: oldest(e.First, e.Time, e.Metadata.CreationTimestamp),
		Last:  newest(e.Last, e.Time, e.Series.Last, e.Metadata.CreationTimestamp),

		Warning: e.Type == "Warning", Part: e.Involved.Part, From: cmp.Or(e.Source.Component, e.Reporter),
	})
	return nil
}

func newest(times ...time.Time) (last time.Time) {
	for _, t := range times {
		if t.After(last) {
			last = t
		}
	}
	return last
}

// oldest ignores times that aren't known.
func oldest(times ...time.Time) (first time.Time) {
	for _, t := range times {
		if first.IsZero() || !t.IsZero() && t.Before(first) {
			first = t
		}
	}
	return first
}

// ref is an object of the list.
func (l List) ref(m Meta) Ref {
	t := l.Source.Type
	return Ref{Kind: t.Kind, Namespace: m.Namespace, Name: m.Name, Path: apipath.Object(t.Group, t.Version, m.Namespace, t.Resource, m.Name).String()}
}
