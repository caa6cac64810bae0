package refusal

import (
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/status"
)

const (
	failedApply = "Apply failed with "
	modified    = "Operation cannot be fulfilled on "
	stale       = "the object has been modified"
)

// readApply reads a conflict with its count: Apply failed with 2 conflicts: conflicts with "hpa" using apps/v1: and a list of paths.
func readApply(t *text, at, _ int) (piece, bool) {
	count, rest, _ := strings.Cut(t.string[at+len(failedApply):min(len(t.string), at+len(failedApply)+32)], " ")
	n, err := strconv.Atoi(count)
	if err != nil || !strings.HasPrefix(rest, "conflict") {
		return piece{}, false
	}
	next := at + len(failedApply) + len(count) + len(" conflict")
	if strings.HasPrefix(rest, "conflicts") {
		next++
	}
	next = t.space(next)
	if next < len(t.string) && t.string[next] == ':' {
		next++
	}
	no := refused(Conflict)
	end, listed := t.conflicts(no, next)
	no.Untold = max(0, n-listed)
	return piece{start: at, end: max(end, next), refusal: no}, true
}

// readWith reads a conflict without its count.
func readWith(t *text, at, _ int) (piece, bool) {
	no := refused(Conflict)
	end, listed := t.conflicts(no, at)
	return piece{start: at, end: end, refusal: no}, listed > 0
}

// conflicts reads managers, each with its paths.
func (t *text) conflicts(no *Refusal, at int) (end, listed int) {
	end = at
	known := map[string]int{}
	for {
		at = t.space(at)
		rest := t.string[at:]
		after, ok := strings.CutPrefix(rest, "conflict with ")
		if !ok {
			if after, ok = strings.CutPrefix(rest, "conflicts with "); !ok {
				return end, listed
			}
		}
		const name = 2 << 10 // 128 characters can be longer when they are escaped
		after = after[:min(len(after), name)]
		owner, left, ok := status.ReadOwner(strings.ReplaceAll(after, "\n", " "))
		if !ok {
			return end, listed
		}
		at += len("conflict with ") + len(after) - len(left)
		if strings.HasPrefix(rest, "conflicts") {
			at++
		}
		end = at
		if at < len(t.string) && t.string[at] == ':' {
			end = at + 1
		}
		before := listed
		for path, next := t.path(end); path != ""; path, next = t.path(end) {
			if rest := t.string[next:t.line(next)]; strings.TrimSpace(rest) != "" {
				path = strings.TrimSuffix(path, ":") // the sentence goes on, as kube-rs does after the message
			}
			no.own(known, path, owner)
			end, listed = next, listed+1
		}
		if listed == before { // the text was cut, or it isn't the server's
			return end, listed
		}
		at = end
	}
}

// path reads a path in structured-merge-diff's notation, alone or as an item of a list.
func (t *text) path(at int) (path string, end int) {
	at = t.space(at)
	item := strings.HasPrefix(t.string[at:], "- ")
	if item {
		at = t.space(at + 2)
	}
	if at == len(t.string) || t.string[at] != '.' && t.string[at] != '[' {
		return "", at
	}
	end = t.pathEnd(at)
	if item { // a name with spaces ends with the line; text in brackets after it is not part of the name
		if line, _, _ := strings.Cut(t.string[at:t.line(at)], " ("); len(line) > end-at && !strings.Contains(line, " - ") {
			end = at + len(strings.TrimRight(line, " \t"))
		}
	}
	if item && end == t.line(at) { // the server writes nothing after a path, and the name of a field can be empty or have line breaks
		end = t.continued(end)
		path = strings.TrimRight(t.string[at:end], ",;'")
		return path, at + len(path)
	}
	path = strings.TrimRight(t.string[at:end], ".,;'")
	return path, at + len(path)
}

// reviewing is the beginning of what kubectl writes after the list of a conflict.
const reviewing = "Please review the fields above"

// continued is the end of the last name of a path with line breaks, given the end of its first line. The next item of the list or the words after the
// list are after it.
func (t *text) continued(end int) int {
	const lines, longestName = 4, 256
	for next, n := end, 0; n < lines && next < len(t.string) && next-end < longestName; n++ {
		begin := next + 1
		next = t.line(begin)
		if strings.TrimSpace(t.string[begin:next]) == "" {
			return end
		}
		rest := t.string[min(next+1, len(t.string)):]
		if strings.HasPrefix(strings.TrimLeft(t.string[end+1:], " \t"), "- ") || strings.Contains(t.string[end:next], "conflict") || strings.Contains(t.string[end:next], reviewing) {
			return end
		}
		if strings.HasPrefix(rest, "- .") || strings.HasPrefix(rest, reviewing) {
			return next
		}
	}
	return end
}

// pathEnd is where a path ends: at a space, unless it stands in the brackets of a key.
func (t *text) pathEnd(at int) int {
	s, quoted, open := t.string[:min(len(t.string), at+longest)], false, 0
	for i := at; i < len(s); i++ {
		*t.steps++
		switch c := s[i]; {
		case c == '\n':
			return i
		case quoted && c == '\\':
			i++
		case c == '"':
			if open == 0 {
				return i
			}
			quoted = !quoted
		case quoted:
		case c == '[':
			open++
		case c == ']':
			if open--; open < 0 {
				return i
			}
		case open == 0 && (c == ' ' || c == '\t' || c == ',' || c == ')'):
			return i
		}
	}
	return len(s)
}

// readModified reads the refusal of a write of an object that has changed since it was read.
func readModified(t *text, at, _ int) (piece, bool) {
	head := at + len(modified)
	colon := strings.Index(t.string[head:min(len(t.string), head+1024)], `": `)
	if colon < 0 {
		return piece{}, false
	}
	colon += head + 1
	o, _, ok := t.subject(colon, head)
	if !ok {
		return piece{}, false
	}
	end := t.line(colon)
	no := refused(Modified)
	no.Objects, no.Message = []Object{o}, strings.TrimSpace(t.string[colon+2:end])
	const whole = "the object has been modified; please apply your changes to the latest version and try again"
	if strings.HasPrefix(no.Message, whole) {
		end, no.Message = colon+2+strings.Index(t.string[colon+2:], whole)+len(whole), whole
	}
	return piece{start: at, end: end, refusal: no}, true
}
