// Package report has the result of a census of a cluster's field managers, as values to show, export and compare. Package census counts them.
//
// A census reads only the metadata of objects: who owns how many fields of which types is in managedFields. An entry there has the time of its
// last write, and nothing of earlier ones.
package report

import (
	"time"

	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/manager/writer"
)

// APIVersion and Kind begin an export. A reader refuses others.
const (
	APIVersion = "fieldmark.dev/v1"
	Kind       = "Census"
)

// Cap is how many Update entries the server keeps of one object. If there are more, it merges the oldest ones.
const Cap = 10

// Phase is how a census is doing.
type Phase string

// The phases.
const (
	Reading Phase = "reading"
	Done    Phase = "done"
	Stopped Phase = "stopped" // the reader stopped it; what was read stays
	Failed  Phase = "failed"  // no type could be read
)

// State is how a type is doing.
type State string

// The states of a type.
const (
	Waiting State = "waiting" // for its turn
	Arrives State = "reading" // its objects arrive
	Read    State = "read"
	Partly  State = "partly"  // the reading ended early: it was stopped, or the server no longer had the rest of the list
	Refused State = "refused" // the API server refused to list it, or doesn't list its metadata
)

// Report is a census: the managers, the types, and a cell for each pair of them that has fields.
type Report struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Context    string    `json:"context,omitempty"`    // name of the kubeconfig's context
	Namespaces []string  `json:"namespaces,omitempty"` // that were read; empty: all, and what has no namespace
	Phase      Phase     `json:"phase"`
	Began      time.Time `json:"began"`
	Ended      time.Time `json:"ended,omitzero"` // zero: it still reads

	Types    []Type    `json:"types"`    // in the order of discovery
	Managers []Manager `json:"managers"` // those with the most fields first
	Cells    []Cell    `json:"cells"`    // by manager, then by type
	Findings []Finding `json:"findings"` // the worst first
	// Unkept is how many objects belong to findings that had no room.
	Unkept int `json:"unkept,omitempty"`
	// Folded is how many managers had no room of their own. They are counted together, as the last of Managers.
	Folded int `json:"folded,omitempty"`
}

// Type is a resource type of the census, in the version in which the server prefers to serve it.
type Type struct {
	Group      string `json:"group"`
	Version    string `json:"version"`
	Resource   string `json:"resource"`
	Kind       string `json:"kind"`
	Namespaced bool   `json:"namespaced"`

	State  State  `json:"state"`
	Code   int    `json:"code,omitempty"`   // status code of the API server's refusal
	Reason string `json:"reason,omitempty"` // reason of the refusal
	Why    string `json:"why,omitempty"`    // message of the refusal, or why only a part was read

	Objects    int   `json:"objects"`              // that were read
	Unreadable int   `json:"unreadable,omitempty"` // what was in the list and isn't an object with a name
	Left       int64 `json:"left,omitempty"`       // how many the server says are still to come
	Unrecorded int   `json:"unrecorded,omitempty"` // objects without managedFields
	Bytes      int64 `json:"bytes"`                // of the metadata of all objects, as JSON
	Managed    int64 `json:"managed"`              // of their managedFields
}

// Name is the type's full name: "deployments.apps", "pods".
func (t Type) Name() string {
	if t.Group == "" {
		return t.Resource
	}
	return t.Resource + "." + t.Group
}

// Manager is all that writes under one name.
type Manager struct {
	Name   string      `json:"name"`
	Writer writer.Kind `json:"writer"`
	// Others tells that this stands for all managers that had no room of their own.
	Others  bool      `json:"others,omitempty"`
	Objects int       `json:"objects"`
	Fields  int       `json:"fields"` // leaves of its entries; two entries of one object that own a field count it twice
	Alone   int       `json:"alone"`  // objects that nobody else has an entry of
	Last    time.Time `json:"last,omitzero"`
	With    []With    `json:"with,omitempty"` // whom it meets on objects, the most objects first; at most MostWith
}

// MostWith is how many others a manager has in With.
const MostWith = 8

// With is another manager that has entries of the same objects.
type With struct {
	Name    string `json:"name"`
	Objects int    `json:"objects"`
	Fields  int    `json:"fields"` // that both own
}

// Cell is what one manager owns of one type.
type Cell struct {
	Manager int       `json:"manager"` // index in Managers
	Type    int       `json:"type"`    // index in Types
	Objects int       `json:"objects"`
	Fields  int       `json:"fields"`
	Shared  int       `json:"shared,omitempty"` // fields that another manager owns, too
	Last    time.Time `json:"last,omitzero"`
	Entries []Entry   `json:"entries"` // the most objects first
}

// Entry is how a manager writes a type: its entries of one operation, subresource and API version.
type Entry struct {
	Operation   string    `json:"operation"`
	Subresource string    `json:"subresource,omitempty"`
	APIVersion  string    `json:"apiVersion"`
	Unserved    bool      `json:"unserved,omitempty"` // the server doesn't serve the version; see Unappliable for what that means
	Objects     int       `json:"objects"`
	Fields      int       `json:"fields"`
	Last        time.Time `json:"last,omitzero"`
}

// As is the manager of the entry.
func (e Entry) As(name string) manager.Manager {
	return manager.Manager{Name: name, Operation: e.Operation, Subresource: e.Subresource, APIVersion: e.APIVersion}
}

// Problem is the kind of a finding.
type Problem string

// The kinds of findings, the worst first. About has the words of each.
const (
	Unappliable Problem = "unappliable" // records speak of versions that are gone: no apply can succeed
	TwoGitOps   Problem = "two-gitops"  // two GitOps tools have entries of one object
	Person      Problem = "person"      // a person's tool owns fields of objects that a GitOps tool applies
	Crowded     Problem = "crowded"     // objects near the limit of Update entries
	Unstated    Problem = "unstated"    // Terraform owns fields that it never stated
	Silent      Problem = "silent"      // a manager stopped writing
	Heavy       Problem = "heavy"       // a large share of the metadata is managedFields
)

// Finding is something that the census found about a manager, or about a type.
type Finding struct {
	Problem Problem   `json:"finding"`
	Manager string    `json:"manager,omitempty"`
	Other   string    `json:"other,omitempty"` // the manager that it disturbs
	Type    string    `json:"type,omitempty"`  // full name, if it is about one type
	Objects int       `json:"objects"`
	Fields  int       `json:"fields,omitempty"`
	Last    time.Time `json:"last,omitzero"` // last write of the manager on these objects
	// APIVersion is that of the entries, if the finding is about it.
	APIVersion string   `json:"apiVersion,omitempty"`
	Ways       []Way    `json:"ways,omitempty"`
	Why        string   `json:"why"` // one sentence
	Samples    []Sample `json:"samples,omitempty"`
}

// Way is a way out of a finding, as text to paste. Its words are those of the ways of a check.
type Way struct {
	Way  string `json:"way"`
	Text string `json:"text"`
}

// MostSamples is how many objects a finding names.
const MostSamples = 10

// MostFields is how many fields a sample names.
const MostFields = 5

// Sample is an object of a finding.
type Sample struct {
	Path   string   `json:"path"`             // of the object in the API
	Fields []string `json:"fields,omitempty"` // some of the fields, in structured-merge-diff's notation
}
