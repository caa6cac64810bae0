package owners

import (
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// MostCast is the maximum number of managers in a Cast. The managers after them have the faces that they have alone.
const MostCast = 1000

// Cast are the managers of a view of many objects, with their faces. It grows with the view; the zero value has nobody. An API version makes no other
// manager here, because a manager writes objects of several types, and looks the same beside all of them.
type Cast struct {
	all   []ownership.Manager
	known map[ownership.Manager]bool
	faces Faces
	stale bool // the faces don't know the newest managers
}

// Meet adds a manager.
func (c *Cast) Meet(m ownership.Manager) {
	m.APIVersion = ""
	if c.known[m] || len(c.all) == MostCast {
		return
	}
	if c.known == nil {
		c.known = map[ownership.Manager]bool{}
	}
	c.known[m], c.all, c.stale = true, append(c.all, m), true
}

// MeetAll adds the managers of owners.
func (c *Cast) MeetAll(all []ownership.Owner) {
	for _, o := range all {
		c.Meet(o.Manager)
	}
}

// Of is a manager with its face.
func (c *Cast) Of(m ownership.Manager) components.Manager {
	if c.stale {
		c.faces, c.stale = FacesOf(c.all), false
	}
	version := m.APIVersion
	m.APIVersion = ""
	shown := c.faces.Of(m)
	shown.APIVersion = version
	return shown
}

// OfAll are the managers of owners, with their faces.
func (c *Cast) OfAll(all []ownership.Owner) []components.Manager {
	var shown []components.Manager
	for _, o := range all {
		shown = append(shown, c.Of(o.Manager))
	}
	return shown
}
