package change

import (
	"strings"
	"unicode/utf8"

	"github.com/fieldmark/fieldmark/kube/ownership"
)

// words say what happens to a field.
func (c *comparison) words(r Row) string {
	sentences := []string{c.valueWords(r)}
	if owners := c.ownerWords(r); owners != "" {
		sentences = append(sentences, owners)
	}
	if r.Why != "" {
		sentences = append(sentences, r.Why)
	}
	if r.Cause == Generated {
		sentences = append(sentences, "In a real run the value will be another one.")
	}
	return strings.TrimSpace(strings.Join(sentences, " "))
}

func (c *comparison) valueWords(r Row) string {
	by := "You"
	if r.Cause != You {
		by = "The server"
	}
	switch r.What {
	case ownership.Added:
		return by + " set" + third(r) + " it to " + brief(r.New) + "."
	case ownership.Changed:
		return by + " change" + third(r) + " it from " + brief(r.Old) + " to " + brief(r.New) + "."
	case ownership.Removed:
		return c.removalWords(r, by)
	default:
		return "The value stays."
	}
}

func third(r Row) string {
	if r.Cause == You {
		return ""
	}
	return "s"
}

func (c *comparison) removalWords(r Row, by string) string {
	switch {
	case r.Vanishes:
		return "You no longer state it, and nobody else holds it: it goes away."
	case r.Cause == You && len(without(r.Before, []ownership.Owner{{Manager: c.Manager}})) > 0:
		return "You take it away, from " + names(without(r.Before, []ownership.Owner{{Manager: c.Manager}})) + " too."
	default:
		return by + " remove" + third(r) + " it."
	}
}

// ownerWords say who owns it from now on, where that changes.
func (c *comparison) ownerWords(r Row) string {
	others := without(r.After, []ownership.Owner{{Manager: c.Manager}})
	gone, came := without(r.Before, r.After), without(r.After, r.Before)
	switch {
	case r.What == ownership.Removed:
		return ""
	case r.Claim == Taken && len(others) == 0:
		return "You own it from now on; " + names(r.Lost) + no(r.Lost) + "."
	case r.Claim == Taken:
		return "You and " + names(others) + " own it from now on; " + names(r.Lost) + no(r.Lost) + "."
	case r.Claim == Shared && len(others) == 1:
		return "You and " + names(others) + " both own it from now on."
	case r.Claim == Shared:
		return "You, " + names(others) + " own it together from now on."
	case r.Claim == Gained:
		return "You alone own it from now on."
	case r.Claim == GivenUp && len(r.After) > 0:
		return "You no longer own it; " + names(r.After) + keep(r.After) + "."
	case r.Claim == GivenUp:
		return "You no longer own it, and nobody else does."
	case len(gone) > 0 && len(r.After) == 0:
		return names(gone) + " no longer own" + one(gone) + " it, and nobody else does."
	case len(gone) > 0 && len(came) > 0:
		return names(gone) + " no longer own" + one(gone) + " it; " + names(came) + " own" + one(came) + " it from now on."
	case len(gone) > 0:
		return names(gone) + " no longer own" + one(gone) + " it."
	case len(came) > 0:
		return names(came) + " own" + one(came) + " it from now on."
	case len(r.After) == 0 && r.What != ownership.Passed:
		return "Nobody owns it."
	default:
		return ""
	}
}

func one(owners []ownership.Owner) string {
	if len(owners) == 1 {
		return "s"
	}
	return ""
}

func no(owners []ownership.Owner) string {
	if len(owners) == 1 {
		return " no longer does"
	}
	return " no longer do"
}

func keep(owners []ownership.Owner) string {
	if len(owners) == 1 {
		return " keeps it"
	}
	return " keep it"
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

const maxBrief = 60

// brief is a value's JSON, cut so that it fits into a sentence.
func brief(text string) string {
	if utf8.RuneCountInString(text) <= maxBrief {
		return text
	}
	return string([]rune(text)[:maxBrief]) + "…"
}

func short(v any) string { return brief(written(v)) }
