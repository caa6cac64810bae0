package timeline

// What a history is made of weighs about so many bytes each.
const (
	nodeWeight   = 500 // of the last version: the decoded value, its node, who owns it
	trackWeight  = 900
	changeWeight = 700
)

// Weight is about how many bytes the history takes. It is for callers that keep many histories.
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

// Fought tells whether there are Flips.
func (h *History) Fought() bool {
	for _, t := range h.tracks {
		if t.flips > 0 {
			return true
		}
	}
	return false
}
