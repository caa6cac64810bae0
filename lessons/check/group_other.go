//go:build !unix

package check

import "os/exec"

// endTogether leaves the processes of a command as they are.
func endTogether(*exec.Cmd) {}
