// Package object reads the common parts of Kubernetes objects from JSON: identity, metadata, owners, conditions. It masks values that a
// screen must not show until the reader asks for them.
package object

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// Object is one object, as the server sent it. Numbers are json.Number, so they aren't rounded.
type Object struct {
	Fields map[string]any
}

// Parse reads one JSON object.
func Parse(data []byte) (Object, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var fields map[string]any
	if err := d.Decode(&fields); err != nil {
		return Object{}, fmt.Errorf("reading the object: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Object{}, errors.New("reading the object: there is more text after its end")
	}
	if fields == nil {
		return Object{}, errors.New("reading the object: the document is null")
	}
	if deeper(fields, maxDepth) {
		return Object{}, fmt.Errorf("reading the object: its values are nested more than %d levels deep", maxDepth)
	}
	return Object{Fields: fields}, nil
}

// UnmarshalJSON reads the output of MarshalJSON. Numbers keep all their digits.
func (o *Object) UnmarshalJSON(data []byte) (err error) {
	if string(data) == "null" { // MarshalJSON writes this for an Object without fields
		return nil
	}
	*o, err = Parse(data)
	return err
}

// MarshalJSON writes the object itself.
func (o Object) MarshalJSON() ([]byte, error) { return json.Marshal(o.Fields) }

// maxDepth is the largest number of levels in an object. Real objects have fewer than 40. The indented text of n levels takes memory in
// the order of n² (threat: oversized input).
const maxDepth = 200

func deeper(v any, levels int) bool {
	if levels < 0 {
		return true
	}
	switch v := v.(type) {
	case map[string]any:
		for _, child := range v {
			if deeper(child, levels-1) {
				return true
			}
		}
	case []any:
		for _, child := range v {
			if deeper(child, levels-1) {
				return true
			}
		}
	}
	return false
}

// OwnerReference is one entry of metadata.ownerReferences.
type OwnerReference struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	UID        string `json:"uid"`
	Controller bool   `json:"controller,omitempty"`
	Blocks     bool   `json:"blocks,omitempty"` // blockOwnerDeletion
}

// Condition is one entry of status.conditions.
type Condition struct {
	Type       string    `json:"type"`
	Status     string    `json:"status"` // True, False or Unknown
	Reason     string    `json:"reason,omitempty"`
	Message    string    `json:"message,omitempty"`
	Transition time.Time `json:"transition"`
}

// APIVersion is the object's apiVersion, such as apps/v1.
func (o Object) APIVersion() string { return textValue(o.Fields["apiVersion"]) }

// Kind is the object's kind.
func (o Object) Kind() string { return textValue(o.Fields["kind"]) }

// Meta is a string of the metadata, such as name, namespace, uid or resourceVersion. It is empty if there is none.
func (o Object) Meta(key string) string { return textValue(o.metadata()[key]) }

// Created is the creation time; zero if there is none.
func (o Object) Created() time.Time { return moment(o.metadata()["creationTimestamp"]) }

// Deleted returns the deletion timestamp of an object that is being deleted; zero for any other.
func (o Object) Deleted() time.Time { return moment(o.metadata()["deletionTimestamp"]) }

// Labels are the labels as sorted key=value pairs.
func (o Object) Labels() []string { return pairs(o.metadata()["labels"]) }

// Finalizers are the finalizers. A deletion waits until all are removed.
func (o Object) Finalizers() []string {
	var names []string
	for _, f := range listValue(o.metadata()["finalizers"]) {
		names = append(names, textValue(f))
	}
	return names
}

// OwnerReferences are the owner references, in the object's order.
func (o Object) OwnerReferences() []OwnerReference {
	var owners []OwnerReference
	for _, entry := range listValue(o.metadata()["ownerReferences"]) {
		r := fields(entry)
		owners = append(owners, OwnerReference{
			APIVersion: textValue(r["apiVersion"]),
			Kind:       textValue(r["kind"]),
			Name:       textValue(r["name"]),
			UID:        textValue(r["uid"]),
			Controller: r["controller"] == true,
			Blocks:     r["blockOwnerDeletion"] == true,
		})
	}
	return owners
}

// Conditions are the entries of status.conditions, in the object's order. Entries without a type are left out.
func (o Object) Conditions() []Condition {
	var conditions []Condition
	for _, entry := range listValue(fields(o.Fields["status"])["conditions"]) {
		c := fields(entry)
		if textValue(c["type"]) == "" {
			continue
		}
		conditions = append(conditions, Condition{
			Type:       textValue(c["type"]),
			Status:     textValue(c["status"]),
			Reason:     textValue(c["reason"]),
			Message:    textValue(c["message"]),
			Transition: moment(c["lastTransitionTime"]),
		})
	}
	return conditions
}

// EventSelector is the field selector for events about the object. It selects by uid. Kubelets write a node's name in place of its uid, so
// a node is selected by name, and so is an object without a uid.
func (o Object) EventSelector() string {
	if uid := o.Meta("uid"); uid != "" && (o.Kind() != "Node" || o.APIVersion() != "v1") {
		return "involvedObject.uid=" + uid
	}
	return "involvedObject.kind=" + o.Kind() + ",involvedObject.name=" + o.Meta("name")
}

// ManagedFields is the number of entries in managedFields.
func (o Object) ManagedFields() int { return len(listValue(o.metadata()["managedFields"])) }

// WithoutManagedFields returns a copy without managedFields, which are often longer than the rest of the object.
func (o Object) WithoutManagedFields() Object {
	if o.ManagedFields() == 0 {
		return o
	}
	metadata := maps.Clone(o.metadata())
	delete(metadata, "managedFields")
	copied := maps.Clone(o.Fields)
	copied["metadata"] = metadata
	return Object{Fields: copied}
}

func (o Object) metadata() map[string]any { return fields(o.Fields["metadata"]) }

func fields(v any) map[string]any { m, _ := v.(map[string]any); return m }

func listValue(v any) []any { l, _ := v.([]any); return l }

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

func moment(v any) time.Time {
	t, err := time.Parse(time.RFC3339Nano, textValue(v))
	if err != nil {
		return time.Time{}
	}
	return t
}

func pairs(v any) []string {
	var all []string
	for k, value := range fields(v) {
		all = append(all, k+"="+textValue(value))
	}
	slices.SortFunc(all, strings.Compare)
	return all
}
