package requests

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/words"
)

// part is a piece of a request's target, with its meaning.
type part struct{ text, means string }

// drawn are the cells of a row.
type drawn struct {
	line record.Line
	html string
}

// maxDrawn bounds the rows whose cells are kept.
const maxDrawn = 1000

// cells are the cells of a request's row. Those of a request that has ended stay the same and are kept, because rows are rendered many times while the
// reader scrolls.
func (m Model) cells(l record.Line) templ.Component {
	if m.live == nil || !l.Done {
		return cells(m, l)
	}
	if known, ok := m.live.drawn[l.ID]; ok && known.line == l {
		return templ.Raw(known.html)
	}
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		var html strings.Builder
		if err := cells(m, l).Render(ctx, &html); err != nil {
			return err
		}
		if m.live.drawn == nil || len(m.live.drawn) >= maxDrawn {
			m.live.drawn = map[uint64]drawn{}
		}
		m.live.drawn[l.ID] = drawn{l, html.String()}
		_, err := io.WriteString(w, html.String())
		return err
	})
}

// parts splits a target into pieces. Together they are the target, except for escapes in the query that people don't need to see.
func (m Model) parts(l record.Line) []part {
	all := []part{}
	p, err := apipath.Parse(l.Path)
	if segments := m.Shell.AnatomyOf(p); err == nil && len(segments) > 0 {
		for _, s := range segments {
			all = append(all, part{"/", ""}, part{s.Text, s.Means})
		}
	} else {
		all = append(all, part{l.Path, "a path that isn’t a resource"})
	}
	before := "?"
	for parameter := range strings.SplitSeq(l.Query, "&") {
		if parameter == "" {
			continue
		}
		name, value, _ := strings.Cut(parameter, "=")
		all = append(all, part{before, ""}, part{readable(name) + "=" + readable(value), "parameter"})
		before = "&"
	}
	return all
}

func readable(escaped string) string {
	if plain, err := url.QueryUnescape(escaped); err == nil {
		return plain
	}
	return escaped
}

// clock is the time of a request, by the reader's clock.
func clock(l record.Line) string { return l.Began().Format("15:04:05.000") }

// size is the size of the response body: on the wire, and decompressed.
func size(l record.Line) string {
	if l.Status == 0 {
		return "–"
	}
	words := components.Bytes(l.Got)
	if n, known := l.Decoded(); l.Coding != "" && known {
		words += " → " + components.Bytes(n)
	}
	return words
}

// typeHint is all that the column of media types says, which the table can cut.
func typeHint(l record.Line) string {
	hint := l.MediaType
	if l.Warnings > 0 {
		hint += " " + words.Count(int64(l.Warnings), "warning", "warnings") + ": the response has Warning headers"
	}
	return strings.TrimSpace(hint)
}

// sizeHint explains the sizes in a row.
func sizeHint(l record.Line) string {
	hint := fmt.Sprintf("Response body: %s on the wire.", words.Count(l.Got, "byte", "bytes"))
	if l.Coding != "" {
		hint += fmt.Sprintf(" Compressed with %s.", l.Coding)
		if n, known := l.Decoded(); known {
			hint += fmt.Sprintf(" Decompressed: %s.", words.Count(n, "byte", "bytes"))
		}
	}
	if l.Sent > 0 {
		hint += fmt.Sprintf(" Request body: %s.", words.Count(l.Sent, "byte", "bytes"))
	}
	return hint
}

func events(l record.Line) string {
	if !l.Streams() || l.Events == 0 {
		return ""
	}
	return words.Count(l.Events, "event", "events")
}

// took is a duration in short.
func took(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d:%02d min", int(d.Minutes()), int(d.Seconds())%60)
	default:
		return fmt.Sprintf("%d:%02d h", int(d.Hours()), int(d.Minutes())%60)
	}
}

func (m Model) lasted(l record.Line) string { return took(l.Lasted(m.now())) }

// tone is the mark of a response.
func tone(l record.Line) components.Tone {
	switch {
	case l.Status >= 400 || l.Done && l.Status == 0:
		return components.Bad
	case !l.Done:
		return components.Busy
	default:
		return components.Calm
	}
}

// answer is the status as a row shows it.
func answer(l record.Line) string {
	switch {
	case l.Status > 0:
		return fmt.Sprint(l.Status)
	case l.Done:
		return "none"
	default:
		return "…"
	}
}

func timing(l record.Line, now time.Time) string {
	first := time.Duration(l.First) * time.Microsecond
	switch {
	case l.First == 0:
		return fmt.Sprintf("Waiting for a response for %s", took(l.Lasted(now)))
	case !l.Done:
		return fmt.Sprintf("The response started after %s and is still open", took(first))
	}
	return fmt.Sprintf("The response started after %s and took %s", took(first), took(l.Lasted(now)-first))
}
