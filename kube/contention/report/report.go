// Package report has the results of a contention scan as values to show. Package contention finds them.
package report

import "time"

// The thresholds of a report.
const (
	// Cap is how many entries of Update the server keeps apart; of more, the oldest become one.
	Cap = 10
	// Near is how many are said to be near it.
	Near = 8
	// Most is how many rows a part of a report has, and MostFights how many that of the fights.
	Most       = 10
	MostFights = 20
)

// State is how a type is doing.
type State string

// The states of a type.
const (
	Waiting  State = "waiting"  // for its turn
	Reading  State = "reading"  // its objects arrive
	Followed State = "followed" // what happens is told as it happens
	Troubled State = "troubled" // the API server doesn't answer, and is asked again
	Refused  State = "refused"  // the API server gave its last word
)

// Type is how one type is doing.
type Type struct {
	Name    string `json:"name"`
	State   State  `json:"state"`
	Code    int    `json:"code,omitempty"`   // of the API server's refusal
	Reason  string `json:"reason,omitempty"` // in a word
	Why     string `json:"why,omitempty"`    // in its words
	Objects int    `json:"objects"`
	Events  int    `json:"events"`
	Bytes   int64  `json:"bytes"`   // of its objects, as JSON
	Managed int64  `json:"managed"` // of these, what managedFields take
}

// Manager is who owns fields, as package ownership has it. Its parser is not for the browser, which only shows findings.
type Manager struct {
	Name        string `json:"manager"`
	Operation   string `json:"operation"`
	Subresource string `json:"subresource"`
	APIVersion  string `json:"apiVersion"`
}

// Object names an object that something was found about.
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
	Count    int           `json:"count"`
	Period   time.Duration `json:"period"`
	Managers []Manager     `json:"managers"`
	Values   [2]string     `json:"values"` // empty for Secrets
}

// Rewrite is an object that is written without being changed.
type Rewrite struct {
	Object Object  `json:"object"`
	Count  int     `json:"count"`
	Writer Manager `json:"writer"` // the last on record; nobody: managedFields don't tell
}

// Taking is a manager that takes fields of an object by force.
type Taking struct {
	Object Object    `json:"object"`
	By     Manager   `json:"by"`
	Count  int       `json:"count"` // writes
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
	Ancient bool   `json:"ancient"` // the server has merged some already
	Managed int    `json:"managed"` // bytes
}

// Part is what was found of one sort: the worst, and how many there are in all.
type Part[T any] struct {
	Rows []T `json:"rows"`
	All  int `json:"all"`
}

// Dropped counts what there was no room for.
type Dropped struct {
	Objects    int `json:"objects"`    // not taken in
	Histories  int `json:"histories"`  // forgotten: what was found until then is kept
	Findings   int `json:"findings"`   // forgotten with what was found
	Unreadable int `json:"unreadable"` // objects that made no sense
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
