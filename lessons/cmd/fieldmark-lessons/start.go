package main

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

// written is the kubeconfig that the Fieldmark that is started writes, in a folder of ours.
const written = "kubeconfig"

// stopTime is what Fieldmark has to stop in, with its practice cluster.
const stopTime = time.Minute

// fieldmark is the Fieldmark to ask, and what ends it if it was started here.
func (c config) fieldmark(ctx context.Context, own string, stderr io.Writer) (server, token string, stop func(), err error) {
	if c.server != "" {
		return c.server, c.token, func() {}, nil
	}
	program, err := c.beside()
	if err != nil {
		return "", "", nil, err
	}
	token = rand.Text()
	args := []string{"--listen", "127.0.0.1:0", "--log-level", "error", "--kubeconfig-out", filepath.Join(own, written)}
	env := append(os.Environ(), "FIELDMARK_TOKEN="+token, "XDG_STATE_HOME="+own) // it leaves nothing behind
	if c.kubeconfig != "" {
		args = append(args, "--practice", "off", "--kubeconfig", c.kubeconfig)
	} else {
		args = append(args, "--practice", "on")
		env = append(env, "KUBECONFIG="+filepath.Join(own, "none")) // the user's own clusters are left out of it
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = env
	cmd.Stderr = stderr
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

// beside is the program to start.
func (c config) beside() (string, error) {
	if c.program != "" {
		return c.program, nil
	}
	own, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("our own program's folder is not known: %w", err)
	}
	return filepath.Join(filepath.Dir(own), "fieldmark"), nil
}

// ready waits for the line that Fieldmark prints when it serves, and takes its address from it.
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
