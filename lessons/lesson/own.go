package lesson

// Own is a command that shows on any cluster what a lesson is about. It changes nothing.
type Own struct {
	Run   string `json:"run"`
	Shows string `json:"shows"` // HTML: what one sees
}
