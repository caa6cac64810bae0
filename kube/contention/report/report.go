// Package report has the results of contention scans, and what is known about watched objects, as values to show. Package contention scans,
// and package timeline compares versions.
package report

import (
	"time"

	"github.com/fieldmark/fieldmark/kube/manager"
)

// The thresholds of a report.
const (
	// Cap is how many Update entries the server keeps. If there are more, it merges the oldest ones.
	Cap = 10
	// Near is the number of Update entries from which an object is reported as crowded.
	Near = 8
	// Most is the number of rows that a part of a report has at most. MostFights is the same for fights.
	Most       = 10
	MostFights = 20
)

// State is how a type is doing.
type State string

// The states of a type.
const (
	Waiting  State = "waiting"  // for its turn
	Reading  State = "reading"  // its objects arrive
	Followed State = "followed" // its events arrive
	Troubled State = "troubled" // the API server doesn't respond, and the scan tries again
	Refused  State = "refused"  // the API server refused, and the scan doesn't try again
)

// Type is a resource type of the scan.
type Type struct {
	Name    string `json:"name"`
	State   State  `json:"state"`
	Code    int    `json:"code,omitempty"`   // status code of the API server's refusal
	Reason  string `json:"reason,omitempty"` // reason of the refusal
	Why     string `json:"why,omitempty"`    // message of the refusal
	Objects int    `json:"objects"`
	Events  int    `json:"events"`
	Bytes   int64  `json:"bytes"`   // of its objects, as JSON
	Managed int64  `json:"managed"` // of these, the bytes of managedFields
}

// Manager is a field manager.
type Manager = manager.Manager

// Object names the object of a finding.
type Object struct {
	Path      string `json:"path"` // of the API
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Gone      bool   `json:"gone,omitempty"`
}

// Fight is a field whose value goes back and forth.
type Fight struct {
	Object   Object        `json:"object"`
	Path     string        `json:"path"`
	Field    string        `json:"field,omitempty"` // tells the field from others with the same path; see timeline.Change
	Count    int           `json:"count"`
	Period   time.Duration `json:"period"`
	Last     time.Time     `json:"last"` // when the value came back the last time
	Managers []Manager     `json:"managers"`
	Values   [2]string     `json:"values"` // empty for Secrets
}

// Rewrite is an object with writes that change nothing.
type Rewrite struct {
	Object Object  `json:"object"`
	Count  int     `json:"count"`
	Writer Manager `json:"writer"` // the last one in managedFields; empty if not known
}

// Taking is a manager that takes fields of an object by force.
type Taking struct {
	Object Object    `json:"object"`
	By     Manager   `json:"by"`
	Count  int       `json:"count"` // number of writes
	Paths  []string  `json:"paths"`
	More   bool      `json:"more,omitempty"` // there are more paths
	From   []Manager `json:"from"`
}

// Foreign is a manager with entries in a version that the server doesn't serve.
type Foreign struct {
	Manager Manager `json:"manager"`
	Objects int     `json:"objects"`
	Example Object  `json:"example"`
}

// Crowded is an object with many entries of Update.
type Crowded struct {
	Object  Object `json:"object"`
	Updates int    `json:"updates"`
	Ancient bool   `json:"ancient"` // the server has merged some entries
	Managed int    `json:"managed"` // bytes
}

// Part has the findings of one sort.
type Part[T any] struct {
	Rows []T `json:"rows"` // the worst ones, the worst first
	All  int `json:"all"`  // the number of all findings
}

// Dropped counts what the scan had no room for.
type Dropped struct {
	Objects    int `json:"objects"`    // ignored
	Histories  int `json:"histories"`  // dropped, with their findings kept
	Findings   int `json:"findings"`   // dropped with their findings
	Unreadable int `json:"unreadable"` // objects that could not be read
}

// Report is what a scan has found.
type Report struct {
	Types    []Type        `json:"types"` // in the order of the scan
	Objects  int           `json:"objects"`
	Events   int           `json:"events"`
	Rate     float64       `json:"rate"` // events a second
	Followed int           `json:"followed"`
	Bytes    int64         `json:"bytes"`
	Managed  int64         `json:"managed"`
	Fights   Part[Fight]   `json:"fights"`
	Rewrites Part[Rewrite] `json:"rewrites"`
	Takings  Part[Taking]  `json:"takings"`
	Foreign  Part[Foreign] `json:"foreign"`
	Crowded  Part[Crowded] `json:"crowded"`
	Dropped  Dropped       `json:"dropped"`
}
