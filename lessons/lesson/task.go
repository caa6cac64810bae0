package lesson

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/release"
)

// Task is what a learner does alone: a goal, how it is judged, and what is said of mistakes. All its texts may have variables in them.
type Task struct {
	ID string // that of the lesson that it practises, or of the case
	// Case tells that it is a case: a longer task that belongs to no lesson, without hints. Lessons are the ids of those that it draws on.
	Case    bool
	Lessons []string
	// FoundBy are texts that people have in front of them when a case helps, as those of a Lesson.
	FoundBy []string
	Title   string
	Goal    string // HTML of one or two sentences, without a word of the solution that isn't among the task's nouns
	Story   string // HTML before the goal; empty: none
	Minutes int
	// Scenario is the spec of a Scenario as JSON that the cluster has to hold to before the task begins; empty: none.
	Scenario string
	// Alone tells that the task concerns the whole cluster, so that no other one is tried beside it.
	Alone bool
	// Range are the versions of Kubernetes on which the task can be done.
	Range release.Range
	// Start has requests that are sent before the task begins, and checks that wait for what they do, or keep values.
	Start  []Block
	Goals  []Goal
	Misses []Miss
	Hints  []string // HTML: the idea, the place, the request without its value
	// Solution are the requests of the shortest way that we know, with their commands for kubectl. A Check between them waits or keeps values.
	Solution []Block
	Ending   string // HTML: what is said of the solution; empty: nothing
	// Cleanup are requests that remove what is in no namespace, as those of a Lesson.
	Cleanup []Request
	File    string
}

// GoalKind is a way to judge a goal.
type GoalKind string

// The kinds of goals.
const (
	GoalState  GoalKind = "state"  // what the cluster says: a request that changes nothing, sent again and again
	GoalSeen   GoalKind = "seen"   // a request that the learner has to send
	GoalUnseen GoalKind = "unseen" // a request that the learner must not send
	GoalNever  GoalKind = "never"  // what must not happen to objects that are watched from the task's beginning on
	GoalAnswer GoalKind = "answer" // a question that the learner answers
)

// Goal is one thing that has to be so. Those of the kinds never and unseen can only be broken.
type Goal struct {
	Kind GoalKind
	Says string // HTML: what is so if it is reached, or what has happened if it is broken
	// Request is sent for a state, is a watch for never, and is what a request of the learner is compared with otherwise. In such a comparison, the
	// method may be *, and so may be a part of the path, or the value of a parameter.
	Request Request
	// Statements have to be true of the response. Of a watch, none may become true.
	Statements []Statement
	Sent       []Statement // have to be true of a request of the learner, as if it was a response
	Hold       int         // of a state: for how many seconds it has to be so without a break; 0: once
	Question   string      // of an answer: HTML
	Choices    []Choice    // of an answer: values that are right, and values that are explained; * is any other
	Line       int
}

// Broken tells whether a goal of this kind can only be broken.
func (k GoalKind) Broken() bool { return k == GoalNever || k == GoalUnseen }

// Miss is a wrong way that people go, and what they are told.
type Miss struct {
	Name string
	Says string // HTML: a sentence or two
	// When are the conditions of the miss: all of them have to be so. Their kinds are state and seen.
	When []Goal
	// Way are the requests of somebody who goes this way, for the checker.
	Way  []Block
	Line int
}

// Made is a request of a learner, with its response.
type Made struct {
	ID       uint64 // in the wire log
	As       string // whose rights it was sent with; empty: the learner's own
	Method   string
	Path     string // escaped
	Query    string
	Sent     Answer // the request's headers and body; its Status isn't 0
	Response Answer
}

// Fits tells whether a request of a learner is the one that a goal speaks of, whatever the response was.
func (g Goal) Fits(m Made, vars Vars) bool {
	want, err := g.Request.Expanded(vars)
	if err != nil || want.As != m.As || want.Method != "*" && want.Method != m.Method {
		return false
	}
	path, query, _ := strings.Cut(want.Target, "?")
	if !fitsPath(path, m.Path) || !fitsQuery(query, m.Query) {
		return false
	}
	_, ok := Holds(g.Sent, m.Sent, vars)
	return ok
}

func fitsPath(want, got string) bool {
	parts, others := strings.Split(strings.TrimSuffix(want, "/"), "/"), strings.Split(strings.TrimSuffix(got, "/"), "/")
	return slices.EqualFunc(parts, others, func(part, other string) bool { return part == "*" || part == other })
}

// fitsQuery tells whether a query has the parameters that it has to have. A dry run is one only if that is wanted.
func fitsQuery(want, got string) bool {
	wanted, err := url.ParseQuery(want)
	has, err2 := url.ParseQuery(got)
	if err != nil || err2 != nil || has.Has(dryRun) && !wanted.Has(dryRun) {
		return false
	}
	for name, values := range wanted {
		if value := values[0]; value != "*" && has.Get(name) != value || !has.Has(name) {
			return false
		}
	}
	return true
}

// Holds tells whether statements are true of a response. If one isn't, the verdict is that of the first. Values that statements keep are known to those
// after them, and to nobody else.
func Holds(all []Statement, a Answer, vars Vars) (Verdict, bool) {
	a, kept := a.Remembering(), Vars{}
	maps.Copy(kept, vars)
	for _, s := range all {
		if v := s.Judge(a, kept); !v.OK {
			return v, false
		}
	}
	return Verdict{}, true
}

// Breaks tells whether one of the statements about what must not happen is true of what a watch has received.
func (g Goal) Breaks(watched Answer, vars Vars) bool {
	watched = watched.Remembering()
	return slices.ContainsFunc(g.Statements, func(s Statement) bool { return s.Judge(watched, maps.Clone(vars)).OK })
}

// Chosen is what the choices say of an answer. An answer that is almost a value counts as that value, unless the task is about the difference: it explains a
// wrong value that is almost the right one.
func (g Goal) Chosen(answer string, vars Vars) (c Choice, ok bool) {
	answer = strings.TrimSpace(answer)
	var near, other *Choice
	for i := range g.Choices {
		c := &g.Choices[i]
		switch text := vars.Plain(c.Text); {
		case text == answer:
			return *c, true
		case text == "*":
			other = c
		case near == nil && Almost(text, answer) && !(c.Right && g.exacting(text, vars)):
			near = c
		}
	}
	if near == nil {
		near = other
	}
	if near == nil {
		return Choice{}, false
	}
	return *near, true
}

// exacting tells whether a wrong value is almost this right one.
func (g Goal) exacting(right string, vars Vars) bool {
	return slices.ContainsFunc(g.Choices, func(c Choice) bool { return !c.Right && Almost(vars.Plain(c.Text), right) })
}
