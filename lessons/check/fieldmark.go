package check

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Fieldmark is how to start a Fieldmark for tests of lessons.
type Fieldmark struct {
	Program    string // empty: the one in the folder of this program
	Own        string // a private folder for its state
	Kubeconfig string // the clusters to use; empty: it starts a practice cluster
	Version    string // minor version of the new practice cluster; empty: the newest
	Stderr     io.Writer
}

// Written is the file in the private folder into which Fieldmark writes its kubeconfig.
func (f Fieldmark) Written() string { return filepath.Join(f.Own, "kubeconfig") }

// stopTime is the time limit for Fieldmark and its practice cluster to stop.
const stopTime = time.Minute

// Start starts the program, and returns when it accepts connections. stop ends it.
func (f Fieldmark) Start(ctx context.Context) (server, token string, stop func(), err error) {
	program, err := f.beside()
	if err != nil {
		return "", "", nil, err
	}
	token = rand.Text()
	args := []string{"--listen", "127.0.0.1:0", "--log-level", "error", "--kubeconfig-out", f.Written()}
	env := append(os.Environ(), "FIELDMARK_TOKEN="+token, "XDG_STATE_HOME="+f.Own) // its state is removed with our folder
	if f.Kubeconfig != "" {
		args = append(args, "--practice", "off", "--kubeconfig", f.Kubeconfig)
	} else {
		args = append(args, "--practice", "on")
		if f.Version != "" {
			args = append(args, "--practice-version", f.Version)
		}
		env = append(env, "KUBECONFIG="+filepath.Join(f.Own, "none")) // don't use the user's own clusters
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = env
	cmd.Stderr = f.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = stopTime
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return "", "", nil, fmt.Errorf("%s was not started: %w", program, err)
	}
	if err := cmd.Start(); err != nil {
		return "", "", nil, fmt.Errorf("%s was not started: %w", program, err)
	}
	stop = func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	}
	if server, err = ready(stdout); err != nil {
		stop()
		return "", "", nil, err
	}
	return server, token, stop, nil
}

// beside is the program in the folder of this program.
func (f Fieldmark) beside() (string, error) {
	if f.Program != "" {
		return f.Program, nil
	}
	own, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("the folder of this program is unknown: %w", err)
	}
	return filepath.Join(filepath.Dir(own), "fieldmark"), nil
}

// ready waits for the line that Fieldmark prints when it is ready, and returns the address in it.
func ready(stdout io.Reader) (string, error) {
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		for word := range strings.FieldsSeq(lines.Text()) {
			if u, err := url.Parse(word); err == nil && u.Scheme != "" && u.Host != "" {
				go func() { _, _ = io.Copy(io.Discard, stdout) }() // until Fieldmark ends
				return u.Scheme + "://" + u.Host, nil
			}
		}
	}
	return "", fmt.Errorf("fieldmark ended before it was ready")
}
