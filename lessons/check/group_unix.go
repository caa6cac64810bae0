//go:build unix

package check

import (
	"os/exec"
	"syscall"
)

// endTogether makes a command end together with all its processes.
func endTogether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
