package markdown

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// recorded reads the response of a server of another version: its status code, its headers, an empty line, its body.
func (r *reader) recorded(f fence) {
	rec := &lesson.Recorded{}
	if len(f.args) == 0 {
		r.wrong(f.line, "recorded needs the version of the server: recorded 1.31 NAME")
		return
	}
	version, err := release.Parse(f.args[0])
	if err != nil {
		r.wrong(f.line, "recorded: %v", err)
		return
	}
	if !f.holds.IsZero() {
		r.wrong(f.line, "recorded %s has no range: readers with any other version compare with it", version)
	}
	f.args = f.args[1:]
	name, _, _ := r.options(f, nil, nil)
	q := r.of(f, name)
	rec.Version, rec.Of = version, nameOf(q)
	if q != nil && (q.Watch || !r.ranges[q.Name].Holds(version)) {
		r.wrong(f.line, "recorded: a server of %s has no whole response to %s", version, q.Name)
	}
	lines := r.recordedHead(rec, trimmed(f.lines), f.line)
	if lines = trimmed(lines); len(lines) > 0 {
		rec.Body = joined(lines)
		r.use(lines[0].n, rec.Body)
	}
	r.addBlock(r.about(lesson.Block{Line: f.line, Recorded: rec}, f, rec.Of))
}

// recordedHead reads the status code and the headers, and returns the lines of the body.
func (r *reader) recordedHead(rec *lesson.Recorded, lines []line, at int) []line {
	if len(lines) == 0 {
		r.wrong(at, "the recording is empty: its first line is the status code")
		return nil
	}
	status, err := strconv.Atoi(strings.TrimSpace(lines[0].text))
	if err != nil || status < 200 || status > 599 {
		r.wrong(lines[0].n, "%q is no status code of a response", lines[0].text)
	}
	rec.Status = status
	for lines = lines[1:]; len(lines) > 0 && !lines[0].blank(); lines = lines[1:] {
		name, value, ok := strings.Cut(lines[0].text, ": ")
		if !ok || !lesson.IsRecorded(name) || slices.ContainsFunc(rec.Header, func(h lesson.Header) bool { return h.Name == name && h.Value == value }) {
			r.wrong(lines[0].n, "%q is no header of a recording (Content-Type, Retry-After, Warning; each once)", lines[0].text)
			continue
		}
		rec.Header = append(rec.Header, lesson.Header{Name: name, Value: value})
	}
	return lines
}
