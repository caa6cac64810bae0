//go:build !linux

package supervise

import (
	"os"
	"syscall"
)

// dieWithParent does nothing on this system: only the lifeline ends the children.
func dieWithParent(*syscall.SysProcAttr) {}

func executable() string {
	path, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return path
}
