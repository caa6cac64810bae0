package lesson

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

const managedFields = ".metadata.managedFields"

// changed is the answer with another document; of a stream its last event; one that has none begins with an empty object.
func (a Answer) changed(change func(document any) any) (Answer, bool) {
	document, err := a.document()
	if err != nil {
		document = map[string]any{}
	}
	body, err := json.Marshal(change(document))
	a.Body = body
	return a, err == nil
}

func (s Subject) changed(a Answer, change func(document any, p Path) any) (Answer, bool) {
	p, err := ParsePath(s.Path)
	if err != nil {
		return a, false
	}
	return a.changed(func(document any) any { return change(document, p) })
}

// withInside is the answer with another value of something in its JSON.
func (s Subject) withInside(a Answer, value string) (Answer, bool) {
	switch s.Kind {
	case Count:
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 || n > mostItems {
			return a, false
		}
		return s.changed(a, func(document any, p Path) any { return counted(document, p, n) })
	case Owners:
		return s.changed(a, func(document any, p Path) any { return owned(document, p, names(value)) })
	case Managers:
		return a.changed(func(document any) any { return managed(document, value) })
	}
	return s.changed(a, func(document any, p Path) any { return put(document, p, value) })
}

// names are those between commas.
func names(text string) []string {
	var all []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	return all
}

// counted is the document with a list or map of so many items.
func counted(document any, p Path, n int) any {
	at, _ := p.In(document)
	if fields, isMap := at.(map[string]any); isMap {
		keys := slices.Sorted(maps.Keys(fields))
		made := map[string]any{}
		for i := range n {
			if i < len(keys) {
				made[keys[i]] = fields[keys[i]]
			} else {
				made[fmt.Sprintf("made-up-%d", i)] = "x"
			}
		}
		return put(document, p, made)
	}
	items, _ := at.([]any)
	items = slices.Clone(items[:min(n, len(items))])
	for len(items) < n {
		items = append(items, map[string]any{})
	}
	return put(document, p, items)
}

// put is a document with another value at a path, and what it takes to get there.
func put(document any, p Path, value any) any {
	if len(p) == 0 {
		return value
	}
	e := p[0]
	if e.Field != "" {
		fields, _ := document.(map[string]any)
		fields = maps.Clone(fields)
		if fields == nil {
			fields = map[string]any{}
		}
		fields[e.Field] = put(fields[e.Field], p[1:], value)
		return fields
	}
	items, _ := document.([]any)
	items = slices.Clone(items)
	i := min(e.itemIndex(items), mostItems)
	for len(items) <= i {
		items = append(items, e.item())
	}
	if e.Value == nil || len(p) > 1 { // a set's item is what it is called
		items[i] = put(items[i], p[1:], value)
	}
	return items
}

// itemIndex is where a list has the item that is meant; behind its end, if it has none.
func (e Element) itemIndex(items []any) int {
	if e.Index == nil {
		i := slices.IndexFunc(items, e.is)
		if i < 0 {
			return len(items)
		}
		return i
	}
	i := *e.Index
	if i < 0 {
		i += len(items)
	}
	if i < 0 {
		return len(items)
	}
	return i
}

// item is one that is the item that is meant.
func (e Element) item() any {
	if e.Value != nil {
		return e.Value
	}
	if e.Keys == nil {
		return nil
	}
	return maps.Clone(e.Keys)
}

// dropped is a document without what is at a path.
func dropped(document any, p Path) any {
	if len(p) == 0 {
		return nil
	}
	if _, there := p[:1].In(document); !there {
		return document
	}
	switch at := document.(type) {
	case map[string]any:
		at = maps.Clone(at)
		if len(p) == 1 {
			delete(at, p[0].Field)
		} else {
			at[p[0].Field] = dropped(at[p[0].Field], p[1:])
		}
		return at
	case []any:
		at = slices.Clone(at)
		i := p[0].itemIndex(at)
		switch {
		case len(p) == 1 && p[0].Index != nil && *p[0].Index < 0: // there is always a last one, unless there is none
			return []any{}
		case len(p) == 1 && p[0].Index != nil: // what follows would take its place
			return at[:i]
		case len(p) == 1:
			return slices.Delete(at, i, i+1)
		}
		at[i] = dropped(at[i], p[1:])
		return at
	}
	return document
}

// managed is an object with other entries of managedFields, written as the subject managers has them.
func managed(document any, text string) any {
	var entries []any
	for _, name := range names(text) {
		words := append(strings.Fields(name), "", "")
		entry := claim(words[0], words[1], map[string]any{})
		if words[2] != "" {
			entry["subresource"] = words[2]
		}
		entries = append(entries, entry)
	}
	return withEntries(document, entries)
}

func claim(manager, operation string, fields map[string]any) map[string]any {
	return map[string]any{"manager": manager, "operation": operation, "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": fields}
}

func withEntries(document any, entries []any) any {
	p, err := ParsePath(managedFields)
	if err != nil {
		return document
	}
	return put(document, p, entries)
}

// owned is an object in which a field is there and has these owners.
func owned(document any, p Path, owners []string) any {
	if _, there := p.In(document); !there {
		document = put(document, p, "x")
	}
	var entries []any
	for _, owner := range owners {
		entries = append(entries, claim(owner, "Apply", p.claimed(document)))
	}
	return withEntries(document, entries)
}

// claimed is the path as managedFields writes that it is owned.
func (p Path) claimed(document any) map[string]any {
	if len(p) == 0 {
		return map[string]any{}
	}
	next, _ := p[:1].In(document)
	return map[string]any{p[0].claimed(document): p[1:].claimed(next)}
}

// claimed is an element of a path as a key of managedFields.
func (e Element) claimed(document any) string {
	switch {
	case e.Field != "":
		return "f:" + e.Field
	case e.Keys != nil:
		return "k:" + written(e.Keys)
	case e.Value != nil:
		value, _ := json.Marshal(e.Value) // what a path has is a scalar
		return "v:" + string(value)
	}
	items, _ := document.([]any)
	return "i:" + strconv.Itoa(e.itemIndex(items))
}
