package refusal

import "strings"

// foreign are Helm's words about an object that it didn't create.
const foreign = " exists and cannot be imported into the current release: invalid ownership metadata; "

// readForeign reads Helm's refusal to take over an object that exists: Deployment "web" in namespace "shop" exists and cannot be imported into the
// current release: invalid ownership metadata; label validation error: missing key "app.kubernetes.io/managed-by": must be set to "Helm".
func readForeign(t *text, at, from int) (piece, bool) {
	low := max(from, at-1024)
	line := t.string[low+strings.LastIndexByte(t.string[low:at], '\n')+1 : at]
	head, namespace, ok := strings.Cut(line, ` in namespace "`)
	if !ok {
		return piece{}, false
	}
	o, start, ok := t.subject(at-len(` in namespace "`)-len(namespace), from)
	if !ok || o.Name == "" {
		return piece{}, false
	}
	o.Namespace = strings.TrimSuffix(namespace, `"`)
	if cut := at - len(line) + len(head); cut < start {
		return piece{}, false
	}
	if before, ok := strings.CutSuffix(t.string[from:start], "Unable to continue with install: "); ok {
		start = from + len(before)
	}
	end := t.line(at)
	no := &Refusal{Reason: NotAdopted, Tool: Helm, Objects: []Object{o}}
	for said := range strings.SplitSeq(t.string[at+len(foreign):end], "; ") {
		where, rest, ok := strings.Cut(said, " validation error: ")
		_, rest, quoted := strings.Cut(rest, `"`)
		key, message, closed := strings.Cut(rest, `"`)
		if ok && quoted && closed {
			no.Fields = append(no.Fields, Field{Path: ".metadata." + where + "s." + key, Message: strings.TrimLeft(message, ": ")})
		}
	}
	no.Message = strings.TrimSpace(t.string[at+len(" exists and ") : end])
	return piece{start: start, end: end, refusal: no}, true
}

// readProvider reads the object that Terraform's kubectl provider names: shop/web failed to run apply:
func readProvider(t *text, at, from int) (piece, bool) {
	low := max(from, at-512)
	head := strings.TrimRight(t.string[low:at], " ")
	name := head[strings.LastIndexAny(head, " \t\n")+1:]
	if name == "" {
		return piece{}, false
	}
	n := note{tool: KubectlProvider}
	var both bool
	if n.object.Namespace, n.object.Name, both = strings.Cut(name, "/"); !both {
		n.object.Namespace, n.object.Name = "", name
	}
	return t.said(low+len(head)-len(name), at+len(" failed to run apply: "), n)
}

// readAround reads the namespace in a controller's own log line: … err="…" controller="web" namespace="shop" name="web". It stands before or after the
// refusal.
func readAround(t *text, at, _ int) (piece, bool) {
	const near = 256
	name, end, ok := t.quote(at + len("namespace="))
	before, after := t.string[max(0, at-near):at], t.string[at:min(len(t.string), at+near)]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	after, _, _ = strings.Cut(after, "\n")
	if !ok || !strings.Contains(before+after, "controller") {
		return piece{}, false
	}
	return piece{start: at, end: end, note: &note{around: name}, around: name}, true
}
