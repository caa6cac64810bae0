package cluster

import (
	"iter"

	"github.com/fieldmark/fieldmark/cli/rescue"
)

// each calls do for every item, at most atOnce at the same time, and returns when all are done.
func each[T any](items iter.Seq[T], atOnce int, do func(T)) {
	var all rescue.Group
	places := make(chan struct{}, atOnce)
	for item := range items {
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			do(item)
		})
	}
	all.Wait()
}
