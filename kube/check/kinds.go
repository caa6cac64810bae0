package check

import (
	"fmt"
	"slices"
	"strings"
)

// Kind is the kind of a finding.
type Kind string

// The kinds of findings. The table below says what they mean.
const (
	Conflict Kind = "conflict"
	Invalid  Kind = "invalid"
	Pruned   Kind = "pruned"
	Stuck    Kind = "stuck"
	Unserved Kind = "unserved"
	Unknown  Kind = "unknown"
	Taken    Kind = "taken"
	Server   Kind = "server"
	Changed  Kind = "changed"
	Shared   Kind = "shared"
	Released Kind = "released"
	Extra    Kind = "extra"
	Created  Kind = "created"
)

// Severity is how bad findings of a kind are.
type Severity int

// The severities.
const (
	Fine     Severity = iota // probably as wanted
	Minor                    // a difference that nobody objects to
	Moderate                 // the object won't be what the manifest says; many defaults do that, so code scanning only notes it
	Serious                  // another manager loses a field, or the check can't tell what would happen
	Grave                    // the apply is refused, removes a field, or leaves one that should go
)

// About is what a reader must know about a kind of finding.
type About struct {
	Kind     Kind
	Severity Severity
	Fails    bool   // it fails a check, unless the user chooses other kinds
	Title    string // in a few words
	Means    string // in a sentence or two
	Do       string // what to do
	Topic    string // what explains it in the guide: the address below /learn/
}

// kinds are all kinds of findings, the worst first. All outputs, pages and documents read this table.
var kinds = []About{
	{
		Kind: Conflict, Severity: Grave, Fails: true, Title: "Another manager owns the field", Topic: "conflicts",
		Means: "Another manager owns the field with another value. The API server refuses the apply, unless it is forced.",
		Do:    "Delete the field from the manifest, set the live value in the manifest, hand the field over, or apply with --force-conflicts.",
	},
	{
		Kind: Invalid, Severity: Grave, Fails: true, Title: "The API server refuses the manifest", Topic: "field-validation",
		Means: "The API server refuses the manifest, or ignores a field of it. The finding has the server's message.",
		Do:    "Correct the manifest at this line.",
	},
	{
		Kind: Pruned, Severity: Grave, Fails: true, Title: "The apply removes the field", Topic: "glossary#apply",
		Means: "The manager owns the field alone, and the manifest no longer has it. The apply removes it from the object.",
		Do:    "Add the field to the manifest if it must stay.",
	},
	{
		Kind: Stuck, Severity: Grave, Fails: true, Title: "The field stays although no manifest has it", Topic: "client-side-apply",
		Means: "The manifest no longer has the field. An older entry of the same tool keeps it, or an entry from before the first apply.",
		Do:    "Fold the older entry into the manager's own, and apply again.",
	},
	{
		Kind: Unserved, Severity: Serious, Title: "The cluster doesn't serve the type", Topic: "custom-resources",
		Means: "No API server of the cluster serves the type of this object, so no dry run could be made.",
		Do:    "Install its CustomResourceDefinition, or correct apiVersion and kind.",
	},
	{
		Kind: Unknown, Severity: Serious, Title: "The dry run could not be made", Topic: "conflicts",
		Means: "The dry run could not be made, for example because the user has no permission to patch. The findings come from managedFields alone.",
		Do:    "Get the missing permission, or run the check as another user.",
	},
	{
		Kind: Taken, Severity: Serious, Title: "A forced apply takes the field", Topic: "glossary#force",
		Means: "With force, the field gets another value and another owner. The former owner no longer owns it.",
		Do:    "Make sure that the former owner doesn't write the field again.",
	},
	{
		Kind: Server, Severity: Moderate, Title: "The server changes a field", Topic: "glossary#apply",
		Means: "A default or an admission plugin changes the field. Either no manifest has the value, or the value of the manifest won't arrive.",
		Do:    "Set the field in the manifest, or correct its value, if the value matters.",
	},
	{
		Kind: Changed, Severity: Minor, Title: "The value changes", Topic: "glossary#apply",
		Means: "The apply changes the value, without a conflict.",
		Do:    "Check that you want the change.",
	},
	{
		Kind: Shared, Severity: Minor, Title: "Another manager also owns the field", Topic: "glossary#shared-ownership",
		Means: "Another manager owns the field with the same value. The apply passes. If the manifest changes the value later, the apply conflicts.",
		Do:    "Hand the field over to your manager, if the other manager no longer needs it.",
	},
	{
		Kind: Released, Severity: Minor, Title: "The manager gives the field up", Topic: "glossary#apply",
		Means: "The manifest no longer has the field. Another manager owns it too, so the field stays.",
		Do:    "Do nothing if the other manager should own the field.",
	},
	{
		Kind: Extra, Severity: Minor, Title: "Another manager added the field", Topic: "glossary#apply",
		Means: "Another manager added the field, and no manifest has it.",
		Do:    "Add the field to the manifest, or write a rule that expects it.",
	},
	{
		Kind: Created, Severity: Fine, Title: "The apply creates the object", Topic: "glossary#apply",
		Means: "There is no such object yet.",
		Do:    "Do nothing if the object should be new.",
	},
}

// Kinds are all kinds of findings, the worst first.
func Kinds() []Kind { return kindsThat(func(About) bool { return true }) }

// FailOn are the kinds of findings that fail a check by default.
func FailOn() []Kind { return kindsThat(func(a About) bool { return a.Fails }) }

func kindsThat(which func(About) bool) []Kind {
	var all []Kind
	for _, a := range kinds {
		if which(a) {
			all = append(all, a.Kind)
		}
	}
	return all
}

// Rank is the place of the kind among all kinds, the worst first; -1 if there is no such kind.
func (k Kind) Rank() int { return slices.IndexFunc(kinds, func(a About) bool { return a.Kind == k }) }

// About is what a reader must know about the kind.
func (k Kind) About() About {
	if at := k.Rank(); at >= 0 {
		return kinds[at]
	}
	return About{Kind: k}
}

// Names are the names of kinds.
func Names(kinds []Kind) []string {
	all := make([]string, 0, len(kinds))
	for _, k := range kinds {
		all = append(all, string(k))
	}
	return all
}

// Tally says how many findings of each kind there are, the worst kind first: "1 conflict, 2 changed". It is empty if there are none.
func Tally(counts map[Kind]int) string {
	var all []string
	for _, a := range kinds {
		if n := counts[a.Kind]; n > 0 {
			all = append(all, fmt.Sprintf("%d %s", n, a.Kind))
		}
	}
	return strings.Join(all, ", ")
}
