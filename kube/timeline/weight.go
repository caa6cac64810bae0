package timeline

// Approximate memory of the parts of a history, in bytes.
const (
	nodeWeight   = 500 // for each value of the last version: the decoded value, its node, its owners
	trackWeight  = 900
	changeWeight = 700
)

// Weight is the approximate memory of the history, in bytes. It is for callers that keep many histories.
func (h *History) Weight() int {
	w := len(h.tracks) * trackWeight
	if h.last != nil {
		w += h.last.blame.Root.End * nodeWeight
	}
	for _, s := range h.steps {
		w += len(s.Changes) * changeWeight
	}
	return w
}

// Fought tells whether managers fight over a field (see Flips).
func (h *History) Fought() bool {
	for _, t := range h.tracks {
		if t.flips > 0 {
			return true
		}
	}
	return false
}
