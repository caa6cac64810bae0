package lab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

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

// PID is the process of a program.
func (p *Program) PID() int { return p.command.Process.Pid }

// PIDOf is the process of a program that runs.
func (l *Lab) PIDOf(name string) int {
	for _, p := range l.Running {
		if p.name == name {
			return p.PID()
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

// Each calls do for all things, eight at a time, and returns the first error.
func Each[T any](ctx context.Context, all []T, do func(context.Context, T) error) error {
	const atOnce = 8
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var running sync.WaitGroup
	places := make(chan struct{}, atOnce)
	for _, one := range all {
		places <- struct{}{}
		running.Go(func() {
			defer func() { <-places }()
			if ctx.Err() != nil {
				return
			}
			if err := do(ctx, one); err != nil {
				cancel(err)
			}
		})
	}
	running.Wait()
	return context.Cause(ctx)
}
