package request

import (
	"fmt"
	"strings"

	"github.com/fieldmark/fieldmark/kube/access"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// may is what the page knows of the reader's permission to send the request.
type may struct {
	call.May
	// rules are the reader's rules by namespace. A nil value was requested, and has no usable response (yet).
	rules map[string]*access.Rules
}

const (
	askMay   = "may"
	askRules = "rules"
)

// mayI requests an access review of the request, and the rules of its namespace, once for each namespace.
func (m *Model) mayI() []page.Cmd {
	p, ok := m.Draft.Path()
	if !ok {
		m.live.may.Of = access.Attributes{}
		return nil
	}
	of := access.Of(m.Draft.Method, p, m.Draft.Request().Query)
	if of == m.live.may.Of || of.Verb == "" {
		return nil
	}
	rules := m.live.may.rules
	if rules == nil {
		rules = map[string]*access.Rules{}
	}
	may, ask := call.Ask(askMay, m.Shell.Cluster.Slug, of)
	m.live.may.May, m.live.may.rules = may, rules
	commands := []page.Cmd{ask}
	if _, asked := rules[of.Namespace]; !asked && len(rules) < mostRules {
		rules[of.Namespace] = nil
		review := call.New(m.Shell.Cluster.Slug, "POST", access.RulesReviewPath, "application/json", access.RulesReview(of.Namespace))
		commands = append(commands, review.Send(askRules+" "+of.Namespace))
	}
	return commands
}

// mostRules bounds the namespaces whose rules are kept.
const mostRules = 100

// heardMay takes a response to mayI in.
func (m Model) heardMay(f page.Response) Model {
	if namespace, is := strings.CutPrefix(f.ID, askRules+" "); is {
		if rules, ok := access.ParseRules(f.Body); ok {
			m.live.may.rules[namespace] = &rules
		}
		return m
	}
	m.live.may.Hear(f)
	return m
}

// rule is the rule that allows the request, in one line; empty: none is known.
func (m may) rule() string {
	if rules := m.rules[m.Of.Namespace]; rules != nil {
		if rule, ok := rules.Find(m.Of); ok {
			return rule.String()
		}
	}
	return ""
}

// hidden tells whether some authorizers don't list their rules.
func (m may) hidden() bool {
	rules := m.rules[m.Of.Namespace]
	return rules != nil && rules.Incomplete
}

// because is the reason for the answer: the API server's text, or ours for a denial without one; empty: there is none.
func (m may) because() string {
	if why := m.Why(); why != "" || !m.Answer.Denied {
		return why
	}
	return "An authorizer denies the request. No other authorizer can allow it."
}

// mayNot says why Fieldmark doesn't send the request; empty: it does. A request that the API server would refuse can be sent, because a
// refusal is a response too.
func (m Model) mayNot() string {
	p, ok := m.Draft.Path()
	switch {
	case !ok:
		return fmt.Sprintf("Fieldmark can’t read this path: %s", m.pathTrouble())
	case !m.Shell.ReadOnly:
		return ""
	case p.Connects():
		return m.Shell.Limit() + " Fieldmark sends no requests to workloads."
	case m.Draft.Writes() && m.Draft.Request().Query.Get("dryRun") != "All":
		return m.Shell.Limit() + " Fieldmark sends only reads and dry runs. Add dryRun=All to send this request."
	}
	return ""
}
