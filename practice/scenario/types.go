// Package scenario reconciles Scenarios. A Scenario is a custom resource that
// describes the state of the practice cluster that a lesson or a test needs.
//
// A Scenario's faults are brought about one after the other, then its actors
// run. Its condition Holds says whether everything is in place. Deleting it removes
// everything that it made.
package scenario

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Resource is the resource type of Scenarios.
var Resource = schema.GroupVersionResource{Group: "practice.fieldmark.dev", Version: "v1alpha1", Resource: "scenarios"}

const (
	// Manager is the field manager of what Scenarios make, except for actors that have their own manager.
	Manager = "practice-scenario"
	// NameLabel is on everything that a Scenario makes: the Scenario's name.
	NameLabel = "practice.fieldmark.dev/scenario"
	// PartLabel is the name of the fault or actor that made it, on objects that only one of them can have created.
	PartLabel = "practice.fieldmark.dev/part"
	// Finalizer keeps a Scenario until what it made is gone.
	Finalizer = "practice.fieldmark.dev/clean-up"
	// Holds is the condition that says whether everything in a Scenario is in place.
	Holds = "Holds"
)

// Scenario is one Scenario object.
type Scenario struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              Spec   `json:"spec"`
	Status            Status `json:"status"`
}

// Spec is the desired state. Faults are made one after the other; actors start
// when all faults hold.
type Spec struct {
	Faults []Fault `json:"faults"`
	Actors []Actor `json:"actors"`
}

// Fault is one thing done to the cluster: exactly one of its kinds is set.
type Fault struct {
	Name    string   `json:"name"`
	Run     int      `json:"run"`
	Fill    *Fill    `json:"fill"`
	Compact *Compact `json:"compact"`
	Restart *Restart `json:"restart"`
	Corrupt *Corrupt `json:"corrupt"`
	Crashes *Crashes `json:"crashes"`
}

// Fill is a number of small objects.
type Fill struct {
	Namespace string `json:"namespace"`
	Kind      string `json:"kind"`
	Count     int    `json:"count"`
	Running   bool   `json:"running"`
	// Managers are field managers. Each of them writes to each object. The first one applies, and the others update.
	Managers []string `json:"managers"`
}

// What happens to the API server's watch cache when the store is compacted.
const (
	ForgetWatchCache = "Forget"
	KeepWatchCache   = "Keep"
)

// Compact makes the store forget its history.
type Compact struct {
	WatchCache string `json:"watchCache"`
}

// Restart takes the API server down and up again.
type Restart struct {
	DownSeconds int `json:"downSeconds"`
}

// Corrupt makes one object unreadable in the store.
type Corrupt struct {
	Namespace string `json:"namespace"`
	Kind      string `json:"kind"`
	Name      string `json:"name"`
}

// Crashes is Deployments whose pods fail.
type Crashes struct {
	Namespace    string `json:"namespace"`
	AfterSeconds int    `json:"afterSeconds"`
}

// Actor is a client that keeps writing: exactly one of its kinds is set.
type Actor struct {
	Name       string      `json:"name"`
	Churn      *Churn      `json:"churn"`
	GitOps     *GitOps     `json:"gitops"`
	Autoscaler *Autoscaler `json:"autoscaler"`
	Injector   *Injector   `json:"injector"`
	Legacy     *Legacy     `json:"legacy"`
	Storm      *Storm      `json:"storm"`
	Reporter   *Reporter   `json:"reporter"`
	Follower   *Follower   `json:"follower"`
	Writer     *Writer     `json:"writer"`
}

// Churn is steady creation, change and deletion.
type Churn struct {
	Namespace string `json:"namespace"`
	Kind      string `json:"kind"`
	Objects   int    `json:"objects"`
	PerSecond int    `json:"perSecond"`
	Seconds   int    `json:"seconds"`
}

// Storm is many writes that change nothing.
type Storm struct {
	Namespace string `json:"namespace"`
	Objects   int    `json:"objects"`
	PerSecond int    `json:"perSecond"`
	Seconds   int    `json:"seconds"`
}

// Target is the Deployment that an actor writes to.
type Target struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// GitOps is a client that applies a manifest on the server's side, again and again.
type GitOps struct {
	Target       `json:",inline"`
	Replicas     *int64 `json:"replicas"`
	Force        bool   `json:"force"`
	EverySeconds int    `json:"everySeconds"`
	Manager      string `json:"manager"`
}

// Autoscaler is a client that writes to the scale subresource.
type Autoscaler struct {
	Target       `json:",inline"`
	Min          int32  `json:"min"`
	Max          int32  `json:"max"`
	EverySeconds int    `json:"everySeconds"`
	Manager      string `json:"manager"`
}

// Injector is a client that puts a certificate into a webhook configuration.
type Injector struct {
	Kind         string `json:"kind"`
	Name         string `json:"name"`
	EverySeconds int    `json:"everySeconds"`
	Manager      string `json:"manager"`
}

// Legacy is a client that applies a manifest on the client's side.
type Legacy struct {
	Target       `json:",inline"`
	Replicas     *int64 `json:"replicas"`
	EverySeconds int    `json:"everySeconds"`
	Manager      string `json:"manager"`
}

// Reporter is a client that lists pods as a ConfigMap tells it, and writes their names into another ConfigMap.
type Reporter struct {
	Namespace    string `json:"namespace"`
	Name         string `json:"name"`
	EverySeconds int    `json:"everySeconds"`
	Manager      string `json:"manager"`
}

// Follower is a client that follows the orders of a namespace from a version that a ConfigMap tells it.
type Follower struct {
	Namespace    string `json:"namespace"`
	Name         string `json:"name"`
	Watch        bool   `json:"watch"`
	EverySeconds int    `json:"everySeconds"`
	Manager      string `json:"manager"`
}

// Writer is a client that writes one value of a ConfigMap as a service account.
type Writer struct {
	Namespace      string `json:"namespace"`
	Name           string `json:"name"`
	Key            string `json:"key"`
	Value          string `json:"value"`
	EverySeconds   int    `json:"everySeconds"`
	Manager        string `json:"manager"`
	ServiceAccount string `json:"serviceAccount"`
}

// Status is the actual state.
type Status struct {
	ObservedGeneration int64              `json:"observedGeneration"`
	Conditions         []metav1.Condition `json:"conditions"`
	Faults             []FaultStatus      `json:"faults"`
	Actors             []ActorStatus      `json:"actors"`
}

// The states of faults and actors.
const (
	Waiting  = "Waiting"
	Working  = "Working"
	Holding  = "Holding"
	Running  = "Running"
	Finished = "Finished"
	Failed   = "Failed"
)

// FaultStatus is the progress of a fault.
type FaultStatus struct {
	Name            string `json:"name"`
	State           string `json:"state"`
	Message         string `json:"message,omitempty"`
	Run             int    `json:"run,omitempty"`
	Present         int    `json:"present,omitempty"`
	ResourceVersion string `json:"resourceVersion,omitempty"`
}

// ActorStatus is what an actor has done so far.
type ActorStatus struct {
	Name    string `json:"name"`
	State   string `json:"state"`
	Message string `json:"message,omitempty"`
	Created int64  `json:"created"`
	Updated int64  `json:"updated"`
	Deleted int64  `json:"deleted"`
}

// due tells whether a fault must still be made. What consists of objects is checked
// again each time; a fault that happens once is not due after its run.
func (f Fault) due(done FaultStatus) bool {
	return f.Fill != nil || f.Crashes != nil || done.Run < f.Run
}

// initialStatus returns the status from which work on a Scenario starts: it keeps what
// was done before, and drops what the Scenario no longer has.
func initialStatus(scenario *Scenario) Status {
	status := Status{ObservedGeneration: scenario.Generation, Conditions: scenario.Status.Conditions}
	faults := map[string]FaultStatus{}
	for _, fault := range scenario.Status.Faults {
		faults[fault.Name] = fault
	}
	for _, fault := range scenario.Spec.Faults {
		entry := faults[fault.Name]
		entry.Name = fault.Name
		if fault.due(entry) {
			entry.State, entry.Message = Waiting, ""
		}
		status.Faults = append(status.Faults, entry)
	}
	actors := map[string]ActorStatus{}
	for _, actor := range scenario.Status.Actors {
		actors[actor.Name] = actor
	}
	for _, actor := range scenario.Spec.Actors {
		entry := actors[actor.Name]
		entry.Name = actor.Name
		if entry.State != Finished || scenario.Status.ObservedGeneration != scenario.Generation {
			entry.State, entry.Message = Waiting, ""
		}
		status.Actors = append(status.Actors, entry)
	}
	status.judge()
	return status
}

// judge sets the condition Holds by the states of the faults and actors.
func (s *Status) judge() {
	condition := metav1.Condition{
		Type: Holds, Status: metav1.ConditionTrue, Reason: "AllHolds", Message: "everything in the Scenario holds",
		ObservedGeneration: s.ObservedGeneration,
	}
	unmet := func(reason, name, message string) {
		if message == "" {
			message = "not yet"
		}
		condition.Status, condition.Reason, condition.Message = metav1.ConditionFalse, reason, name+": "+message
	}
	for i := len(s.Actors) - 1; i >= 0; i-- {
		if a := s.Actors[i]; a.State != Running && a.State != Finished {
			unmet(reasonFor(a.State), a.Name, a.Message)
		}
	}
	for i := len(s.Faults) - 1; i >= 0; i-- { // backwards, so that the first unmet one is named
		if f := s.Faults[i]; f.State != Holding {
			unmet(reasonFor(f.State), f.Name, f.Message)
		}
	}
	meta.SetStatusCondition(&s.Conditions, condition)
}

func reasonFor(state string) string {
	if state == Failed {
		return Failed
	}
	return Working
}
