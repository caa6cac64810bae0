package managers

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/words"
)

// unlistable says that no type can be listed; nil: some can.
func unlistable(s *Sheet) *components.Notice {
	if refused := s.count(report.Refused); refused == 0 || refused < len(s.Types) {
		return nil
	}
	n := components.Notice{
		Tone: components.Bad, Title: "You can’t list any type", Details: refusals(s.Types),
		Words: "The API server refused to list every type for you. So Fieldmark can’t say who owns fields.",
	}
	if len(s.Namespaces) == 0 {
		n.Advice = unlistedAdvice
	}
	return &n
}

// unlistedAdvice helps people with rights in some namespaces only.
const unlistedAdvice = "If you can’t list a type in all namespaces, name the namespaces that you can read, and read again."

// lack is something that the numbers don't have.
type lack struct {
	problem, words string
	details        []string
}

// missing says which types can't be listed, and which were read in part.
func missing(s *Sheet) (all []lack) {
	if refused := s.count(report.Refused); refused > 0 && refused < len(s.Types) {
		l := lack{"not listed", fmt.Sprintf("%d of %s can’t be listed. The API server refused them for you, so nothing here counts their objects.", refused, types(len(s.Types))), refusals(s.Types)}
		if len(s.Namespaces) == 0 {
			l.details = append(l.details, unlistedAdvice)
		}
		all = append(all, l)
	}
	if s.Phase == report.Reading {
		return all
	}
	parts, waiting := s.count(report.Partly), s.count(report.Waiting)
	if parts+waiting == 0 {
		return all
	}
	l := lack{problem: "incomplete", words: fmt.Sprintf("Fieldmark didn’t read all objects of %d of %s. The numbers have only the objects that arrived.", parts+waiting, types(len(s.Types)))}
	for _, t := range s.Types {
		if t.State == report.Partly {
			l.details = append(l.details, partOf(t))
		}
	}
	if waiting > 0 {
		l.details = append(l.details, types(waiting)+": not read")
	}
	return append(all, l)
}

// partOf says how much of a type was read.
func partOf(t Type) string {
	said := t.Name + ": " + words.Count(int64(t.Objects), "object", "objects")
	if t.Left > 0 {
		said += " of about " + words.Thousands(int64(t.Objects)+t.Left)
	}
	if t.Why != "" {
		said += ". " + t.Why
	}
	return said
}

// refusals name the types that can't be listed, for each response of the API server.
func refusals(all []Type) (told []string) {
	named := map[string][]string{}
	for _, t := range all {
		if t.State == report.Refused {
			why := strings.TrimSpace(strconv.Itoa(t.Code) + " " + t.Reason)
			if t.Code == 0 {
				why = t.Why
			}
			named[why] = append(named[why], t.Name)
		}
	}
	for _, why := range slices.Sorted(maps.Keys(named)) {
		told = append(told, why+": "+strings.Join(named[why], ", "))
	}
	return told
}

// unrecorded says that no object has managedFields; nil: some have.
func unrecorded(s *Sheet) *components.Notice {
	if !s.unrecorded() {
		return nil
	}
	return &components.Notice{
		Tone: components.Warn, Title: "No object has managedFields",
		Words: "API servers record field managers since Kubernetes 1.18. This server has no record, or a proxy before it removes managedFields from responses.",
	}
}

// titles are the kinds of findings in words.
var titles = map[report.Problem]string{
	report.Unappliable: "can’t be applied", report.TwoGitOps: "two GitOps tools", report.Person: "edited by a person", report.Crowded: "full record",
	report.Unstated: "never stated", report.Silent: "silent", report.Heavy: "large record",
}

// titleOf is a kind of finding in words.
func titleOf(p report.Problem) string {
	if title := titles[p]; title != "" {
		return title
	}
	return string(p)
}

// toneOf is how bad a finding is.
func toneOf(p report.Problem) components.Tone {
	switch p {
	case report.Unappliable, report.TwoGitOps, report.Person:
		return components.Bad
	case report.Crowded, report.Unstated:
		return components.Warn
	default:
		return components.Calm
	}
}

// openFindings is how many findings are shown before the others are folded.
const openFindings = 4
