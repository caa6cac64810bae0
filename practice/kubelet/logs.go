package kubelet

import (
	"context"
	"errors"
	"io"
	"iter"
	"math"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/fieldmark/fieldmark/practice/logs"
)

const (
	// followInterval is how often a followed log is looked at for new lines.
	followInterval = 100 * time.Millisecond
	// stamp is the form of timestamps: always nine digits.
	stamp = "2006-01-02T15:04:05.000000000Z07:00"
)

func (k *kubelet) serveLogs(w http.ResponseWriter, r *http.Request) {
	options, err := logOptions(r.URL.Query())
	if err != nil {
		fail(w, err)
		return
	}
	pod, err := k.pod(r.Context(), r.PathValue("namespace"), r.PathValue("pod"))
	if err != nil {
		fail(w, err)
		return
	}
	reader, err := newReader(pod, r.PathValue("container"), options, time.Now())
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	reader.out, reader.flush = w, http.NewResponseController(w).Flush
	if err := reader.writePastLines(); err == nil && options.Follow {
		k.follow(r.Context(), reader, pod)
	}
}

// reader writes a part of a log to one client.
type reader struct {
	log       *logs.Log
	container string
	started   time.Time // of the run that is read
	options   *corev1.PodLogOptions
	since     time.Time
	remain    int64 // bytes that may still be written
	at        time.Time
	out       io.Writer
	flush     func() error
	// errOut gets the lines of the standard error, if split; else out gets all of them. In a terminal, lines end as they do there.
	errOut     io.Writer
	split, tty bool
	// open tells that the last line that was written has no end yet.
	open bool
}

// newReader prepares to read the log of a container at a time.
func newReader(pod *corev1.Pod, name string, options *corev1.PodLogOptions, now time.Time) (*reader, error) {
	c, inits := containerOf(pod, name)
	if c == nil {
		return nil, refuse(http.StatusNotFound, "container %q not found in pod %q", name, pod.Name)
	}
	state, err := runState(pod, name, options.Previous)
	if err != nil {
		return nil, err
	}
	s := source(pod, c, inits, state)
	r := &reader{log: logs.New(s), container: name, started: s.Started, options: options, remain: math.MaxInt64, at: now}
	switch {
	case options.SinceTime != nil:
		r.since = options.SinceTime.Time
	case options.SinceSeconds != nil:
		r.since = now.Add(-time.Duration(*options.SinceSeconds) * time.Second)
	}
	if options.LimitBytes != nil {
		r.remain = *options.LimitBytes
	}
	return r, nil
}

// errEnough ends a log that has reached its limit of bytes.
var errEnough = errors.New("the limit of bytes is reached")

// writePastLines writes what there is so far.
func (r *reader) writePastLines() error {
	if n := r.options.TailLines; n != nil {
		for _, line := range r.log.Tail(int(min(*n, math.MaxInt32)), r.at) {
			if err := r.writeLine(line); err != nil {
				return err
			}
		}
		return r.flush()
	}
	return r.writeAll(r.log.Between(r.since, r.at))
}

// further writes the lines from where the reader is up to a time.
func (r *reader) further(to time.Time) error {
	from := r.at
	r.at = to
	return r.writeAll(r.log.Between(from, to))
}

func (r *reader) writeAll(lines iter.Seq[logs.Line]) error {
	for line := range lines {
		if err := r.writeLine(line); err != nil {
			return err
		}
	}
	return r.flush()
}

// writeLine writes a line in the form that the client wants, or not at all.
func (r *reader) writeLine(line logs.Line) error {
	if line.At.Before(r.since) || !r.wants(line) {
		return nil
	}
	text := line.Text
	if r.options.Timestamps && !r.open {
		text = line.At.UTC().Format(stamp) + " " + text
	}
	if r.open = line.Open; !r.open {
		text += "\n"
	}
	if int64(len(text)) > r.remain {
		text = text[:r.remain]
	}
	r.remain -= int64(len(text))
	out := r.out
	if r.split && line.Stderr {
		out = r.errOut
	}
	if _, err := io.WriteString(out, newline(text, r.tty)); err != nil {
		return err
	}
	if r.remain == 0 {
		return errors.Join(errEnough, r.flush())
	}
	return nil
}

func (r *reader) wants(line logs.Line) bool {
	switch stream := r.options.Stream; {
	case stream == nil || *stream == corev1.LogStreamAll:
		return true
	default:
		return line.Stderr == (*stream == corev1.LogStreamStderr)
	}
}

// follow writes new lines until the run has ended and all of its lines are written, or the client has gone.
func (k *kubelet) follow(ctx context.Context, r *reader, pod *corev1.Pod) {
	if r.log.Ended() {
		return
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ends := k.ends(ctx, pod, r.container, r.started)
	ticker := time.NewTicker(followInterval)
	defer ticker.Stop()
	for {
		select {
		case ended := <-ends:
			r.log = logs.New(ended)
			_ = r.writeAll(r.log.Rest(r.at)) // the client may have gone
			return
		case now := <-ticker.C:
			if r.further(now) != nil {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}
