package report

import "time"

// Ended is the state of a watched object whose time is over. Its recording is kept.
const Ended State = "ended"

// Watched is an object that the server watches on behalf of a session, and what happened to it since then.
type Watched struct {
	Object Object    `json:"object"`
	Began  time.Time `json:"began"`
	Ends   time.Time `json:"ends"`
	State  State     `json:"state"`
	Why    string    `json:"why,omitempty"` // why the object isn't followed now
	// Changes counts the versions after the first one, Kept the versions that are kept, in Bytes.
	Changes int    `json:"changes"`
	Kept    int    `json:"kept"`
	Bytes   int    `json:"bytes"`
	Last    Latest `json:"last"` // zero: nothing has changed
	// News counts the changes since the reader last looked, NewFights the fights that went on since then.
	News      int     `json:"news"`
	NewFights int     `json:"newFights"`
	Fights    []Known `json:"fights,omitempty"`
}

// Latest is the last change of a watched object.
type Latest struct {
	At      time.Time `json:"at"`
	Writers []Manager `json:"writers,omitempty"` // empty: managedFields don't tell
	Paths   []string  `json:"paths,omitempty"`   // the first few
	More    int       `json:"more,omitempty"`    // number of the other paths
}
