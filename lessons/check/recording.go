package check

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/fieldmark/fieldmark/kube/compare"
	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// Recording identifies a recorded response of a lesson with its text: each change of the text gives another value.
func Recording(id string, r lesson.Recorded) (string, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return "", fmt.Errorf("reading the recording of %s: %w", r.Of, err)
	}
	sum := sha256.Sum256(text)
	return id + "/" + r.Of + " " + hex.EncodeToString(sum[:8]), nil
}

// recording compares a recorded response with the response of a server of the same version. kubectl requests other formats, so only direct
// responses are compared.
func (r *run) recording(line int, rec lesson.Recorded) {
	if rec.Version != r.version || r.kubectl != nil {
		return
	}
	a := r.answer(rec.Of)
	r.report.Judged++
	name, err := Recording(r.lesson.ID, rec)
	if err != nil {
		r.fail(line, "%v", err)
		return
	}
	d, err := rec.Beside(a, r.vars)
	if err != nil {
		r.fail(line, "the recording of %s: %v", rec.Of, err)
		return
	}
	if c := d.Count(false); !c.None() || d.Partial() {
		r.fail(line, "the recording of %s isn't what Kubernetes %s responds (%s); the response is below", rec.Of, rec.Version, firstOf(d))
		r.report.Failures[len(r.report.Failures)-1].Excerpt = lesson.Record(a, r.vars)
		return
	}
	r.report.Recorded = append(r.report.Recorded, name)
}

// firstOf names the first difference between a recording and a response.
func firstOf(d compare.Difference) string {
	if d.Status {
		return "another status code"
	}
	for _, h := range d.Headers {
		if h.What == compare.Only || h.What == compare.Changes {
			return fmt.Sprintf("%s: %q is recorded, and the response has %q", h.Name, h.Left, h.Right)
		}
	}
	for _, l := range d.Lines {
		if l.What == compare.Only || l.What == compare.Changes {
			return fmt.Sprintf("line %d of the recording, line %d of the response", l.Left+1, l.Right+1)
		}
	}
	return "the response isn't complete"
}
