package refusal

import (
	"strings"

	"github.com/fieldmark/fieldmark/kube/status"
)

const (
	invalid = " is invalid"
	strict  = "strict decoding error: "
	untyped = "failed to create typed "
	// undeclared is what a schema says of a field that it lacks.
	undeclared = "field not declared in schema"
	schema     = "ValidationError("
	// exported is the server's sentence about a manifest with managedFields.
	exported = "metadata.managedFields must be nil"
	// wholeObject is how validation names the whole object.
	wholeObject = "[]"
)

// readInvalid reads what validation refuses: Deployment.apps "web" is invalid: and the fields, each with what is wrong.
func readInvalid(t *text, at, from int) (piece, bool) {
	no, body := refused(Invalid), at+len(invalid)
	var start int
	if o, first, ok := t.subject(at, from); ok && o.Name != "" {
		no.Objects, start = []Object{o}, first
		if before, ok := strings.CutSuffix(t.string[from:start], "The "); ok {
			start, no.Tool = from+len(before), Kubectl
		}
	} else if before, ok := strings.CutSuffix(t.string[from:at], "The request"); ok {
		start, no.Tool = from+len(before), Kubectl
	} else {
		return piece{}, false
	}
	if body == len(t.string) || t.string[body] != ':' {
		return piece{start: start, end: body, refusal: no}, true
	}
	end := t.lines(body, false)
	said := strings.TrimSpace(t.string[body+1 : end])
	switch no.fields(said); {
	case len(no.Fields) > 0:
	case no.policy(strings.TrimLeft(said, ": ")):
		no.Reason = Denied
	default:
		no.Message = said
	}
	return piece{start: start, end: end, refusal: no}, true
}

// kinds are the beginnings of servers' messages about a field.
var kinds = []string{
	"Invalid value", "Required value", "Forbidden", "Unsupported value", "Duplicate value", "Not found", "Too long", "Too short", "Too many", "Too few",
	"Internal error",
}

// fields reads `path: message`, several of them in brackets, or a list of them.
func (r *Refusal) fields(said string) {
	listed := strings.HasPrefix(said, "[") && !strings.HasPrefix(said, wholeObject+":")
	if listed {
		said = strings.TrimSuffix(said[1:], "]")
	}
	name, begin, message := "", 0, -1
	for at := 0; ; {
		colon := strings.Index(said[at:], ": ")
		if colon < 0 {
			break
		}
		colon += at
		at = colon + 2
		if !wrong(said[at:]) {
			continue
		}
		const longName = 512
		low := max(begin, colon-longName)
		first := low + strings.LastIndexAny(said[low:colon], " \n") + 1
		before := strings.TrimRight(said[begin:first], " \n")
		if message >= 0 && !strings.HasSuffix(before, ",") && !strings.HasSuffix(before, "\n*") || message < 0 && before != "" && before != "*" {
			continue
		}
		if message >= 0 {
			r.wrong(name, tidy(said[message:first]))
		}
		name, message, begin = path(said[first:colon]), at, at
	}
	if message >= 0 {
		r.wrong(name, tidy(said[message:]))
	}
}

// wrong tells whether a text begins with a message about a field.
func wrong(said string) bool {
	for _, kind := range kinds {
		if strings.HasPrefix(said, kind) {
			return true
		}
	}
	return false
}

func tidy(message string) string {
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimRight(strings.TrimSuffix(strings.TrimRight(message, " \n"), "*"), " \n"), ","))
}

// wrong adds what is wrong with a field.
func (r *Refusal) wrong(path, message string) {
	f := Field{Path: path, Message: message, Immutable: status.Final(message)}
	if f.Immutable && r.Reason == Invalid {
		r.Reason = Immutable
	}
	r.Fields = append(r.Fields, f)
}

// path writes a path as validation does, as in spec.ports[0].port or metadata.labels[a/b], in structured-merge-diff's notation.
func path(name string) string {
	if name == "" || name == "<nil>" || name == wholeObject {
		return ""
	}
	var b strings.Builder
	for rest := strings.TrimPrefix(name, "."); rest != ""; {
		open := strings.IndexByte(rest, '[')
		end := strings.IndexByte(rest[max(open, 0):], ']')
		if open < 0 || end < 0 {
			b.WriteString(dotted(rest))
			break
		}
		b.WriteString(dotted(rest[:open]))
		key := rest[open+1 : open+end]
		if strings.Trim(key, "0123456789") == "" || strings.ContainsAny(key, "=\"") {
			b.WriteString("[" + key + "]")
		} else {
			b.WriteString("." + key)
		}
		rest = rest[open+end+1:]
	}
	return b.String()
}

func dotted(name string) string {
	if name == "" || name[0] == '.' {
		return name
	}
	return "." + name
}

// readStrict reads unknown and duplicate fields, as the server's strict decoding reports them.
func readStrict(t *text, at, from int) (piece, bool) {
	no, start, end := &Refusal{Reason: Invalid, Code: status.CodeBadRequest}, at, at+len(strict)
	// Deployment in version "v1" cannot be handled as a Deployment:
	if head, ok := strings.CutSuffix(t.string[max(from, at-512):at], ": "); ok {
		if i := strings.LastIndex(head, ` in version "`); i > 0 {
			version, _, _ := strings.Cut(head[i+len(` in version "`):], `"`)
			kind := head[strings.LastIndexAny(head[:i], " :\n(")+1 : i]
			no.Objects, start = []Object{{Kind: kind, Version: version}}, at-len(head)-2+i-len(kind)
		}
	}
	for {
		words := t.string[end:t.line(end)]
		n := strings.Index(words, ` field "`)
		if n < 0 || n > len("duplicate")+2 {
			break
		}
		name, next, ok := t.quote(end + n + len(` field `))
		if !ok {
			break
		}
		no.wrong(path(name), strings.TrimLeft(words[:n], ", ")+" field")
		end = next
	}
	if len(no.Fields) == 0 {
		end = t.line(end)
		no.Message = strings.TrimSpace(t.string[at+len(strict) : end])
	}
	return piece{start: start, end: end, refusal: no}, true
}

// readTyped reads what a server-side apply refuses before it merges: an unknown field, or a duplicate item.
// failed to create typed patch object (shop/web; apps/v1, Kind=Deployment): .spec.x: field not declared in schema
func readTyped(t *text, at, _ int) (piece, bool) {
	line := t.line(at)
	open, end := strings.IndexByte(t.string[at:line], '('), strings.Index(t.string[at:line], "): ")
	if open < 0 || end < open {
		return piece{}, false
	}
	no := &Refusal{Reason: Invalid, Code: status.CodeInternalError}
	name, kind, _ := strings.Cut(t.string[at+open+1:at+end], "; ")
	o := ofKind(kind)
	o.Namespace, o.Name, _ = strings.Cut(name, "/")
	no.name(o)
	next := at + end + 3
	if strings.HasPrefix(t.string[next:], "errors:") {
		next += len("errors:")
	}
	first := next
	for {
		name, stop := t.path(next)
		named, colon := strings.CutSuffix(name, ":")
		if name == "" || !colon {
			break
		}
		next = t.line(stop)
		no.wrong(named, strings.TrimSpace(t.string[stop:next]))
	}
	if len(no.Fields) == 0 {
		next = t.line(first)
		no.Message = strings.TrimSpace(t.string[first:next])
	}
	return piece{start: at, end: next, refusal: no}, true
}

// readConverted reads what a server-side apply refuses because it needs the object in another version, whose schema lacks a field of it:
// failed to convert new object: .spec.x: field not declared in schema
func readConverted(t *text, at, _ int) (piece, bool) {
	words := t.string[at:t.line(at)]
	from := strings.Index(words, ": .")
	if from < 0 || !strings.Contains(words, undeclared) {
		return piece{}, false
	}
	name, stop := t.path(at + from + 2)
	named, colon := strings.CutSuffix(name, ":")
	if !colon {
		return piece{}, false
	}
	no := &Refusal{Reason: Invalid, Code: status.CodeInternalError}
	no.wrong(named, strings.TrimSpace(t.string[stop:at+len(words)])+" of another version (kubernetes#111937)")
	return piece{start: at, end: at + len(words), refusal: no}, true
}

// readExported reads the refusal of a manifest that somebody exported from a cluster.
func readExported(_ *text, at, _ int) (piece, bool) {
	no := &Refusal{Reason: Invalid, Code: status.CodeBadRequest, Message: exported, Fields: []Field{{Path: ".metadata.managedFields", Message: "must be nil"}}}
	return piece{start: at, end: at + len(exported), refusal: no}, true
}

// readSchema reads what kubectl refuses itself: ValidationError(Deployment.spec): unknown field "x" in io.k8s.api.apps.v1.DeploymentSpec
func readSchema(t *text, at, _ int) (piece, bool) {
	no, end := &Refusal{Reason: Invalid}, at // kubectl refuses before it sends a request
	for strings.HasPrefix(t.string[end:], schema) {
		line := t.string[end:t.line(end)]
		place, rest, ok := strings.Cut(line[len(schema):], "): ")
		if !ok {
			return piece{}, false
		}
		kind, field, _ := strings.Cut(place, ".")
		message := rest[:sentence(rest)]
		no.name(Object{Kind: kind})
		no.wrong(path(field), message)
		end += len(line) - len(rest) + len(message)
		if strings.HasPrefix(t.string[end:], ", "+schema) {
			end += 2
		}
	}
	return piece{start: at, end: end, refusal: no}, true
}

// sentence is where one of kubectl's validation errors ends.
func sentence(said string) int {
	end := len(said)
	for _, stop := range []string{"; if you choose to ignore", "]; if you choose", ", " + schema} {
		if n := strings.Index(said, stop); n >= 0 {
			end = min(end, n)
		}
	}
	return end
}

// ofKind is the type written as in `apps/v1, Kind=Deployment`.
func ofKind(s string) Object {
	version, kind, _ := strings.Cut(s, ", Kind=")
	o := Object{Kind: strings.TrimSpace(kind)}
	return o.of(strings.TrimSpace(version))
}
