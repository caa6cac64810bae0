package components

import "github.com/fieldmark/fieldmark/components/why"

// Liveness says how up to date a page is. The zero value shows nothing.
type Liveness struct {
	Tone  Tone
	Words string // "live", "connecting", "reconnecting in 3 s"
	Since string // the time since the last message
	Done  int64  // the number of objects received, of All; All is 0 unless an initial state is being received
	All   int64
	Why   *why.Topic // the explanation in the guide
}
