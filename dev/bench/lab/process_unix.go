//go:build unix

package lab

import (
	"fmt"
	"os"
	"syscall"
	"time"
)

// Own is the processor time that this program has used, in seconds.
func Own() float64 {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return (time.Duration(used.Utime.Nano()) + time.Duration(used.Stime.Nano())).Seconds()
}

// mostMemory is the most memory that a process that has ended had, in kilobytes.
func mostMemory(ended *os.ProcessState) float64 {
	if used, is := ended.SysUsage().(*syscall.Rusage); is {
		return float64(used.Maxrss)
	}
	return 0
}

// MoreFiles lets this program, and those that it starts, have as many open files as the system allows. It is an error if n aren't possible.
func MoreFiles(n int) error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return fmt.Errorf("the limit of open files: %w", err)
	}
	if uint64(n) > limit.Max {
		return fmt.Errorf("%d files must be open at the same time, but the limit is %d; raise it with ulimit -Hn", n, limit.Max)
	}
	limit.Cur = limit.Max
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return fmt.Errorf("raising the limit of open files: %w", err)
	}
	return nil
}

// Halt stops a process until resume lets it go on.
func Halt(pid int) error { return sendSignal(pid, syscall.SIGSTOP) }

// Resume lets a halted process go on.
func Resume(pid int) error { return sendSignal(pid, syscall.SIGCONT) }

func sendSignal(pid int, which syscall.Signal) error {
	if err := syscall.Kill(pid, which); err != nil {
		return fmt.Errorf("process %d: %w", pid, err)
	}
	return nil
}
