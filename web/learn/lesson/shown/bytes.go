package shown

import (
	"fmt"
	"strings"

	"github.com/fieldmark/fieldmark/kube/chunk"
	"github.com/fieldmark/fieldmark/kube/media"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
)

// piece is a range of bytes with its meaning, as texts for the table.
type piece struct{ span, hex, name, text string }

// hexShown bounds the bytes of a piece that are shown.
const hexShown = 12

// inside splits a response into the pieces of the Protobuf envelope. wrong says what isn't valid; empty: all is.
func inside(a *sent.Request) (all []piece, wrong string) {
	data := a.Call.Kept
	e, err := media.ParseEnvelope(data, int64(len(data)) >= a.Call.Bytes)
	if err != nil {
		wrong = err.Error()
	}
	for _, p := range e.Pieces {
		all = append(all, piece{span: spanWords(p.Span), hex: hexOf(data, p.Span), name: strings.TrimSpace(p.Name + " " + roleWords[p.Role]), text: p.Text})
	}
	return all, wrong
}

var roleWords = map[media.Role]string{media.RoleTag: "(tag)", media.RoleLength: "(length)", media.RoleRaw: "(the message of the object)"}

func spanWords(s media.Span) string {
	if s.Len() == 1 {
		return fmt.Sprint(s.From)
	}
	return fmt.Sprintf("%d–%d", s.From, s.To-1)
}

func hexOf(data []byte, s media.Span) string {
	to := min(s.To, s.From+hexShown, len(data))
	text := fmt.Sprintf("% x", data[min(s.From, to):to])
	if to < s.To {
		text += " …"
	}
	return text
}

// joinChunks puts the chunks of a list together. The number is how many of the responses are chunks.
func joinChunks(all []*sent.Request, vars lesson.Vars) (chunk.Run, int) {
	r, n := chunk.Begin(1), 0
	for _, a := range all {
		answer := sent.Once(a, vars, inChunks{}, func() *chunk.Answer {
			answer, err := chunk.Parse(a.Call.Kept)
			if err != nil || !a.Call.OK() {
				return nil
			}
			return &answer
		})
		if answer == nil {
			continue
		}
		if next, ok := r.Ask(); ok {
			r = next.Took(*answer)
			n++
		}
	}
	return r, n
}

// inChunks is the key of a response that is read as a chunk; see sent.Once.
type inChunks struct{}
