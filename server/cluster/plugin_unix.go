//go:build unix

package cluster

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the command into a process group of its own and has the whole group killed at the end of
// its context, whatever it started.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
