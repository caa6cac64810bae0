package components

// Feature is something a server may offer, and how that was found.
type Feature struct {
	Name    string `json:"name"`
	Offered string `json:"offered"` // yes, no, or could not tell
	Means   string `json:"means"`   // what it is good for
	Why     string `json:"why"`     // what the answer was
	Asked   string `json:"asked"`   // the request that told
}

// Tone is the feature's mood.
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
