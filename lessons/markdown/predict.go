package markdown

import (
	"regexp"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// choice is the line that a choice begins with.
var choice = regexp.MustCompile(`^- \[([ xX])\]\s*(.*)$`)

func (r *reader) predict(f fence) {
	name, _, values := r.options(f, nil, []string{"of"})
	if name != "" {
		r.wrong(f.line, "predict %s: another answer is asked about by predict of=%[1]s", name)
	}
	p := &lesson.Predict{Of: values["of"], Line: f.line}
	lines := f.lines
	var question []line
	for len(lines) > 0 && !choice.MatchString(lines[0].text) {
		if value, ok := strings.CutPrefix(lines[0].text, "answer "); ok {
			p.Value = r.value(p, lines[0].n, value)
		} else {
			question = append(question, lines[0])
		}
		lines = lines[1:]
	}
	if p.Question = r.inline(question); p.Question == "" {
		r.wrong(f.line, "the question is missing: it stands before the first choice")
	}
	for len(lines) > 0 {
		end := 1
		for end < len(lines) && !choice.MatchString(lines[end].text) {
			end++
		}
		r.choice(p, lines[:end])
		lines = lines[end:]
	}
	r.choices(p)
	if p.Of == "" {
		r.asking = append(r.asking, p)
	} else {
		r.later = append(r.later, later{p.Of, f.line})
	}
	r.addBlock(lesson.Block{Line: f.line, Predict: p, Range: f.holds})
}

// value is where the truth is found about a value to be predicted.
func (r *reader) value(p *lesson.Predict, line int, text string) *lesson.Subject {
	if p.Value != nil {
		r.wrong(line, "there is one answer line already")
	}
	s, err := lesson.ParseSubject(text)
	if err != nil {
		r.wrong(line, "answer: %v", err)
	}
	r.use(line, text)
	return &s
}

// choice reads one choice: its line, perhaps an if, and why.
func (r *reader) choice(p *lesson.Predict, lines []line) {
	first := choice.FindStringSubmatch(lines[0].text)
	text, holds := r.only(line{lines[0].n, first[2]})
	c := lesson.Choice{Right: first[1] != " ", Line: lines[0].n, Range: holds}
	r.in(c.Line, holds, func() { r.choose(p, &c, text, trimmed(lines[1:])) })
	p.Choices = append(p.Choices, c)
}

// choose reads the text of a choice, and what belongs to it.
func (r *reader) choose(p *lesson.Predict, c *lesson.Choice, text line, rest []line) {
	if p.Value != nil {
		c.Text = strings.TrimSpace(text.text)
		r.use(text.n, c.Text)
	} else {
		c.Text = r.inline([]line{text})
	}
	if c.Text == "" {
		r.wrong(text.n, "the choice is empty")
	}
	for _, l := range rest {
		if !l.indented() && !l.blank() {
			r.wrong(l.n, "what belongs to a choice is set in by two spaces; choices begin with - [ ] or - [x]")
		}
	}
	if len(rest) > 0 {
		if text, ok := strings.CutPrefix(strings.TrimSpace(rest[0].text), "if "); ok {
			r.condition(p, c, line{rest[0].n, text})
			rest = rest[1:]
		} else if p.Value == nil {
			r.wrong(c.Line, "the choice has no if: say by which statement the answer shows whether it is so, or, where none can, write if nothing -- and why")
		}
	}
	if c.Because = r.inline(rest); c.Because == "" {
		r.wrong(c.Line, "the choice is not explained: say below it why it is right or wrong")
	}
}

// condition reads what stands behind an if.
func (r *reader) condition(p *lesson.Predict, c *lesson.Choice, l line) {
	word, why, _ := strings.Cut(l.text, " --")
	switch {
	case p.Value != nil:
		r.wrong(l.n, "where a value is predicted the choices have no if: the answer line says it")
	case strings.TrimSpace(word) == "nothing":
		if strings.TrimSpace(why) == "" {
			r.wrong(l.n, "if nothing -- has to say why no answer can tell")
		}
	default:
		if s, ok := r.statement(l); ok {
			switch {
			case s.Keep != "":
				r.wrong(l.n, "a prediction keeps nothing: write it into a check")
			case !s.Range.IsZero():
				r.wrong(l.n, "the versions stand before the text of the choice, and hold for its if, too")
			}
			c.If = &s
		}
	}
}

// choices says what is wrong with the choices together.
func (r *reader) choices(p *lesson.Predict) {
	for i, c := range p.Choices {
		for _, before := range p.Choices[:i] {
			if _, both := before.Range.Meet(c.Range); both && before.Text == c.Text {
				r.wrong(c.Line, "the choice is there twice")
				break
			}
		}
		if p.Value != nil && c.Text == "*" && (c.Right || i != len(p.Choices)-1) {
			r.wrong(c.Line, "* is for any other value: it stands last, and is wrong")
		}
	}
}

// endPredictions settles the predictions of a step, whose requests are known now.
func (r *reader) endPredictions() {
	step := r.step()
	if step == nil {
		return
	}
	for i, b := range step.Blocks {
		if b.Predict != nil {
			r.holds = r.inStep()
			step.Blocks[i] = r.about(b, fence{kind: "predict", line: b.Line, holds: b.Range}, b.Predict.Of)
			r.rights(b.Predict)
		}
	}
}

// rights says for which version not exactly one choice is right, or there is nothing to choose from. What is wrong for all versions is said
// without one.
func (r *reader) rights(p *lesson.Predict) {
	ranged := slices.ContainsFunc(p.Choices, func(c lesson.Choice) bool { return !c.Range.IsZero() })
	for v := range r.tried() {
		right, all, on := 0, 0, ""
		if ranged {
			on = " on Kubernetes " + v.String()
		}
		for _, c := range p.Choices {
			if c.Range.Holds(v) {
				all++
				right += map[bool]int{true: 1}[c.Right]
			}
		}
		switch {
		case right == 0:
			r.wrong(p.Line, "no choice is right%s: mark one with - [x]", on)
		case right > 1:
			r.wrong(p.Line, "%d choices are right%s: mark exactly one with - [x]", right, on)
		}
		if all < 2 {
			r.wrong(p.Line, "a prediction has at least two choices%s: - [x] and - [ ]", on)
		}
		if right != 1 || all < 2 {
			return
		}
	}
}
