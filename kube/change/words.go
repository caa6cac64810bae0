package change

import (
	"strings"
	"unicode/utf8"

	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/plain"
)

// rowWords says what happens to a field. The reason is the part of the words about the owners and the cause.
func (c *comparison) rowWords(r Row) (words, reason string) {
	var sentences []string
	if owners := c.ownerWords(r); owners != "" {
		sentences = append(sentences, owners)
	}
	if r.Why != "" {
		sentences = append(sentences, r.Why)
	}
	if r.Cause == Generated {
		sentences = append(sentences, "A real request gets a different value.")
	}
	reason = strings.TrimSpace(strings.Join(sentences, " "))
	words = strings.TrimSpace(c.valueWords(r) + " " + reason)
	switch {
	case r.What == ownership.Removed && reason == "":
		reason = c.removalWords(r)
	case reason == "" && c.mine(r.After):
		reason = "You own the field already."
	}
	return words, reason
}

// valueWords say what happens to the value.
func (c *comparison) valueWords(r Row) string {
	you := r.Cause == You
	from, to := plain.Apart(r.Old, r.New, maxBrief)
	switch {
	case r.What == ownership.Added && you:
		return "You set the field to " + brief(r.New) + "."
	case r.What == ownership.Added:
		return "The server sets the field to " + brief(r.New) + "."
	case r.What == ownership.Changed && you:
		return "You change the value from " + from + " to " + to + "."
	case r.What == ownership.Changed:
		return "The server changes the value from " + from + " to " + to + "."
	case r.What == ownership.Removed:
		return c.removalWords(r)
	default:
		return "The value stays."
	}
}

func (c *comparison) removalWords(r Row) string {
	others := without(r.Before, []ownership.Owner{{Manager: c.Manager}})
	switch {
	case r.Vanishes && len(others) == 0:
		return "Your manifest no longer has the field, and no other manager owns it. The server removes the field."
	case r.Cause == You && len(others) > 0:
		return "You remove the field, which was also owned by " + names(others) + "."
	case r.Cause == You:
		return "You remove the field."
	default:
		return "The server removes the field."
	}
}

// ownerWords say who owns the field afterwards; empty if that doesn't change.
func (c *comparison) ownerWords(r Row) string {
	others := without(r.After, []ownership.Owner{{Manager: c.Manager}})
	gone, came := without(r.Before, r.After), without(r.After, r.Before)
	switch {
	case r.What == ownership.Removed:
		return ""
	case r.Claim == Taken && len(others) == 0:
		return "You become the only owner, instead of " + names(r.Lost) + "."
	case r.Claim == Taken:
		return "You become an owner beside " + names(others) + ", instead of " + names(r.Lost) + "."
	case r.Claim == Shared:
		return "You become an owner beside " + names(others) + "."
	case r.Claim == Gained:
		return "You become the only owner."
	case r.Claim == GivenUp && len(r.After) > 0:
		return "You are no longer an owner. The field is owned by " + names(r.After) + "."
	case r.Claim == GivenUp:
		return "You are no longer an owner, so the field has no owner."
	case len(gone) > 0 && len(r.After) == 0:
		return "The field is no longer owned by " + names(gone) + ", so it has no owner."
	case len(gone) > 0 && len(came) > 0:
		return "The field is owned by " + names(came) + " instead of " + names(gone) + "."
	case len(gone) > 0:
		return "The field is no longer owned by " + names(gone) + "."
	case len(came) > 0 && len(came) < len(r.After):
		return "The field is also owned by " + names(came) + "."
	case len(came) > 0:
		return "The field is owned by " + names(came) + "."
	case len(r.After) == 0 && r.What != ownership.Passed:
		return "No manager owns the field."
	default:
		return ""
	}
}

// names lists owners in a sentence.
func names(owners []ownership.Owner) string {
	words := make([]string, 0, len(owners))
	for _, o := range owners {
		words = append(words, o.Words())
	}
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// maxBrief is the number of characters of a value in a sentence.
const maxBrief = 60

// brief is a value's JSON, cut so that it fits into a sentence.
func brief(text string) string {
	if utf8.RuneCountInString(text) <= maxBrief {
		return text
	}
	return string([]rune(text)[:maxBrief]) + "…"
}

func short(v any) string { return brief(written(v)) }
