package act

import (
	"fmt"
	"time"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/patch"
)

// restartedAt is the annotation of the pod template that kubectl rollout restart sets.
const restartedAt = "kubectl.kubernetes.io/restartedAt"

// rollsOut tells whether the type's controller replaces Pods when the pod template changes.
func rollsOut(t discovery.Type) bool {
	return t.Group == "apps" && (t.Resource == "deployments" || t.Resource == "statefulsets" || t.Resource == "daemonsets") && t.Can("patch")
}

// deploys tells whether the type is Deployments, which can be paused.
func deploys(t discovery.Type) bool {
	return t.Group == "apps" && t.Resource == "deployments" && t.Can("patch")
}

// restart changes an annotation of the pod template, as kubectl rollout restart does (pkg/polymorphichelpers/objectrestarter.go).
func restart() Act {
	return Act{
		Name: "restart", Title: "Restart", Hint: "Replaces all Pods with new ones, as the strategy of the rollout allows.",
		options: func(Subject, Found) []Option { return nil },
		plan: func(p *planner) {
			if p.paused() {
				p.Nothing = pausedRestart
				return
			}
			now := p.Now.UTC().Format(time.RFC3339)
			path := []string{"spec", "template", "metadata", "annotations", restartedAt}
			p.change("Restart", "The controller replaces all Pods, because the pod template has changed.", patch.StrategicType, now, p.rollout(), path...)
			p.strategyNote()
		},
		idle: func(s Subject) string {
			if s.paused() {
				return pausedRestart
			}
			return ""
		},
	}
}

const pausedRestart = "The rollout is paused, so a change of the pod template replaces no Pod. Resume it first."

// paused tells whether the rollout of a Deployment is paused.
func (s Subject) paused() bool { return yes(fields(s.Object.Fields, "spec"), "paused") }

// rollout is the goal that all Pods have the newest template.
func (p *planner) rollout() Goal { return Goal{Kind: Rollout, Path: p.Path} }

// strategyNote says what a strategy means that doesn't replace all Pods.
func (p *planner) strategyNote() {
	spec := fields(p.Object.Fields, "spec")
	switch {
	case stringField(fields(spec, "updateStrategy"), "type") == "OnDelete":
		p.addNote(Warn, "The strategy is OnDelete. The controller replaces a Pod only after somebody has deleted it.")
	case partition(spec) > 0:
		p.addNote(Warn, fmt.Sprintf("The partition is %d. The controller replaces only Pods with a number of at least %d.", partition(spec), partition(spec)))
	case stringField(fields(spec, "strategy"), "type") == "Recreate":
		p.addNote(Warn, "The strategy is Recreate. All Pods stop before the new ones start.")
	}
}

// change is a step that sets one field of the object. A nil value removes the field.
func (p *planner) change(title, why, contentType string, value any, goal Goal, path ...string) {
	p.touch(with(p.Object.Fields, value, path...), p.manager(""))
	goal.Path = p.Path
	p.Steps = append(p.Steps, Step{
		Title: title, Why: why, Path: p.Path, Answer: TheObject, Goal: goal,
		Request: p.patches(contentType, "", nested(value, path...)),
	})
}

// nested is a value below a path of fields.
func nested(value any, path ...string) map[string]any {
	for i := len(path) - 1; i > 0; i-- {
		value = map[string]any{path[i]: value}
	}
	return map[string]any{path[0]: value}
}

// toggle is an act that sets a boolean field of the spec; nil removes the field, which is false then.
func toggle(name, title, hint, field string, to any, already string) Act {
	idle := func(s Subject) string {
		if yes(fields(s.Object.Fields, "spec"), field) == (to == true) {
			return already
		}
		return ""
	}
	return Act{
		Name: name, Title: title, Hint: hint, idle: idle,
		plan: func(p *planner) {
			if p.Nothing = idle(p.Subject); p.Nothing == "" {
				p.change(title, "", patch.MergeType, to, Goal{}, "spec", field)
			}
		},
	}
}

// toggles are the acts that set a boolean field: those of kubectl rollout pause and resume, cordon and uncordon, and the suspension of CronJobs and
// Jobs. API servers store suspend: false, but neither paused: false nor unschedulable: false.
func toggles() []offered {
	nodes := func(t discovery.Type) bool { return t.Group == "" && t.Resource == "nodes" && t.Can("patch") }
	suspends := func(t discovery.Type) bool {
		return t.Group == "batch" && (t.Resource == "cronjobs" || t.Resource == "jobs") && t.Can("patch")
	}
	return []offered{
		{toggle("pause", "Pause", "Changes of the pod template replace no Pod until the rollout is resumed.", "paused", true, "The rollout is paused already."), deploys},
		{toggle("resume", "Resume", "The controller rolls out what has changed in the meantime.", "paused", nil, "The rollout isn’t paused."), deploys},
		{toggle("suspend", "Suspend", "A CronJob creates no Jobs while it is suspended. A Job deletes its running Pods.", "suspend", true, "The object is suspended already."), suspends},
		{toggle("unsuspend", "Continue", "Ends the suspension.", "suspend", false, "The object isn’t suspended."), suspends},
		{toggle("cordon", "Cordon", "The scheduler puts no new Pods on the node.", "unschedulable", true, "The node is cordoned already."), nodes},
		{toggle("uncordon", "Uncordon", "The scheduler may put Pods on the node again.", "unschedulable", nil, "The node isn’t cordoned."), nodes},
	}
}
