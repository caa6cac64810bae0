package deletion

import (
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/dependents"
	plans "github.com/fieldmark/fieldmark/kube/act"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/finalizer"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/words"
)

// Doom is what a deletion deletes because of the object's type: everything in a namespace, or all objects of a CustomResourceDefinition.
type Doom struct {
	Types      []DoomedType      `json:"types,omitempty"`      // those with objects, the most first
	Finalizers []HeldBy          `json:"finalizers,omitempty"` // of these objects
	Volumes    []Volume          `json:"volumes,omitempty"`    // bound to claims in the namespace
	NoVolumes  string            `json:"noVolumes,omitempty"`  // why the volumes aren't known; empty: they are
	Search     dependents.Search `json:"search"`
}

// DoomedType is a type with objects that the deletion deletes.
type DoomedType struct {
	Name    string `json:"name"` // the full name of the resource type
	Href    string `json:"href"`
	Objects int    `json:"objects"`
}

// HeldBy is a finalizer, and the objects that have it.
type HeldBy struct {
	Name    string         `json:"name"`
	Objects int            `json:"objects"` // their number
	First   []apipath.Path `json:"first"`   // some of them
}

// Volume is a PersistentVolume that is bound to a claim.
type Volume struct {
	Name   string `json:"name"`
	Claim  string `json:"claim"`
	Policy string `json:"policy"` // the reclaim policy
	Size   string `json:"size"`
}

// fate says what becomes of the volume.
func (v Volume) fate() string {
	switch v.Policy {
	case "Delete":
		return "is deleted with its data (reclaim policy Delete)"
	case "Retain":
		return "stays with its data, and no claim uses it (reclaim policy Retain)"
	}
	return "has the reclaim policy " + v.Policy
}

// objects is how many objects the deletion deletes.
func (d Doom) objects() (n int) {
	for _, t := range d.Types {
		n += t.Objects
	}
	return n
}

// sentence says how much the deletion deletes.
func (d Doom) sentence() string {
	if len(d.Types) == 0 && d.Search.Finished && len(d.Search.LeftOut) == 0 {
		return "Fieldmark found no object that is deleted with it."
	}
	least := ""
	if !d.Search.Finished || len(d.Search.LeftOut) > 0 {
		least = "At least "
	}
	return least + words.Count(int64(d.objects()), "object", "objects") + " of " + words.Count(int64(len(d.Types)), "type", "types") + " will be deleted:"
}

// counted says which objects were listed to find out.
func (m Model) counted() string {
	s := m.Doom.Search
	said := "Fieldmark listed " + words.Count(int64(s.Objects), "object", "objects") + " of " + words.Count(int64(s.Types), "type", "types") + " " + components.Visible(s.Where) + ", as of " + s.At.In(m.Now.Location()).Format("15:04:05") + "."
	if !s.Finished {
		said += " The search took too long and stopped before the end."
	}
	return said
}

// holder is a finalizer in words, with links to the objects that have it.
type holder struct {
	finalizer.Finalizer
	Links []components.Link
	More  int // objects without a link
}

// holders are the finalizers of the objects. Those that no part of Kubernetes removes come first. After the deletion has begun, the links lead to the act
// that removes a finalizer.
func (m Model) holders() []holder {
	var strange, usual []holder
	for _, h := range m.Doom.Finalizers {
		one := holder{Finalizer: finalizer.Explain(h.Name)}
		one.Words = "On " + words.Count(int64(h.Objects), "object", "objects") + ". " + one.Words
		shown, _ := components.First(h.First, components.MostListed)
		one.More = h.Objects - len(shown)
		for _, p := range shown {
			one.Links = append(one.Links, m.held(p))
		}
		if one.Strange {
			strange = append(strange, one)
		} else {
			usual = append(usual, one)
		}
	}
	return append(strange, usual...)
}

// held is the link to an object with a finalizer.
func (m Model) held(p apipath.Path) components.Link {
	l := components.Link{Text: p.Resource + "/" + p.Name, Href: web.Page(m.Shell.Cluster.Slug, p.String())}
	if p.Namespace != "" && p.Namespace != m.Path.Name {
		l.Text = p.Namespace + " " + l.Text
	}
	if m.going() {
		l.Href, l.Hint = web.ActOn(m.Shell.Cluster.Slug, web.RemoveFinalizer, p.String()), "What removing a finalizer would do"
	}
	return l
}

// vast tells whether the deletion deletes objects that the reader doesn't see on this page.
func (m Model) vast() bool {
	return plans.Vast(m.Type)
}

// propagates tells whether the propagation policy changes anything. Everything in a namespace, and all objects of a definition, are deleted with any policy.
func (m Model) propagates() bool { return !m.vast() || len(m.Owned) > 0 }

// policy is the propagation policy of the request.
func (m Model) policy() Propagation {
	if !m.propagates() {
		return Background
	}
	return m.Options.Propagation
}

// typesName tells whether the reader must type the object's name first. On the practice cluster, nothing of value is lost.
func (m Model) typesName() bool { return m.vast() && !m.Shell.Cluster.Practice && !m.going() }

// unnamed says that the name isn't typed yet; empty if it is, or needn't be.
func (m Model) unnamed() string {
	if !m.typesName() || strings.TrimSpace(m.live.named) == m.Path.Name {
		return ""
	}
	return "Type the name " + m.Path.Name + " to delete it with everything that is listed here."
}
