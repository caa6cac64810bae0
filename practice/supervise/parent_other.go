//go:build !linux

package supervise

import (
	"os"
	"syscall"
)

// dieWithParent does nothing where the kernel offers nothing: the lifeline does the work.
func dieWithParent(*syscall.SysProcAttr) {}

func executable() string {
	path, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return path
}
