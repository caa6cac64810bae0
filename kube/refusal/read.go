package refusal

import (
	"cmp"
	"context"
	"strings"
	"unicode"

	"github.com/fieldmark/fieldmark/kube/status"
)

const (
	// MaxText is how many bytes of a text are read.
	MaxText = 4 << 20
	// MaxRefusals is how many refusals are read from one text.
	MaxRefusals = 1000
)

// Reading is what was understood of a text.
type Reading struct {
	Refusals []Refusal `json:"refusals,omitempty"`
	// Rest is the text that wasn't understood, in pieces.
	Rest []string `json:"rest,omitempty"`
	// Cut tells that the text was too long, or had too many refusals, to be read to its end.
	Cut bool `json:"cut,omitempty"`
	// Late tells that the text was not read to its end, because nobody waits for it any longer.
	Late bool `json:"late,omitempty"`
	// Binary tells that the input is not text.
	Binary bool `json:"binary,omitempty"`
}

// Read reads a text with any number of refusals. It reads at most MaxText bytes, and ends soon after the context does.
func Read(ctx context.Context, text string) Reading { return readWithSteps(ctx, text, new(int)) }

// readWithSteps reads a text, and counts its steps, each of them about one byte.
func readWithSteps(ctx context.Context, text string, steps *int) Reading {
	r := reader{ended: func() bool { return ctx.Err() != nil }, steps: steps}
	if len(text) > MaxText {
		text, r.Cut = text[:MaxText], true
	}
	if binary(text) {
		return Reading{Cut: r.Cut, Binary: true}
	}
	r.budget = len(text) * budget
	r.readText(clean(text), 0)
	r.flush()
	return r.Reading
}

// binary tells whether more than a tenth of the first characters are not text. Sequences of terminals count as text.
func binary(text string) bool {
	const start, few = 4096, 10
	text = text[:min(len(text), start)]
	bad := 0
	for _, r := range strings.ToValidUTF8(text, "\x00") {
		if r != '\x1b' && unprintable(r) {
			bad++
		}
	}
	return bad*few > len(text)
}

// reader reads one text.
type reader struct {
	Reading
	budget int
	ended  func() bool // whether nobody waits for the reading any longer
	steps  *int        // how much work the reading was, for tests
	// said has the notes since the last refusal.
	said note
	// told tells that said belongs to a refusal, even if no refusal that is understood follows.
	told bool
	// tool is the tool that printed the last refusal.
	tool Tool
}

// goesOn tells whether to read on. Each loop over the text asks.
func (r *reader) goesOn() bool {
	r.Late = r.Late || r.ended()
	return !r.Late
}

func (r *reader) work(steps int) { *r.steps += max(0, steps) }

// note is information in the text before a refusal.
type note struct {
	tool    Tool
	object  Object
	word    string // the status reason
	file    string
	manager string
	around  string // the namespace that a controller's log line is about
	message string // the rest of the line after the note: the server's sentence, unless that is understood
	begins  bool   // a refusal begins here, so the last one is complete
}

// rank orders tools: one with a higher rank runs those with a lower one.
var rank = map[Tool]int{ClientGo: 1, KubeRS: 1, Status: 2, Kubectl: 3, Helm: 4, Pulumi: 5, Terraform: 6, KubectlProvider: 6, Flux: 7, ArgoCD: 8}

// addNote adds a note to those for the next refusal.
func (r *reader) addNote(n note) {
	if n.begins && r.told && (r.said.word != "" || n.object != (Object{})) {
		r.flush()
	}
	s := &r.said
	if rank[n.tool] > rank[s.tool] {
		s.tool = n.tool
	}
	if merged, ok := s.object.with(n.object); ok {
		s.object = merged
	} else {
		s.object = n.object
	}
	for _, part := range []struct {
		to   *string
		from string
	}{{&s.word, n.word}, {&s.file, n.file}, {&s.manager, n.manager}, {&s.around, n.around}, {&s.message, n.message}} {
		if part.from != "" {
			*part.to = part.from
		}
	}
	r.told = r.told || n.begins
}

// flush makes a refusal of the notes alone, because no refusal that was understood followed them.
func (r *reader) flush() {
	if r.told && (r.said.word != "" || r.said.object.Name != "" || r.said.message != "") {
		r.emit(Refusal{Reason: Reason(r.said.word), Message: r.said.message})
	}
	r.said, r.told = note{}, false
}

// emit adds a refusal, with the notes before it.
func (r *reader) emit(no Refusal) {
	if len(r.Refusals) == MaxRefusals {
		r.Cut = true
		return
	}
	if code := status.CodeOf(r.said.word); code != 0 {
		no.Code = code
	}
	no.name(r.said.object)
	no.File, no.Manager, no.Around = r.said.file, r.said.manager, cmp.Or(no.Around, r.said.around)
	if r.said.tool == UnknownTool {
		r.said.tool = r.tool
	}
	if rank[r.said.tool] > rank[no.Tool] {
		no.Tool = r.said.tool
	}
	r.tool = no.Tool
	r.said, r.told = note{}, false
	r.Refusals = append(r.Refusals, no)
}

// after notes the words of a tool after a refusal.
func (r *reader) after(tool Tool) {
	if n := len(r.Refusals); n > 0 && rank[tool] > rank[r.Refusals[n-1].Tool] {
		r.Refusals[n-1].Tool, r.tool = tool, tool
	}
}

// surrounds notes the namespace of a controller's log line at the refusal in the line. It is false if the refusal follows.
func (r *reader) surrounds(namespace string) bool {
	n := len(r.Refusals)
	if n == 0 || r.Refusals[n-1].Around != "" {
		return false
	}
	r.Refusals[n-1].Around = namespace
	return true
}

// codes are the status codes that servers send with the reasons.
var codes = map[Reason]int{
	Conflict: status.CodeConflict, Modified: status.CodeConflict, AlreadyExists: status.CodeConflict,
	Invalid: status.CodeUnprocessableEntity, Immutable: status.CodeUnprocessableEntity,
	Forbidden: status.CodeForbidden, Denied: status.CodeForbidden, QuotaExceeded: status.CodeForbidden,
	NotFound: status.CodeNotFound, Unserved: status.CodeNotFound, Expired: status.CodeGone, Unauthorized: status.CodeUnauthorized,
	NotAcceptable: status.CodeNotAcceptable, UnsupportedMediaType: status.CodeUnsupportedMediaType, TooManyRequests: status.CodeTooManyRequests,
	WebhookFailed: status.CodeInternalError,
}

// keepRest keeps text that wasn't understood.
func (r *reader) keepRest(text string) {
	if m := r.said.message; m != "" {
		text = strings.TrimPrefix(strings.TrimLeft(text, " \t\n:"), m) // a refusal already has this message
	}
	text = strings.TrimFunc(unframedText(text), func(c rune) bool { return strings.ContainsRune(" \t\n:;,.=()[]{}'\"│", c) })
	if strings.IndexFunc(text, unicode.IsLetter) >= 0 && !idle[text] && !strings.HasPrefix(text, "retried ") {
		r.Rest = append(r.Rest, text)
	}
}

// idle are words that say nothing by themselves.
var idle = map[string]bool{"\\n": true, "Error": true, "error": true, "reason": true, "msg": true, "err": true, "message": true, "b": true, "and": true}
