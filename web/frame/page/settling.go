package page

// Settling waits until what is typed into a form has rested for about a second: letters come one by one. The zero value waits for nothing.
type Settling int

// Begin begins to wait, or begins again.
func (s *Settling) Begin() { *s = 1 }

// End ends the wait: what was typed is acted on now.
func (s *Settling) End() { *s = 0 }

// Waits tells whether something was typed that is not acted on yet.
func (s Settling) Waits() bool { return s > 0 }

// Rested takes a Tick in, and tells whether it is time to act: the second one after Begin ends the wait. The first may follow at once.
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
