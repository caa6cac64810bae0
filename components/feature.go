package components

import (
	"strings"

	"github.com/fieldmark/fieldmark/kube/feature"
)

// Feature is a feature of a server, and how it was detected.
type Feature struct {
	Name    string `json:"name"`
	Offered string `json:"offered"` // yes, no, or unknown
	Means   string `json:"means"`   // its purpose
	Since   string `json:"since"`   // which API servers offer it
	Instead string `json:"instead"` // what happens without it
	Why     string `json:"why"`     // the response that the result is based on
	Asked   string `json:"asked"`   // the request that detected it
}

// Tone is the tone of Offered.
func (f Feature) Tone() Tone {
	switch f.Offered {
	case "yes":
		return Good
	case "no":
		return Calm
	default:
		return Warn
	}
}

// Lacking is what a page says in place of what the server doesn't offer.
func Lacking(f feature.Feature) Notice {
	return Notice{Tone: Warn, Title: strings.TrimSuffix(f.Lacking(), "."), Words: f.Because(), Advice: f.Instead}
}
