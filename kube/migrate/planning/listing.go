package planning

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/assist"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/migrate"
	"github.com/fieldmark/fieldmark/kube/object"
)

// MostListed is how many objects a Listing keeps. It counts all others.
const MostListed = 2000

// Listed is an object that a tool applies.
type Listed struct {
	Path      string
	Type      discovery.Type
	Namespace string
	Name      string
	Owner     migrate.Owner
}

// Owned is an owner with how many objects are to be moved, and how many need nothing.
type Owned struct {
	Owner         migrate.Owner // of one of the objects
	Objects, Done int
}

// Listing collects which tools own which objects, from the metadata of all objects. Unlike a Planning, it keeps no metadata. It isn't safe for concurrent use.
type Listing struct {
	objects  []Listed
	counts   map[counted]Owned
	releases map[string]string // paths of Secrets by the release
	slim     []byte            // scratch
}

// counted is a type and an owner: the API server can lose the list of a type, and then its objects are counted again.
type counted struct{ full, owner string }

// OwnerKey identifies an owner: its tool, and what the tool calls it.
func OwnerKey(o migrate.Owner) string { return string(o.Tool) + " " + o.Key() }

// marks are in the metadata of each object that a tool owns, and of each release: an object without any isn't parsed.
var marks = [][]byte{
	[]byte("toolkit.fluxcd.io/name"), []byte("argocd"), []byte("meta.helm.sh/release-name"), []byte(assist.LastApplied), []byte(assist.ClientSide), []byte(migrate.ReleasePrefix),
}

// Take looks at the metadata of an object.
func (l *Listing) Take(t discovery.Type, raw []byte) {
	if !t.Can("patch") || t.Resource == "events" || !slices.ContainsFunc(marks, func(mark []byte) bool { return bytes.Contains(raw, mark) }) {
		return
	}
	l.slim = slim(l.slim[:0], raw)
	o, err := object.Parse(l.slim)
	if err != nil {
		return
	}
	one := Listed{Path: apipath.Object(t.Group, t.Version, o.Meta("namespace"), t.Resource, o.Meta("name")).String(), Type: t, Namespace: o.Meta("namespace"), Name: o.Meta("name")}
	if IsRelease(t, o) {
		if l.releases == nil {
			l.releases = map[string]string{}
		}
		l.releases[storedIn(o)] = one.Path
		return
	}
	if owner, owned := owning(o); owned {
		one.Owner = owner
		l.count(one)
	}
}

func (l *Listing) count(one Listed) {
	if l.counts == nil {
		l.counts = map[counted]Owned{}
	}
	at := counted{one.Type.FullName(), OwnerKey(one.Owner)}
	of := l.counts[at]
	of.Owner = one.Owner
	if one.Owner.Done() {
		of.Done++
	} else {
		if of.Objects++; len(l.objects) < MostListed {
			l.objects = append(l.objects, one)
		}
	}
	l.counts[at] = of
}

// Lose forgets the objects of a type, which is read again.
func (l *Listing) Lose(t discovery.Type) {
	l.objects = slices.DeleteFunc(l.objects, func(o Listed) bool { return o.Type.FullName() == t.FullName() })
	maps.DeleteFunc(l.counts, func(at counted, _ Owned) bool { return at.full == t.FullName() })
}

// Owners are all owners, those with the most objects to move first.
func (l *Listing) Owners() []Owned {
	sums := map[string]Owned{}
	for at, n := range l.counts {
		sum := sums[at.owner]
		sum.Owner, sum.Objects, sum.Done = n.Owner, sum.Objects+n.Objects, sum.Done+n.Done
		sums[at.owner] = sum
	}
	return slices.SortedFunc(maps.Values(sums), func(a, b Owned) int {
		return cmp.Or(b.Objects-a.Objects, cmp.Compare(OwnerKey(a.Owner), OwnerKey(b.Owner)))
	})
}

// Objects are the objects of an owner that are to be moved, by namespace, type and name. There may be more than the listing kept.
func (l *Listing) Objects(owner string) (all []Listed) {
	for _, o := range l.objects {
		if OwnerKey(o.Owner) == owner {
			all = append(all, o)
		}
	}
	slices.SortFunc(all, func(a, b Listed) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Type.FullName(), b.Type.FullName()), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// Release is the path of the Secret with a release, by what migrate.ReleaseOf returns; empty: none was seen.
func (l *Listing) Release(key string) string { return l.releases[key] }

// storedIn is the release in a Secret, as Listing.Release takes it.
func storedIn(o object.Object) string {
	for _, label := range o.Labels() {
		if name, is := strings.CutPrefix(label, "name="); is {
			return o.Meta("namespace") + "/" + name
		}
	}
	return ""
}
