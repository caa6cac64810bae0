package components

import "github.com/fieldmark/fieldmark/components/why"

// Liveness is how current a page is. The zero value shows nothing.
type Liveness struct {
	Tone  Tone
	Words string // "live", "connecting", "reconnecting in 3 s"
	Since string // how long nothing was heard
	Done  int64  // objects received, of All; All is 0 unless an initial state is on its way
	All   int64
	Why   *why.Topic // what explains it, in the guide
}
