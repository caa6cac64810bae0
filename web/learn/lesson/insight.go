package lesson

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/lesson/predict"
)

// doGap is the action of a fold's button in a response, followed by the block and the line.
const doGap = "gap"

// gapKey is the beginning of the keys of live.open for the folds in the response of a block. The line follows.
func gapKey(at block) string { return "gap-" + at.String() + "-" }

// opened are the first lines of the folds that the reader has opened.
func (m Model) opened(at block) []int {
	var all []int
	for key, open := range m.live.open {
		if text, is := strings.CutPrefix(key, gapKey(at)); is && open {
			if line, err := strconv.Atoi(text); err == nil {
				all = append(all, line)
			}
		}
	}
	slices.Sort(all)
	return all
}

// openGap opens a fold. Its first line gets the focus, because its button disappears.
func (m Model) openGap(b block, text string) []page.Cmd {
	line, err := strconv.Atoi(text)
	if err != nil || line < 0 || m.live.sent[b] == nil {
		return nil
	}
	m.live.open[gapKey(b)+text] = true
	return []page.Cmd{page.Focus{ID: m.responseView(b, m.live.sent[b]).OpenedID(line)}}
}

// points are the values in a response that its predictions are about.
func (m Model) points(request block) []lesson.Subject {
	var all []lesson.Subject
	for n, other := range m.Lesson.Steps[request.step].Blocks {
		at := block{request.step, n}
		if other.Predict == nil {
			continue
		}
		if of, ok := m.subject(at); ok && of == request {
			all = append(all, predict.Points(other.Predict)...)
		}
	}
	return all
}

// shownAbove tells whether a widget would repeat the events of a stream in the same step. The response above it shows them.
func (m Model) shownAbove(s *lesson.Show, at block) bool {
	if s == nil || s.Widget != lesson.ShowEvents || len(s.Of) == 0 {
		return false
	}
	of, ok := m.of(s.Of[0], at)
	return ok && of.step == at.step
}
