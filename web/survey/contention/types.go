package contention

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/words"
)

// weighty are the types with the most bytes in managedFields, the largest first.
func weighty(all []report.Type) []report.Type {
	all = slices.DeleteFunc(slices.Clone(all), func(t report.Type) bool { return t.Objects == 0 })
	slices.SortStableFunc(all, func(a, b report.Type) int { return cmp.Compare(b.Managed, a.Managed) })
	return all[:min(len(all), report.Most)]
}

// refusals name the types that can't be scanned, grouped by the refusal of the API server.
func refusals(all []report.Type) (told []string, types int) {
	named := map[string][]string{}
	for _, t := range all {
		if t.State == report.Refused {
			why := strings.TrimSpace(strconv.Itoa(t.Code) + " " + t.Reason)
			named[why] = append(named[why], t.Name)
			types++
		}
	}
	for _, why := range slices.Sorted(maps.Keys(named)) {
		told = append(told, why+": "+strings.Join(named[why], ", "))
	}
	return told, types
}

// unscanned says which types can't be scanned; nil: all can.
func unscanned(r report.Run) *components.Notice {
	told, missing := refusals(r.Report.Types)
	if missing == 0 {
		return nil
	}
	n := components.Notice{Tone: components.Warn, Details: told}
	n.Title = fmt.Sprintf("Not scanned: %d of %s", missing, types(len(r.Report.Types)))
	n.Words = "The API server refused to list or watch these types. The findings below leave them out. The end of the page has its message for each type."
	if r.Namespace == "" {
		n.Advice = "If you can’t list a type in all namespaces, choose one namespace."
	}
	if missing == len(r.Report.Types) {
		n.Tone, n.Title, n.Words = components.Bad, "Nothing could be scanned", "The API server refused to list or watch every type."
	}
	return &n
}

// dropped says what the scan left out, because its memory is limited; nil: nothing.
func dropped(d report.Dropped) *components.Notice {
	n := components.Notice{Tone: components.Warn, Title: "The scan did not look at everything", Words: "A scan keeps a limited number of objects. These were left out:"}
	for _, c := range []struct {
		n     int
		words string // with the number in it
	}{
		{d.Objects, "Objects that were not read, because a scan keeps no more: %s."},
		{d.Histories, "Objects whose fields the scan no longer compares, because others changed later: %s. Their findings are kept."},
		{d.Findings, "Dropped findings: %s."},
		{d.Unreadable, "Objects that could not be read: %s."},
	} {
		if c.n > 0 {
			n.Details = append(n.Details, fmt.Sprintf(c.words, words.Thousands(int64(c.n))))
		}
	}
	if len(n.Details) == 0 {
		return nil
	}
	return &n
}

// doing says what the scan does with a type.
func doing(t report.Type) (tone components.Tone, words string) {
	switch t.State {
	case report.Waiting:
		return components.Calm, "waiting"
	case report.Reading:
		return components.Busy, "being read"
	case report.Troubled:
		return components.Bad, "unreachable"
	case report.Refused:
		return components.Warn, "not scanned"
	default:
		return components.Good, "watched"
	}
}
