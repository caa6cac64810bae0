package lesson

import "github.com/fieldmark/fieldmark/kube/release"

// Own is a command that shows on any cluster what a lesson is about. It changes nothing.
type Own struct {
	Run   string `json:"run"`
	Shows string `json:"shows"` // HTML: what one sees
	// Range has the versions on which the command works; the zero Range: all.
	Range release.Range `json:"-"`
}
