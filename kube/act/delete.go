package act

import (
	"fmt"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/finalizer"
	"github.com/fieldmark/fieldmark/kube/patch"
)

const propagationOption = "propagation"

// The propagation policies.
const (
	background = "Background"
	foreground = "Foreground"
	orphan     = "Orphan"
)

// deletion deletes objects, as kubectl delete does. A single object has a page of its own, which also searches for what is deleted with it.
func deletion() Act {
	return Act{
		Name: "delete", Title: "Delete", Hint: "Deletes the objects, and the objects that they own.", ForSeveral: true, Destroys: true,
		options: func(Subject, Found) []Option {
			return []Option{{
				Name: propagationOption, Label: "Objects that they own", Shape: Choice, Default: background,
				Choices: []Value{
					{background, "Background", "The garbage collector deletes them afterwards."},
					{foreground, "Foreground", "They are deleted first. Until then, each object waits."},
					{orphan, "Orphan", "They stay, without their owner."},
				},
			}}
		},
		plan: planDelete,
	}
}

// deletes tells whether objects of a type can be deleted together. What is deleted with a namespace or a definition must be seen first, one at a time.
func deletes(t discovery.Type) bool { return t.Can("delete") && !Vast(t) }

// Vast tells whether the deletion of an object deletes objects that it doesn't own: everything in a namespace, or all objects of a definition.
func Vast(t discovery.Type) bool {
	return t.Group == "" && t.Resource == "namespaces" || t.Group == "apiextensions.k8s.io" && t.Resource == "customresourcedefinitions"
}

// Along says what else a deletion deletes because of the type, with any options; empty: nothing is known.
func Along(t discovery.Type) string {
	switch {
	case t.Group == "" && t.Resource == "namespaces":
		return "Deleting a namespace deletes every object in it, regardless of owners."
	case Vast(t):
		return "Deleting a CustomResourceDefinition deletes all objects of its type, in every namespace."
	case t.Group == "" && t.Resource == "persistentvolumeclaims":
		return "If the volume of this claim has the reclaim policy Delete, the volume and its data are deleted too."
	}
	return ""
}

func planDelete(p *planner) {
	policy := p.chose(propagationOption)
	switch policy {
	case background, foreground, orphan:
	default:
		p.wrong(propagationOption, "There is no such propagation policy.")
		return
	}
	if words := Along(p.Type); words != "" {
		p.addNote(Danger, words)
	}
	if c := controllerOf(p.Object); c.Kind != "" {
		p.addNote(Warn, fmt.Sprintf("%s %s manages this object, and will probably create a new one in its place.", c.Kind, c.Name))
	}
	for _, name := range p.Object.Finalizers() {
		p.addNote(Warn, fmt.Sprintf("The finalizer %s keeps the object until somebody removes it. %s", name, finalizer.Explain(name).Words))
	}
	r := p.sends("DELETE", "", patch.PlainJSON, map[string]any{
		"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": policy, "preconditions": preconditions(p.Object),
	})
	r.Query = nil
	p.Steps = []Step{{Title: "Delete " + p.Path.Name, Path: p.Path, Answer: TheEnd, Request: r, Goal: Goal{Kind: Gone, Path: p.Path, UID: p.Object.Meta("uid")}}}
}
