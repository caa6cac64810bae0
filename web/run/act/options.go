package act

import (
	"maps"
	"slices"

	plans "github.com/fieldmark/fieldmark/kube/act"
)

// field is an option with its value in the form.
type field struct {
	plans.Option
	Value string
	Mixed bool   // the objects have different defaults
	Wrong string // what is wrong with the value
}

// mostTold is the maximum number of choices that are shown with their hints below each other.
const mostTold = 12

// told tells whether each choice is shown with its hint.
func (f field) told() bool {
	return len(f.Choices) <= mostTold && slices.ContainsFunc(f.Choices, func(v plans.Value) bool { return v.Hint != "" })
}

// fields are the options of the chosen act.
func (m Model) fields(items []*item) (all []field) {
	a, ok := m.chosenAct()
	targets := m.usable()
	if !ok || len(targets) == 0 {
		return nil
	}
	for _, o := range a.Options(m.subject(targets[0]), targets[0].Found) {
		f := field{Option: o, Value: o.Default}
		f.Mixed = m.mixed(a, o)
		if f.Mixed {
			f.Value = ""
		}
		if value, chosen := m.Query.Chosen[o.Name]; chosen {
			f.Value = value
		}
		f.Wrong = wrongForAll(items, o.Name)
		all = append(all, f)
	}
	return all
}

// wrongForAll says what is wrong with an option for every object. If it is wrong for some, their rows say so.
func wrongForAll(items []*item, option string) (wrong string) {
	for _, it := range items {
		switch why := it.plan.Wrong[option]; {
		case it.Problem != nil:
		case why == "":
			return ""
		case wrong == "":
			wrong = why
		}
	}
	return wrong
}

// mixed tells whether the objects have different defaults for an option.
func (m Model) mixed(a plans.Act, o plans.Option) bool {
	for _, t := range m.usable() {
		for _, other := range a.Options(m.subject(t), t.Found) {
			if other.Name == o.Name && other.Default != o.Default {
				return true
			}
		}
	}
	return false
}

// chosen are the chosen options. If objects have different defaults, an empty value means that each object keeps its own.
func (m Model) chosen() plans.Chosen {
	chosen := maps.Clone(m.Query.Chosen)
	a, ok := m.chosenAct()
	targets := m.usable()
	if !ok || len(targets) < 2 {
		return chosen
	}
	for _, o := range a.Options(m.subject(targets[0]), targets[0].Found) {
		if value, has := chosen[o.Name]; has && value == "" && m.mixed(a, o) {
			delete(chosen, o.Name)
		}
	}
	return chosen
}
