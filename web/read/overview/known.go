package overview

import (
	"strconv"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/words"
)

// Scan is the session's last contention scan of the cluster.
type Scan struct {
	Phase     report.Phase  `json:"phase"`
	Began     time.Time     `json:"began"`
	Watched   time.Duration `json:"watched"`
	Objects   int           `json:"objects"`
	Fights    int           `json:"fights"`
	Types     string        `json:"types,omitempty"`     // as the reader named them; empty: all
	Namespace string        `json:"namespace,omitempty"` // empty: all
}

// ScanOf is what the page shows of a scan.
func ScanOf(r report.Run) *Scan {
	return &Scan{
		Phase: r.Phase, Began: r.Began, Watched: r.Watched, Objects: r.Report.Objects, Fights: r.Report.Fights.All, Types: r.Types, Namespace: r.Namespace,
	}
}

// summaryText says when the scan ran, what it looked at, and what it found.
func (s Scan) summaryText(ago string) string {
	found := words.Count(int64(s.Fights), "field that goes", "fields that go") + " back and forth"
	if s.Fights == 0 {
		found = "no field that goes back and forth"
	}
	switch s.Phase {
	case report.Arriving:
		return "A scan is reading the objects."
	case report.Watching:
		return "A scan is running. It has found " + found + " so far."
	case report.Failed:
		return "The last scan began " + ago + ". It could read nothing."
	default:
		return "The last scan began " + ago + ". It watched " + words.Count(int64(s.Objects), "object", "objects") + s.where() + " for " +
			strconv.Itoa(int(s.Watched.Round(time.Second).Seconds())) + " s, and found " + found + "."
	}
}

func (s Scan) where() string {
	text := ""
	if s.Types != "" {
		text = " of " + components.Visible(s.Types)
	}
	if s.Namespace != "" {
		text += " in the namespace " + components.Visible(s.Namespace)
	}
	return text
}

// known are the known fights in the part of the cluster that the page shows.
func (m Model) known() []report.Known {
	var all []report.Known
	for _, k := range m.Shell.Fights {
		if m.Namespace == "" || k.Object.Namespace == m.Namespace {
			all = append(all, k)
		}
	}
	return all
}

// foughtAt is the page of an object of a fight.
func (m Model) foughtAt(k report.Known) string {
	return web.Page(m.Shell.Cluster.Slug, k.Object.Path) + "?tab=timeline"
}
