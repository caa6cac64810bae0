package ownership

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manager"
)

// The operations by which a manager becomes an owner of fields.
const (
	Apply  = manager.Apply
	Update = manager.Update
)

// Manager owns fields.
type Manager = manager.Manager

// ParseKey is the manager that a key names; see Manager.Key.
func ParseKey(key string) (Manager, bool) { return manager.ParseKey(key) }

// Owner is a manager, with the time when its entry was last written.
type Owner = manager.Owner

// Entry is an entry of managedFields.
type Entry struct {
	Owner
	Index  int // its position in managedFields
	claims *claim
	size   int // number of nodes in the tree of claims, without the root
}

// Record is the content of managedFields.
type Record struct {
	Entries []Entry // Apply first, then by time, as the server sorts them
	// Unreadable are entries, and keys in entries, that can't be read. The rest of such an entry is still used.
	Unreadable []Lost
}

// Parse reads the managedFields of a decoded object. It never fails. It lists what it can't read, with the reason.
func Parse(object map[string]any) Record { return new(Reader).Parse(object) }

// Reader reads the managedFields of many objects. It remembers keys, so it reads faster if the objects have the same keys, such as
// versions of one object.
type Reader struct{ keys map[string]known }

// maxKeys is how many keys are remembered from one object to the next.
const maxKeys = 4096

// Parse is like the function Parse.
func (reader *Reader) Parse(object map[string]any) Record {
	if reader.keys == nil || len(reader.keys) > maxKeys {
		reader.keys = map[string]known{}
	}
	metadata, _ := object["metadata"].(map[string]any)
	var r Record
	switch all := metadata["managedFields"].(type) {
	case nil:
	case []any:
		p := parser{keys: reader.keys}
		for i, v := range all {
			p.entry(&r, i, v)
		}
	default:
		r.Unreadable = []Lost{{Entry: -1, Reason: Unreadable, Detail: "managedFields is not a list"}}
	}
	slices.SortStableFunc(r.Entries, earlier)
	return r
}

func earlier(a, b Entry) int {
	return cmp.Or(
		cmp.Compare(rank(a.Operation), rank(b.Operation)),
		a.Written().Compare(b.Written()),
	)
}

func rank(operation string) int {
	if operation == Apply {
		return 0
	}
	return 1
}

func (p *parser) entry(r *Record, i int, v any) {
	fields, ok := v.(map[string]any)
	if !ok {
		r.Unreadable = append(r.Unreadable, Lost{Entry: i, Reason: Unreadable, Detail: "the entry is not an object"})
		return
	}
	e := Entry{Owner: ownerOf(fields), Index: i}
	refuse := func(why string) {
		r.Unreadable = append(r.Unreadable, Lost{Owner: e.Owner, Entry: i, Reason: Unreadable, Detail: why})
	}
	if e.Operation != Apply && e.Operation != Update {
		refuse("the operation is neither Apply nor Update")
	}
	if kind := textValue(fields["fieldsType"]); kind != "FieldsV1" {
		refuse("fieldsType is not FieldsV1")
	}
	set, ok := fields["fieldsV1"].(map[string]any)
	if !ok && fields["fieldsV1"] != nil {
		refuse("fieldsV1 is not an object")
	}
	p.owner, p.index, p.size, p.lost = e.Owner, i, 0, &r.Unreadable
	e.claims = p.readClaims(set)
	e.size = p.size
	r.Entries = append(r.Entries, e)
}

func ownerOf(entry map[string]any) Owner {
	return Owner{Time: textValue(entry["time"]), Manager: Manager{
		Name:        textValue(entry["manager"]),
		Operation:   textValue(entry["operation"]),
		Subresource: textValue(entry["subresource"]),
		APIVersion:  textValue(entry["apiVersion"]),
	}}
}

func textValue(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	default:
		return ""
	}
}

// Versions returns the API versions of the entries, sorted. If the server no longer knows one, it drops that version's claims at the
// next write, but only for built-in types. Custom resources keep them; an apply can fail then (500, seen on a 1.37 server).
func (r Record) Versions() []string {
	var all []string
	for _, e := range r.Entries {
		all = append(all, e.APIVersion)
	}
	slices.SortFunc(all, strings.Compare)
	return slices.Compact(all)
}

// Managers returns all owners, in the order of Entries.
func (r Record) Managers() []Owner {
	all := make([]Owner, 0, len(r.Entries))
	for _, e := range r.Entries {
		all = append(all, e.Owner)
	}
	return all
}
