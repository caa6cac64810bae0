// Package aggregated is an aggregated API server, like those of extensions: the
// API server passes on the requests for its group. It is deliberately
// old-fashioned and serves only plain JSON: no Table, no metadata alone, no
// Protobuf, no CBOR, no OpenAPI, no chunks. Such servers exist, and clients must
// work with them.
package aggregated

import (
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The group that this server serves.
const (
	Group   = "legacy.practice.fieldmark.dev"
	Version = "v1"
)

// Object is any object that this server serves. Its spec is a map of short
// texts.
type Object struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              map[string]string `json:"spec,omitempty"`
}

// List is a collection.
type List struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`
	Items           []*Object `json:"items"`
}

// resource is one of the types.
type resource struct {
	name, kind string
	namespaced bool
	verbs      []string
}

// Readings are measurements, at stations. A reading is created and deleted but
// never changed. The stations are always the same, so there is nothing to watch.
var (
	readings = &resource{"readings", "Reading", true, []string{"create", "delete", "get", "list", "watch"}}
	stations = &resource{"stations", "Station", false, []string{"get", "list"}}
	served   = []*resource{readings, stations}
)

func (r *resource) can(verb string) bool {
	for _, v := range r.verbs {
		if v == verb {
			return true
		}
	}
	return false
}

func (r *resource) group() schema.GroupResource {
	return schema.GroupResource{Group: Group, Resource: r.name}
}

func (r *resource) typeMeta(suffix string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: Group + "/" + Version, Kind: r.kind + suffix}
}

// whole is an object with its kind. Objects in a list have no kind; the list has it.
func (r *resource) whole(o *Object) *Object {
	told := *o
	told.TypeMeta = r.typeMeta("")
	return &told
}

// scope is which objects a request is about.
type scope struct {
	resource  *resource
	namespace string // empty: all
	labels    labels.Selector
	fields    fields.Selector
}

func (s scope) has(r *resource, o *Object) bool {
	return r == s.resource && (s.namespace == "" || s.namespace == o.Namespace) &&
		s.labels.Matches(labels.Set(o.Labels)) &&
		s.fields.Matches(fields.Set{"metadata.name": o.Name, "metadata.namespace": o.Namespace})
}

// starter has the objects that exist from the start.
func starter() map[*resource][]*Object {
	named := func(namespace, name string, spec map[string]string) *Object {
		return &Object{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: spec}
	}
	reading := func(station, quantity, value, unit string) *Object {
		o := named("shop", station+"-"+quantity, map[string]string{"station": station, "quantity": quantity, "value": value, "unit": unit})
		o.Labels = map[string]string{"station": station}
		return o
	}
	return map[*resource][]*Object{
		stations: {
			named("", "greenhouse", map[string]string{"place": "among the seedlings"}),
			named("", "warehouse", map[string]string{"place": "above the potting soil"}),
		},
		readings: {
			reading("greenhouse", "humidity", "71", "%"),
			reading("greenhouse", "temperature", "23.4", "°C"),
			reading("warehouse", "temperature", "12.8", "°C"),
		},
	}
}

func versionText(v int64) string { return strconv.FormatInt(v, 10) }
