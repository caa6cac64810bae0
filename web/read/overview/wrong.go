package overview

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/condition"
	"github.com/fieldmark/fieldmark/kube/health"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/words"
)

// trouble is an object that isn't as it should be.
type trouble struct {
	health.Ref
	Tone   components.Tone
	State  string
	Why    []string
	Reason string // as the object names it
	Said   string
}

// troubles are objects of one part of the cluster. Without any, Fine says in a sentence that all is well, or that nobody knows.
type troubles struct {
	ID    string
	Rows  []trouble
	More  int
	Fine  string
	Tone  components.Tone // of Fine
	Types []string
}

// wrong are the parts of the cluster in which something may be wrong.
func (m Model) wrong() []troubles {
	all := []troubles{m.unready(), m.odd()}
	if m.Namespace == "" {
		all = append(all, m.oddNodes(), m.leaving())
	}
	return all
}

func (m Model) unready() troubles {
	t := troubles{ID: "workloads", More: m.Health.More, Types: ofWorkloads, Fine: "Workloads were not read."}
	for _, w := range m.Health.Workloads {
		t.Rows = append(t.Rows, trouble{Ref: w.Ref, Tone: components.Bad, State: w.Ready + " ready", Why: w.Why, Said: w.Said})
	}
	if !m.blind(ofWorkloads) {
		t.Tone, t.Fine = m.fine(t.Types), words.Count(int64(m.Health.Ready), "workload is", "workloads are")+" ready."
	}
	return t
}

func (m Model) odd() troubles {
	c := m.Health.Custom
	t := troubles{ID: "custom", More: c.More, Types: m.customTypes()}
	for _, o := range c.Odd {
		row := trouble{Ref: o.Ref, Tone: components.Bad, State: o.Words, Reason: o.Reason, Said: o.Message}
		if o.Verdict == condition.Busy {
			row.Tone = components.Busy
		}
		t.Rows = append(t.Rows, row)
	}
	if c.Judged > 0 {
		t.Tone, t.Fine = m.fine(t.Types), words.Count(int64(c.Judged), "custom resource is", "custom resources are")+" ready, by their conditions."
	}
	return t
}

func (m Model) oddNodes() troubles {
	n := m.Health.Nodes
	t := troubles{ID: "nodes", More: max(0, n.Count-n.Ready-len(n.Odd)), Types: ofNodes, Fine: "Nodes were not read."}
	for _, o := range n.Odd {
		t.Rows = append(t.Rows, trouble{Ref: o.Ref, Tone: components.Warn, State: o.Status})
	}
	if n.Known {
		t.Tone, t.Fine = m.fine(t.Types), words.Count(int64(n.Count), "node is", "nodes are")+" ready"
		if len(n.Versions) > 0 {
			t.Fine += ", with kubelet " + components.Visible(owners.And(n.Versions))
		}
		t.Fine += "."
	}
	return t
}

func (m Model) leaving() troubles {
	n := m.Health.Namespaces
	t := troubles{ID: "namespaces", More: n.More, Types: ofNamespaces, Fine: "Namespaces were not read."}
	for _, l := range n.Leaving {
		t.Rows = append(t.Rows, trouble{Ref: l.Ref, Tone: components.Warn, State: "terminating for " + table.Duration(max(0, m.Health.Read.Sub(l.Since))), Said: l.Why})
	}
	if n.Known {
		t.Tone, t.Fine = m.fine(t.Types), "No namespace is being deleted."
	}
	return t
}

// rows tells whether there is something wrong with an object.
func (m Model) rows() bool {
	return slices.ContainsFunc(m.wrong(), func(t troubles) bool { return len(t.Rows) > 0 })
}

// typesOf are the types that the parts are made from.
func typesOf(parts []troubles) (all []string) {
	for _, p := range parts {
		all = append(all, p.Types...)
	}
	return all
}

// customTypes are the types of custom resources with gaps, and otherTypes are those with gaps that no part has.
func (m Model) customTypes() []string {
	return slices.DeleteFunc(m.others(), func(name string) bool { return !isCustom(name) })
}

func (m Model) otherTypes() []string { return slices.DeleteFunc(m.others(), isCustom) }

// isCustom tells types of custom resources, such as widgets.example.com, by the dot in their group.
func isCustom(name string) bool {
	_, group, _ := strings.Cut(name, ".")
	return strings.Contains(group, ".")
}

// unread says how many types of custom resources were not read; empty: none.
func (m Model) unread() string {
	if m.Health.Custom.Left == 0 {
		return ""
	}
	return words.Count(int64(m.Health.Custom.Left), "more type of custom resources isn’t read here", "more types of custom resources aren’t read here") +
		". Their lists show how their objects are."
}
