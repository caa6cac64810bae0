package lab

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/figures"
)

// Once runs a verb of a program to its end. It returns milliseconds, and kilobytes of memory at most. An exit code of 1 says that the verb found something.
func (l *Lab) Once(ctx context.Context, line ...string) (took, memory float64, err error) {
	run := exec.CommandContext(ctx, filepath.Join(l.Plan.Bin, line[0]), append(line[1:len(line):len(line)], "--kubeconfig", l.Renamed(), "--cache-dir", filepath.Join(l.Folder, "cache-"+line[0]))...)
	var said strings.Builder
	run.Stderr = &said
	began := time.Now()
	err = run.Run()
	took = figures.MS(time.Since(began))
	if ended, is := errors.AsType[*exec.ExitError](err); err != nil && (!is || ended.ExitCode() != 1) {
		return 0, 0, fmt.Errorf("%s: %w: %s", strings.Join(line, " "), err, said.String())
	}
	return took, mostMemory(run.ProcessState), nil
}
