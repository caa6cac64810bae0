//go:build unix

package practice

import (
	"os/exec"
	"syscall"
)

// apartFromTerminal runs the program in its own process group, so that Ctrl-C doesn't end it before our server has finished its requests. It
// ends when Stop is called, or when our process ends.
func apartFromTerminal(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill ends the program and everything it started.
func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
