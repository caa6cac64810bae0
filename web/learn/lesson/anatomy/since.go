package anatomy

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// row is a line of a body as it is shown.
type row struct {
	pieces []lesson.Piece
	new    bool // it isn't in the request before, or it is another line there
	gone   bool // it is only in the request before
}

// rows are the lines of a body.
func rows(body string, vars lesson.Vars) []row {
	var all []row
	for line := range strings.SplitSeq(strings.TrimSuffix(body, "\n"), "\n") {
		all = append(all, row{pieces: vars.Pieces(line)})
	}
	return all
}

// Similar is the last of some requests to which a request is compared: it has the same method and the same path. It is nil if there is none.
func Similar(r *lesson.Request, before []*lesson.Request) *lesson.Request {
	path := func(r *lesson.Request) string {
		path, _, _ := strings.Cut(r.Target, "?")
		return r.Method + " " + path
	}
	for _, b := range slices.Backward(before) {
		if path(b) == path(r) {
			return b
		}
	}
	return nil
}

// Since marks what a request has that the one before it hasn't, and shows the lines that it leaves out. differs is false if they are equal.
func (t Request) Since(before Request) (marked Request, differs bool) {
	had := func(all []part, p part) bool {
		return slices.ContainsFunc(all, func(o part) bool { return o.plainText() == p.plainText() })
	}
	t.target, t.headers = slices.Clone(t.target), slices.Clone(t.headers)
	for i, p := range t.target {
		t.target[i].new = !had(before.target, p)
		differs = differs || t.target[i].new
	}
	differs = differs || slices.ContainsFunc(before.target, func(p part) bool { return !had(t.target, p) })
	for i, h := range t.headers {
		t.headers[i].value.new = !slices.ContainsFunc(before.headers, func(o header) bool {
			return strings.EqualFold(o.name, h.name) && o.value.plainText() == h.value.plainText()
		})
		differs = differs || t.headers[i].value.new
	}
	var changed bool
	t.lines, changed = since(before.lines, t.lines)
	return t, differs || changed
}

// since marks the lines of a body, and puts those that are gone where they were.
func since(before, after []row) (all []row, changed bool) {
	matches := manifest.Compare(lines(before), lines(after))
	kept := map[int]bool{}
	for _, m := range matches {
		kept[m.From] = true
	}
	at := 0 // the next line of the body before
	leave := func(until int) {
		for ; at < until; at++ {
			if !kept[at] {
				all, changed = append(all, row{pieces: before[at].pieces, gone: true}), true
			}
		}
	}
	for i, m := range matches {
		if m.From >= 0 {
			leave(m.From)
			at = max(at, m.From+1)
		}
		r := after[i]
		r.new = m.Changed
		all, changed = append(all, r), changed || m.Changed
	}
	leave(len(before))
	return all, changed
}

// runs are rows with the ends of their lines. Rows in a row that look the same are one.
func runs(all []row) []row {
	var out []row
	for i, r := range all {
		pieces := slices.Clone(r.pieces)
		if i < len(all)-1 {
			pieces = append(pieces, lesson.Piece{Text: "\n"})
		}
		if last := len(out) - 1; last >= 0 && out[last].new == r.new && out[last].gone == r.gone {
			out[last].pieces = append(out[last].pieces, pieces...)
			continue
		}
		out = append(out, row{pieces, r.new, r.gone})
	}
	return out
}

func lines(all []row) []manifest.Line {
	out := make([]manifest.Line, len(all))
	for i, r := range all {
		out[i] = manifest.Line{{Text: strings.TrimSuffix(part{pieces: r.pieces}.plainText(), ",")}} // the comma of the line before a new one is no difference
	}
	return out
}
