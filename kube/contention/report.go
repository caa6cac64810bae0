package contention

import (
	"cmp"
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/timeline"
)

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
	Object   Object              `json:"object"`
	Path     string              `json:"path"`
	Count    int                 `json:"count"`
	Period   time.Duration       `json:"period"`
	Managers []ownership.Manager `json:"managers"`
	Values   [2]string           `json:"values"` // empty for Secrets
}

// Rewrite is an object that is written without being changed.
type Rewrite struct {
	Object Object            `json:"object"`
	Count  int               `json:"count"`
	Writer ownership.Manager `json:"writer"` // the last on record; nobody: managedFields don't tell
}

// Taking is a manager that takes fields of an object by force.
type Taking struct {
	Object Object              `json:"object"`
	By     ownership.Manager   `json:"by"`
	Count  int                 `json:"count"` // writes
	Paths  []string            `json:"paths"`
	More   bool                `json:"more,omitempty"` // there are more paths
	From   []ownership.Manager `json:"from"`
}

// Foreign is a manager with entries in a version that the server doesn't serve.
type Foreign struct {
	Manager ownership.Manager `json:"manager"`
	Objects int               `json:"objects"`
	Example Object            `json:"example"`
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

// Report tells what is known, the worst first.
func (s *Scan) Report(now time.Time) Report {
	r := Report{Types: s.Types(), Rate: s.pulse.rate(now), Followed: s.followed.Len(), Dropped: s.dropped}
	for _, k := range r.Types {
		r.Objects += k.Objects
		r.Events += k.Events
		r.Bytes += k.Bytes
		r.Managed += k.Managed
	}
	foreign := map[*ownership.Manager]*Foreign{}
	for _, e := range s.objects {
		s.tell(&r, e)
		for _, m := range e.foreign {
			s.count(foreign, m, e)
		}
	}
	for _, f := range foreign {
		r.Foreign.Rows = append(r.Foreign.Rows, *f)
	}
	r.rank()
	return r
}

// Types are how the types are doing, in the order of the scan.
func (s *Scan) Types() []Type {
	var all []Type
	for _, k := range s.kinds {
		all = append(all, k.Type)
	}
	return all
}

// tell adds what was found about one object.
func (s *Scan) tell(r *Report, e *entry) {
	if e.rewrites == 0 && e.pursuit == nil && e.updates < Near && !e.ancient {
		return
	}
	o := s.object(e)
	if e.rewrites > 0 {
		w := Rewrite{Object: o, Count: e.rewrites}
		if e.writer != nil {
			w.Writer = *e.writer
		}
		r.Rewrites.Rows = append(r.Rewrites.Rows, w)
	}
	if e.updates >= Near || e.ancient {
		r.Crowded.Rows = append(r.Crowded.Rows, Crowded{Object: o, Updates: e.updates, Ancient: e.ancient, Managed: e.share})
	}
	if e.pursuit == nil {
		return
	}
	for _, f := range e.pursuit.fights() {
		r.Fights.Rows = append(r.Fights.Rows, fight(o, f, secret(s.kinds[e.kind].of)))
	}
	for _, t := range e.pursuit.takings {
		t.Object, t.Paths, t.From = o, slices.Clone(t.Paths), slices.Clone(t.From)
		r.Takings.Rows = append(r.Takings.Rows, t)
	}
}

func fight(o Object, f timeline.Flip, secret bool) Fight {
	all := Fight{Object: o, Path: f.Path, Count: f.Count, Period: f.Period, Managers: f.Managers, Values: f.Values}
	if secret {
		all.Values = [2]string{}
	}
	return all
}

func (s *Scan) object(e *entry) Object {
	t := s.kinds[e.kind].of
	return Object{
		Path: apipath.Object(t.Group, t.Version, e.namespace, t.Resource, e.name).String(),
		Kind: t.Kind, Namespace: e.namespace, Name: e.name, Gone: e.gone,
	}
}

func (s *Scan) count(foreign map[*ownership.Manager]*Foreign, m *ownership.Manager, e *entry) {
	f := foreign[m]
	if f == nil {
		f = &Foreign{Manager: *m, Example: s.object(e)}
		foreign[m] = f
	}
	if o := s.object(e); o.Path < f.Example.Path {
		f.Example = o
	}
	f.Objects++
}

func (r *Report) rank() {
	r.Fights.cut(MostFights, func(a, b Fight) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.Period, b.Period), cmp.Compare(a.Object.Path, b.Object.Path), cmp.Compare(a.Path, b.Path))
	})
	r.Rewrites.cut(Most, func(a, b Rewrite) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Object.Path, b.Object.Path)) })
	r.Takings.cut(Most, func(a, b Taking) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.Object.Path, b.Object.Path), cmp.Compare(a.By.Name, b.By.Name))
	})
	r.Foreign.cut(Most, func(a, b Foreign) int {
		return cmp.Or(b.Objects-a.Objects, cmp.Compare(a.Manager.APIVersion, b.Manager.APIVersion), cmp.Compare(a.Manager.Name, b.Manager.Name))
	})
	r.Crowded.cut(Most, func(a, b Crowded) int {
		return cmp.Or(rank(b)-rank(a), b.Managed-a.Managed, cmp.Compare(a.Object.Path, b.Object.Path))
	})
}

// rank puts those first from whose record something is lost already.
func rank(c Crowded) int {
	if c.Ancient {
		return Cap + 1
	}
	return c.Updates
}

// cut keeps the first rows of an order.
func (p *Part[T]) cut(most int, order func(a, b T) int) {
	p.All = len(p.Rows)
	slices.SortFunc(p.Rows, order)
	p.Rows = slices.Clone(p.Rows[:min(len(p.Rows), most)])
}
