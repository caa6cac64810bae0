package relay

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/follow"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// form is the representation in which objects are requested, and what the page gets of them.
type form interface {
	accept() string
	// chunk reads the response to a list request.
	chunk(body []byte, now time.Time) (chunk, error)
	// change reads an event that adds, modifies or deletes. columns are the columns that the event defines, if any.
	change(e watch.Event, now time.Time) (c change, columns []table.Column, err error)
	// columns are the columns that an event of any type defines, if any.
	columns(e watch.Event) ([]table.Column, error)
}

// item is an object as pages get it. It is immutable: each change of the object makes a new item.
type item struct {
	key     string // identifies the object
	rank    string // its position in a list
	version string
	row     string          // its JSON in rows and in events; empty if pages get whole objects
	object  json.RawMessage // the whole object; nil if pages get rows
}

// size is roughly the memory of an item, in bytes.
func (i *item) size() int {
	return itemOverhead + len(i.key) + len(i.rank) + len(i.version) + len(i.row) + len(i.object)
}

const itemOverhead = 150

// change is one event of a watch, for pages.
type change struct {
	kind    watch.Type
	item    *item
	version string // of the event
	size    int    // roughly, in bytes
}

// chunk is a part of a list.
type chunk struct {
	columns   []table.Column
	items     []*item
	version   string
	next      string // token of the next chunk
	remaining *int64 // objects after this chunk, where the server counts them
}

func formOf(as wire.As, q follow.Question) form {
	if as == wire.Object {
		return objects{secrets: q.Collection.OfSecrets()}
	}
	if q.Whole {
		j := table.Judged{Group: q.Collection.Group}
		return tables{parse: j.Parse, parseEvent: j.ParseEvent, eventColumns: j.EventColumns}
	}
	return tables{parse: table.Parse, parseEvent: table.ParseEvent, eventColumns: table.EventColumns}
}

// tables is the form in which the server prints objects as rows.
type tables struct {
	parse, parseEvent func([]byte, time.Time) (table.Table, error)
	eventColumns      func([]byte) ([]table.Column, error)
}

func (tables) accept() string {
	return accept.Table + accept.OrJSON
}

func (f tables) chunk(body []byte, now time.Time) (chunk, error) {
	t, err := f.parse(body, now)
	if err != nil {
		return chunk{}, err
	}
	c := chunk{columns: t.Columns, version: t.ResourceVersion, next: t.Continue, remaining: t.Remaining, items: make([]*item, len(t.Rows))}
	for i := range t.Rows {
		c.items[i] = itemOf(&t.Rows[i])
	}
	return c, nil
}

func (f tables) columns(e watch.Event) ([]table.Column, error) {
	return f.eventColumns(e.Object)
}

func itemOf(r *table.Row) *item {
	i := &item{key: r.UID, rank: rank(r.Namespace, r.Name), version: r.ResourceVersion, row: r.Line()}
	if i.key == "" {
		i.key = r.Namespace + "/" + r.Name
	}
	return i
}

// nameless is the key of an object without a uid and a name.
const nameless = "/"

// rank is the key by which API servers sort lists.
func rank(namespace, name string) string { return namespace + "\x00" + name }

func (f tables) change(e watch.Event, now time.Time) (change, []table.Column, error) {
	t, err := f.parseEvent(e.Object, now)
	if err != nil {
		return change{}, nil, err
	}
	if len(t.Rows) != 1 {
		return change{}, nil, errors.New("an event must have exactly one row")
	}
	i := itemOf(&t.Rows[0])
	return change{kind: e.Type, item: i, version: cmp.Or(i.version, t.ResourceVersion), size: len(i.row)}, t.Columns, nil
}

// objects is the form with whole objects. Values of Secrets are masked.
type objects struct {
	// secrets says that all objects are Secrets, even if their kind says otherwise.
	secrets bool
}

func (objects) accept() string { return accept.JSON }

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
		return chunk{}, fmt.Errorf("reading the list: %w", err)
	}
	kind, isList := strings.CutSuffix(l.Kind, "List")
	if !isList {
		return chunk{}, errors.New("it is not a list")
	}
	c := chunk{version: l.Metadata.ResourceVersion, next: l.Metadata.Continue, remaining: l.Metadata.RemainingItemCount}
	for _, item := range l.Items {
		read, err := f.item(item, l.APIVersion, kind)
		if err != nil {
			return chunk{}, err
		}
		c.items = append(c.items, read)
	}
	return c, nil
}

func (objects) columns(watch.Event) ([]table.Column, error) { return nil, nil }

func (f objects) change(e watch.Event, _ time.Time) (change, []table.Column, error) {
	i, err := f.item(e.Object, "", "")
	if err != nil {
		return change{}, nil, err
	}
	return change{kind: e.Type, item: i, version: i.version, size: len(i.object)}, nil, nil
}

// item masks an object for the page. The objects in a list have no kind, so they get that of the list.
func (f objects) item(text []byte, apiVersion, kind string) (*item, error) {
	o, err := object.Parse(text)
	if err != nil {
		return nil, err
	}
	if o.Kind() == "" {
		o.Fields["apiVersion"], o.Fields["kind"] = apiVersion, kind
	}
	if f.secrets {
		o.Fields["apiVersion"], o.Fields["kind"] = "v1", "Secret"
	}
	shown, err := json.Marshal(o.Masked())
	if err != nil {
		return nil, err
	}
	i := &item{key: o.Meta("uid"), rank: rank(o.Meta("namespace"), o.Meta("name")), version: o.Meta("resourceVersion"), object: shown}
	if i.key == "" {
		i.key = o.Meta("namespace") + "/" + o.Meta("name")
	}
	return i, nil
}
