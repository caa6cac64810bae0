package act

import (
	"cmp"
	"fmt"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/object"
)

// GoalKind is what a step leads to.
type GoalKind string

// The kinds of goals.
const (
	Done     GoalKind = ""         // the response is the end
	Replicas GoalKind = "replicas" // as many replicas as wanted
	Rollout  GoalKind = "rollout"  // all Pods have the newest template, and are available
	Gone     GoalKind = "gone"     // the object doesn't exist
	Finished GoalKind = "finished" // a Job is complete
)

// Goal is what a step leads to after the API server has accepted it. Follow the object at Path, and ask Judge about each version.
type Goal struct {
	Kind GoalKind
	Path apipath.Path
	Want int64  // of Replicas
	UID  string // of Gone
}

// Progress is how far the way to a goal is.
type Progress struct {
	Reached bool
	Failed  bool   // the goal won't be reached by waiting
	Words   string // a sentence
	At, Of  int64  // a count of Of; Of is zero if there is none
}

// Judge says how far an object is on the way to the goal. Pass gone if the object doesn't exist any more.
func (g Goal) Judge(o object.Object, gone bool) Progress {
	switch {
	case g.Kind == Done:
		return Progress{Reached: true, Words: "The API server has accepted the request."}
	case g.Kind == Gone && (gone || o.Meta("uid") != g.UID):
		return Progress{Reached: true, Words: "The " + cmp.Or(o.Kind(), "object") + " is gone."}
	case g.Kind == Gone && o.Kind() == "Pod":
		return Progress{Words: "The Pod is stopping."}
	case g.Kind == Gone:
		return Progress{Words: "The " + cmp.Or(o.Kind(), "object") + " isn’t gone yet."}
	case gone:
		return Progress{Failed: true, Words: "The object was deleted."}
	case g.Kind == Finished:
		return finished(o)
	case g.Kind == Rollout:
		return rollout(o)
	default:
		return g.replicas(o)
	}
}

// replicas follows scaleHasDesiredReplicas in kubectl's pkg/scale/scale.go: a number that somebody else has changed ends the wait.
func (g Goal) replicas(o object.Object) Progress {
	spec, stat := fields(o.Fields, "spec"), fields(o.Fields, "status")
	wanted, has := number(spec, "replicas")
	now, _ := number(stat, "replicas")
	switch {
	case has && wanted != g.Want:
		return Progress{Failed: true, Words: fmt.Sprintf("Somebody has changed the number of replicas to %d.", wanted)}
	case unobserved(o):
		return Progress{Words: "The controller hasn’t seen the change yet.", At: now, Of: g.Want}
	case now == g.Want:
		return Progress{Reached: true, Words: fmt.Sprintf("The object has %d replicas.", now), At: now, Of: g.Want}
	}
	return Progress{Words: fmt.Sprintf("The object has %d replicas, and %d are wanted.", now, g.Want), At: now, Of: g.Want}
}

// unobserved tells whether the controller hasn't seen the newest version of the spec. Objects without status.observedGeneration don't
// tell.
func unobserved(o object.Object) bool {
	seen, tells := number(fields(o.Fields, "status"), "observedGeneration")
	newest, _ := number(fields(o.Fields, "metadata"), "generation")
	return tells && seen < newest
}
