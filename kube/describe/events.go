package describe

import (
	"slices"
	"strconv"

	"github.com/fieldmark/fieldmark/kube/table"
)

// mostShown is how many rows a part shows.
const mostShown = 100

// events are the events about the subject, the newest first.
func (s Subject) events() Part {
	p := Part{ID: askEvents, Title: "Events", Head: []string{"Last", "Reason", "Message"}, Needs: []string{askEvents}}
	if s.heard(askEvents) {
		p.None = "The server has no event about this object. By default, a cluster keeps events for one hour."
	}
	for _, e := range s.Found.Events {
		last := Cell{{Text: s.Age(e.Last)}}
		if e.Count > 1 {
			last = append(last, Text{Text: strconv.FormatInt(e.Count, 10) + " times in " + table.Duration(max(0, e.Last.Sub(e.First))), Soft: true})
		}
		reason := Cell{{Text: e.Reason}}
		if e.Warning {
			reason[0].Tone = Warn
		}
		if e.From != "" {
			reason = append(reason, Text{Text: e.From, Soft: true})
		}
		p.Rows = append(p.Rows, []Cell{last, reason, {{Text: e.Message}}})
	}
	return p.bounded(s.Found.More[askEvents])
}

// bounded shows the first rows only, and says how many there are. more tells that the list had more than what was read.
func (p Part) bounded(more bool) Part {
	n := len(p.Rows)
	switch {
	case more:
		p.More = "The list is longer. Fieldmark read only the first " + strconv.Itoa(n) + "."
	case n > mostShown:
		p.More = times(n-mostShown, "more isn’t shown.", "more aren’t shown.")
	}
	if more && n > mostShown {
		p.More += " It shows " + strconv.Itoa(mostShown) + " of them."
	}
	p.Rows = p.Rows[:min(n, mostShown)]
	return p
}

// newest is the newest warning with one of these reasons. part is that of an event's object, such as spec.containers{app}; empty: any.
func (s Subject) newest(part string, reasons ...string) (Event, bool) {
	at := slices.IndexFunc(s.Found.Events, func(e Event) bool {
		return e.Warning && (part == "" || e.Part == part) && slices.Contains(reasons, e.Reason)
	})
	if at < 0 {
		return Event{}, false
	}
	return s.Found.Events[at], true
}

// quote is what the newest of these warnings says, and how long ago.
func (s Subject) quote(part string, reasons ...string) string {
	e, ok := s.newest(part, reasons...)
	if !ok {
		return ""
	}
	text := e.Message + " (" + e.Reason
	if since := s.Age(e.Last); since != "" {
		text += ", " + since + " ago"
	}
	return text + ")"
}
