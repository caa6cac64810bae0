package request

import (
	"encoding/json"
	"strings"

	"github.com/fieldmark/fieldmark/kube/layout"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/web/call"
)

// stream is a response that arrives line by line. It keeps a bounded number of the newest lines.
type stream struct {
	log     bool // a log; else a watch
	rest    call.Lines
	lines   []streamed // the newest
	count   int        // all that came
	bytes   int        // of those that are kept
	held    int        // the newest line at the moment of the pause, from 1; 0: no pause
	chosen  int        // the opened line, from 1; 0: none
	secrets bool       // events may contain secrets
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

// addBodyPart adds a part of the body.
func (s *stream) addBodyPart(part []byte) {
	whole, rest := s.rest.Take(part)
	if s.rest = rest; len(rest.Rest) > mostStreamedBytes {
		s.rest = call.Lines{} // no line is that long
	}
	for _, line := range whole {
		s.addLine(string(line))
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

func (s *stream) addLine(text string) {
	s.count++
	one := streamed{N: s.count, Text: text}
	if !s.log {
		one.Type, one.What = eventOf(text)
		s.secrets = s.secrets || object.MayHold([]byte(text))
	}
	s.lines = append(s.lines, one)
	s.bytes += len(text)
}

// eventMeta is the metadata of an event's object that the page shows.
type eventMeta struct {
	Name, Namespace, ResourceVersion string
	Annotations                      map[string]string
}

// eventOf reads the type of a watch's event, and a short text on its object. It stops reading at the object's metadata, because events can
// be long.
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
	return kind, strings.TrimSpace(meta.objectText(what) + " " + message)
}

// objectText names the object, whose kind is what.
func (e eventMeta) objectText(what string) string {
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

// hold pauses the stream on the page, or ends the pause.
func (s *stream) hold() {
	if s.held = 1 - min(1, s.held); s.held > 0 {
		s.held = max(1, s.count)
	}
}

// shown are the newest lines, or those that were the newest at the pause.
func (s *stream) shown() []streamed {
	all := s.lines
	if s.held > 0 {
		for len(all) > 0 && all[len(all)-1].N > s.held {
			all = all[:len(all)-1]
		}
	}
	return all[max(0, len(all)-mostMoving):]
}

// choose opens a line, or closes it.
func (s *stream) choose(n int) {
	if s.chosen == n {
		s.chosen = 0
		return
	}
	s.chosen = n
}

// chosenLines is the opened line, laid out.
func (s *stream) chosenLines(veil bool) []layout.Line {
	for _, l := range s.lines {
		if l.N == s.chosen {
			lines, _ := layout.Of([]byte(l.Text), layout.How{Hide: veil}).To(mostLines)
			return lines
		}
	}
	return nil
}

// lineText is a line as it is shown: an event in short, or the beginning of the text.
func (l streamed) lineText(veil bool) string {
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
