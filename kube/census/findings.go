package census

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/manager/writer"
	"github.com/fieldmark/fieldmark/kube/patch"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/words"
)

const (
	// silence is after how long without a write a manager counts as silent.
	silence = 30 * 24 * time.Hour
	// heavy is from how many bytes of metadata the share of managedFields matters.
	heavy = 1_000_000
)

// reportFindings adds the findings, the worst first.
func (c *Census) reportFindings(r *report.Report, now time.Time) {
	for _, p := range c.parts {
		for k, f := range p.findings {
			r.Findings = append(r.Findings, c.finding(p, k, f))
		}
		if p.Bytes >= heavy && p.Managed > p.Bytes/2 {
			r.Findings = append(r.Findings, report.Finding{
				Problem: report.Heavy, Type: p.Name(), Objects: p.Objects,
				Why: fmt.Sprintf("managedFields are %d%% of the %s of metadata of %s.", p.Managed*100/p.Bytes, megabytes(p.Bytes), p.Name()),
			})
		}
	}
	r.Findings = append(r.Findings, silent(r, now)...)
	slices.SortFunc(r.Findings, func(a, b report.Finding) int {
		return cmp.Or(a.Problem.Rank()-b.Problem.Rank(), b.Objects-a.Objects, b.Fields-a.Fields,
			strings.Compare(a.Manager, b.Manager), strings.Compare(a.Other, b.Other), strings.Compare(a.Type, b.Type), strings.Compare(a.APIVersion, b.APIVersion))
	})
}

func (c *Census) finding(p *part, k key, f *finding) report.Finding {
	shown := report.Finding{
		Problem: k.problem, Type: p.Name(), Objects: f.objects, Fields: f.fields, Last: f.last, APIVersion: k.version,
		Manager: c.name(k.manager), Other: c.name(k.other), Why: c.why(p, k, f), Ways: c.ways(p, k, f),
	}
	for _, s := range f.samples {
		shown.Samples = append(shown.Samples, s.Sample)
	}
	return shown
}

// name is the name of a manager; empty for nobody, and for those that have no room of their own.
func (c *Census) name(who int) string {
	if who < 0 {
		return ""
	}
	return c.names[who]
}

// called names a manager in a sentence.
func (c *Census) called(who int) string {
	switch {
	case who == others:
		return "a manager without room of its own here"
	case c.names[who] == "":
		return "a manager without a name"
	}
	return c.names[who]
}

// why is one sentence about a finding. What managedFields can't tell is said there, too.
func (c *Census) why(p *part, k key, f *finding) string {
	objects, fields := words.Count(int64(f.objects), "object", "objects"), words.Count(int64(f.fields), "field", "fields")
	switch k.problem {
	case report.Unappliable:
		return fmt.Sprintf("The record of %s of %s has entries of %s in the API version %s, which the server doesn't serve, last written %s; an old record doesn't prove that the manager still writes in this version.",
			objects, p.Name(), c.called(k.manager), k.version, when(f.last))
	case report.TwoGitOps:
		return fmt.Sprintf("%s and %s both own fields of %s of %s, so each can change what the other one applied.", c.called(k.manager), c.called(k.other), objects, p.Name())
	case report.Person:
		return fmt.Sprintf("%s, %s, owns %s of %s of %s, which %s manages.", c.called(k.manager), writer.Person.Words(), fields, objects, p.Name(), c.called(k.other))
	case report.Crowded:
		said := fmt.Sprintf("%s of %s have at least %d of %d Update entries", objects, p.Name(), near, report.Cap)
		if f.merged > 0 {
			return fmt.Sprintf("%s, and the server has already merged the oldest entries of %s.", said, words.Count(int64(f.merged), "object", "objects"))
		}
		return said + "; the server merges the oldest ones when there are more."
	case report.Unstated:
		return fmt.Sprintf("%s owns %s of %s of %s by Update, which includes defaults that the server added; managedFields doesn't tell which of them its configuration states.",
			c.called(k.manager), fields, objects, p.Name())
	}
	return ""
}

func when(t time.Time) string {
	if t.IsZero() {
		return "at an unknown time"
	}
	return "on " + t.Format(time.DateOnly)
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }

// silent are the managers that stopped writing types that others still write. A person's tool writes when a person does, so it is none of them.
func silent(r *report.Report, now time.Time) []report.Finding {
	since := now.Add(-silence)
	writers := map[int][]int{} // by type: who wrote since then
	for _, its := range r.Cells {
		if its.Last.After(since) {
			writers[its.Type] = append(writers[its.Type], its.Manager)
		}
	}
	var all []report.Finding
	told := map[int]bool{}
	for _, its := range r.Cells {
		m := r.Managers[its.Manager]
		if told[its.Manager] || m.Others || m.Last.IsZero() || m.Last.After(since) || m.Writer == writer.Person || history[m.Name] || len(writers[its.Type]) == 0 {
			continue
		}
		told[its.Manager] = true
		all = append(all, report.Finding{
			Problem: report.Silent, Manager: m.Name, Objects: m.Objects, Fields: m.Fields, Last: m.Last,
			Why: fmt.Sprintf("No entry of %s is newer than %s, and others still write the same types; a write that changes nothing leaves no trace.",
				cmp.Or(m.Name, "the manager without a name"), m.Last.Format(time.DateOnly)),
		})
	}
	return all
}

// history are names under which the server itself keeps what others wrote.
var history = map[string]bool{"ancient-changes": true, "before-first-apply": true}

// ways are the ways out of a finding, for its first sample.
func (c *Census) ways(p *part, k key, f *finding) []report.Way {
	if len(f.samples) == 0 {
		return nil
	}
	s := f.samples[0]
	switch k.problem {
	case report.Unappliable:
		return []report.Way{
			{Way: check.WayCorrect, Text: "# Serve " + k.version + " again: add the version to the list, with served: true.\nkubectl edit customresourcedefinition " + request.Quote(p.Name()) + "\n"},
			{Way: check.WayGiveUp, Text: c.cleared(p, k, s)},
		}
	case report.TwoGitOps:
		return []report.Way{{Way: check.WayGiveUp, Text: "Remove the object from the source of one of the two tools."}}
	case report.Person:
		return []report.Way{{Way: check.WayShare, Text: "Put the live values of these fields into the source of " + c.called(k.other) + ", or let it set its own values again."}}
	}
	return nil
}

// cleared is a command that removes an entry of managedFields. It fails if the entry has another place by then.
func (c *Census) cleared(p *part, k key, s sample) string {
	at := fmt.Sprintf("/metadata/managedFields/%d", s.at)
	name, version := any(c.name(k.manager)), any(k.version)
	body, err := json.Marshal([]patch.Operation{
		{Op: "test", Path: at + "/manager", Value: &name},
		{Op: "test", Path: at + "/apiVersion", Value: &version},
		{Op: "remove", Path: at},
	})
	if err != nil {
		return "" // it is made of texts
	}
	resource := p.of.Resource
	if p.of.Group != "" {
		resource += "." + p.of.Version + "." + p.of.Group
	}
	in := ""
	if s.namespace != "" {
		in = " -n " + request.Quote(s.namespace)
	}
	return "# Remove the entry from the record of one object. Its fields stay, without this owner.\nkubectl patch " + request.Named(resource, s.name) + in +
		" --type=json -p " + request.Quote(string(body)) + "\n"
}
