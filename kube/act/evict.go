package act

import (
	"strconv"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
)

// evict deletes a Pod if its disruption budget allows it. kubectl has no command for one Pod; the request is that of kubectl drain.
func evict() Act {
	return Act{
		Name: "evict", Title: "Evict", Hint: "Deletes a Pod if its disruption budget allows it.",
		options: func(Subject, Found) []Option { return []Option{graceful(), patient()} },
		reads: func(s Subject) []Read {
			return []Read{{
				Name: budgetsRead, What: "the disruption budgets of the namespace", Path: apipath.Collection("policy", "v1", s.Path.Namespace, "poddisruptionbudgets"),
			}}
		},
		plan: planEvict,
	}
}

// evicts tells whether the type is Pods, which can be evicted.
func evicts(t discovery.Type) bool {
	sub, ok := t.Subresource("eviction")
	return ok && t.Group == "" && t.Resource == "pods" && sub.Can("create")
}

func planEvict(p *planner) {
	grace := p.numberOf(graceOption, 0)
	p.bePatient()
	if isMirror(p.Object) {
		p.Nothing = "The kubelet of the node runs this Pod. An eviction would delete only the copy that the API server shows."
		return
	}
	if got, asked := p.found[budgetsRead]; !asked || got.No != nil || got.More {
		p.addNote(Info, "Fieldmark couldn’t read all disruption budgets of the namespace. The API server refuses evictions that a budget doesn’t allow.")
	}
	running := !ended(p.Object)
	if keepsData(p.Object) && running {
		p.addNote(Danger, "The data in the emptyDir volumes of the Pod is lost.")
	}
	step := p.eviction(p.Object, grace, preconditions(p.Object))
	tone := Info
	if controllerOf(p.Object).Kind == "" && running {
		tone = Warn
	}
	p.addNote(tone, step.Why)
	step.Why = ""
	p.Steps = []Step{step}
}

// isMirror tells whether a Pod only mirrors a static Pod of its node's kubelet.
func isMirror(pod object.Object) bool {
	return fields(pod.Fields, "metadata", "annotations")[mirrored] != nil
}

// graceful and patient are the options of evictions.
func graceful() Option {
	return Option{Name: graceOption, Label: "Grace period, s", Shape: Number, Hint: "Empty: from each Pod."}
}

func patient() Option {
	return Option{
		Name: patienceOption, Label: "Give up after, minutes", Shape: Number, Default: strconv.Itoa(usualPatience),
		Hint: "How long Fieldmark sends an eviction again that a disruption budget blocks. Empty: " + strconv.Itoa(usualPatience) + ".",
	}
}

// bePatient sets how long the plan tries evictions again.
func (p *planner) bePatient() {
	minutes := p.numberOf(patienceOption, 1)
	if minutes < 0 {
		minutes = usualPatience
	}
	p.Patience = time.Duration(minutes) * time.Minute
}
