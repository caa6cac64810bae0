package act

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/finalizer"
	"github.com/fieldmark/fieldmark/kube/patch"
)

// RemoveFinalizer is the name of the act that removes a finalizer from an object which is being deleted.
const RemoveFinalizer = "remove-finalizer"

// whichFinalizer is the option of the act: a name.
const whichFinalizer = "finalizer"

// unstick removes one finalizer from an object that is being deleted. The request is a JSON Patch that tests the uid and the whole list, so it is refused if
// the object is another one, or if somebody has changed the list in the meantime. On several objects, it has the resource version, too.
func unstick() Act {
	return Act{
		Name: RemoveFinalizer, Title: "Remove a finalizer", Hint: "Lets the deletion go on without the cleanup that the finalizer waits for.", ofDeleted: true, Destroys: true,
		options: func(s Subject, _ Found) []Option {
			var choices []Value
			for _, name := range s.Object.Finalizers() {
				choices = append(choices, Value{Value: name, Label: name})
			}
			if len(choices) == 0 {
				return nil
			}
			return []Option{{Name: whichFinalizer, Label: "Finalizer", Shape: Choice, Choices: choices, Default: choices[0].Value}}
		},
		plan: planUnstick,
		idle: func(s Subject) string {
			if len(s.Object.Finalizers()) == 0 {
				return "No finalizer of metadata.finalizers blocks the deletion."
			}
			return ""
		},
	}
}

func planUnstick(p *planner) {
	all, name := p.Object.Finalizers(), p.chose(whichFinalizer)
	switch {
	case len(all) == 0:
		p.Nothing = "No finalizer of metadata.finalizers blocks the deletion."
		return
	case !slices.Contains(all, name):
		p.wrong(whichFinalizer, "The object has no finalizer with this name.")
		return
	}
	rest := slices.DeleteFunc(slices.Clone(all), func(one string) bool { return one == name })
	const list = "/metadata/finalizers"
	edit := patch.Operation{Op: "replace", Path: list, Value: value(rest)}
	goal := Goal{Path: p.Path}
	var after any = anyOf(rest)
	if len(rest) == 0 {
		edit, after = patch.Operation{Op: "remove", Path: list}, nil
		goal = Goal{Kind: Gone, Path: p.Path, UID: p.Object.Meta("uid")}
	}
	p.touch(with(p.Object.Fields, after, "metadata", "finalizers"), p.manager(""))
	if goal.Kind == Gone { // nobody writes the list again
		p.Touches = nil
	}
	f := finalizer.Explain(name)
	p.addNote(Danger, f.Stays)
	p.addNote(Info, f.Words)
	p.addNote(Info, p.putThere())
	operations := []patch.Operation{{Op: "test", Path: "/metadata/uid", Value: value(p.Object.Meta("uid"))}, {Op: "test", Path: list, Value: value(all)}, edit}
	if p.Several {
		operations = append(operations, p.sameVersion())
	}
	p.Steps = append(p.Steps, Step{
		Title: "Remove " + name, Why: "The API server deletes the object once it has no finalizer.", Path: p.Path, Answer: TheObject, Goal: goal,
		Request: p.sends("PATCH", "", patch.JSONPatchType, operations),
	})
}

// putThere says who added what the plan removes, as far as managedFields say.
func (p *planner) putThere() string {
	var names []string
	for _, t := range p.Touches {
		for _, h := range t.Loses {
			if !slices.Contains(names, h.Name) {
				names = append(names, h.Name)
			}
		}
	}
	if len(names) == 0 {
		return "managedFields doesn’t say who put the finalizer there."
	}
	return "It was put there by " + strings.Join(names, " and ") + "."
}

// value is a value of an operation.
func value(v any) *any { return &v }

// anyOf are texts as decoded JSON has them.
func anyOf(texts []string) []any {
	all := make([]any, len(texts))
	for i, text := range texts {
		all[i] = text
	}
	return all
}

// patched tells whether objects of a type can be patched.
func patched(t discovery.Type) bool { return t.Can("patch") }
