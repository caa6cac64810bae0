package kubelet

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
)

// container stands for each container of a simulated node: it prints the
// command that it got, and echoes its input.
type container struct{}

// ExecInContainer writes a line that says that no process ran, and then echoes its input.
func (container) ExecInContainer(_ context.Context, _, _, _ string, command []string,
	in io.Reader, out, errOut io.WriteCloser, tty bool, _ <-chan remotecommand.TerminalSize, _ time.Duration,
) error {
	line := "simulated container: no process ran; asked for: " + strings.Join(command, " ")
	return echo(line, in, out, errOut, tty)
}

// AttachContainer does the same without a command.
func (container) AttachContainer(_ context.Context, _, _, name string,
	in io.Reader, out, errOut io.WriteCloser, tty bool, _ <-chan remotecommand.TerminalSize,
) error {
	return echo(fmt.Sprintf("simulated container %s: no process runs here", name), in, out, errOut, tty)
}

// PortForward echoes every byte.
func (container) PortForward(_ context.Context, _, _ string, _ int32, stream io.ReadWriteCloser) error {
	defer func() { _ = stream.Close() }()
	_, err := io.Copy(stream, stream)
	return err
}

func echo(line string, in io.Reader, out, errOut io.WriteCloser, tty bool) error {
	newline := "\n"
	if tty {
		newline = "\r\n"
	}
	if out == nil { // the client asked for no output, or for errors only
		out = errOut
	}
	if out != nil {
		if _, err := io.WriteString(out, line+newline); err != nil {
			return err
		}
	}
	if in == nil {
		return nil
	}
	if out == nil {
		_, err := io.Copy(io.Discard, in)
		return err
	}
	_, err := io.Copy(out, in)
	return err
}
