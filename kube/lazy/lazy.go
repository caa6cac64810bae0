// Package lazy has values that are made when they are first used. A program in the browser then starts without them: making a table costs little, but the
// browser must first compile the function that makes it (docs/decisions/0145).
//
//	var ranks = lazy.Value[map[string]int]{Make: func() map[string]int { return map[string]int{"ace": 1, "king": 2} }}
//
//	rank := ranks.Get()[card]
//
// A variable like this one is data. Nothing runs for it in the initialization of its package.
package lazy

import "sync"

// Value is what Make returns. Make is called once.
type Value[T any] struct {
	Make func() T
	once sync.Once
	made T
}

// Get is the value. Any goroutine may call it.
func (v *Value[T]) Get() T {
	v.once.Do(v.fill)
	return v.made
}

func (v *Value[T]) fill() { v.made = v.Make() }
