package refusal

import (
	"strings"

	"github.com/fieldmark/fieldmark/kube/status"
)

const (
	forbidden = "forbidden: "
	denied    = "admission webhook \""
	failed    = "failed calling webhook \""
)

// readForbidden reads what RBAC, a quota or admission refuses: pods "web" is forbidden: and the rule's own words.
func readForbidden(t *text, at, from int) (piece, bool) {
	no, start := refused(Denied), at
	if head := at - len(" is "); head >= from && t.string[head:at] == " is " {
		o, first, ok := t.subject(head, from)
		if !ok {
			return piece{}, false
		}
		no.Objects, start = []Object{o}, first
	} else if !strings.HasPrefix(t.string[at:], forbidden+"User ") {
		return piece{}, false
	}
	body := at + len(forbidden)
	end := t.line(body)
	if said := t.string[body:end]; strings.HasSuffix(said, "]") && strings.Count(said, "]") > strings.Count(said, "[") {
		end-- // this bracket closes a list of several refusals
	}
	said := t.string[body:end]
	switch {
	case no.rbac(said):
		if no.Denial.Verb == "" {
			end = t.lines(body, false) // the permissions are on the next lines
			no.Message = strings.TrimSpace(t.string[body:end])
		}
	case no.quota(said):
	case no.policy(said):
		first := end - len(no.Message) // the message is the end of the line, and can continue on the next lines
		end = t.lines(body, false)
		no.Message = strings.TrimSpace(t.string[first:end])
	}
	if no.Message == "" {
		no.Message = strings.TrimSpace(said)
	}
	return piece{start: start, end: end, refusal: no}, true
}

// rbac reads the message of the authorizer, or of the check that users don't grant permissions that they don't have.
func (r *Refusal) rbac(said string) bool {
	d, ok := status.Status{Code: status.CodeForbidden, Message: said}.Denied()
	if !ok && strings.Contains(said, " is attempting to grant RBAC permissions not currently held") {
		rest, found := strings.CutPrefix(said, `user "`)
		d.User, _, ok = strings.Cut(rest, `"`)
		ok = ok && found
	}
	if ok {
		r.Reason, r.Denial = Forbidden, &d
		for i := range r.Objects {
			r.Objects[i].Namespace = d.Namespace
		}
	}
	return ok
}

// quota reads the message of a ResourceQuota.
func (r *Refusal) quota(said string) bool {
	for _, words := range []string{"exceeded quota: ", "failed quota: ", "insufficient quota to consume: ", "status unknown for quota: "} {
		rest, ok := strings.CutPrefix(said, words)
		if !ok {
			continue
		}
		q := &Quota{}
		r.Reason, r.Quota = QuotaExceeded, q
		if words != "insufficient quota to consume: " {
			end := strings.IndexAny(rest, ",: ")
			if end < 0 {
				end = len(rest)
			}
			q.Name, rest = rest[:end], rest[end:]
		}
		q.limits(rest)
		return true
	}
	return false
}

// limits reads `, requested: pods=1, used: pods=2, limited: pods=2`.
func (q *Quota) limits(said string) {
	requested, said, _ := strings.Cut(strings.TrimPrefix(said, ", requested: "), ", used: ")
	used, limited, ok := strings.Cut(said, ", limited: ")
	if !ok {
		return
	}
	have, most := quantities(used), quantities(limited)
	for part := range strings.SplitSeq(requested, ",") {
		if resource, quantity, ok := strings.Cut(part, "="); ok {
			q.Limits = append(q.Limits, Limit{Resource: resource, Requested: quantity, Used: have[resource], Limited: most[resource]})
		}
	}
}

func quantities(said string) map[string]string {
	all := map[string]string{}
	for part := range strings.SplitSeq(said, ",") {
		if resource, quantity, ok := strings.Cut(strings.TrimSpace(part), "="); ok {
			quantity, _, _ = strings.Cut(quantity, " ")
			all[resource] = quantity
		}
	}
	return all
}

// policy reads the message of a policy or of Pod Security.
func (r *Refusal) policy(said string) bool {
	if rest, ok := strings.CutPrefix(said, `violates PodSecurity "`); ok {
		p := &Policy{Type: PodSecurity}
		p.Name, r.Message, ok = strings.Cut(rest, `": `)
		r.Policy = p
		return ok
	}
	kind := ValidatingPolicy
	rest, ok := strings.CutPrefix(said, "ValidatingAdmissionPolicy '")
	if !ok {
		kind = MutatingPolicy
		if rest, ok = strings.CutPrefix(said, "policy '"); !ok {
			return false
		}
	}
	p := &Policy{Type: kind}
	p.Name, rest, _ = strings.Cut(rest, "'")
	if after, ok := strings.CutPrefix(rest, " with binding '"); ok {
		p.Binding, rest, _ = strings.Cut(after, "'")
	}
	message, ok := strings.CutPrefix(rest, " denied request: ")
	r.Policy, r.Message = p, message
	return ok
}

// readWebhook reads the refusal of a webhook. Its message is often a refusal in the server's form.
func readWebhook(t *text, at, _ int) (piece, bool) {
	name, next, ok := t.quote(at + len(denied) - 1)
	if !ok {
		return piece{}, false
	}
	no := &Refusal{Reason: Denied, Policy: &Policy{Type: Webhook, Name: name}} // a webhook chooses its code
	rest := t.string[next:]
	switch {
	case strings.HasPrefix(rest, " denied the request: "):
		next += len(" denied the request: ")
	case strings.HasPrefix(rest, " denied the request without explanation"):
		return piece{start: at, end: next + len(" denied the request without explanation"), refusal: no}, true
	case strings.HasPrefix(rest, " does not support dry run"):
		no.Message, no.Code = "does not support dry run", status.CodeBadRequest
		return piece{start: at, end: next + len(" does not support dry run"), refusal: no}, true
	default:
		return piece{}, false
	}
	end := t.lines(next, strings.HasPrefix(strings.TrimLeft(t.string[next:], " "), "\n")) // Kyverno begins with an empty line
	no.Message = strings.TrimSpace(t.string[next:end])
	said := &text{string: no.Message, steps: t.steps}
	if i := strings.Index(no.Message, invalid); i >= 0 {
		if inner, ok := readInvalid(said, i, 0); ok {
			no.Objects, no.Fields = inner.refusal.Objects, inner.refusal.Fields
		}
	}
	return piece{start: at, end: end, refusal: no}, true
}

// readCall reads that a webhook couldn't be called.
func readCall(t *text, at, _ int) (piece, bool) {
	name, next, ok := t.quote(at + len(failed) - 1)
	if !ok || !strings.HasPrefix(t.string[next:], ": ") {
		return piece{}, false
	}
	start, end := at, t.line(next)
	if before, ok := strings.CutSuffix(t.string[:at], "Internal error occurred: "); ok {
		start = len(before)
	}
	no := refused(WebhookFailed)
	no.Policy, no.Message = &Policy{Type: Webhook, Name: name}, strings.TrimSpace(t.string[next+2:end])
	return piece{start: start, end: end, refusal: no}, true
}
