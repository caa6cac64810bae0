package markdown

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// methods are those that the API knows.
var methods = []string{request.Get, request.Head, request.Post, request.Put, request.Patch, request.Delete, request.Options}

// mostSeconds and mostBytes bound what a lesson may wait for and keep.
const (
	mostSeconds = 300
	mostBytes   = 64 << 20
)

func (r *reader) request(f fence) {
	name, flags, values := r.options(f, []string{"watch"}, []string{"as", "keep"})
	q := r.readRequest(f.lines, f.line)
	q.Name, q.Watch, q.As, q.Keep = name, flags["watch"], values["as"], r.number(f, values["keep"], mostBytes)
	if q.As != "" && q.As != "viewer" {
		r.wrong(f.line, "as=%s is nobody: requests are sent as you, or as=viewer", q.As)
	}
	switch {
	case name == "":
		r.wrong(f.line, "the request has no name: request NAME")
	case r.requests[name] != nil:
		r.wrong(f.line, "there is a request %s before: names are used once", name)
	}
	if q.Watch && q.Method != request.Get {
		r.wrong(f.line, "only a GET can be a watch")
	}
	r.requests[name], r.last, r.ranges[name] = q, q, r.holds
	for _, p := range r.asking {
		p.Of = name
	}
	r.asking = nil
	r.addBlock(lesson.Block{Line: f.line, Request: q, Range: f.holds})
}

// readRequest reads a request as HTTP writes it. What it leaves out about media types is filled in.
func (r *reader) readRequest(lines []line, at int) *lesson.Request {
	q := &lesson.Request{Line: at}
	lines = trimmed(lines)
	if len(lines) == 0 {
		r.wrong(at, "the request is empty: its first line is a method and a path")
		return q
	}
	words := strings.Fields(lines[0].text)
	if len(words) != 2 || !slices.Contains(methods, words[0]) || !strings.HasPrefix(words[1], "/") {
		r.wrong(lines[0].n, "a request begins with a line METHOD /path?query, without spaces in it; the methods are %s", strings.Join(methods, ", "))
		return q
	}
	q.Method, q.Target = words[0], words[1]
	r.use(lines[0].n, lines[0].text)
	for lines = lines[1:]; len(lines) > 0 && !lines[0].blank(); lines = lines[1:] {
		r.field(q, lines[0])
	}
	if lines = trimmed(lines); len(lines) > 0 {
		q.Body = joined(lines)
		r.use(lines[0].n, q.Body)
	}
	r.mediaTypes(q, at)
	return q
}

// reserved are fields that are not the lesson's to say.
var reserved = []string{"host", "authorization", "cookie", "content-length", "connection", "transfer-encoding", "upgrade", "origin", "referer", "user-agent"}

func (r *reader) field(q *lesson.Request, l line) {
	key, value, ok := strings.Cut(l.text, ":")
	lower := strings.ToLower(key)
	switch {
	case !ok || key == "" || strings.ContainsAny(key, " \t"):
		r.wrong(l.n, "%q is no field of a head (Name: value); a body stands behind an empty line", l.text)
	case slices.Contains(reserved, lower) || strings.HasPrefix(lower, "impersonate-") || strings.HasPrefix(lower, "fieldmark-"):
		r.wrong(l.n, "%s is not sent for lessons: leave it out (with fewer rights a request is sent as=viewer)", key)
	default:
		q.Header = append(q.Header, lesson.Header{Name: key, Value: strings.TrimSpace(value)})
		r.use(l.n, value)
	}
}

func has(q *lesson.Request, name string) bool {
	return slices.ContainsFunc(q.Header, func(h lesson.Header) bool { return strings.EqualFold(h.Name, name) })
}

func (r *reader) mediaTypes(q *lesson.Request, line int) {
	if q.Body != "" && !has(q, "Content-Type") {
		kind := "application/yaml"
		if strings.HasPrefix(q.Body, "{") || strings.HasPrefix(q.Body, "[") {
			kind = "application/json"
		}
		if q.Method == request.Patch {
			r.wrong(line, "a patch says by its Content-Type which of the four it is: application/apply-patch+yaml, application/merge-patch+json, application/strategic-merge-patch+json or application/json-patch+json")
		}
		q.Header = append(q.Header, lesson.Header{Name: "Content-Type", Value: kind})
	}
	if !has(q, "Accept") {
		q.Header = append(q.Header, lesson.Header{Name: "Accept", Value: "application/json"})
	}
}

func (r *reader) kubectl(f fence) {
	name, flags, _ := r.options(f, []string{"none"}, nil)
	lines := trimmed(f.lines)
	if !f.holds.IsZero() {
		r.wrong(f.line, "kubectl has no versions of its own: it has those of its request")
	}
	switch {
	case name != "":
		r.wrong(f.line, "kubectl %s: it belongs to the request before it, and names none", name)
		return
	case r.last == nil:
		r.wrong(f.line, "kubectl: no request stands before it in this step, which it would do the same as")
		return
	case r.last.Kubectl != "" || r.last.NoKubectl != "":
		r.wrong(f.line, "kubectl: request %s has its commands already", r.last.Name)
	case len(lines) == 0:
		r.wrong(f.line, "there is no command in it; kubectl none says why kubectl can't make the request")
		return
	case flags["none"]:
		r.last.NoKubectl = strings.Join(strings.Fields(joined(lines)), " ")
		return
	}
	for _, l := range lines {
		if strings.Contains(l.text, "--context") {
			r.wrong(l.n, "leave --context out: learners choose the cluster, and where a request is sent as somebody else it is added")
		}
	}
	r.holds = r.ranges[r.last.Name]
	r.use(lines[0].n, joined(lines))
	r.last.Kubectl, r.last.KubectlLine = joined(lines), f.line
}

func (r *reader) cleanup(f fence) {
	if len(f.args) > 0 || !f.holds.IsZero() {
		r.wrong(f.line, "cleanup stands alone: its requests have no names, and are sent on all versions")
	}
	var part []line
	for _, l := range append(f.lines, line{f.line, "---"}) {
		if strings.TrimSpace(l.text) != "---" {
			part = append(part, l)
			continue
		}
		if part = trimmed(part); len(part) == 0 {
			r.wrong(f.line, "a request of the cleanup is empty")
			continue
		}
		q := r.readRequest(part, part[0].n)
		if q.Reads() {
			r.wrong(part[0].n, "a GET cleans nothing up")
		}
		r.lesson.Cleanup = append(r.lesson.Cleanup, *q)
		part = nil
	}
}
