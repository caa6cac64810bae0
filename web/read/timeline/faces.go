package timeline

import (
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/timeline"
)

// cast are the managers that a recording names, and how they look. It grows with the recording.
type cast struct {
	seen  int // versions up to this one are in it
	all   []ownership.Manager
	known map[ownership.Manager]bool
	faces owners.Faces
}

// cast is the recording's cast, up to the newest version.
func (s *sheet) cast() *cast {
	c := &s.people
	if c.known == nil {
		c.known = map[ownership.Manager]bool{}
	}
	before := len(c.all)
	for c.seen = max(c.seen, s.rec.Dropped()); c.seen < s.rec.Last(); {
		c.seen++
		v, ok := s.rec.Find(c.seen)
		if !ok {
			continue
		}
		if before == 0 && len(c.all) == 0 {
			c.meet(ownership.Parse(v.Object().Fields).Managers())
		}
		c.met(v)
	}
	if len(c.all) > before {
		c.assignFaces()
	}
	return c
}

// met adds the managers of a version's changes.
func (c *cast) met(v timeline.Version) {
	c.meet(v.Writers())
	for _, change := range v.Step.Changes {
		c.meet(change.Before)
		c.meet(change.After)
	}
}

// assignFaces gives faces to all managers.
func (c *cast) assignFaces() { c.faces = owners.FacesOf(c.all) }

func (c *cast) meet(all []ownership.Owner) {
	for _, o := range all {
		if who := o.Identity(); !c.known[who] {
			c.known[who] = true
			c.all = append(c.all, who)
		}
	}
}

// shown are owners with their faces.
func (c *cast) shown(all []ownership.Owner) []components.Manager {
	var shown []components.Manager
	for _, o := range all {
		shown = append(shown, c.faces.Of(o.Manager))
	}
	return shown
}
