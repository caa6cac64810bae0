package requests

import (
	"slices"
	"sort"
	"strconv"
	"time"

	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// fallWidth is the width of the waterfall, in pixels.
const fallWidth = 170

// waterfall is a time scale for the visible requests. Time without any request is shortened. Else a pause between two pages would make the bars
// of their requests too thin to see.
type waterfall struct {
	busy  []span    // times with a request on its way, in order
	at    []float64 // where these begin, in pixels
	scale float64   // pixels per microsecond
	now   int64
}

type span struct{ from, to int64 }

// squeezed is the width of a pause, as a share of all busy time.
const squeezed = 0.04

func newWaterfall(lines []record.Line, now time.Time) waterfall {
	w := waterfall{now: now.UnixMicro()}
	var all []span
	for _, l := range lines {
		all = append(all, w.counted(l))
	}
	slices.SortFunc(all, func(a, b span) int { return int(a.from - b.from) })
	for _, s := range all {
		if n := len(w.busy); n > 0 && s.from <= w.busy[n-1].to {
			w.busy[n-1].to = max(w.busy[n-1].to, s.to)
		} else {
			w.busy = append(w.busy, s)
		}
	}
	w.placeBusyTimes()
	return w
}

// placeBusyTimes gives each busy time its pixels.
func (w *waterfall) placeBusyTimes() {
	total := int64(0)
	for _, s := range w.busy {
		total += s.to - s.from
	}
	pause := min(squeezed, 0.5/float64(max(1, len(w.busy)))) * float64(total)
	w.scale = fallWidth / (float64(total) + pause*float64(max(0, len(w.busy)-1)))
	x := 0.0
	for _, s := range w.busy {
		w.at = append(w.at, x)
		x += (float64(s.to-s.from) + pause) * w.scale
	}
}

// counted is the time of a request on the scale. The time of a watch ends with the headers of its response.
func (w waterfall) counted(l record.Line) span {
	const least = 200
	switch {
	case l.Streams() && l.First > 0:
		return span{l.At, l.At + max(l.First, least)}
	case l.Done:
		return span{l.At, l.At + max(l.Took, least)}
	default:
		return span{l.At, max(w.now, l.At+least)}
	}
}

// x is the place of a moment.
func (w waterfall) x(at int64) float64 {
	i := sort.Search(len(w.busy), func(i int) bool { return w.busy[i].from > at }) - 1
	if i < 0 {
		return 0
	}
	return min(fallWidth, w.at[i]+float64(min(at, w.busy[i].to)-w.busy[i].from)*w.scale)
}

// Sizes of a bar in its row, in pixels.
const (
	barTop    = 10
	barHeight = 8
)

// bars are the bars of all rows as paths of one drawing, which begins where the rows begin. One drawing changes faster than one in each row, because each
// row that comes into sight changes the scale.
type bars struct {
	height           int
	wait, come, goes string // until the response started, until it ended, and what is still on its way
}

// draw draws the bars of rows from the top.
func (w waterfall) draw(lines []record.Line) bars {
	var wait, come, goes []byte
	for n, l := range lines {
		top := n*page.RowHeight + barTop
		from, head, to := w.span(l)
		wait = appendBar(wait, from, head-from, top)
		if l.Done {
			come = appendBar(come, head, to-head, top)
		} else {
			goes = appendBar(goes, head, to-head, top)
		}
	}
	return bars{len(lines) * page.RowHeight, string(wait), string(come), string(goes)}
}

// span is where the bar of a request begins, where its response started, and where the bar ends.
func (w waterfall) span(l record.Line) (from, head, to float64) {
	end := l.At + l.Took
	if !l.Done {
		end = w.now
	}
	first := end
	if l.First > 0 {
		first = l.At + l.First
	}
	from, head, to = w.x(l.At), w.x(first), w.x(end)
	if !l.Done && l.Streams() {
		to = fallWidth
	}
	const least = 2
	from = min(from, fallWidth-least)
	head = max(head, from+least)
	return from, head, to
}

// appendBar adds a bar to a path, if it has a width.
func appendBar(path []byte, x, width float64, top int) []byte {
	if width <= 0 {
		return path
	}
	path = appendPixels(append(path, 'M'), x)
	path = strconv.AppendInt(append(path, ' '), int64(top), 10)
	path = appendPixels(append(path, 'h'), width)
	path = strconv.AppendInt(append(path, 'v'), barHeight, 10)
	path = appendPixels(append(path, 'h'), -width)
	return append(path, 'z')
}

func appendPixels(path []byte, x float64) []byte { return strconv.AppendFloat(path, x, 'f', 1, 64) }
