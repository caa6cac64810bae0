// Package ownershiptest is a second opinion about managedFields for tests: it reads them with structured-merge-diff alone, which the API server itself uses, and
// finds values the plain way.
package ownershiptest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v4/value"

	"github.com/fieldmark/fieldmark/kube/manager"
)

// Claimed are the paths that a manager claims in a decoded object, and whether the object has a value there.
func Claimed(object map[string]any, m manager.Manager) (map[string]bool, error) {
	metadata, _ := object["metadata"].(map[string]any)
	entries, _ := metadata["managedFields"].([]any)
	for _, one := range entries {
		entry, _ := one.(map[string]any)
		subresource, _ := entry["subresource"].(string)
		if entry["manager"] != m.Name || entry["operation"] != m.Operation || subresource != m.Subresource || entry["apiVersion"] != m.APIVersion {
			continue
		}
		text, err := json.Marshal(entry["fieldsV1"])
		if err != nil {
			return nil, fmt.Errorf("writing fieldsV1: %w", err)
		}
		set := &fieldpath.Set{}
		if err := set.FromJSON(bytes.NewReader(text)); err != nil {
			return nil, fmt.Errorf("reading fieldsV1: %w", err)
		}
		all := map[string]bool{}
		set.Iterate(func(p fieldpath.Path) { all[p.String()] = there(object, p) })
		return all, nil
	}
	return nil, fmt.Errorf("managedFields has no %+v", m)
}

// there tells whether a value has something at the path.
func there(v any, path fieldpath.Path) bool {
	if len(path) == 0 {
		return true
	}
	e := path[0]
	if e.FieldName != nil {
		fields, _ := v.(map[string]any)
		below, ok := fields[*e.FieldName]
		return ok && there(below, path[1:])
	}
	items, _ := v.([]any)
	for i, item := range items {
		if fits(e, i, item) && there(item, path[1:]) {
			return true
		}
	}
	return false
}

// fits tells whether an item of a list is the one that a path names.
func fits(e fieldpath.PathElement, i int, item any) bool {
	switch {
	case e.Index != nil:
		return *e.Index == i
	case e.Value != nil:
		return same(*e.Value, item)
	}
	fields, _ := item.(map[string]any)
	for _, key := range *e.Key {
		if have, ok := fields[key.Name]; !ok || !same(key.Value, have) {
			return false
		}
	}
	return true
}

func same(want value.Value, have any) bool {
	text, err := json.Marshal(have)
	return err == nil && strings.TrimSpace(value.ToString(want)) == string(text)
}
