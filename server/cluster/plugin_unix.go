//go:build unix

package cluster

import (
	"os/exec"
	"syscall"
)

// ownGroup runs the command in its own process group, and kills the whole group when its context ends.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
