package describe

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/health"
	"github.com/fieldmark/fieldmark/kube/reference"
	"github.com/fieldmark/fieldmark/kube/status"
)

// MostRequests is how many requests a description may take, with that for the object itself, and with the watch that follows the object.
const MostRequests = 6

// The bounds of lists.
const (
	mostEvents = 500
	mostPods   = 250
	mostOthers = 500
)

// The requests. That for an object of many has the name of the object after a slash.
const (
	askEvents   = "events"
	askPods     = "pods"
	askClaims   = "claims"
	askClaim    = "claim/"
	askLease    = "lease"
	askSlices   = "slices"
	askServices = "services"
	askClass    = "class"
	askClasses  = "classes"
	askSecret   = "secret/"
	askVolume   = "volume"
)

// Request is one GET.
type Request struct {
	ID, Path, Accept string
	// What names what is read, for sentences about it: "the events".
	What string
}

// Requests are the requests for the other parts, in the order of their importance. With the request for the object, there are at most MostRequests.
func (s Subject) Requests() []Request {
	// The events of an object without a namespace are in the namespace default, or in another one. So all namespaces are searched.
	all := append([]Request{s.list(askEvents, "the events", apipath.Collection("", "v1", s.namespace(), "events"), mostEvents, "fieldSelector", s.Object.EventSelector())},
		s.kind().requests(s)...)
	return all[:min(len(all), MostRequests-1)]
}

// Follows tells whether a watch of the object fits, too.
func (s Subject) Follows() bool { return len(s.Requests())+1 < MostRequests }

// list is a request for a list, with one selector.
func (Subject) list(id, what string, p apipath.Path, limit int, selector, value string) Request {
	query := url.Values{"limit": {strconv.Itoa(limit)}}
	if value != "" {
		query.Set(selector, value)
	}
	return Request{ID: id, What: what, Path: p.String() + "?" + query.Encode(), Accept: accept.JSON}
}

// one is a request for an object of the core group, or of another one; nothing without a name.
func (Subject) one(id, what, path string) []Request {
	if path == "" {
		return nil
	}
	return []Request{{ID: id, What: what, Path: path, Accept: accept.JSON}}
}

// Found is what the responses say, in short.
type Found struct {
	Heard map[string]bool          `json:"heard,omitempty"` // the requests whose response was read, also one that says that there is no such object
	No    map[string]status.Status `json:"no,omitempty"`    // those that were refused; without a code: there was no response
	More  map[string]bool          `json:"more,omitempty"`  // lists that have more than what was read

	Events   []Event              `json:"events,omitempty"`
	Pods     []Pod                `json:"pods,omitempty"`
	Claims   map[string]Claim     `json:"claims,omitempty"`
	Renewed  time.Time            `json:"renewed,omitzero"` // when the kubelet of a node last renewed its lease
	Slices   []reference.Endpoint `json:"slices,omitempty"`
	Services map[string]Service   `json:"services,omitempty"`
	Classes  []Class              `json:"classes,omitempty"`
	Secrets  map[string]string    `json:"secrets,omitempty"` // their types
	Volume   *Volume              `json:"volume,omitempty"`
}

// Event is what happened, as often as it did with these words.
type Event struct {
	Warning bool      `json:"warning,omitempty"`
	Reason  string    `json:"reason"`
	Message string    `json:"message"`
	Part    string    `json:"part,omitempty"` // of the object, such as spec.containers{app}
	From    string    `json:"from,omitempty"` // the component that reports it
	Count   int64     `json:"count"`
	First   time.Time `json:"first"`
	Last    time.Time `json:"last"`
}

// Claim is a PersistentVolumeClaim that a pod mounts.
type Claim struct {
	Phase    string `json:"phase"`
	Class    string `json:"class,omitempty"`
	Capacity string `json:"capacity,omitempty"`
	Volume   string `json:"volume,omitempty"`
}

// Service is a Service that an Ingress leads to.
type Service struct {
	Type  string   `json:"type"`
	Ports []string `json:"ports,omitempty"` // their names and numbers
}

// Class is a StorageClass or an IngressClass.
type Class struct {
	Name        string `json:"name"`
	Default     bool   `json:"default,omitempty"`
	Provisioner string `json:"provisioner,omitempty"` // the controller of an IngressClass
	Binding     string `json:"binding,omitempty"`
	Expands     bool   `json:"expands,omitempty"`
}

// Volume is the PersistentVolume of a claim.
type Volume struct {
	Phase   string `json:"phase"`
	Reclaim string `json:"reclaim,omitempty"`
	Source  string `json:"source,omitempty"`
}

// Refused takes in a refusal. That an object doesn't exist is an answer, and no refusal. A status without a code means that there was no response.
func (f Found) Refused(id string, no status.Status) Found {
	if no.Code == status.CodeNotFound && (strings.Contains(id, "/") || id == askClass || id == askLease || id == askVolume) {
		return f.forget(id).answered(id)
	}
	f.Heard, f.No = without(f.Heard, id), with(f.No, id, no)
	return f
}

// answered notes that the response to a request was read.
func (f Found) answered(id string) Found {
	f.Heard, f.No = with(f.Heard, id, true), without(f.No, id)
	return f
}

// forget deletes what an earlier response said.
func (f Found) forget(id string) Found {
	group, name, _ := strings.Cut(id, "/")
	switch group + "/" {
	case askClaim:
		f.Claims = without(f.Claims, name)
	case askSecret:
		f.Secrets = without(f.Secrets, name)
	case askClass + "/":
		f.Classes = nil
	case askLease + "/":
		f.Renewed = time.Time{}
	case askVolume + "/":
		f.Volume = nil
	}
	return f
}

// list is the response to a request for a list.
type list[T any] struct {
	Metadata struct {
		Continue string `json:"continue"`
	} `json:"metadata"`
	Items []T `json:"items"`
}

// itemsOf reads a list.
func itemsOf[T any](f *Found, id string, body []byte) ([]T, error) {
	var l list[T]
	if err := json.Unmarshal(body, &l); err != nil {
		return nil, fmt.Errorf("reading a list: %w", err)
	}
	if f.More = without(f.More, id); l.Metadata.Continue != "" {
		f.More = with(f.More, id, true)
	}
	return l.Items, nil
}

// Read takes in the body of a response.
func (f Found) Read(id string, body []byte) (Found, error) {
	var err error
	group, name, single := strings.Cut(id, "/")
	if single {
		group += "/"
	}
	switch group {
	case askEvents:
		err = f.readEvents(body)
	case askPods:
		err = f.readPods(body)
	case askSlices:
		err = f.readSlices(body)
	case askServices:
		err = f.readServices(body)
	case askClaims, askClaim:
		err = f.readClaims(id, single, body)
	case askClass, askClasses:
		err = f.readClasses(id, body)
	default:
		err = f.readOther(group, name, body)
	}
	if err != nil {
		return f, err
	}
	return f.answered(id), nil
}

func (f *Found) readEvents(body []byte) error {
	l, err := health.Read(health.Source{Form: health.AllEvents}, body)
	if err != nil {
		return err
	}
	if f.More = without(f.More, askEvents); l.Rest != 0 {
		f.More = with(f.More, askEvents, true)
	}
	f.Events = nil
	for _, e := range l.Events {
		f.Events = addEvent(f.Events, Event{e.Warning, e.Reason, e.Message, e.Part, e.From, e.Count, e.First, e.Last})
	}
	slices.SortStableFunc(f.Events, func(a, b Event) int { return b.Last.Compare(a.Last) })
	return nil
}

// addEvent counts events with the same words as one.
func addEvent(all []Event, e Event) []Event {
	for i := range all {
		same := &all[i]
		if same.Warning != e.Warning || same.Reason != e.Reason || same.Message != e.Message || same.Part != e.Part || same.From != e.From {
			continue
		}
		same.Count += e.Count
		if e.First.Before(same.First) {
			same.First = e.First
		}
		same.Last = later(same.Last, e.Last)
		return all
	}
	return append(all, e)
}

func (f *Found) readPods(body []byte) error {
	items, err := itemsOf[pod](f, askPods, body)
	f.Pods = nil
	for _, p := range items {
		f.Pods = append(f.Pods, p.short())
	}
	return err
}

func (f *Found) readSlices(body []byte) (err error) {
	all, more, err := reference.Endpoints(body)
	if err != nil {
		return err
	}
	if f.Slices, f.More = all, without(f.More, askSlices); more {
		f.More = with(f.More, askSlices, true)
	}
	return nil
}

func (f *Found) readServices(body []byte) error {
	items, err := itemsOf[service](f, askServices, body)
	f.Services = map[string]Service{}
	for _, s := range items {
		short := Service{Type: s.Spec.Type}
		for _, p := range s.Spec.Ports {
			short.Ports = append(short.Ports, p.Name, strconv.Itoa(p.Port))
		}
		f.Services[s.Metadata.Name] = short
	}
	return err
}

func (f *Found) readClaims(id string, single bool, body []byte) error {
	var items []claim
	var err error
	if single {
		items = make([]claim, 1)
		err = json.Unmarshal(body, &items[0])
	} else {
		f.Claims = nil
		items, err = itemsOf[claim](f, id, body)
	}
	if err != nil {
		return fmt.Errorf("reading a claim: %w", err)
	}
	for _, c := range items {
		f.Claims = with(f.Claims, c.Metadata.Name, Claim{
			Phase: c.Status.Phase, Class: c.class(), Capacity: c.Status.Capacity["storage"], Volume: c.Spec.Volume,
		})
	}
	return nil
}

func (f *Found) readClasses(id string, body []byte) error {
	items := make([]class, 1)
	var err error
	if id == askClass {
		err = json.Unmarshal(body, &items[0])
	} else {
		items, err = itemsOf[class](f, id, body)
	}
	if err != nil {
		return fmt.Errorf("reading a class: %w", err)
	}
	f.Classes = nil
	for _, c := range items {
		f.Classes = append(f.Classes, c.short())
	}
	return nil
}

func (f *Found) readOther(group, name string, body []byte) error {
	switch group {
	case askLease:
		var l struct {
			Spec struct {
				Renewed time.Time `json:"renewTime"`
			} `json:"spec"`
		}
		err := json.Unmarshal(body, &l)
		f.Renewed = l.Spec.Renewed
		return err //nolint:wrapcheck // encoding/json says what it reads
	case askVolume:
		var v volume
		err := json.Unmarshal(body, &v)
		f.Volume = v.short()
		return err //nolint:wrapcheck // as above
	case askSecret:
		kind, err := typeOfSecret(body)
		f.Secrets = with(f.Secrets, name, kind)
		return err
	}
	return fmt.Errorf("the response to %q has no reader", group)
}

// typeOfSecret reads the type of a Secret from its Table, which has no values.
func typeOfSecret(body []byte) (string, error) {
	var t struct {
		Kind    string `json:"kind"`
		Columns []struct {
			Name string `json:"name"`
		} `json:"columnDefinitions"`
		Rows []struct {
			Cells []any `json:"cells"`
		} `json:"rows"`
	}
	if err := json.Unmarshal(body, &t); err != nil {
		return "", fmt.Errorf("reading the Table of a Secret: %w", err)
	}
	if t.Kind != "Table" || len(t.Rows) != 1 {
		return "", errors.New("the response isn't the Table of one Secret")
	}
	for i, c := range t.Columns {
		if c.Name == "Type" && i < len(t.Rows[0].Cells) {
			text, _ := t.Rows[0].Cells[i].(string)
			return text, nil
		}
	}
	return "", nil
}

// with is a copy of a map with one more entry. Models are values, so maps are never changed.
func with[V any](m map[string]V, key string, value V) map[string]V {
	m = maps.Clone(m)
	if m == nil {
		m = map[string]V{}
	}
	m[key] = value
	return m
}

func without[V any](m map[string]V, key string) map[string]V {
	if _, has := m[key]; !has {
		return m
	}
	m = maps.Clone(m)
	delete(m, key)
	return m
}

// preferred is the version of a group that the cluster prefers; otherwise is one that all supported versions of Kubernetes serve.
func preferred(c discovery.Catalog, group, resource, otherwise string) string {
	if all := c.Versions(group, resource); len(all) > 0 {
		return all[0].Version
	}
	return otherwise
}
