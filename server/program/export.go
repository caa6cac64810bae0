package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/fieldmark/fieldmark/cli/guide"
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/lessons/check"
	"github.com/fieldmark/fieldmark/lessons/recording"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/export"
	"github.com/fieldmark/fieldmark/server/pages/learn"
	"github.com/fieldmark/fieldmark/words"
)

// exporter makes the guide as a static site.
type exporter struct {
	version string
	stderr  io.Writer
}

// export implements guide.Exporter.
func (x exporter) export(ctx context.Context, e guide.Export, say func(string)) error {
	if err := export.Free(e.Dir); err != nil {
		return err
	}
	responses, err := x.responses(ctx, e, say)
	if err != nil {
		return err
	}
	site, err := export.Make(ctx, export.Options{Recording: responses, Base: e.Base, Fieldmark: x.version})
	if err != nil {
		return err
	}
	if err := site.Write(e.Dir); err != nil {
		return err
	}
	say(fmt.Sprintf("%s: %s with %s, %s. Every link leads somewhere.", e.Dir, words.Count(int64(len(site.Pages())), "page", "pages"),
		words.Count(int64(len(responses.Lessons)), "lesson", "lessons"), components.Bytes(site.Size())))
	return nil
}

// responses are those of a file, or new ones.
func (x exporter) responses(ctx context.Context, e guide.Export, say func(string)) (recording.Recording, error) {
	if e.Recordings != "" {
		return readRecording(e.Recordings)
	}
	r, err := x.record(ctx, e, say)
	if err != nil || e.Save == "" {
		return r, err
	}
	f, err := os.OpenFile(e.Save, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return r, fmt.Errorf("the responses can't be saved: %w", err)
	}
	return r, errors.Join(r.Write(f), f.Close())
}

func readRecording(name string) (recording.Recording, error) {
	f, err := os.Open(name)
	if err != nil {
		return recording.Recording{}, fmt.Errorf("the recorded responses can't be read: %w", err)
	}
	defer f.Close() //nolint:errcheck // it is only read
	r, err := recording.Read(f)
	if err != nil {
		return r, fmt.Errorf("%s can't be used: %w. Record the responses again with --save", name, err)
	}
	return r, nil
}

// parallel is how many lessons are recorded at the same time.
const parallel = 4

// record does the lessons on a practice cluster.
func (x exporter) record(ctx context.Context, e guide.Export, say func(string)) (recording.Recording, error) {
	all, err := learn.Lessons(e.Lessons)
	if err != nil {
		return recording.Recording{}, err
	}
	server, token, stop, err := x.fieldmark(ctx, e, say)
	if err != nil {
		return recording.Recording{}, err
	}
	defer stop()
	client, err := check.Connect(ctx, server, token, cluster.Practice)
	if err != nil {
		return recording.Recording{}, fmt.Errorf("recording the responses: %w", err)
	}
	defer client.Close()
	r := recording.Recording{At: time.Now().UTC().Truncate(time.Second)}
	o := check.Options{Client: client, Parallel: parallel, Retry: true}
	if r.Server, o.Version, err = client.Version(ctx); err != nil {
		return r, fmt.Errorf("recording the responses: %w", err)
	}
	var failed []error
	n := 0
	r.Lessons = check.Record(ctx, o, all, func(of check.Report) {
		n++
		say(fmt.Sprintf("recorded %d of %d: %s, %.1f s", n, len(all), of.Lesson, of.Took.Seconds()))
		if !of.OK() {
			failed = append(failed, fmt.Errorf("the lesson %s isn’t true for this cluster, so nothing was written. %s", of.Lesson, of.Failures[0]))
		}
	})
	return r, errors.Join(append(failed, ctx.Err())...)
}

// fieldmark is the Fieldmark to record from. If it was started here, stop ends it.
func (x exporter) fieldmark(ctx context.Context, e guide.Export, say func(string)) (server, token string, stop func(), err error) {
	if e.Fieldmark != "" {
		return e.Fieldmark, e.Token, func() {}, nil
	}
	program, err := os.Executable()
	if err != nil {
		return "", "", nil, fmt.Errorf("starting a practice cluster: %w", err)
	}
	own, err := os.MkdirTemp("", "fieldmark-guide-")
	if err != nil {
		return "", "", nil, fmt.Errorf("starting a practice cluster: %w", err)
	}
	say("starting a practice cluster")
	server, token, end, err := check.Fieldmark{Program: program, Own: own, Stderr: x.stderr}.Start(ctx)
	stop = func() {
		if end != nil {
			end()
		}
		_ = os.RemoveAll(own) // the system removes temporary folders, too
	}
	if err != nil {
		stop()
		return "", "", nil, fmt.Errorf("the practice cluster didn't start, so nothing was recorded. If a line above says why, do what it advises: %w", err)
	}
	return server, token, stop, nil
}
