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

// ofMetadata are the badges that follow from a row's own metadata.
var ofMetadata = []struct {
	look *BadgeLook
	is   func(GridRow) bool
}{
	{DeletedBadge, func(r GridRow) bool { return r.Gone }},
	{DeletingBadge, func(r GridRow) bool { return r.Deleting && !r.Gone }},
}

// badges are those of a row that stand before its name, or after it.
func (r GridRow) badges(before bool) (some []Badge) {
	for _, b := range r.Badges {
		if b.Look.Before == before {
			some = append(some, b)
		}
	}
	for _, of := range ofMetadata {
		if of.look.Before == before && of.is(r) {
			some = append(some, Badge{Look: of.look})
		}
	}
	return some
}
