package lab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// FreeAddress is an address that nobody listens at.
func FreeAddress(ctx context.Context) (string, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("a free port: %w", err)
	}
	return listener.Addr().String(), listener.Close()
}

// Pause waits, unless ctx ends before.
func Pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// Until waits until something is so.
func (l *Lab) Until(ctx context.Context, so func() bool) error {
	for deadline := time.Now().Add(Patience); time.Now().Before(deadline) && ctx.Err() == nil; time.Sleep(100 * time.Millisecond) {
		if so() {
			return nil
		}
	}
	return errors.New("it did not come about in time")
}

// PIDOfLast is the process of the program that was started last.
func (l *Lab) PIDOfLast() int { return l.Running[len(l.Running)-1].Command.Process.Pid }

// PIDOf is the process of a program that runs.
func (l *Lab) PIDOf(name string) int {
	for _, p := range l.Running {
		if p.name == name {
			return p.Command.Process.Pid
		}
	}
	return 0
}

// APIServer is the process of the API server, a child of the practice cluster's; 0 where that can't be told.
func (l *Lab) APIServer() int {
	parent := strconv.Itoa(l.PIDOf("fieldmark-practice"))
	found, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range found {
		text, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(text, []byte("kube-apiserver")) {
			continue
		}
		status, err := os.ReadFile(filepath.Join(filepath.Dir(file), "status"))
		if err == nil && strings.Contains(string(status), "PPid:\t"+parent+"\n") {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			return pid
		}
	}
	return 0
}

// CPU is the processor time that a process has used, in seconds; 0 where that can't be told.
func CPU(pid int) float64 {
	const hertz, user, system = 100, 11, 12 // the fields after the name
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	u, _ := strconv.ParseFloat(fields[user], 64)
	s, _ := strconv.ParseFloat(fields[system], 64)
	return (u + s) / hertz
}

// Resident is a process's memory, in bytes; 0 where that can't be told.
func Resident(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}
