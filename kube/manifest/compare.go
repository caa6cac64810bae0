package manifest

// Match connects a line of a document with the same line in another version of the document.
type Match struct {
	From    int  // the line of the former document that this one continues; -1: it is new
	Changed bool // it is new, or reads otherwise
}

// Compare matches each line of a document with the line of its former state that it continues. Lines that read
// the same are matched in their order, as many as can be; between those, one line takes the place of another. What a
// line of JSON is separated from the next by does not count.
func Compare(before, after []Line) []Match {
	a, b := texts(before), texts(after)
	head := commonHead(a, b)
	tail := commonHead(reversed(a[head:]), reversed(b[head:]))
	matches := make([]Match, 0, len(b))
	for i := range head {
		matches = append(matches, Match{From: i})
	}
	from, to := len(a)-tail, len(b)-tail
	for _, m := range between(a[head:from], b[head:to]) {
		if m.From >= 0 {
			m.From += head
		}
		matches = append(matches, m)
	}
	for i := range tail {
		matches = append(matches, Match{From: from + i})
	}
	return matches
}

func texts(lines []Line) []string {
	all := make([]string, len(lines))
	for i, l := range lines {
		if n := len(l); n > 0 && l[n-1] == (Token{Text: ","}) {
			l = l[:n-1]
		}
		all[i] = l.String()
	}
	return all
}

func commonHead(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func reversed(lines []string) []string {
	turned := make([]string, len(lines))
	for i, l := range lines {
		turned[len(lines)-1-i] = l
	}
	return turned
}

// between matches what differs at its beginning and at its end.
func between(a, b []string) []Match {
	kept, ok := keptLines(a, b)
	if !ok {
		return blockwise(a, b)
	}
	matches := make([]Match, 0, len(b))
	next := 0 // line of a that is not accounted for yet
	for i := 0; i < len(b); {
		end := i
		for end < len(b) && kept[end] < 0 {
			end++
		}
		gap := len(a)
		if end < len(b) {
			gap = kept[end]
		}
		for ; i < end; i++ {
			matches = append(matches, replaced(next, gap))
			next++
		}
		if end < len(b) {
			matches = append(matches, Match{From: gap})
			next, i = gap+1, end+1
		}
	}
	return matches
}

// replaced is a line that takes the place of the former one at next, while there is one before the end of the gap.
func replaced(next, gap int) Match {
	if next < gap {
		return Match{From: next, Changed: true}
	}
	return Match{From: -1, Changed: true}
}

// blockwise matches what differs too much to be compared: place by place, and what was nowhere before has changed.
func blockwise(a, b []string) []Match {
	known := make(map[string]bool, len(a))
	for _, text := range a {
		known[text] = true
	}
	matches := make([]Match, len(b))
	for i, text := range b {
		matches[i] = replaced(i, len(a))
		matches[i].Changed = !known[text]
	}
	return matches
}

// maxEdits bounds the work of a comparison, which grows with the number of lines that come and go.
const maxEdits = 400

// keptLines gives, for each line of b, the line of a that it is, or -1: of the ways to make b of a, one with the fewest
// lines that come and go (Myers, 1986). It gives up past maxEdits of these.
func keptLines(a, b []string) (kept []int, ok bool) {
	var w ways
	for edits := 0; edits <= maxEdits; edits++ {
		here := make([]int, 2*edits+1)
		for k := -edits; k <= edits; k++ {
			x, _ := w.step(k, len(a), len(b))
			for x >= 0 && x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			here[k+edits] = x
			if x == len(a) && x-k == len(b) {
				return w.back(len(a), len(b)), true
			}
		}
		w = append(w, here)
	}
	return nil, false
}

// ways are the furthest ways into a and b by their number of edits. On diagonal k, where x lines of a and x-k lines
// of b are behind, ways[edits][k+edits] is x; -1 where no way leads.
type ways [][]int

func (w ways) at(k int) int {
	i := k + len(w) - 1
	if i < 0 || i >= len(w[len(w)-1]) {
		return -1
	}
	return w[len(w)-1][i]
}

// step is how far one more edit gets on diagonal k: a line of b comes, or one of a goes.
func (w ways) step(k, a, b int) (x int, comes bool) {
	if len(w) == 0 {
		return 0, false
	}
	down, right := w.at(k+1), w.at(k-1)
	if down-k > b {
		down = -1
	}
	if right++; right == 0 || right > a {
		right = -1
	}
	return max(down, right), down >= right
}

// back goes back from the ends of both, and notes the lines that are the same.
func (w ways) back(a, b int) []int {
	kept := make([]int, b)
	for i := range kept {
		kept[i] = -1
	}
	x, y := a, b
	for ; len(w) > 0; w = w[:len(w)-1] {
		start, comes := w.step(x-y, a, b)
		for ; x > start; x, y = x-1, y-1 {
			kept[y-1] = x - 1
		}
		if comes {
			y--
		} else {
			x--
		}
	}
	for ; x > 0; x, y = x-1, y-1 {
		kept[y-1] = x - 1
	}
	return kept
}
