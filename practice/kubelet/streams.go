package kubelet

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/cri-streaming/pkg/streaming/portforward"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	"k8s.io/utils/exec"

	"github.com/fieldmark/fieldmark/practice/shell"
)

// streams are what one request asks of a container. Its context ends with its connection.
type streams struct {
	*kubelet
	ctx       context.Context // the library's own context doesn't end when the client goes
	namespace string
}

// openStreams prepares a request for streams. The function that it returns ends its context.
func (k *kubelet) openStreams(w http.ResponseWriter, r *http.Request) (*streams, http.ResponseWriter, func()) {
	ctx, end := context.WithCancel(r.Context())
	return &streams{k, ctx, r.PathValue("namespace")}, &hijackable{w, end}, end
}

func (k *kubelet) serveExec(w http.ResponseWriter, r *http.Request) {
	options, err := remotecommand.NewOptions(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s, w, end := k.openStreams(w, r)
	defer end()
	remotecommand.ServeExec(w, r, s, r.PathValue("pod"), r.PathValue("uid"), r.PathValue("container"),
		r.Form["command"], options, idleTimeout, creationTimeout, remotecommand.SupportedStreamingProtocols)
}

func (k *kubelet) serveAttach(w http.ResponseWriter, r *http.Request) {
	options, err := remotecommand.NewOptions(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s, w, end := k.openStreams(w, r)
	defer end()
	remotecommand.ServeAttach(w, r, s, r.PathValue("pod"), r.PathValue("uid"), r.PathValue("container"),
		options, idleTimeout, creationTimeout, remotecommand.SupportedStreamingProtocols)
}

func (k *kubelet) servePortForward(w http.ResponseWriter, r *http.Request) {
	options, err := portforward.NewV4Options(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s, w, end := k.openStreams(w, r)
	defer end()
	portforward.ServePortForward(w, r, s, r.PathValue("pod"), r.PathValue("uid"), options,
		idleTimeout, creationTimeout, portforward.SupportedProtocols)
}

// ExecInContainer runs a command in a container.
func (s *streams) ExecInContainer(_ context.Context, podName, _, name string, command []string,
	in io.Reader, out, errOut io.WriteCloser, tty bool, resize <-chan remotecommand.TerminalSize, _ time.Duration,
) error {
	pod, c, err := s.running(s.ctx, s.namespace, podName, name)
	if err != nil {
		return err
	}
	code, err := s.runCommand(pod, c, command, shellStreams(s.ctx, in, out, errOut, tty, resize))
	var none *shell.NotFoundError
	switch {
	case errors.As(err, &none):
		id := sha256.Sum256(fmt.Append(nil, pod.UID, name, command))
		return fmt.Errorf("failed to exec in container: failed to start exec \"%x\": OCI runtime exec failed: exec failed: "+
			"unable to start container process: %w: unknown", id, none)
	case err != nil:
		return err
	case code != 0:
		return exec.CodeExitError{Err: fmt.Errorf("command terminated with exit code %d", code), Code: code}
	}
	return nil
}

// runCommand runs a command in a container. If the container ends before, so does the command, with the exit code of a program that was killed.
func (s *streams) runCommand(pod *corev1.Pod, c *corev1.Container, command []string, streams shell.Streams) (code int, err error) {
	ctx, end := context.WithCancel(s.ctx)
	defer end()
	ends := s.ends(ctx, pod, c.Name, statusOf(pod, c.Name).State.Running.StartedAt.Time)
	go func() {
		select {
		case <-ends:
			end()
		case <-ctx.Done():
		}
	}()
	return s.host.Run(ctx, s.inside(ctx, pod, c), command, streams)
}

// shellStreams gives a shell the streams that the library has.
func shellStreams(ctx context.Context, in io.Reader, out, errOut io.WriteCloser, tty bool, resize <-chan remotecommand.TerminalSize) shell.Streams {
	s := shell.Streams{In: in, TTY: tty}
	if out != nil { // a nil interface of one kind isn't one of another
		s.Out = out
	}
	if errOut != nil {
		s.Err = errOut
	}
	if resize == nil {
		return s
	}
	sizes := make(chan shell.Size)
	go func() {
		defer close(sizes)
		for size := range resize {
			select {
			case sizes <- shell.Size{Columns: size.Width, Rows: size.Height}:
			case <-ctx.Done():
			}
		}
	}()
	s.Resize = sizes
	return s
}

// hijackable is a response whose connection, once it is taken over, ends the context of its request.
type hijackable struct {
	http.ResponseWriter
	end context.CancelFunc
}

// Flush implements http.Flusher.
func (h *hijackable) Flush() { _ = http.NewResponseController(h.ResponseWriter).Flush() }

// Hijack implements http.Hijacker.
func (h *hijackable) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, fmt.Errorf("taking over the connection: %w", err)
	}
	watched := &watchedConn{conn, h.end}
	// What the client has sent already is in the buffer, and comes first.
	early := io.LimitReader(buffered.Reader, int64(buffered.Reader.Buffered()))
	return watched, bufio.NewReadWriter(bufio.NewReader(io.MultiReader(early, watched)), bufio.NewWriter(watched)), nil
}

// watchedConn is a connection that says when it ends.
type watchedConn struct {
	net.Conn
	ended context.CancelFunc
}

// Read implements net.Conn.
func (c *watchedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	var timeout net.Error
	if err != nil && !(errors.As(err, &timeout) && timeout.Timeout()) {
		c.ended()
	}
	return n, err
}

// Close implements net.Conn.
func (c *watchedConn) Close() error {
	c.ended()
	return c.Conn.Close()
}

// drain reads what a client sends to a program that doesn't read.
func drain(in io.Reader) {
	if in != nil {
		_, _ = io.Copy(io.Discard, in) // until the client has gone
	}
}

// newline turns the lines of a log into those of a terminal.
func newline(text string, tty bool) string {
	if tty {
		return strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}
