package census

import (
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/manager/writer"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// near is the number of Update entries from which an object is near the limit.
const near = report.Cap - 2

// key identifies a finding within its type.
type key struct {
	problem        report.Problem
	manager, other int // -2: none
	version        string
}

// nobody stands for no manager in a key.
const nobody = -2

// finding is what was found about a manager and a type so far.
type finding struct {
	objects, fields, seq int
	merged               int // objects whose oldest entries were merged
	last                 time.Time
	samples              []sample // by path, at most MostSamples
}

// sample is an object of a finding, with the place of its entry.
type sample struct {
	report.Sample
	namespace, name string
	at              int
}

// find looks for what is wrong with an object.
func (c *Census) find(p *part, o *object) {
	updates, merged := 0, 0
	var gitops []*entry
	for i := range o.entries {
		e := &o.entries[i]
		if e.Operation == ownership.Update {
			updates++
		}
		if e.History() {
			merged = 1
		}
		if group, _ := discovery.SplitGroupVersion(e.APIVersion); e.APIVersion != "" && !discovery.BuiltIn(group) && !c.served(e.APIVersion) {
			c.note(p, key{report.Unappliable, e.who, nobody, e.APIVersion}, o, e)
		}
		switch kind := c.kind(e.who); {
		case kind == writer.GitOps && e.Subresource == "" && e.content:
			gitops = append(gitops, e)
		case kind == writer.Terraform && e.Operation == ownership.Update && e.Subresource == "":
			c.note(p, key{report.Unstated, e.who, nobody, ""}, o, e)
		}
	}
	if updates >= near || merged > 0 {
		if f := c.note(p, key{report.Crowded, nobody, nobody, ""}, o, nil); f != nil {
			f.merged += merged
		}
	}
	if len(gitops) > 0 {
		c.findBeside(p, o, gitops)
	}
}

// findBeside looks for who else writes an object that GitOps tools apply.
func (c *Census) findBeside(p *part, o *object, gitops []*entry) {
	first := gitops[0]
	for _, e := range gitops[1:] {
		if e.who != first.who && c.tool(e.who) != c.tool(first.who) {
			a, b := first, e
			if a.Name > b.Name {
				a, b = b, a
			}
			c.note(p, key{report.TwoGitOps, a.who, b.who, ""}, o, a)
		}
	}
	for i := range o.entries {
		if e := &o.entries[i]; c.kind(e.who) == writer.Person && e.leaves > 0 {
			c.note(p, key{report.Person, e.who, first.who, ""}, o, e)
		}
	}
}

func (c *Census) kind(who int) writer.Kind {
	if who == others {
		return writer.Unknown
	}
	return c.kinds[who]
}

func (c *Census) tool(who int) string { return writer.Tool(c.names[who]) }

// note counts an object for a finding, and the fields of its entry. It returns nil if there is no room.
func (c *Census) note(p *part, k key, o *object, e *entry) *finding {
	f := p.findings[k]
	if f == nil {
		if c.findings >= c.bounds.Findings {
			c.unkept++
			p.unkept++
			return nil
		}
		c.findings++
		f = &finding{}
		p.findings[k] = f
	}
	if f.seq != c.seq {
		f.seq = c.seq
		f.objects++
		c.sample(p, f, o, e)
	}
	if e != nil {
		f.fields += e.leaves
		f.last = later(f.last, e.written)
	}
	return f
}

// sample keeps an object if its path is one of the first.
func (c *Census) sample(p *part, f *finding, o *object, e *entry) {
	s := sample{namespace: o.namespace, name: o.name}
	s.Path = apipath.Object(p.of.Group, p.of.Version, o.namespace, p.of.Resource, o.name).String()
	at, _ := slices.BinarySearchFunc(f.samples, s, func(a, b sample) int { return strings.Compare(a.Path, b.Path) })
	if at >= report.MostSamples {
		return
	}
	if e != nil {
		s.at = e.at
		c.reader.Leaves(e.fields, func(l ownership.OwnedLeaf) {
			if len(s.Fields) < report.MostFields {
				s.Fields = append(s.Fields, l.Path())
			}
		})
	}
	f.samples = slices.Insert(f.samples, at, s)
	f.samples = f.samples[:min(len(f.samples), report.MostSamples)]
}
