package chunks

import (
	"fmt"
	"strconv"

	"github.com/fieldmark/fieldmark/kube/chunk"
	"github.com/fieldmark/fieldmark/words"
)

// The bounds of the picture. With more parts, each would be too thin to see.
const (
	mostBoxes = 100
	mostMarks = 80
	tail      = 0.12 // share of the width for the rest of the list, if its number of objects is unknown
)

// box is one chunk in the picture, or several. Positions are shares of the width, from 0 to 1.
type box struct {
	X, Width float64
	Words    string // text in the box; empty: there is no room
	Hint     string
	Seam     int  // how often the list's version had changed before the box
	Rest     bool // the part of the list that has not arrived
}

// label is a version above its boxes.
type label struct {
	X     float64
	Words string
}

// class is the class for the stylesheet.
func (b box) class(n int) string {
	c := fmt.Sprintf("box seam-%d", min(b.Seam, 2))
	if n%2 == 1 {
		c += " odd"
	}
	if b.Rest {
		c += " beyond"
	}
	return c
}

// mark is an object that has changed since the snapshot.
type mark struct {
	X     float64
	Class string
	Hint  string
}

// picture is the snapshot, with the objects that have changed since.
type picture struct {
	Boxes  []box
	Labels []label
	Marks  []mark
}

// draw lays the list out from left to right, in its order.
func draw(r chunk.Run, beside []chunk.Apart) picture {
	left, known := r.Left()
	came := 1.0
	if r.Phase != chunk.Whole && (!known || r.Count() == 0) {
		came = 1 - tail
	} else if total := float64(r.Count()) + float64(left); total > 0 {
		came = float64(r.Count()) / total
	}
	var p picture
	p.boxes(r, came)
	if came < 1 && len(r.Steps) > 0 {
		text := "number unknown"
		if known {
			text = words.Thousands(left) + " left"
		}
		p.Boxes = append(p.Boxes, box{X: came, Width: 1 - came, Words: short(text, 1-came), Hint: text, Seam: r.Seams(), Rest: true})
	}
	for n, a := range beside {
		if n == mostMarks {
			break
		}
		x := came / 2
		if r.Count() > 0 {
			x = came * float64(a.Place) / float64(r.Count())
			if a.Listed {
				x += came / float64(2*r.Count()) // into the middle of its place
			}
		}
		p.Marks = append(p.Marks, mark{X: x, Class: "mark mark-" + string(a.Fate), Hint: a.Key() + " " + fateWords(a)})
	}
	return p
}

func (p *picture) boxes(r chunk.Run, came float64) {
	if r.Count() == 0 {
		return
	}
	together := (len(r.Steps) + mostBoxes - 1) / mostBoxes
	one := came / float64(r.Count())
	x, seam := 0.0, 0
	var open *box
	first, items, in := 1, 0, 0
	for n, s := range r.Steps {
		if s.Apart {
			seam++
		}
		if n == 0 || s.Apart {
			p.Labels = append(p.Labels, label{X: x, Words: "version " + s.Version})
		}
		if open == nil || in == together || s.Apart {
			p.Boxes = append(p.Boxes, box{X: x, Seam: seam})
			open, first, items, in = &p.Boxes[len(p.Boxes)-1], n+1, 0, 0
		}
		in++
		items += s.Items
		x += one * float64(s.Items)
		open.Width = x - open.X
		open.Words = short(words.Thousands(int64(items)), open.Width)
		open.Hint = fmt.Sprintf("Chunk %s: %s at version %s", span(first, n+1), objects(items), s.Version)
	}
}

// short is the words, or nothing if a part of the width as large as share has no room for them.
func short(words string, share float64) string {
	if float64(len(words))*0.009 > share {
		return ""
	}
	return words
}

func span(from, to int) string {
	if from == to {
		return strconv.Itoa(from)
	}
	return fmt.Sprintf("%d to %d", from, to)
}

// percent is a share of the width as SVG writes it.
func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 2, 64) + "%" }

// fateNames are the fates of objects, for people.
var fateNames = map[chunk.Fate]string{chunk.Born: "created", chunk.Changed: "changed", chunk.Gone: "deleted"}

// fateWords say what has happened to an object since the snapshot, and what the list has of it. The object's name stands before them.
func fateWords(a chunk.Apart) string {
	switch {
	case a.Same:
		return "has this state in the list too, because the list continues at a newer version"
	case a.Fate == chunk.Born:
		return "was created after the snapshot, so the list doesn’t have it"
	case a.Fate == chunk.Gone && a.Listed:
		return "was deleted after the snapshot, and is still in the list"
	case a.Fate == chunk.Gone:
		return "was deleted after the snapshot"
	case a.Listed:
		return "has changed since the snapshot, and has its old state in the list"
	}
	return "has changed since the snapshot"
}

// described is the alternative text of the picture. It counts changes only after a watch has begun.
func (m Model) described(beside []chunk.Apart) string {
	r := m.live.run
	text := fmt.Sprintf("%s in %s at %s.", objects(r.Count()), words.Count(int64(len(r.Steps)), "chunk", "chunks"), words.Count(int64(r.Seams()+1), "version", "versions"))
	if left, known := r.Left(); known && left > 0 {
		text += fmt.Sprintf(" %s left.", words.Thousands(left))
	}
	if m.live.follow.x.ID == "" { // only a watch reports changes
		return text
	}
	fates := map[chunk.Fate]int{}
	for _, a := range beside {
		fates[a.Fate]++
	}
	return fmt.Sprintf("%s Since the snapshot: %d created, %d changed, %d deleted.", text, fates[chunk.Born], fates[chunk.Changed], fates[chunk.Gone])
}
