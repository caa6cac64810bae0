package overview

import (
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/words"
)

const notRead = "not read"

// tile is one number of the summary at the top.
type tile struct {
	ID, Name, Number, Words string
	Tone                    components.Tone
}

// tiles are the numbers. Those that nobody could count have none.
func (m Model) tiles() []tile {
	tiles := []tile{m.workloadsTile()}
	if c := m.Health.Custom; c.Judged > 0 {
		tiles = append(tiles, m.partTile("custom", "Custom resources", c.Judged, len(c.Odd)+c.More, components.Bad, m.customTypes()))
	}
	if m.Namespace == "" {
		tiles = append(tiles, m.nodesTile(), m.namespacesTile())
	}
	return append(tiles, m.fightsTile(), m.warningsTile(), m.writesTile())
}

// counting is the tile with a number and its noun.
func (t tile) counting(n int, one, many string) tile {
	t.Number, t.Words, _ = strings.Cut(words.Count(int64(n), one, many), " ")
	return t
}

// partTile is how many of all objects aren't ready, or that all are.
func (m Model) partTile(id, name string, all, bad int, tone components.Tone, types []string) tile {
	if bad > 0 {
		return tile{ID: id, Name: name, Number: words.Thousands(int64(bad)), Words: "of " + words.Thousands(int64(all)) + " not ready", Tone: tone}
	}
	return tile{ID: id, Name: name, Number: words.Thousands(int64(all)), Words: "ready", Tone: m.fine(types)}
}

func (m Model) workloadsTile() tile {
	bad := len(m.Health.Workloads) + m.Health.More
	if bad == 0 && m.blind(ofWorkloads) {
		return tile{ID: "workloads", Name: "Workloads", Words: notRead}
	}
	return m.partTile("workloads", "Workloads", m.Health.Ready+bad, bad, components.Bad, ofWorkloads)
}

func (m Model) nodesTile() tile {
	n := m.Health.Nodes
	if !n.Known {
		return tile{ID: "nodes", Name: "Nodes", Words: notRead}
	}
	return m.partTile("nodes", "Nodes", n.Count, n.Count-n.Ready, components.Warn, ofNodes)
}

func (m Model) namespacesTile() tile {
	n, t := m.Health.Namespaces, tile{ID: "namespaces", Name: "Namespaces"}
	switch leaving := len(n.Leaving) + n.More; {
	case !n.Known:
		t.Words = notRead
	case leaving > 0:
		t.Tone = components.Warn
		return t.counting(leaving, "terminating", "terminating")
	default:
		t.Tone = m.fine(ofNamespaces)
		return t.counting(n.Count, "not terminating", "none terminating")
	}
	return t
}

func (m Model) fightsTile() tile {
	t := tile{ID: "fights", Name: "Fights"}
	switch n, known := len(m.Health.Contested), len(m.known()); {
	case known > 0:
		t.Tone = components.Bad
		return t.counting(known, "field", "fields")
	case n > 0:
		t.Tone = components.Warn
		return t.counting(n, "sign", "signs")
	case len(m.Health.Types) == 0:
		t.Words = notRead
	default:
		t.Tone = m.unlessIll(components.Good)
		return t.counting(0, "sign", "signs")
	}
	return t
}

func (m Model) warningsTile() tile {
	t := tile{ID: "warnings", Name: "Warnings", Tone: components.Warn}
	if m.Health.Warned == 0 {
		if t.Tone = m.fine(ofWarnings); m.blind(ofWarnings) {
			return tile{ID: t.ID, Name: t.Name, Words: notRead}
		}
	}
	return t.counting(m.Health.Warned, "Event", "Events")
}

func (m Model) writesTile() tile {
	t, n := tile{ID: "writes", Name: "Last 10 minutes"}, len(managers(m.Health.Writes))
	if n == 0 && len(m.Health.Types) == 0 {
		t.Words = notRead
		return t
	}
	return t.counting(n, "manager wrote", "managers wrote")
}
