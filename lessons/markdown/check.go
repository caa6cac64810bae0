package markdown

import (
	"strings"

	"github.com/fieldmark/fieldmark/lessons/lesson"
)

func (r *reader) check(f fence) {
	name, _, values := r.options(f, nil, []string{"within"})
	c := &lesson.Check{Within: int(r.number(f, values["within"], mostSeconds))}
	block := lesson.Block{Line: f.line, Check: c, Range: f.holds}
	lines := written(f.lines)
	if len(lines) > 0 && asks(lines[0].text) {
		c.Get = r.get(f, lines[0], name)
		lines = lines[1:]
	} else if of := r.of(f, name); of != nil {
		c.Of = of.Name
		block = r.about(block, f, of.Name)
		if c.Within > 0 && !of.Watch && !(r.resends && (of.Reads() || of.Dry())) {
			r.wrong(f.line, "check within: the answer to %s has come already and changes no more; begin the block with a GET to look at the cluster", of.Name)
		}
	}
	for _, l := range lines {
		if s, ok := r.statement(l); ok {
			r.fits(s, l.n, c)
			c.Statements = append(c.Statements, s)
			r.keep(s)
		}
	}
	if len(c.Statements) == 0 {
		r.wrong(f.line, "there is no statement in the check")
	}
	r.addBlock(block)
}

// asks tells whether a line is the request of a check, and not a statement.
func asks(text string) bool {
	method, target, ok := strings.Cut(text, " ")
	return ok && method != "" && method == strings.ToUpper(method) && strings.HasPrefix(strings.TrimSpace(target), "/")
}

// get is what a check asks for.
func (r *reader) get(f fence, l line, name string) string {
	words := strings.Fields(l.text)
	if len(words) != 2 || words[0] != "GET" {
		r.wrong(l.n, "a check asks with GET /path, and nothing else")
		return ""
	}
	if name != "" {
		r.wrong(f.line, "check %s: it looks either at the answer to a request or, by a GET of its own, at the cluster", name)
	}
	r.use(l.n, l.text)
	return words[1]
}

// statement reads a line of a check, or behind an if.
func (r *reader) statement(l line) (lesson.Statement, bool) {
	s, err := lesson.ParseStatement(strings.TrimSpace(l.text))
	if err != nil {
		r.wrong(l.n, "%v", err)
		return s, false
	}
	r.in(l.n, s.Range, func() {
		r.use(l.n, s.Subject.String()+" "+s.Value)
		s.Line = l.n
		if s.Why != "" {
			s.Why = r.inline([]line{{l.n, s.Why}})
		}
	})
	return s, true
}

// keep gives a variable its value from here on.
func (r *reader) keep(s lesson.Statement) {
	if s.Keep != "" {
		holds, _ := r.holds.Meet(s.Range)
		r.vars = append(r.vars, kept{s.Keep, holds})
	}
}

// fits says what can't be asked of an answer.
func (r *reader) fits(s lesson.Statement, line int, c *lesson.Check) {
	stream := s.Subject.Kind == lesson.Events || s.Subject.Kind == lesson.Stream
	of := r.requests[c.Of]
	switch {
	case stream && (of == nil || !of.Watch):
		r.wrong(line, "%s is of a watch: write watch behind the request's name, or name the watch: check NAME", s.Subject.Kind)
	case s.Subject.Kind == lesson.Wire && of != nil && !has(of, "Accept-Encoding"):
		r.wrong(line, "how many bytes go over the wire depends on Accept-Encoding: the request has to say it (gzip or identity)")
	}
}
