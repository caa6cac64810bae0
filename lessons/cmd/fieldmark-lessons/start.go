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

// written is the kubeconfig that the new Fieldmark writes into our temporary folder.
const written = "kubeconfig"

// stopTime is the time limit for Fieldmark and its practice cluster to stop.
const stopTime = time.Minute

// fieldmark returns the Fieldmark to use. If it was started here, stop ends it.
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
	env := append(os.Environ(), "FIELDMARK_TOKEN="+token, "XDG_STATE_HOME="+own) // its state is removed with our folder
	if c.kubeconfig != "" {
		args = append(args, "--practice", "off", "--kubeconfig", c.kubeconfig)
	} else {
		args = append(args, "--practice", "on")
		if c.version != "" {
			args = append(args, "--practice-version", c.version)
		}
		env = append(env, "KUBECONFIG="+filepath.Join(own, "none")) // don't use the user's own clusters
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

// beside is the program in the folder of this program.
func (c config) beside() (string, error) {
	if c.program != "" {
		return c.program, nil
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
