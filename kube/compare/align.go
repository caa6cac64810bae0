package compare

import (
	"slices"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

// line is a line of a body as it is compared.
type line struct {
	exact string // its text, with secret values, without a comma at its end
	place string // the same without a value that always differs; lines with the same text here belong together
}

// align puts the lines of two bodies side by side. If the bodies change places, the result changes places, too.
func align(left, right []line) []Line {
	a, b := places(left), places(right)
	turned := slices.Compare(a, b) > 0
	if turned {
		a, b = b, a
	}
	p := &pairing{a: a, b: b}
	p.pair(0, len(a), 0, len(b))
	if turned {
		for i, l := range p.lines {
			p.lines[i].Left, p.lines[i].Right = l.Right, l.Left
		}
	}
	for i := range p.lines {
		l := &p.lines[i]
		switch {
		case l.Left < 0 || l.Right < 0:
			l.What = Only
		case left[l.Left].exact == right[l.Right].exact:
		case left[l.Left].place == right[l.Right].place:
			l.What = Varies
		default:
			l.What = Changes
		}
	}
	return p.lines
}

func places(lines []line) []string {
	all := make([]string, len(lines))
	for i, l := range lines {
		all[i] = l.place
	}
	return all
}

// pairing puts lines side by side.
type pairing struct {
	a, b  []string
	lines []Line
}

// few is the number of lines that manifest.Compare compares well, whatever they are.
const few = 200

// pair pairs a range of both texts. In a long range, it first pairs the lines that are once in each of the texts, as many as there are in the
// same order ("patience diff"). Names are such lines, so an object that only one server has doesn't shift the others.
func (p *pairing) pair(fromA, toA, fromB, toB int) {
	for fromA < toA && fromB < toB && p.a[fromA] == p.b[fromB] {
		p.addPair(fromA, fromB)
		fromA, fromB = fromA+1, fromB+1
	}
	tail := 0
	for toA-tail > fromA && toB-tail > fromB && p.a[toA-tail-1] == p.b[toB-tail-1] {
		tail++
	}
	endA, endB := toA-tail, toB-tail
	anchors := p.anchors(fromA, endA, fromB, endB)
	for _, at := range anchors {
		p.pair(fromA, at[0], fromB, at[1])
		p.addPair(at[0], at[1])
		fromA, fromB = at[0]+1, at[1]+1
	}
	if len(anchors) > 0 {
		p.pair(fromA, endA, fromB, endB)
	} else {
		p.gap(fromA, endA, fromB, endB)
	}
	for i := range tail {
		p.addPair(endA+i, endB+i)
	}
}

func (p *pairing) addPair(a, b int) { p.lines = append(p.lines, Line{Left: a, Right: b}) }

// gap pairs a range line by line.
func (p *pairing) gap(fromA, toA, fromB, toB int) {
	next := 0
	for i, m := range manifest.Compare(plainLines(p.a[fromA:toA]), plainLines(p.b[fromB:toB])) {
		if m.From < 0 {
			p.addPair(-1, fromB+i)
			continue
		}
		for ; next < m.From; next++ {
			p.addPair(fromA+next, -1)
		}
		p.addPair(fromA+m.From, fromB+i)
		next = m.From + 1
	}
	for ; fromA+next < toA; next++ {
		p.addPair(fromA+next, -1)
	}
}

func plainLines(texts []string) []manifest.Line {
	all := make([]manifest.Line, len(texts))
	for i, text := range texts {
		all[i] = manifest.Line{{Text: text}}
	}
	return all
}

// anchors are pairs of lines that are once in each range, in increasing order. A short range has none.
func (p *pairing) anchors(fromA, toA, fromB, toB int) [][2]int {
	if toA-fromA+toB-fromB < few {
		return nil
	}
	const several = -1
	inA, inB := map[string]int{}, map[string]int{}
	note := func(in map[string]int, texts []string, from, to int) {
		for i := from; i < to; i++ {
			if _, had := in[texts[i]]; had {
				in[texts[i]] = several
			} else {
				in[texts[i]] = i
			}
		}
	}
	note(inA, p.a, fromA, toA)
	note(inB, p.b, fromB, toB)
	var pairs [][2]int
	for i := fromA; i < toA; i++ {
		if j, both := inB[p.a[i]]; both && j != several && inA[p.a[i]] != several {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	return increasing(pairs)
}

// increasing is the longest part of pairs in which the second numbers increase. The first numbers do so already.
func increasing(pairs [][2]int) [][2]int {
	var ends []int // ends[n] is the pair with the least second number at the end of n+1 increasing pairs
	before := make([]int, len(pairs))
	for i, pair := range pairs {
		n, _ := slices.BinarySearchFunc(ends, pair[1], func(end, second int) int { return pairs[end][1] - second })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	chosen := make([][2]int, len(ends))
	for n, i := len(ends)-1, last(ends); n >= 0; n, i = n-1, before[i] {
		chosen[n] = pairs[i]
	}
	return chosen
}

func last(ends []int) int {
	if len(ends) == 0 {
		return -1
	}
	return ends[len(ends)-1]
}
