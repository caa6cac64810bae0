package practice

import (
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/fieldmark/fieldmark/server/cluster"
)

// child is a program that we started. It watches its standard input, and ends when that ends: because we ask for it, or because we
// died in whatever way.
type child struct {
	cmd   *exec.Cmd
	stdin io.Closer
}

func startChild(program string, args []string, stdout, stderr io.Writer) (*child, error) {
	cmd := exec.Command(program, args...) //nolint:noctx // it is asked to end, and killed only if it doesn't
	cmd.Env = cluster.Environ(os.Environ())
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = 2 * time.Second
	apartFromTerminal(cmd)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller names the program
	}
	if err := cmd.Start(); err != nil {
		return nil, err //nolint:wrapcheck // the caller names the program
	}
	return &child{cmd: cmd, stdin: stdin}, nil
}

// askToEnd asks the program to end.
func (c *child) askToEnd() { _ = c.stdin.Close() }

// wait returns when the program has ended.
func (c *child) wait() error {
	err := c.cmd.Wait()
	c.askToEnd()
	return err //nolint:wrapcheck // the caller tells how it ended
}
