//go:build linux || darwin

package cli

import (
	"os"
	"slices"
	"syscall"
)

// process is a process of this machine and the one that has started it.
type process struct{ id, parent int }

// endChildren kills each process that this program has started, and those that they have started. client-go starts credentials plugins, and
// offers no way to end them. Each process is stopped first, so that it starts no other one while its children are looked for.
func endChildren() {
	family := []int{os.Getpid()}
	for grown := true; grown; {
		grown = false
		for _, p := range processes() {
			if slices.Contains(family, p.parent) && !slices.Contains(family, p.id) && syscall.Kill(p.id, syscall.SIGSTOP) == nil {
				family, grown = append(family, p.id), true
			}
		}
	}
	for _, id := range family[1:] {
		_ = syscall.Kill(id, syscall.SIGKILL) // it may have ended by itself
	}
}
