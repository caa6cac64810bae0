// Package fights shows fights that Fieldmark knows of, on any page: who overwrites whom, how often, and the link to the page that stops it.
package fights

import (
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/timeline"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/words"
)

// Seen are the fights in a recording of an object, if two managers of each are known. One manager alone doesn't fight.
func Seen(all []timeline.Flip, of report.Object, from report.Source) []report.Known {
	var known []report.Known
	for _, f := range all {
		if len(f.Managers) < 2 {
			continue
		}
		known = append(known, report.Known{From: from, Fight: report.Fight{
			Object: of, Path: f.Path, Field: f.Field, Count: f.Count, Period: f.Period, Last: f.Last, Managers: f.Managers, Values: f.Values,
		}})
	}
	return known
}

// Words say who fights over what, and how often, without a full stop.
func Words(k report.Known) string {
	return Who(k.Managers) + " overwrite each other’s " + components.Visible(k.Path) + ", " + words.Count(int64(k.Count), "time", "times")
}

// short names what is fought over, and how often the first of it was overwritten.
func short(all []report.Known) string {
	if len(all) > 1 {
		return words.Count(int64(len(all)), "field", "fields")
	}
	return all[0].Path + ", " + words.Count(int64(all[0].Count), "time", "times")
}

// Badge marks what a fight is over, and leads to where it is stopped.
func Badge(cluster string, k report.Known) components.Badge {
	return components.Badge{Look: components.FightBadge, Words: Words(k), Href: Stop(cluster, k)}
}

// Who names managers in a sentence. If two have the same name, it also says how they write.
func Who(all []manager.Manager) string {
	named := map[string]int{}
	for _, m := range all {
		named[m.Name]++
	}
	var names []string
	for _, m := range all {
		name := m.Name
		if named[name] > 1 || name == "" {
			name = m.Words()
		}
		names = append(names, components.Visible(name))
	}
	if len(names) < 2 {
		return "Managers"
	}
	return owners.And(names)
}

// sources say how Fieldmark learned of a fight.
var sources = map[report.Source]string{
	report.FromScan:  "found by a scan",
	report.FromWatch: "seen by the server, which watches the object",
	report.FromPage:  "seen on this page",
}

// When says when the value came back the last time, and how Fieldmark knows.
func When(k report.Known, now time.Time) string {
	last := ""
	if !k.Last.IsZero() {
		at := k.Last
		if now.Before(at) {
			now = at
		}
		last = "last " + table.Age(at, now) + " ago, "
	}
	return last + sources[k.From]
}

// Every is the time between two returns in words; empty: it isn't known.
func Every(k report.Known) string {
	if k.Period <= 0 {
		return ""
	}
	return "about every " + table.Duration(k.Period)
}

// Stop is the address where the fight is stopped.
func Stop(slug string, k report.Known) string {
	return web.Stop(slug, k.Object.Path, k.Path, k.Managers...)
}

// On finds the fight over a field.
func On(all []report.Known, field string) (k report.Known, ok bool) {
	for _, k := range all {
		if k.Path == field {
			return k, true
		}
	}
	return report.Known{}, false
}

// value is a value of a field; the field may be missing.
func value(text string) string {
	if text == "" {
		return "(missing)"
	}
	return components.Visible(text)
}

// Faced are the managers of a fight with their faces.
func Faced(faces owners.Faces, k report.Known) []components.Manager {
	var shown []components.Manager
	for _, m := range k.Managers {
		shown = append(shown, faces.Of(m))
	}
	return shown
}

// often says how often the value came back, in which time, and when last.
func often(k report.Known, now time.Time) string {
	text := words.Count(int64(k.Count), "time", "times")
	if every := Every(k); every != "" {
		text += ", " + every
	}
	return text + "; " + When(k, now)
}
