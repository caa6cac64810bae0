package act

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/patch"
)

const pairsOption = "pairs"

// marks is an act that sets and removes entries of a map in the metadata, as kubectl label and kubectl annotate do.
func marks(name, title, field, one string) offered {
	return offered{Act{
		Name: name, Title: title, Hint: fmt.Sprintf("Sets and removes %s.", field),
		options: func(Subject, Found) []Option {
			return []Option{
				{Name: pairsOption, Label: title, Shape: Pairs, Hint: fmt.Sprintf("A line each: key=value sets a %s, and key- removes it.", one)},
				conditionOption(),
			}
		},
		plan: func(p *planner) { planMarks(p, title, field, one) },
	}, patched}
}

func planMarks(p *planner, title, field, one string) {
	now := fields(p.Object.Fields, "metadata", field)
	wanted := map[string]any{}
	for line := range strings.Lines(p.chose(pairsOption)) {
		line = strings.TrimSpace(line)
		key, value, sets := strings.Cut(line, "=")
		bare, removes := strings.CutSuffix(line, "-")
		if !sets && removes {
			key = bare
		}
		_, twice := wanted[key]
		switch {
		case line == "":
		case twice:
			p.wrong(pairsOption, fmt.Sprintf("Two lines have the key %q.", key))
			return
		case sets && key != "":
			wanted[key] = value
		case !sets && removes && bare != "":
			wanted[bare] = nil
		default:
			p.wrong(pairsOption, fmt.Sprintf("The line %q must be key=value, or key- to remove the %s.", line, one))
			return
		}
	}
	after := p.Object.Fields
	for _, key := range slices.Sorted(maps.Keys(wanted)) {
		if was, has := now[key]; has && was == wanted[key] || !has && wanted[key] == nil {
			delete(wanted, key)
			continue
		}
		after = with(after, wanted[key], "metadata", field, key)
	}
	if len(wanted) == 0 {
		p.Nothing = fmt.Sprintf("No %s changes. Write at least one line that does.", one)
		return
	}
	p.touch(after, p.manager(""))
	p.Steps = []Step{{
		Title: title, Path: p.Path, Answer: TheObject, Goal: Goal{Path: p.Path},
		Request: p.patches(patch.MergeType, "", map[string]any{"metadata": map[string]any{field: wanted}}),
	}}
	if field == "labels" {
		p.released(wanted)
	}
}

// released warns of labels that the object's controller may select: without them, the controller releases the object (ReleasePod in Kubernetes'
// pkg/controller/controller_ref_manager.go).
func (p *planner) released(changed map[string]any) {
	now := fields(p.Object.Fields, "metadata", "labels")
	for _, o := range p.Object.OwnerReferences() {
		if o.Controller && slices.ContainsFunc(slices.Collect(maps.Keys(changed)), func(key string) bool { return now[key] != nil }) {
			p.addNote(Warn, fmt.Sprintf("%s %s controls this object. If its selector has a label that changes here, it releases the object, and may create another one.", o.Kind, o.Name))
		}
	}
}
