package console

import (
	"encoding/json"
	"strings"

	"github.com/fieldmark/fieldmark/kube/layout"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/web/call"
)

// stream is an answer that comes line by line. It keeps the newest lines, within bounds.
type stream struct {
	log     bool // lines of a log; else events of a watch
	rest    call.Lines
	lines   []streamed // the newest
	count   int        // all that came
	bytes   int        // of those that are kept
	held    int        // how many were there when the reader stopped the lines from moving; 0: they move
	chosen  int        // the line that is looked at; 0: none
	secrets bool       // events of it may hold secrets
}

// streamed is one line.
type streamed struct {
	N    int // from 1
	Text string
	Type string // of a watch's event
	What string // kind, name and version of its object
}

const (
	mostStreamed      = 2000 // lines that are kept
	mostStreamedBytes = 4 << 20
	mostMoving        = 200 // lines that are shown
)

// take takes a part of the body in.
func (s *stream) take(part []byte) {
	whole, rest := s.rest.Take(part)
	if s.rest = rest; len(rest.Rest) > mostStreamedBytes {
		s.rest = call.Lines{} // no line is that long
	}
	for _, line := range whole {
		s.add(string(line))
	}
	drop := 0
	for drop < len(s.lines) && (len(s.lines)-drop > mostStreamed || s.bytes > mostStreamedBytes) {
		s.bytes -= len(s.lines[drop].Text)
		drop++
	}
	if drop > 0 {
		s.lines = append([]streamed(nil), s.lines[drop:]...)
	}
}

func (s *stream) add(text string) {
	s.count++
	one := streamed{N: s.count, Text: text}
	if !s.log {
		one.Type, one.What = eventOf(text)
		s.secrets = s.secrets || object.MayHold([]byte(text))
	}
	s.lines = append(s.lines, one)
	s.bytes += len(text)
}

// eventMeta is what matters of an event's object.
type eventMeta struct {
	Name, Namespace, ResourceVersion string
	Annotations                      map[string]string
}

// eventOf reads what matters of a watch's event. Of a long one only the beginning is read, where that stands.
func eventOf(text string) (kind, what string) {
	var meta eventMeta
	var message string
	inside := false
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if err != nil {
			break
		}
		if token == json.Delim('{') {
			continue
		}
		done := false
		switch token {
		case "object":
			inside = true
		case "type":
			err = d.Decode(&kind)
		case "kind":
			err = d.Decode(&what)
		case "metadata":
			err, done = d.Decode(&meta), what != "Status"
		case "message":
			err, done = d.Decode(&message), true
		default:
			var passed json.RawMessage
			err = d.Decode(&passed)
		}
		if err != nil || done && inside {
			break
		}
	}
	return kind, strings.TrimSpace(meta.words(what) + " " + message)
}

// words name the object of a kind.
func (e eventMeta) words(what string) string {
	if e.Namespace != "" {
		what += " " + e.Namespace + "/" + e.Name
	} else if e.Name != "" {
		what += " " + e.Name
	}
	if e.ResourceVersion != "" {
		what += " at " + e.ResourceVersion
	}
	if e.Annotations["k8s.io/initial-events-end"] == "true" {
		what += ": the initial state ends here"
	}
	return what
}

// hold stops the lines from moving, or lets them.
func (s *stream) hold() {
	if s.held = 1 - min(1, s.held); s.held > 0 {
		s.held = max(1, s.count)
	}
}

// shown are the lines to see: the newest, or those that were when they were stopped.
func (s *stream) shown() []streamed {
	all := s.lines
	if s.held > 0 {
		for len(all) > 0 && all[len(all)-1].N > s.held {
			all = all[:len(all)-1]
		}
	}
	return all[max(0, len(all)-mostMoving):]
}

// choose looks at a line, or no more. While it is looked at, the lines stand still.
func (s *stream) choose(n int) {
	if s.chosen == n {
		s.chosen = 0
		return
	}
	s.chosen = n
}

// look is the chosen line laid out.
func (s *stream) look(veil bool) []layout.Line {
	for _, l := range s.lines {
		if l.N == s.chosen {
			lines, _ := layout.Of([]byte(l.Text), layout.How{Hide: veil}).To(mostLines)
			return lines
		}
	}
	return nil
}

// line is a line as it is shown: an event in a few words, or the beginning of the text.
func (l streamed) words(veil bool) string {
	switch {
	case l.What != "":
		return l.What
	case veil:
		return object.Mask(l.Text)
	case len(l.Text) > 300:
		return layout.Cut(l.Text, 300) + "…"
	}
	return l.Text
}
