package manifest

// Match connects a line of a document with the line that it continues in the former version.
type Match struct {
	From    int  // the line of the former version; -1: the line is new
	Changed bool // the line is new, or its text has changed
}

// Compare matches each line of a document with the line of the former version that it continues. Equal lines are matched in order, as many
// as possible. A different line between them is matched with the line that it replaces. The comma at the end of a line of JSON doesn't
// count.
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

// between matches the lines that remain after equal lines at both ends are matched.
func between(a, b []string) []Match {
	kept, ok := keptLines(a, b)
	if !ok {
		return blockwise(a, b)
	}
	matches := make([]Match, 0, len(b))
	next := 0 // the first line of a that has no match yet
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

// replaced matches a line with the former line next, which it replaces. If the gap has no more former lines, the line is new.
func replaced(next, gap int) Match {
	if next < gap {
		return Match{From: next, Changed: true}
	}
	return Match{From: -1, Changed: true}
}

// blockwise matches documents that differ too much to be compared: line by line. A line that the former version has nowhere counts as
// changed.
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

// maxEdits bounds the work of a comparison. The work grows with the number of added and removed lines.
const maxEdits = 400

// keptLines returns, for each line of b, the equal line of a, or -1. It finds the smallest number of added and removed lines (Myers,
// 1986). ok is false if there are more than maxEdits of them.
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

// ways has the furthest points that can be reached with each number of edits. On diagonal k, x lines of a and x-k lines of b have been
// passed; ways[edits][k+edits] is x, or -1 if the diagonal can't be reached.
type ways [][]int

func (w ways) at(k int) int {
	i := k + len(w) - 1
	if i < 0 || i >= len(w[len(w)-1]) {
		return -1
	}
	return w[len(w)-1][i]
}

// step is the point that one more edit reaches on diagonal k. The edit adds a line of b (comes is true) or removes one of a.
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

// back goes back from the ends of both documents, and notes the equal lines.
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
