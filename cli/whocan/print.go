package whocan

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/cli/output"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/rbac"
	"github.com/fieldmark/fieldmark/kube/table"
)

// printer writes answers in one of the formats.
type printer struct {
	out     io.Writer
	width   int  // of the terminal; 0: the output is none
	several bool // the user named contexts
}

// outputs has a function for each value of --output.
var outputs = map[string]func(printer, []result) error{"text": printer.text, "json": printer.json, "csv": printer.csv, "markdown": printer.markdown}

func (p printer) text(all []result) error {
	var b strings.Builder
	for i, r := range all {
		if i > 0 {
			b.WriteString("\n")
		}
		p.write(&b, r, time.Now())
	}
	return output.Text(p.out, b.String())
}

// say writes a line of words with an indent.
func (p printer) say(b *strings.Builder, indent, text string) {
	if begun, is := strings.CutPrefix(text, "\n"); is { // begins a part
		b.WriteString("\n")
		text = begun
	}
	output.Sentences(b, indent, plain.Text(text), p.width)
}

// heading is the question, with the context if there are several.
func (p printer) heading(r result) string {
	text := "Who can " + r.Question.String() + "?"
	if p.several {
		text = r.context + ": " + text
	}
	return text
}

func (p printer) write(b *strings.Builder, r result, now time.Time) {
	p.say(b, "", p.heading(r))
	p.writeOwners(b, r, now)
	if len(r.Grants) == 0 {
		p.say(b, "", "\n"+rbac.NoGrant)
	}
	for _, part := range r.Parts() {
		p.say(b, "", "\n"+part.Title())
		for _, h := range part.Holders {
			p.holder(b, r, h)
		}
	}
	p.beside(b, r)
	p.say(b, "", "\n"+rbac.UnseenTitle)
	for _, u := range r.Unseen {
		p.say(b, "  ", u.Title+": "+u.Words)
		if names, more := rbac.Named(u.Subjects); len(names) > 0 {
			p.say(b, "    ", strings.Join(names, ", ")+more)
		}
	}
}

func (p printer) writeOwners(b *strings.Builder, r result, now time.Time) {
	if r.field == "" {
		return
	}
	p.say(b, "", "\nOwners of "+r.field+" now")
	if len(r.owners) == 0 {
		p.say(b, "  ", "nobody")
	}
	for _, o := range r.owners {
		p.say(b, "  ", o.Words()+" "+table.Age(o.Written(), now))
		for _, l := range o.could {
			p.say(b, "    ", "could be "+likely(l))
		}
		if len(o.could) == 0 {
			p.say(b, "    ", "No subject has a name like this manager’s. A client chooses the name of its manager freely.")
		}
	}
}

// likely is a candidate in words.
func likely(l rbac.Likely) string {
	if l.Guess {
		return l.Subject.String() + ", a guess: " + l.Why
	}
	return l.Subject.String() + ": " + l.Why
}

func (p printer) holder(b *strings.Builder, r result, h rbac.Holder) {
	p.say(b, "  ", h.Subject.String()+": "+strings.Join(r.Question.Allowed(h.Grants...), ", "))
	if means := h.Subject.Means(); means != "" {
		p.say(b, "    ", "That is "+means+".")
	}
	for _, g := range h.Grants {
		p.say(b, "    ", g.Binding.String()+" to "+g.Role.String())
		for _, rule := range g.Rules {
			p.say(b, "      ", rule.String())
		}
	}
	if d := r.decisions[h.Subject]; len(d.otherwise) > 0 {
		p.say(b, "    ", "The API server decides otherwise: it doesn’t allow "+strings.Join(d.otherwise, ", ")+". "+d.reason)
	}
	namespace, name, ok := h.Subject.Account()
	switch runs, listed := r.workloads[h.Subject]; {
	case listed && len(runs) == 0:
		p.say(b, "    ", "No pods run as this service account now.")
	case listed:
		p.say(b, "    ", "Runs as this service account: "+strings.Join(runs, ", "))
	case ok:
		b.WriteString("    kubectl get pods -n " + plain.Text(namespace) + " --field-selector spec.serviceAccountName=" + plain.Text(name) + "\n")
	}
}

// beside writes what is beside the grants: bindings without a role that is known, and what couldn't be read.
func (p printer) beside(b *strings.Builder, r result) {
	for _, some := range []struct {
		title, words string
		all          []rbac.Loose
	}{{rbac.MissingTitle, rbac.MissingWords, r.Missing}, {rbac.UnknownTitle, rbac.UnknownWords, r.Unknown}, {rbac.UnfilledTitle, "", r.Unfilled}} {
		if len(some.all) == 0 {
			continue
		}
		p.say(b, "", "\n"+some.title)
		if some.words != "" {
			p.say(b, "  ", some.words)
		}
		for _, l := range some.all {
			p.say(b, "  ", l.Words())
		}
	}
	if len(r.Unread) > 0 {
		p.say(b, "", "\n"+rbac.UnreadTitle)
	}
	for _, u := range r.Unread {
		p.say(b, "  ", u.Words())
	}
	if r.unasked != "" {
		p.say(b, "", "\n"+r.unasked)
	}
}

// columns are those of CSV and of Markdown.
var columns = []string{"context", "kind", "namespace", "name", "verbs", "binding", "role", "rule", "server decides otherwise"}

// rows are the grants of an answer, one for each rule.
func rows(r result) [][]string {
	var all [][]string
	for _, g := range r.Grants {
		for _, rule := range g.Rules {
			all = append(all, []string{
				r.context, g.Subject.Kind, g.Subject.Namespace, g.Subject.Name, strings.Join(rule.Allows, " "), g.Binding.String(), g.Role.String(), rule.String(),
				strings.Join(r.decisions[g.Subject].otherwise, " "),
			})
		}
	}
	return all
}

// csv has the grants alone.
func (p printer) csv(all []result) error {
	lines := [][]string{columns}
	for _, r := range all {
		lines = append(lines, rows(r)...)
	}
	return output.Text(p.out, plain.CSV(lines))
}

func (p printer) markdown(all []result) error {
	var b strings.Builder
	for i, r := range all {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "**%s**\n\n", plain.Markdown(p.heading(r)))
		if len(r.Grants) == 0 {
			b.WriteString(plain.Markdown(rbac.NoGrant) + "\n")
		} else {
			b.WriteString("| subject | verbs | binding | role | rule |\n|---|---|---|---|---|\n")
		}
		for _, g := range r.Grants {
			for _, rule := range g.Rules {
				fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", plain.Markdown(g.Subject.String()), plain.Markdown(strings.Join(rule.Allows, ", ")), plain.Markdown(g.Binding.String()), plain.Markdown(g.Role.String()), plain.Markdown(rule.String()))
			}
		}
		var more strings.Builder
		whole := printer{}
		whole.writeOwners(&more, r, time.Now())
		whole.beside(&more, r)
		for line := range strings.Lines(more.String()) {
			if line = strings.TrimSpace(line); line != "" {
				b.WriteString("\n- " + plain.Markdown(line))
			}
		}
		b.WriteString("\n\n" + rbac.UnseenTitle + ":\n\n")
		for _, u := range r.Unseen {
			names, rest := rbac.Named(u.Subjects)
			b.WriteString("- " + plain.Markdown(u.Title+": "+u.Words+" "+strings.Join(names, ", ")+rest) + "\n")
		}
	}
	return output.Text(p.out, b.String())
}
