package act

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/patch"
	"github.com/fieldmark/fieldmark/kube/reference"
)

// Names of options and reads of a drain.
const (
	forceOption    = "force"
	emptyDirOption = "delete-emptydir-data"
	graceOption    = "grace-period"
	patienceOption = "timeout"

	podsRead    = "pods"
	budgetsRead = "budgets"
)

// usualPatience is how long a drain tries again what a budget blocks, in minutes.
const usualPatience = 5

// mirrored is the annotation of a pod that only mirrors a static pod of its node's kubelet.
const mirrored = "kubernetes.io/config.mirror"

// drain cordons a node and evicts its Pods. Which Pods stay and which block follows kubectl drain (pkg/drain/filters.go).
func drain() Act {
	return Act{
		Name: "drain", Title: "Drain", Hint: "Cordons the node, and evicts its Pods.",
		options: func(Subject, Found) []Option {
			return []Option{
				{Name: forceOption, Label: "Pods without a controller", Shape: Flag, Hint: "Evict them, too. Nobody creates them again."},
				{Name: emptyDirOption, Label: "Data in emptyDir volumes", Shape: Flag, Hint: "Evict Pods with such volumes. Their data is lost."},
				graceful(), patient(),
			}
		},
		reads: func(s Subject) []Read {
			return []Read{
				{
					Name: podsRead, What: "the Pods of the node", Path: apipath.Collection("", "v1", "", "pods"), Required: true,
					Query: url.Values{"fieldSelector": {"spec.nodeName=" + s.Path.Name}},
				},
				{Name: budgetsRead, What: "the disruption budgets", Path: apipath.Collection("policy", "v1", "", "poddisruptionbudgets")},
			}
		},
		plan: planDrain,
	}
}

// drains tells whether the type is nodes.
func drains(t discovery.Type) bool { return t.Group == "" && t.Resource == "nodes" && t.Can("patch") }

func planDrain(p *planner) {
	grace := p.numberOf(graceOption, 0)
	p.bePatient()
	sorted := p.sortPods()
	switch {
	case len(p.Wrong) > 0:
	case p.found[podsRead].More:
		p.Nothing = "The node has more Pods than the response to one request, so Fieldmark doesn’t drain it."
	default:
		p.cordonFirst()
		for _, pod := range sorted {
			p.Steps = append(p.Steps, p.eviction(pod, grace, map[string]any{"uid": pod.Meta("uid")}))
		}
		if len(p.Steps) == 0 {
			p.Nothing = "The node is cordoned, and has no Pod to evict."
		}
	}
}

// numberOf is the value of an option that is a number, or empty. least is the smallest number.
func (p *planner) numberOf(option string, least int64) int64 {
	chosen := p.chose(option)
	if chosen == "" {
		return -1
	}
	n, err := strconv.ParseInt(chosen, 10, 32)
	if err != nil || n < least {
		p.wrong(option, fmt.Sprintf("Write a whole number of at least %d.", least))
	}
	return n
}

// cordonFirst adds the step that cordons the node, and the one that takes it back.
func (p *planner) cordonFirst() {
	if yes(fields(p.Object.Fields, "spec"), "unschedulable") {
		return
	}
	p.change("Cordon the node", "The scheduler puts no new Pods on the node.", patch.MergeType, true, Goal{}, "spec", "unschedulable")
	p.Steps[0].Again = true
	p.Steps[0].Undo = &Step{
		Title: "Uncordon the node", Why: "The scheduler may put Pods on the node again. Evicted Pods don’t come back.", Path: p.Path, Answer: TheObject,
		Goal: Goal{Path: p.Path}, Request: p.ofAnyVersion().patches(patch.MergeType, "", map[string]any{"spec": map[string]any{"unschedulable": nil}}),
	}
}

// ofAnyVersion is a planner for requests that are sent after others have changed the object.
func (p *planner) ofAnyVersion() *planner {
	later := *p
	later.Several = false
	return &later
}

// sortPods returns the Pods to evict, and says which Pods stay and which need a choice.
func (p *planner) sortPods() (evict []object.Object) {
	var stay, alone, data, leaving []string
	for _, pod := range p.found[podsRead].Objects {
		name := pod.Meta("namespace") + "/" + pod.Meta("name")
		controller := controllerOf(pod)
		finished := ended(pod)
		switch {
		case !pod.Deleted().IsZero():
			leaving = append(leaving, name)
		case controller.Kind == "DaemonSet" && !finished, isMirror(pod):
			stay = append(stay, name)
		case controller.Kind == "" && !finished && p.chose(forceOption) != Yes:
			alone = append(alone, name)
		case keepsData(pod) && !finished && p.chose(emptyDirOption) != Yes:
			data = append(data, name)
		default:
			evict = append(evict, pod)
			if keepsData(pod) && !finished {
				p.addNote(Danger, "The data in the emptyDir volumes of "+name+" is lost.")
			}
		}
	}
	if len(alone) > 0 {
		p.wrong(forceOption, "No controller creates these Pods again: "+strings.Join(alone, ", ")+". Choose to evict them, too.")
	}
	if len(data) > 0 {
		p.wrong(emptyDirOption, "These Pods would lose data in emptyDir volumes: "+strings.Join(data, ", ")+". Choose to lose it.")
	}
	if len(stay) > 0 {
		p.addNote(Info, "These Pods stay, because a DaemonSet would create them again on this node, or because the kubelet runs them itself: "+strings.Join(stay, ", ")+".")
	}
	if len(leaving) > 0 {
		p.addNote(Info, "These Pods are being deleted already: "+strings.Join(leaving, ", ")+".")
	}
	return evict
}

// controllerOf is the controller of an object; without a kind if there is none.
func controllerOf(o object.Object) object.OwnerReference {
	for _, owner := range o.OwnerReferences() {
		if owner.Controller {
			return owner
		}
	}
	return object.OwnerReference{}
}

// keepsData tells whether a Pod has an emptyDir volume.
func keepsData(pod object.Object) bool {
	volumes, _ := fields(pod.Fields, "spec")["volumes"].([]any)
	return slices.ContainsFunc(volumes, func(v any) bool {
		volume, _ := v.(map[string]any)
		_, is := volume["emptyDir"]
		return is
	})
}

// eviction is the step that evicts a Pod. The API server refuses it (429) while a disruption budget doesn't allow it.
func (p *planner) eviction(pod object.Object, grace int64, only map[string]any) Step {
	options := map[string]any{"preconditions": only}
	if grace >= 0 {
		options["gracePeriodSeconds"] = grace
	}
	namespace, name := pod.Meta("namespace"), pod.Meta("name")
	at := apipath.Object("", "v1", namespace, "pods", name)
	r := p.sends("POST", "eviction", patch.PlainJSON, map[string]any{
		"apiVersion": "policy/v1", "kind": "Eviction", "metadata": map[string]any{"name": name, "namespace": namespace}, "deleteOptions": options,
	})
	r.Query = nil
	return Step{
		Stage: 1, Title: "Evict " + namespace + "/" + name, Why: p.evicted(pod), Path: at, Request: r, Answer: TheStatus, Retry: true, Goal: Goal{Kind: Gone, Path: at, UID: pod.Meta("uid")},
	}
}

// evicted says what an eviction means.
func (p *planner) evicted(pod object.Object) string {
	c, budgets := controllerOf(pod), p.budgets(pod)
	if stringField(fields(pod.Fields, "status"), "phase") == "Pending" {
		budgets = ""
	}
	switch {
	case ended(pod):
		return "The Pod has ended already. Its logs are gone afterwards."
	case c.Kind == "":
		return "No controller creates the Pod again." + budgets
	}
	return c.Kind + " " + c.Name + " creates another Pod, on another node." + budgets
}

// ended tells whether a Pod has ended: nobody starts it again, and budgets don't count it.
func ended(pod object.Object) bool {
	return slices.Contains([]string{"Succeeded", "Failed"}, stringField(fields(pod.Fields, "status"), "phase"))
}

// budgets says which budgets an eviction needs. The rules are those of the eviction handler in Kubernetes' pkg/registry/core/pod/storage/eviction.go,
// which asks no budget for a Pod that has ended or doesn't run yet.
func (p *planner) budgets(pod object.Object) string {
	var names []string
	words := ""
	for _, b := range p.found[budgetsRead].Objects {
		if b.Meta("namespace") != pod.Meta("namespace") || !selects(fields(b.Fields, "spec", "selector"), fields(pod.Fields, "metadata", "labels")) {
			continue
		}
		names = append(names, b.Meta("name"))
		allowed, _ := number(fields(b.Fields, "status"), "disruptionsAllowed")
		words = fmt.Sprintf(" The disruption budget %s allows %d more now.", b.Meta("name"), allowed)
		if allowed == 0 {
			words = fmt.Sprintf(" The disruption budget %s allows none now, so the API server refuses the eviction until other Pods are healthy.", b.Meta("name"))
		}
	}
	if len(names) > 1 {
		return " The API server refuses the eviction, because the Pod has more than one disruption budget: " + strings.Join(names, ", ") + "."
	}
	return words
}

// selects tells whether a disruption budget's selector selects a Pod with these labels. Without a selector, it selects nothing, and an empty one selects all.
func selects(selector, labels map[string]any) bool {
	if selector == nil {
		return false
	}
	s, ok := reference.ParseSelector(manifest.Tree(selector))
	texts := make(map[string]string, len(labels))
	for key := range labels {
		texts[key] = stringField(labels, key)
	}
	return ok && (len(s) == 0 || s.Selects(texts))
}
