package supervise

import "syscall"

// dieWithParent has the kernel kill the child when its parent's thread ends.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// executable is this program, also after its file was replaced by a new build.
func executable() string { return "/proc/self/exe" }
