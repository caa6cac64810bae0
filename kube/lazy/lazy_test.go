package lazy

import (
	"sync"
	"testing"
)

// TestAValueIsMadeOnceWhenItIsFirstUsed, however many use it at the same time.
func TestAValueIsMadeOnceWhenItIsFirstUsed(t *testing.T) {
	made := 0
	v := Value[*int]{Make: func() *int {
		made++
		return &made
	}}
	if made > 0 {
		t.Fatal("the value is made before it is used")
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got := *v.Get(); got != 1 {
				t.Errorf("the value was made %d times", got)
			}
		})
	}
	all.Wait()
}
