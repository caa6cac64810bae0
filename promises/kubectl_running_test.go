package promises

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// recording is output that can be waited for.
type recording struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{} // closed when there is more
}

func newRecording() *recording { return &recording{more: make(chan struct{})} }

func (r *recording) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.more)
	r.more = make(chan struct{})
	return r.text.Write(p)
}

func (r *recording) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// await returns when the output holds the text, or tells that it will not.
func (r *recording) await(text string, ended <-chan struct{}) bool {
	late := time.After(patience)
	for {
		r.mu.Lock()
		there, more := strings.Contains(r.text.String(), text), r.more
		r.mu.Unlock()
		if there {
			return true
		}
		select {
		case <-more:
		case <-ended:
			return strings.Contains(r.String(), text)
		case <-late:
			return false
		}
	}
}

// running is a kubectl that goes on until its work is done, or until it is stopped.
type running struct {
	name           string
	command        *exec.Cmd
	stdin          io.WriteCloser
	stdout, stderr *recording
	done           chan struct{}
	err            error // of its end; read after done
}

func (p *parity) start(t *testing.T, w side, namespace string, s step) *running {
	t.Helper()
	r := &running{
		name: s.title() + " (" + w.name + ")", command: p.command(t.Context(), w, namespace, s),
		stdout: newRecording(), stderr: newRecording(), done: make(chan struct{}),
	}
	r.command.Stdout, r.command.Stderr = r.stdout, r.stderr
	var err error
	if r.stdin, err = r.command.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := r.command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		r.err = r.command.Wait()
		close(r.done)
	}()
	t.Cleanup(func() { <-r.done }) // the test's context has ended it before
	return r
}

// end waits until kubectl has done its work.
func (r *running) end(t *testing.T) answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	select {
	case <-r.done:
	case <-ctx.Done():
		t.Fatalf("%s has not ended: %s%s", r.name, r.stdout, r.stderr)
	}
	return answered(r.err, r.stdout, r.stderr)
}

func (r *running) says(t *testing.T, text string) {
	t.Helper()
	if !r.stdout.await(text, r.done) {
		t.Fatalf("%s never said %q:\n%s%s", r.name, text, clip(r.stdout.String()), clip(r.stderr.String()))
	}
}

// both are the same command on both sides.
type both struct {
	place           place
	step            step
	direct, through *running
}

func (pl place) begin(t *testing.T, s step) both {
	t.Helper()
	return both{pl, s, pl.start(t, pl.parity.direct, pl.direct, s), pl.start(t, pl.parity.through, pl.through, s)}
}

func (b both) says(t *testing.T, text string) {
	t.Helper()
	b.direct.says(t, text)
	b.through.says(t, text)
}

// end waits for both and compares.
func (b both) end(t *testing.T) {
	t.Helper()
	d := b.direct.end(t)
	b.place.compare(t, b.step, d, b.through.end(t))
}

// stop interrupts both and compares.
func (b both) stop(t *testing.T) {
	t.Helper()
	for _, r := range []*running{b.direct, b.through} {
		if err := r.command.Process.Signal(os.Interrupt); err != nil {
			t.Errorf("%s has ended by itself: %v: %s", r.name, err, r.stderr)
		}
	}
	b.end(t)
}

// stillRuns tells whether neither has ended.
func (b both) stillRuns(t *testing.T) {
	t.Helper()
	for _, r := range []*running{b.direct, b.through} {
		select {
		case <-r.done:
			t.Errorf("%s did not wait: %s%s", r.name, r.stdout, r.stderr)
		default:
		}
	}
}
