package page

// Settling waits until the reader has stopped typing into a form for about a second. The zero value doesn't wait.
type Settling int

// Begin begins to wait, or starts the wait again.
func (s *Settling) Begin() { *s = 1 }

// End ends the wait, because the page uses the text now.
func (s *Settling) End() { *s = 0 }

// Waits tells whether the page has not used the typed text yet.
func (s Settling) Waits() bool { return s > 0 }

// Rested counts a Tick, and tells whether the wait has ended. It ends with the second Tick after Begin, because the first may follow at once.
func (s *Settling) Rested() bool {
	switch *s {
	case 0:
		return false
	case 1:
		*s = 2
		return false
	}
	s.End()
	return true
}
