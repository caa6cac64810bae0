package apply

import (
	"slices"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/plain"
)

// shortest is the number of characters of a value in a row, and in a sentence about it. The row's title has more of the value.
const shortest = 26

// values are the live value and the one of the manifest as a row shows them: cut where they differ first.
func (c contested) values() (live, yours string) {
	live, yours = c.Apart()
	return plain.Apart(components.Visible(live), components.Visible(yours), shortest)
}

// change says both values in words, for a title.
func (c contested) change() string {
	live, yours := c.Apart()
	return orAbsent(live, c.Held) + " → " + orAbsent(yours, c.Sent)
}

func orAbsent(value string, there bool) string {
	if !there {
		return "absent"
	}
	return components.Visible(value)
}

// controller is the first owner that is probably a controller; empty if none is.
func (c contested) controller() string {
	for _, o := range c.Owners {
		if o.Likely.Controller {
			return components.Visible(o.Name)
		}
	}
	return ""
}

// owners names the owners in a sentence.
func (c contested) owners() string {
	first, more := components.First(c.Owners, manager.MostNamed)
	var names []string
	for _, o := range first {
		names = append(names, components.Visible(o.Name))
	}
	return manager.Listed(names, more)
}

// consequence says what follows from the choice of a row, and whether the reader should be warned. Partly tells that only the reader's changes are applied.
func (c contested) consequence(partly bool) (text string, warns bool) {
	live, _ := c.values()
	stays := "The value stays " + live + "."
	if !c.Held {
		stays = "The field stays absent."
	}
	lose := map[bool]string{true: " loses", false: " lose"}[len(c.Owners) == 1]
	switch controller := c.controller(); {
	case c.choice == overwrite && controller != "":
		return controller + " will probably write its value again. Expect a fight.", true
	case c.choice == overwrite:
		return "You become the only owner. " + c.owners() + lose + " the field.", false
	case c.choice == giveUp && partly:
		return stays + " Your change is taken back.", false
	case c.choice == giveUp:
		return stays + " Only your manifest loses the field.", false
	case c.choice == share:
		return stays + " You and " + c.owners() + " own the field together.", false
	case controller != "":
		return controller + " looks like a controller. After an overwrite, expect a fight.", true
	}
	return "Choose what happens to the field.", false
}

// controllersOf says of each owner that is probably a controller why, and what an overwrite leads to. Where the reader chose something else, that isn't said.
func controllersOf(d *document) []string {
	var all []string
	for _, r := range d.rows {
		if r.choice == share || r.choice == giveUp {
			continue
		}
		for _, o := range r.Owners {
			said := o.Likely.Why + " After an overwrite, this manager will probably write its value again."
			if o.Likely.Controller && !slices.Contains(all, said) {
				all = append(all, said)
			}
		}
	}
	return all
}

// aboutChoices says what the choices of a document mean for its request.
func aboutChoices(d *document) (said string, topic why.Topic) {
	switch {
	case d.forces():
		return "The request has force=true. Force applies to the whole request, so it takes each field that you overwrite.", why.Force
	case count(d).open > 0:
		return "Other managers own these fields. Until each conflict has a choice, the preview shows the result with force.", why.Conflicts
	}
	return "Your choices changed the manifest. Until you edit the text, you can choose again.", why.Conflicts
}
