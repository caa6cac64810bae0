package contention

import (
	"hash/maphash"
	"slices"

	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/walk"
)

// look is what a scan reads of each object: its identity, and sums that show whether it has changed.
type look struct {
	uid, namespace, name, version string

	managed []byte // managedFields, as they were sent
	size    int    // bytes of the object
	content uint64 // sum of everything except managedFields and resourceVersion
}

// glance reads the look of an object. If the text isn't an object with a name, ok is false.
func glance(seed maphash.Seed, raw []byte) (l look, ok bool) {
	var h maphash.Hash
	h.SetSeed(seed)
	l.size = len(raw)
	end := walk.Members(raw, func(name, member, value []byte) {
		switch string(name) {
		case "metadata":
			l.metadata(&h, value)
		case "kind", "apiVersion": // items of a list don't have them
		default:
			_, _ = h.Write(member)
		}
	})
	l.content = h.Sum64()
	return l, end > 0 && l.name != ""
}

func (l *look) metadata(h *maphash.Hash, raw []byte) {
	walk.Members(raw, func(name, member, value []byte) {
		switch string(name) {
		case "managedFields":
			l.managed = value
			return
		case "resourceVersion":
			l.version = walk.Word(value)
			return
		case "uid":
			l.uid = walk.Word(value)
		case "namespace":
			l.namespace = walk.Word(value)
		case "name":
			l.name = walk.Word(value)
		}
		_, _ = h.Write(member)
	})
}

// claims is what a scan keeps of managedFields.
type claims struct {
	sum      uint64 // of everything except the times
	updates  int    // number of Update entries
	ancient  bool
	managers []ownership.Owner
}

// readClaims reads managedFields. If they can't be read, there are no claims.
func readClaims(seed maphash.Seed, managed []byte) claims {
	var c claims
	var h maphash.Hash
	h.SetSeed(seed)
	ok := ownership.Entries(managed, func(o ownership.Owner, fields []byte) {
		for _, part := range []string{o.Name, o.Operation, o.Subresource, o.APIVersion} {
			_, _ = h.WriteString(part)
			_ = h.WriteByte(0)
		}
		_, _ = h.Write(fields)
		if o.Operation == ownership.Update {
			c.updates++
		}
		c.ancient = c.ancient || o.History()
		c.managers = append(c.managers, o)
	})
	if !ok {
		return claims{}
	}
	c.sum = h.Sum64()
	return c
}

// latest is the manager whose entry was written last; empty if no entry has a time.
func (c claims) latest() ownership.Manager {
	var last ownership.Owner
	for _, m := range c.managers {
		if m.Written().After(last.Written()) {
			last = m
		}
	}
	return last.Manager
}

// foreign are the managers with entries in API versions that the server doesn't serve.
func (c claims) foreign(served func(apiVersion string) bool) []ownership.Manager {
	var all []ownership.Manager
	for _, m := range c.managers {
		if m.APIVersion != "" && !served(m.APIVersion) && !slices.Contains(all, m.Manager) {
			all = append(all, m.Manager)
		}
	}
	return all
}
