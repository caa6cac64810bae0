package lesson

import (
	"slices"

	"github.com/fieldmark/fieldmark/kube/release"
)

// Tried are the versions of Kubernetes on which the guide is tried. What is said for all versions is said for these.
var Tried = release.Range{Since: 31, Until: 37}

// On is the lesson as it is on servers of a version. Steps and blocks keep their places, because progress is stored by place.
//
//	true for the version      ──▶ stays, without its range
//	true from a later version ──▶ set aside with its range: it is shown, but nothing of it is asked, sent or checked
//	no longer true            ──▶ left out
//	the version is unknown    ──▶ everything with a range is set aside
func (l Lesson) On(v release.Version) Lesson {
	l.Takeaways = takeaways(l.Takeaways, v)
	steps, possible := make([]Step, len(l.Steps)), false
	for i, s := range l.Steps {
		steps[i] = s.on(v)
		possible = possible || steps[i].Range.IsZero()
	}
	if l.Steps = steps; !possible {
		l.Scenario, l.Own = "", nil
	}
	l.Own = slices.DeleteFunc(slices.Clone(l.Own), func(o Own) bool { return v.Known() && !o.Range.IsZero() && !o.Range.Holds(v) })
	return l
}

func takeaways(all []Takeaway, v release.Version) []Takeaway {
	var out []Takeaway
	for _, t := range all {
		switch {
		case t.Range.Holds(v):
			t.Range = release.Range{}
		case !shown(t.Range, v):
			continue
		}
		out = append(out, t)
	}
	return out
}

// shown tells whether something that can't be said of the server is set aside, and not left out.
func shown(r release.Range, v release.Version) bool { return !v.Known() || r.After(v) }

func (s Step) on(v release.Version) Step {
	possible := s.Range.Holds(v)
	if possible {
		s.Range = release.Range{}
	}
	blocks := make([]Block, len(s.Blocks))
	for i, b := range s.Blocks {
		blocks[i] = b.on(v, possible)
	}
	s.Blocks = blocks
	return s
}

// on is the block on servers of a version, in a step that can be done there or not. Text without a range, and what differs, is the same in
// both.
func (b Block) on(v release.Version, possible bool) Block {
	r := b.Range
	b.Range = release.Range{}
	switch {
	case r.Holds(v) && (possible || b.Differs || b.HTML != "" && r.IsZero()):
		return b.inside(v)
	case b.Differs && v.Known():
		return Block{Line: b.Line} // what other servers do is for their readers
	case r.Holds(v) || shown(r, v):
		return aside(b, r)
	}
	return Block{Line: b.Line}
}

func aside(b Block, r release.Range) Block {
	return Block{Line: b.Line, Aside: &Aside{Range: r, Block: b}}
}

// inside are the parts of a block that have ranges of their own.
func (b Block) inside(v release.Version) Block {
	switch {
	case b.Predict != nil:
		return b.predicted(v)
	case b.Check != nil:
		return b.checked(v)
	case b.Notes != nil:
		n := *b.Notes
		n.Notes = nil
		for _, note := range b.Notes.Notes {
			if note.Range.Holds(v) {
				note.Range = release.Range{}
			}
			if note.Range.IsZero() || !v.Known() {
				n.Notes = append(n.Notes, note)
			}
		}
		if b.Notes = &n; len(n.Notes) == 0 {
			return Block{Line: b.Line}
		}
	}
	return b
}

// predicted is a prediction with the choices for the version. Without a version, nobody knows which choice is right, so nothing is asked.
func (b Block) predicted(v release.Version) Block {
	p := *b.Predict
	ranged := func(c Choice) bool { return !c.Range.IsZero() }
	switch {
	case !slices.ContainsFunc(p.Choices, ranged):
		return b
	case !v.Known():
		return aside(b, release.Range{})
	}
	p.Choices = nil
	for _, c := range b.Predict.Choices {
		if c.Range.Holds(v) {
			c.Range = release.Range{}
			p.Choices = append(p.Choices, c)
		}
	}
	b.Predict = &p
	return b
}

// checked is a check of the statements for the version.
func (b Block) checked(v release.Version) Block {
	c := *b.Check
	c.Statements = nil
	for _, s := range b.Check.Statements {
		switch {
		case s.Range.Holds(v):
			s.Range = release.Range{}
			c.Statements = append(c.Statements, s)
		case shown(s.Range, v):
			c.Aside = append(c.Aside, s)
		}
	}
	b.Check = &c
	switch {
	case len(c.Statements) > 0:
		return b
	case len(c.Aside) > 0:
		return aside(b, release.Range{})
	}
	return Block{Line: b.Line}
}

// Blank tells whether nothing of the block is left.
func (b Block) Blank() bool { return b == Block{Line: b.Line} }

// Skip is a part of a lesson that isn't tried on servers of a version.
type Skip struct {
	Line  int
	What  string
	Range release.Range // for which it is true
}

// Skips are the requests, statements, choices, notes and recordings that aren't tried on servers of a version.
func (l Lesson) Skips(v release.Version) []Skip {
	var all []Skip
	for _, step := range l.Steps {
		for _, b := range step.Blocks {
			within, _ := step.Range.Meet(b.Range)
			b.claims(func(line int, what string, own release.Range) {
				if r, _ := within.Meet(own); !r.Holds(v) {
					all = append(all, Skip{line, what, r})
				}
			})
		}
	}
	return all
}

// claims are the parts of a block that are tried.
func (b Block) claims(claim func(line int, what string, own release.Range)) {
	var every release.Range
	switch {
	case b.Request != nil:
		claim(b.Line, "request", every)
	case b.Check != nil:
		for _, s := range b.Check.Statements {
			claim(s.Line, "statement", s.Range)
		}
	case b.Recorded != nil:
		claim(b.Line, "recording", release.Range{Since: b.Recorded.Version, Until: b.Recorded.Version})
	case b.Predict != nil:
		for _, c := range b.Predict.Choices {
			claim(c.Line, "choice", c.Range)
		}
	case b.Notes != nil:
		for _, n := range b.Notes.Notes {
			claim(n.Line, "note", n.Range)
		}
	}
}
