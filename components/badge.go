package components

// Badge is a mark beside the name of a row. It has one of the looks below. What a page knows of its own objects, such as fights, it adds as an entry with
// the data that it comes from.
type Badge struct {
	Look  *BadgeLook
	Words string // what is so, without a full stop; empty: the look says all
	Href  string // a link; empty: none
}

// BadgeLook is what a kind of badge looks like.
type BadgeLook struct {
	Class  string
	Text   string // what is seen
	Title  string // says more, if the badge has no Words
	Name   string // says to screen readers what Text shows as a sign; empty: Text is a word
	Act    string // what its link does
	Before bool   // it stands before the name
}

// The looks of badges.
var (
	FightBadge    = &BadgeLook{Class: "fight-mark", Text: "⇄", Name: "Fight", Act: "Stop this fight", Before: true}
	DeletingBadge = &BadgeLook{
		Class: "tag tone-busy", Text: "deleting",
		Title: "deleting: this object has a deletionTimestamp. Its deletion waits for its finalizers or its grace period.",
	}
	DeletedBadge = &BadgeLook{Class: "tag", Text: "deleted"}
)

// title says what the badge means.
func (b Badge) title() string {
	switch {
	case b.Words == "":
		return b.Look.Title
	case b.Look.Act == "":
		return Visible(b.Words)
	}
	return Visible(b.Words) + ". " + b.Look.Act
}

// badges are those of a row that stand before its name, or after it.
func (r GridRow) badges(before bool) (some []Badge) {
	all := r.Badges
	switch {
	case r.Gone:
		all = append(all[:len(all):len(all)], Badge{Look: DeletedBadge})
	case r.Deleting:
		all = append(all[:len(all):len(all)], Badge{Look: DeletingBadge})
	}
	for _, b := range all {
		if b.Look.Before == before {
			some = append(some, b)
		}
	}
	return some
}
