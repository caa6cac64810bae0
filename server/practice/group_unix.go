//go:build unix

package practice

import (
	"os/exec"
	"syscall"
)

// apartFromTerminal keeps Ctrl-C at the terminal from reaching the program before we have drained: it
// ends when we tell it to, or when we are gone.
func apartFromTerminal(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill ends the program and everything it started.
func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
