package refusal

import (
	"cmp"
	"slices"
	"strings"
)

// piece is a part of a text that is understood: a refusal, a note on the next refusal, or a tool's words about the last one.
type piece struct {
	start, end int
	refusal    *Refusal
	note       *note
	after      Tool
	around     string // the namespace that the line of the last refusal is about
}

// longest is the most bytes that are read as one message or path.
const longest = 16 << 10

// phrase is words of API servers or tools, and the function that reads the text around them. The function gets the phrase's place (at), and must not
// read text before from.
type phrase struct {
	words string
	read  func(s *text, at, from int) (piece, bool)
}

// text is a text that is being scanned.
type text struct {
	string
	hits   []hit
	steps  *int
	bounds []int // beginnings of refusals that follow another one on the same line, after a comma
}

type hit struct {
	at int
	phrase
}

// speaks tells whether a text has at least one of the phrases.
func speaks(text string) bool {
	return slices.ContainsFunc(phrases, func(p phrase) bool { return strings.Contains(text, p.words) })
}

// scan reads text without JSON documents and quoted texts.
func (r *reader) scan(s string) {
	t := &text{string: s, steps: r.steps}
	r.work(len(s))
	for _, p := range phrases {
		if !r.goesOn() {
			return
		}
		for at := strings.Index(s, p.words); at >= 0; {
			t.hits = append(t.hits, hit{at, p})
			next := strings.Index(s[at+len(p.words):], p.words)
			if next < 0 {
				break
			}
			at += len(p.words) + next
		}
	}
	slices.SortStableFunc(t.hits, func(a, b hit) int { return cmp.Compare(a.at, b.at) })
	for _, h := range t.hits {
		if !r.goesOn() {
			return
		}
		if start := t.leads(h); start > 1 && strings.ContainsAny(strings.TrimSpace(s[start-2:start]), ",;") {
			t.bounds = append(t.bounds, start)
		}
	}
	slices.Sort(t.bounds)
	done, noted := 0, len(s)
	for _, h := range t.hits {
		if h.at < done {
			continue
		}
		if !r.goesOn() {
			return
		}
		found, ok := h.read(t, h.at, done)
		if !ok {
			continue
		}
		r.keepRest(s[done:max(done, found.start)])
		switch {
		case found.refusal != nil:
			if r.said.word != "" && noted < found.start && strings.Contains(s[noted:found.start], "\n") {
				r.flush() // the note was on a line of its own
			}
			r.emit(*found.refusal)
			noted = len(s)
		case found.around != "" && r.surrounds(found.around):
		case found.note != nil:
			r.addNote(*found.note)
			noted = found.end
		default:
			r.after(found.after)
		}
		done = found.end
	}
	r.keepRest(s[done:])
}

// leads is the beginning of the refusal that has a phrase; 0 if no refusal begins with the phrase.
func (t *text) leads(h hit) int {
	switch h.words {
	case invalid, forbidden:
		at := h.at
		if h.words == forbidden {
			at -= len(" is ")
		}
		if _, start, ok := t.subject(max(0, at), 0); ok {
			return start
		}
	case failedApply, modified, denied, dryRun:
		return strings.LastIndexAny(t.string[max(0, h.at-512):h.at], " ,;\n") + 1 + max(0, h.at-512)
	}
	return 0
}

// line is the end of the line that has a place, or of the refusal, if another one follows on the same line.
func (t *text) line(at int) int {
	end := min(len(t.string), at+longest)
	defer func() { *t.steps += end - at }()
	if n := strings.IndexByte(t.string[at:end], '\n'); n >= 0 {
		end = at + n
	}
	if i, _ := slices.BinarySearch(t.bounds, at+1); i < len(t.bounds) && t.bounds[i] < end {
		end = at + len(strings.TrimRight(t.string[at:t.bounds[i]], ",; "))
	}
	return end
}

// lines is the end of a message with several lines: where something else begins, or, unless paragraphs is true, after a paragraph.
func (t *text) lines(at int, paragraphs bool) int {
	end := t.line(at)
	for end < len(t.string) && end-at < longest && t.string[end] == '\n' {
		next := t.space(end)
		if next == len(t.string) || !paragraphs && strings.Count(t.string[end:next], "\n") > 1 {
			break
		}
		stop := t.line(next)
		if begins(t.string[next:stop]) {
			break
		}
		end = stop
	}
	return end
}

// space is the place of the next character that is not white space.
func (t *text) space(at int) int {
	for at < len(t.string) && strings.IndexByte(" \t\n", t.string[at]) >= 0 {
		at++
	}
	return at
}

// subject is the object right before a place, as in `deployments.apps "web"`, and where its name begins.
func (t *text) subject(at, from int) (o Object, start int, ok bool) {
	const name = 512 // bytes, more than a name can have
	from = max(from, at-name)
	s := t.string[from:at]
	if strings.HasSuffix(s, `"`) {
		open := strings.LastIndexByte(s[:len(s)-1], '"')
		if open < 1 || s[open-1] != ' ' {
			return o, 0, false
		}
		o.Name, s = s[open+1:len(s)-1], s[:open-1]
	}
	word := s[strings.LastIndexAny(s, " \t\n,;:([{\"'")+1:]
	if word == "" || !plainWord(word) {
		return o, 0, false
	}
	known := typed(word)
	known.Name = o.Name
	return known, from + len(s) - len(word), true
}

// plainWord tells that a word can be the name of a type.
func plainWord(word string) bool {
	for i := range len(word) {
		c := word[i] | 0x20
		if (c < 'a' || c > 'z') && (word[i] < '0' || word[i] > '9') && word[i] != '.' && word[i] != '-' {
			return false
		}
	}
	return true
}

// typed reads a type from a word such as deployments.apps or Deployment.apps.
func typed(word string) Object {
	name, group, _ := strings.Cut(word, ".")
	if name != "" && name[0] >= 'A' && name[0] <= 'Z' {
		return Object{Kind: name, Group: group}
	}
	return Object{Resource: name, Group: group}
}

// of sets the group and version of an object from a text such as apps/v1.
func (o Object) of(version string) Object {
	if group, v, ok := strings.Cut(version, "/"); ok {
		o.Group, o.Version = group, v
	} else {
		o.Version = version
	}
	return o
}

// quote is the text in quotes at a place, and the place after it.
func (t *text) quote(at int) (held string, end int, ok bool) {
	const name = 1024
	if at >= len(t.string) || t.string[at] != '"' {
		return "", at, false
	}
	n := strings.IndexByte(t.string[at+1:min(len(t.string), at+name)], '"')
	if n < 0 {
		return "", at, false
	}
	return t.string[at+1 : at+1+n], at + n + 2, true
}
