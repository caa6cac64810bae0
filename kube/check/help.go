package check

// Help says what a kind of finding means and what to do about it.
type Help struct {
	Title string // in a few words
	Means string // in a sentence or two
	Do    string // what to do
}

// help has every kind; a test holds it to that.
var help = map[Kind]Help{
	Conflict: {
		"Another manager owns the field",
		"Another manager owns the field with another value. The API server refuses the apply, unless it is forced.",
		"Delete the field from the manifest, state the live value, hand the field over, or apply with --force-conflicts.",
	},
	Invalid: {
		"The API server refuses the manifest",
		"The API server refuses the manifest, or ignores a field of it. The message has the server's words.",
		"Correct the manifest at this line.",
	},
	Pruned: {
		"The apply removes the field",
		"The manager owns the field alone, and the manifest no longer has it. The apply removes it from the object.",
		"State the field in the manifest if it must stay.",
	},
	Stuck: {
		"The field stays although no manifest has it",
		"The manifest no longer has the field. An older entry of the same tool keeps it.",
		"Fold the older entry into the manager's own, and apply again.",
	},
	Unserved: {
		"The cluster doesn't serve the type",
		"No API server of the cluster serves the type of this object, so nothing could be tried out.",
		"Install its CustomResourceDefinition, or correct apiVersion and kind.",
	},
	Unknown: {
		"The dry run could not be made",
		"The dry run could not be made, for example because the user has no right to patch. Only the record of ownership was read.",
		"Ask for the missing right, or run the check as another user.",
	},
	Taken: {
		"A forced apply takes the field",
		"With force, the field gets another value and another owner. The former owner no longer owns it.",
		"Make sure that the former owner doesn't write the field again.",
	},
	Server: {
		"The server changes a field that no manifest has",
		"A default or admission changes the field, and no manifest says so.",
		"State the field in the manifest if its value matters.",
	},
	Changed: {
		"The value changes",
		"The apply changes the value, and no other manager objects.",
		"Check that the change is meant.",
	},
	Released: {
		"The manager gives the field up",
		"The manifest no longer has the field. Another manager owns it too, so the field stays.",
		"Nothing, if the other manager is meant to have it.",
	},
	Extra: {
		"Another manager added the field",
		"Another manager put the field there, and no manifest has it.",
		"State the field in the manifest, or write a rule that expects it.",
	},
	Created: {
		"The apply creates the object",
		"There is no such object yet.",
		"Nothing, if the object is meant to be new.",
	},
}

// Help says what findings of this kind mean.
func (k Kind) Help() Help { return help[k] }
