// Package browser runs the scripts that measure in a real Chromium. Its own scripts have what these share: a browser, a visit, and changes while a page is open.
package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// Run runs a script, and reads the figures that it prints.
func Run(ctx context.Context, figures any, script string, args ...string) error {
	answer, err := Script(ctx, script, args...).Output()
	if err != nil {
		return fmt.Errorf("%s in the browser: %w", script, err)
	}
	if err := json.Unmarshal(answer, figures); err != nil {
		return fmt.Errorf("the browser's figures of %s: %w", script, err)
	}
	return nil
}

// Script is a script of a family, which ends its browser when ctx ends.
func Script(ctx context.Context, script string, args ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, "node", append([]string{"dev/bench/" + script + ".mjs"}, args...)...)
	command.Stderr = os.Stderr
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.WaitDelay = 20 * time.Second
	return command
}
