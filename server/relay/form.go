package relay

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/wire"
)

// form is how objects are asked for, and what of them goes to the page.
type form interface {
	accept() string
	// chunk reads the answer to a list.
	chunk(body []byte, now time.Time) (chunk, error)
	// change reads an event that adds, modifies or deletes. columns are those that it defines, if any.
	change(e watch.Event, now time.Time) (c change, columns []table.Column, err error)
}

// chunk is a part of a list.
type chunk struct {
	columns   []table.Column
	rows      []table.Row
	objects   []json.RawMessage
	version   string
	next      string // token of the next chunk
	remaining *int64 // objects after this chunk, where the server counts them
}

func (c chunk) len() int { return len(c.rows) + len(c.objects) }

// size is that of the i-th row or object, roughly.
func (c chunk) size(i int) int {
	if len(c.objects) > 0 {
		return len(c.objects[i])
	}
	return rowSize(c.rows[i])
}

// fill puts a part of the chunk into a message.
func (c chunk) fill(m *wire.Message, from, to int) {
	if len(c.objects) > 0 {
		m.Objects = c.objects[from:to]
		return
	}
	m.Rows = c.rows[from:to]
}

func formOf(as wire.As, q question) form {
	if as == wire.Object {
		return objects{secrets: q.collection.Group == "" && q.collection.Resource == "secrets"}
	}
	return tables{}
}

// tables are rows as the server prints them.
type tables struct{}

func (tables) accept() string {
	return "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"
}

func (tables) chunk(body []byte, now time.Time) (chunk, error) {
	t, err := table.Parse(body, now)
	if err != nil {
		return chunk{}, err //nolint:wrapcheck // unreadable says what it is about
	}
	return chunk{columns: t.Columns, rows: t.Rows, version: t.ResourceVersion, next: t.Continue, remaining: t.Remaining}, nil
}

func (tables) change(e watch.Event, now time.Time) (change, []table.Column, error) {
	t, err := table.ParseEvent(e.Object, now)
	if err != nil {
		return change{}, nil, err //nolint:wrapcheck // unreadable says what it is about
	}
	if len(t.Rows) != 1 {
		return change{}, nil, errors.New("an event is about one object, and this one has another number of rows")
	}
	row := t.Rows[0]
	c := change{
		key: row.UID, version: row.ResourceVersion, size: rowSize(row),
		event: wire.Event{Type: wire.EventType(e.Type), Row: &row},
	}
	if c.key == "" {
		c.key = row.Namespace + "/" + row.Name
	}
	if c.version == "" {
		c.version = t.ResourceVersion
	}
	return c, t.Columns, nil
}

// rowSize is what a row takes as JSON, roughly.
func rowSize(r table.Row) int {
	n := 200 + len(r.Name) + len(r.Namespace) + len(r.UID)
	for _, c := range r.Cells {
		n += len(c) + 4
	}
	for k, v := range r.Labels {
		n += len(k) + len(v) + 6
	}
	return n
}

// objects are whole, and no secret can be read in them.
type objects struct {
	// secrets says that all of them are Secrets, whatever they say themselves.
	secrets bool
}

func (objects) accept() string { return "application/json" }

func (f objects) chunk(body []byte, _ time.Time) (chunk, error) {
	var l struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Metadata   struct {
			ResourceVersion    string `json:"resourceVersion"`
			Continue           string `json:"continue"`
			RemainingItemCount *int64 `json:"remainingItemCount"`
		} `json:"metadata"`
		Items []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(body, &l); err != nil {
		return chunk{}, err //nolint:wrapcheck // unreadable says what it is about
	}
	kind, isList := strings.CutSuffix(l.Kind, "List")
	if !isList {
		return chunk{}, errors.New("it is no list")
	}
	c := chunk{version: l.Metadata.ResourceVersion, next: l.Metadata.Continue, remaining: l.Metadata.RemainingItemCount}
	for _, item := range l.Items {
		_, text, err := f.whole(item, l.APIVersion, kind)
		if err != nil {
			return chunk{}, err
		}
		c.objects = append(c.objects, text)
	}
	return c, nil
}

func (f objects) change(e watch.Event, _ time.Time) (change, []table.Column, error) {
	o, text, err := f.whole(e.Object, "", "")
	if err != nil {
		return change{}, nil, err
	}
	c := change{
		key: o.Meta("uid"), version: o.Meta("resourceVersion"), size: len(text),
		event: wire.Event{Type: wire.EventType(e.Type), Object: text},
	}
	if c.key == "" {
		c.key = o.Meta("namespace") + "/" + o.Meta("name")
	}
	return c, nil, nil
}

// whole is an object as it goes to the page. The items of a list don't say what they are: the list does.
func (f objects) whole(text []byte, apiVersion, kind string) (object.Object, json.RawMessage, error) {
	o, err := object.Parse(text)
	if err != nil {
		return o, nil, err //nolint:wrapcheck // unreadable says what it is about
	}
	if o.APIVersion() == "" || o.Kind() == "" {
		o.Fields["apiVersion"], o.Fields["kind"] = apiVersion, kind
	}
	if f.secrets {
		o.Fields["apiVersion"], o.Fields["kind"] = "v1", "Secret"
	}
	shown, err := json.Marshal(o.Masked())
	return o, shown, err //nolint:wrapcheck // what was read can be written
}
