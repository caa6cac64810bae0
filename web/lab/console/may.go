package console

import (
	"strings"

	"github.com/fieldmark/fieldmark/kube/access"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// may is what is known of whether the reader may make the request.
type may struct {
	of     access.Attributes
	heard  bool
	failed bool // the API server didn't answer that
	answer access.Answer
	// rules are those of a namespace, as far as they were asked for; nil: the answer is on its way, or was none.
	rules map[string]*access.Rules
}

const (
	askMay   = "may"
	askRules = "rules"
)

// mayI asks whether the reader may make the request, and for the rules of its namespace, once for each.
func (m *Model) mayI() []page.Cmd {
	p, ok := m.Draft.path()
	if !ok {
		m.live.may.of = access.Attributes{}
		return nil
	}
	of := access.Of(m.Draft.Method, p, m.Draft.call().Query)
	if of == m.live.may.of || of.Verb == "" {
		return nil
	}
	rules := m.live.may.rules
	if rules == nil {
		rules = map[string]*access.Rules{}
	}
	m.live.may = may{of: of, rules: rules}
	commands := []page.Cmd{m.review(askMay, access.ReviewPath, of.Review())}
	if _, asked := rules[of.Namespace]; !asked && len(rules) < mostRules {
		rules[of.Namespace] = nil
		commands = append(commands, m.review(askRules+" "+of.Namespace, access.RulesReviewPath, access.RulesReview(of.Namespace)))
	}
	return commands
}

// mostRules bounds of how many namespaces the rules are kept.
const mostRules = 100

func (m Model) review(id, path string, body []byte) page.Cmd {
	return page.Send{ID: id, Method: "POST", Cluster: m.Shell.Cluster.Slug, Path: path, ContentType: "application/json", Body: body}
}

// heardMay takes an answer in.
func (m Model) heardMay(f page.Fetched) Model {
	if namespace, is := strings.CutPrefix(f.ID, askRules+" "); is {
		if rules, ok := access.ParseRules(f.Body); ok {
			m.live.may.rules[namespace] = &rules
		}
		return m
	}
	answer, ok := access.ParseReview(f.Body)
	m.live.may.heard, m.live.may.failed, m.live.may.answer = ok, !ok, answer
	return m
}

// rule is the one that allows the request, in a line; empty: none is known.
func (m may) rule() string {
	if rules := m.rules[m.of.Namespace]; rules != nil {
		if rule, ok := rules.Find(m.of); ok {
			return rule.String()
		}
	}
	return ""
}

// hidden tells that there are authorizers that don't list their rules.
func (m may) hidden() bool {
	rules := m.rules[m.of.Namespace]
	return rules != nil && rules.Incomplete
}

// because is why, in the server's words.
func (m may) because() string {
	switch {
	case m.answer.Error != "":
		return m.answer.Error
	case m.answer.Reason != "":
		return m.answer.Reason
	case m.answer.Denied:
		return "it is denied, whatever else allows it"
	}
	return ""
}

// mayNot says why the request must not be sent; empty: nothing is known against it. What the API server would refuse may be sent
// all the same: its refusal is an answer, too.
func (m Model) mayNot() string {
	p, ok := m.Draft.path()
	switch {
	case !ok:
		return "This path has no reading: " + m.pathTrouble()
	case !m.Shell.ReadOnly:
		return ""
	case p.Connects():
		return "Fieldmark was started with --read-only: it passes nothing on into workloads."
	case m.Draft.writes() && m.Draft.call().Query.Get("dryRun") != "All":
		return "Fieldmark was started with --read-only: it passes on what reads, and dry runs. With dryRun=All this goes through."
	}
	return ""
}
