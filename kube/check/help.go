package check

// Help says what a kind of finding means and what to do about it.
type Help struct {
	Title string // in a few words
	Means string // in a sentence or two
	Do    string // what to do
}

// help has every kind; a test proves it.
var help = map[Kind]Help{
	Conflict: {
		"Another manager owns the field",
		"Another manager owns the field with another value. The API server refuses the apply, unless it is forced.",
		"Delete the field from the manifest, set the live value in the manifest, hand the field over, or apply with --force-conflicts.",
	},
	Invalid: {
		"The API server refuses the manifest",
		"The API server refuses the manifest, or ignores a field of it. The finding has the server's message.",
		"Correct the manifest at this line.",
	},
	Pruned: {
		"The apply removes the field",
		"The manager owns the field alone, and the manifest no longer has it. The apply removes it from the object.",
		"Add the field to the manifest if it must stay.",
	},
	Stuck: {
		"The field stays although no manifest has it",
		"The manifest no longer has the field. An older entry of the same tool keeps it, or an entry from before the first apply.",
		"Fold the older entry into the manager's own, and apply again.",
	},
	Unserved: {
		"The cluster doesn't serve the type",
		"No API server of the cluster serves the type of this object, so no dry run could be made.",
		"Install its CustomResourceDefinition, or correct apiVersion and kind.",
	},
	Unknown: {
		"The dry run could not be made",
		"The dry run could not be made, for example because the user has no permission to patch. The findings come from managedFields alone.",
		"Get the missing permission, or run the check as another user.",
	},
	Taken: {
		"A forced apply takes the field",
		"With force, the field gets another value and another owner. The former owner no longer owns it.",
		"Make sure that the former owner doesn't write the field again.",
	},
	Server: {
		"The server changes a field",
		"A default or an admission plugin changes the field. Either no manifest has the value, or the value of the manifest won't arrive.",
		"Set the field in the manifest, or correct its value, if the value matters.",
	},
	Changed: {
		"The value changes",
		"The apply changes the value, without a conflict.",
		"Check that you want the change.",
	},
	Shared: {
		"Another manager also owns the field",
		"Another manager owns the field with the same value. The apply passes. If the manifest changes the value later, the apply conflicts.",
		"Hand the field over to your manager, if the other manager no longer needs it.",
	},
	Released: {
		"The manager gives the field up",
		"The manifest no longer has the field. Another manager owns it too, so the field stays.",
		"Do nothing if the other manager should own the field.",
	},
	Extra: {
		"Another manager added the field",
		"Another manager added the field, and no manifest has it.",
		"Add the field to the manifest, or write a rule that expects it.",
	},
	Created: {
		"The apply creates the object",
		"There is no such object yet.",
		"Do nothing if the object should be new.",
	},
}

// Help says what findings of this kind mean.
func (k Kind) Help() Help { return help[k] }
