package ownership

import "slices"

// Reason says why no field of the object shows a claim.
type Reason string

// The reasons.
const (
	Unreadable   Reason = "unreadable" // the claim can't be read
	Unknown      Reason = "unknown"    // the claim has an unknown kind of key
	Absent       Reason = "absent"     // the object doesn't have the value, or no longer has it
	OtherVersion Reason = "version"    // the claim is in another API version, which may have other names for fields
	TooMuch      Reason = "too much"   // the list has too many different claims
)

// Lost is a claim in managedFields that no field of the object shows.
type Lost struct {
	Owner  Owner
	Entry  int      // place in managedFields; -1 for the whole of it
	Path   string   // in structured-merge-diff's notation, as far as it can be read
	Keys   []string // the keys that lead to it, as written in managedFields
	Reason Reason
	Detail string // the reason in words
}

// Lost lists the claims that no field of the object shows, entry by entry.
func (b *Blame) Lost() []Lost {
	all := slices.Clone(b.Record.Unreadable)
	for i := range b.Record.Entries {
		e := &b.Record.Entries[i]
		b.lostBelow(e, e.claims, b.found[i], &all)
	}
	slices.SortStableFunc(all, func(x, y Lost) int { return x.Entry - y.Entry })
	return all
}

func (b *Blame) lostBelow(e *Entry, c *claim, found []sight, all *[]Lost) {
	if c.member && c.parent != nil && found[c.id] != shown {
		reason, detail := b.whyLost(e, found[c.id])
		*all = append(*all, Lost{Owner: e.Owner, Entry: e.Index, Path: c.path(), Keys: c.keys(), Reason: reason, Detail: detail})
	}
	for _, child := range c.children {
		b.lostBelow(e, child, found, all)
	}
}

func (b *Blame) whyLost(e *Entry, s sight) (Reason, string) {
	switch {
	case s == tooMuch:
		return TooMuch, "the claims name the items of this list in too many different ways"
	case b.foreign(e):
		return OtherVersion, "claimed in " + e.APIVersion + ", not in this view"
	default:
		return Absent, "the object doesn't have this value"
	}
}

// foreign tells whether an entry is in another API version than the object.
func (b *Blame) foreign(e *Entry) bool { return b.version != "" && e.APIVersion != b.version }
