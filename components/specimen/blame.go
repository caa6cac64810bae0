package specimen

import (
	"strconv"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/manifest"
)

// blames are documents with their owners, and summaries of owners.
func blames() Section {
	return Section{
		Name: "owners", Title: "Owners of fields", Note: "A hue stands for a manager. Each hue also has a column, initials and a name.",
		Specimens: []Specimen{
			{Name: "blame", Title: "Lines with their owners", Note: "A selected line, a line with two owners, a line without an owner, and a line that only contains owned fields.", Shown: components.Blame(blamed(gitops, scaler, status))},
			{Name: "blame-dim", Title: "One manager selected", Note: "Lines of other managers are dimmed. Lines that contain selected lines are not.", Shown: components.Blame(altered(blamed(gitops, scaler, status), func(d *components.BlameDocument) {
				for _, i := range []int{1, 4, 5} {
					d.Lines[i].Dim = true
				}
			}))},
			{Name: "blame-folded", Title: "Folded, with changes, only a part", Note: "Only these of ten thousand lines are laid out.", Shown: components.Blame(altered(blamed(gitops, scaler, status), func(d *components.BlameDocument) {
				d.Above, d.Below = 400, 9000
				d.Lines[0].Folds, d.Lines[0].Hidden, d.Lines[0].Columns, d.Lines[0].Inside = components.Folded, 12, []int{0, 1}, true
				d.Lines[1].Fresh = true
			}))},
			{Name: "blame-crowd", Title: "Too many managers for initials", Note: "Managers with the same hue have different edges.", Shown: components.Blame(crowd())},
			{Name: "owners", Title: "How much each manager owns", Note: "Each row selects a manager’s lines.", Shown: components.Owners(owners())},
		},
	}
}

var (
	gitops = components.Manager{Hue: 1, Initials: "Gi", Name: "gitops", Operation: "Apply"}
	scaler = components.Manager{Hue: 2, Initials: "HP", Name: "horizontal-pod-autoscaler", Operation: "Update", Subresource: "scale"}
	status = components.Manager{Hue: 3, Initials: "KC", Name: "kube-controller-manager", Operation: "Update", Subresource: "status"}
)

func altered(d components.BlameDocument, change func(*components.BlameDocument)) components.BlameDocument {
	change(&d)
	return d
}

func blamed(managers ...components.Manager) components.BlameDocument {
	key := func(indent, name, class, value string) manifest.Line {
		return manifest.Line{{Text: indent}, {Class: manifest.Key, Text: name}, {Text: ": "}, {Class: manifest.Class(class), Text: value}}
	}
	return components.BlameDocument{Label: "web as fields", Managers: managers, Lines: []components.BlameLine{
		{ID: "line-1", Number: 1, Line: manifest.Line{{Class: manifest.Key, Text: "spec"}, {Text: ":"}}, Path: ".spec", Owners: "[]", Said: "line 1, nobody’s and everybody’s", Href: "?field=.spec", Folds: components.Unfolded},
		{ID: "line-2", Number: 2, Line: key("  ", "paused", "word", "true"), Path: ".spec.paused", Owners: "[]", Said: "line 2, owned by nobody", Href: "?field=.spec.paused", Nobody: true, Begins: true},
		{ID: "line-3", Number: 3, Line: key("  ", "replicas", "number", "3"), Path: ".spec.replicas", Owners: `[{"manager":"gitops"},{"manager":"horizontal-pod-autoscaler"}]`, Said: "line 3, owned by gitops (Apply) and horizontal-pod-autoscaler (Update, scale)", Href: "?field=.spec.replicas", Columns: []int{0, 1}, Label: managers[:2], Begins: true, Current: true, Stop: true, Badges: []components.Badge{{Look: components.FightBadge, Words: "gitops and horizontal-pod-autoscaler overwrite each other’s .spec.replicas, 12 times", Href: "/c/practice/-/assist?do=stop-fight"}}},
		{ID: "line-4", Number: 4, Line: key("  ", "note", "string", "|"), Path: ".spec.note", Owners: `[{"manager":"gitops"}]`, Said: "line 4, owned by gitops (Apply)", Hint: "gitops (Apply) last wrote 2026-11-21 12:00:00 UTC", Href: "?field=.spec.note", Columns: []int{0}, Label: managers[:1], Begins: true},
		{ID: "line-5", Number: 5, Said: "line 5, owned by gitops (Apply)", Wrote: "last wrote 12s ago", Line: manifest.Line{{Class: manifest.String, Text: "    its text goes on"}}, Columns: []int{0}},
		{ID: "line-6", Number: 6, Line: key("", "status", "", "{}"), Path: ".status", Owners: `[{"manager":"kube-controller-manager"}]`, Said: "line 6, owned by kube-controller-manager (Update, status)", Href: "?field=.status", Columns: []int{2}, Label: managers[2:3], Begins: true, Stop: true},
	}}
}

// crowd is a document of 120 managers. One line has all of them: three are named, and as many as are listed have a strip.
func crowd() components.BlameDocument {
	var managers []components.Manager
	var columns []int
	for i := range 120 {
		name := "build-" + strconv.Itoa(i+1)
		managers = append(managers, components.Manager{Hue: i%components.Hues + 1, Mark: i / components.Hues, Initials: "B" + string(rune('a'+i%26)), Name: name, Operation: "Apply"})
		columns = append(columns, i)
	}
	shown, _ := components.First(managers, components.MostListed)
	named, more := components.First(managers, manager.MostNamed)
	d := blamed(shown...)
	d.Lines[5].Columns, d.Lines[5].Label, d.Lines[5].More = columns[:len(shown)], named, more
	return d
}

func owners() components.Ownership {
	none := components.Link{}
	return components.Ownership{
		Values: 20,
		Fields: []components.Link{{Text: "metadata", Href: "?field=.metadata"}, {Text: "spec", Href: "?field=.spec"}, {Text: "status", Href: "?field=.status"}},
		Portions: []components.Portion{
			{Owners: []components.Manager{gitops}, Values: 9, Href: "?manager=gitops", Hint: "9 values: gitops (Apply)"},
			{Owners: []components.Manager{gitops, scaler}, Values: 1, Href: "?manager=gitops&manager=scaler&only=shared", Hint: "1 value: gitops (Apply) and horizontal-pod-autoscaler (Update, scale)"},
			{Owners: []components.Manager{status}, Values: 6, Href: "?manager=status", Hint: "6 values: kube-controller-manager (Update, status)"},
			{Values: 4, Href: "?only=nobody", Hint: "4 values: nobody"},
		},
		Rows: []components.OwnerRow{
			{Manager: gitops, Wrote: "last wrote 12s ago", Values: 10, Alone: 9, Href: "?manager=gitops", Chosen: true, Cells: []components.Link{{Text: "2", Href: "?field=.metadata.labels"}, {Text: "8", Href: "?field=.spec.replicas", Hint: "From .spec.replicas on"}, none}},
			{Manager: scaler, Wrote: "when it last wrote is not recorded", Values: 1, Href: "?manager=scaler", Notes: []string{"apps/v1beta1 is no longer served: the next write may drop these claims, and of a custom resource they may make applies fail"}, Cells: []components.Link{none, {Text: "1", Href: "?field=.spec.replicas"}, none}},
			{Manager: status, Wrote: "last wrote 4s ago", Values: 6, Alone: 6, Href: "?manager=status", Cells: []components.Link{none, none, {Text: "6", Href: "?field=.status"}}},
			{Nobody: true, Values: 4, Href: "?only=nobody", Cells: []components.Link{{Text: "4", Href: "?only=nobody"}, none, none}},
		},
		Only: []components.Link{{Text: "Only shared (1)", Href: "?only=shared", Hint: "Lines that several managers own together", Current: true}, {Text: "Only status", Href: "?only=status"}}, Clear: "?",
	}
}
