package shell

import (
	"slices"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// mostStreams is the most open streams that are listed.
const mostStreams = 100

// streams are the requests of the session that are connections with containers now: exec, attach and port-forward.
type streams struct {
	lines []record.Line // oldest first
	of    []apipath.Path
	last  uint64 // the number of the newest request
}

// handleMessage takes in a message with recorded requests.
func (s *streams) handleMessage(m wire.Message) {
	if m.Anew {
		s.lines, s.of = nil, nil
	}
	for _, l := range m.Lines {
		s.updateLine(l)
	}
}

// updateLine adds a line, replaces the one with its number, or removes that if its connection has ended.
func (s *streams) updateLine(l record.Line) {
	at := slices.IndexFunc(s.lines, func(other record.Line) bool { return other.ID == l.ID })
	p, err := apipath.Parse(l.Path)
	s.last = max(s.last, l.ID)
	open := err == nil && p.Connects() && p.Subresource != "proxy" && !l.Done && l.Status == switching
	switch {
	case open && at >= 0:
		s.lines[at] = l
	case open && len(s.lines) < mostStreams:
		s.lines, s.of = append(s.lines, l), append(s.of, p)
	case !open && at >= 0:
		s.lines, s.of = slices.Delete(s.lines, at, at+1), slices.Delete(s.of, at, at+1)
	}
}

// switching is the status code of a connection that has changed its protocol.
const switching = 101

// doing are the subresources in the reader's words.
var doing = map[string]string{"exec": "command", "attach": "attached", "portforward": "port-forward"}
