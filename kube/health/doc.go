// Package health summarizes a cluster from a few bounded lists: workloads and custom resources that aren't ready and why, namespaces that are being
// deleted, warnings, recent writes with their managers, objects that managers write again and again, and nodes.
//
//	Sources: a request each ─▶ Read ─▶ List ─────────────┐
//	                                                    ├─▶ Summarize ─▶ Report
//	a list that couldn't be read, or only a part ─▶ Gap ─┘
//
// A list has at most Limit objects. API servers sort lists by name, not by time, so a Report of a large cluster covers only a part of
// its objects. Report.Gaps says which part is missing.
package health

import (
	"time"

	"github.com/fieldmark/fieldmark/kube/condition"
)

// Limit is how many objects are read of each type.
const Limit = 250

// Lately is how far back a Report looks for writes, in so many equal Slots.
const (
	Lately = 10 * time.Minute
	Slots  = 20
)

// Report is the summary.
type Report struct {
	Read time.Time `json:"read"`

	Workloads []Workload `json:"workloads,omitempty"` // those that aren't ready, by namespace and name
	Ready     int        `json:"ready"`               // how many workloads are ready
	More      int        `json:"more,omitempty"`      // how many more aren't ready

	Custom     Custom     `json:"custom"`
	Namespaces Namespaces `json:"namespaces"`

	Warnings []Warning `json:"warnings,omitempty"` // the newest first
	Warned   int       `json:"warned"`             // how many Events they are

	Writes []Write `json:"writes,omitempty"` // of anything but status, the newest first
	Status []Write `json:"status,omitempty"` // of status

	Contested []Contested `json:"contested,omitempty"` // the fastest first

	Nodes Nodes `json:"nodes"`

	Types []string `json:"types,omitempty"` // the types that were read
	Gaps  []Gap    `json:"gaps,omitempty"`
}

// Ref is an object.
type Ref struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	Path      string `json:"path,omitempty"` // its API path; empty if it isn't known
}

// Workload is a workload, or a pod without one, that isn't ready.
type Workload struct {
	Ref
	Ready string   `json:"ready"` // "1 of 3"
	Why   []string `json:"why,omitempty"`
	// Said is the newest warning about it or its pods.
	Said string `json:"said,omitempty"`
}

// Custom are the custom resources of the types that were read.
type Custom struct {
	Judged int   `json:"judged"`         // how many have a condition whose meaning is known
	Odd    []Odd `json:"odd,omitempty"`  // those that aren't fine, the worst first
	More   int   `json:"more,omitempty"` // how many more aren't fine
	Left   int   `json:"left,omitempty"` // how many types were not read
}

// Odd is an object that isn't fine, with the condition that says so.
type Odd struct {
	Ref
	condition.State
}

// Namespaces are the namespaces.
type Namespaces struct {
	Known   bool      `json:"known"`
	Count   int       `json:"count"`
	Leaving []Leaving `json:"leaving,omitempty"` // those that are being deleted, the oldest deletion first
	More    int       `json:"more,omitempty"`
}

// Leaving is a namespace that is being deleted.
type Leaving struct {
	Ref
	Since time.Time `json:"since"`
	Why   string    `json:"why,omitempty"` // what blocks the deletion, as the server says
}

// Warning is a group of Events of type Warning: those with the same reason, about objects of the same kind.
type Warning struct {
	Reason  string    `json:"reason"`
	Kind    string    `json:"kind"`
	Count   int64     `json:"count"`   // how often it happened
	Objects int       `json:"objects"` // about how many objects
	About   Ref       `json:"about"`   // the object of the newest
	Message string    `json:"message"` // of the newest
	Last    time.Time `json:"last"`
}

// Nodes are the nodes.
type Nodes struct {
	Known    bool      `json:"known"`
	Count    int       `json:"count"`
	Ready    int       `json:"ready"`
	Odd      []OddNode `json:"odd,omitempty"`      // those that aren't simply ready
	Versions []string  `json:"versions,omitempty"` // of their kubelets
}

// OddNode is a node that isn't ready, or takes no new pods.
type OddNode struct {
	Ref
	Status string `json:"status"`
}

// Gap is a list that is missing or incomplete.
type Gap struct {
	Resource string `json:"resource"`
	// Forbidden: you don't have permission. Otherwise Why says what happened, or the list has more objects than were read.
	Forbidden bool   `json:"forbidden,omitempty"`
	Why       string `json:"why,omitempty"`
	Rest      int64  `json:"rest,omitempty"` // how many objects weren't read; -1: some, and the server doesn't say how many
}
