package contention

import (
	"encoding/json"
	"hash/maphash"
	"slices"

	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/walk"
)

// look is an object at a glance: who it is, and what tells one version of it from another.
type look struct {
	uid, namespace, name, version string

	managed []byte // managedFields, as they were sent
	size    int    // bytes of the object
	content uint64 // of all but managedFields and resourceVersion
}

// glance looks at an object. ok is false where that makes no sense.
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

// claims is what managedFields say, as far as a scan counts it.
type claims struct {
	sum      uint64 // of all but the times
	updates  int    // entries of Update
	ancient  bool
	managers []ownership.Owner
}

// read takes managedFields in. Those that make no sense count as none.
func read(seed maphash.Seed, managed []byte) claims {
	var entries []struct {
		ownership.Owner
		FieldsV1 json.RawMessage `json:"fieldsV1"`
	}
	if len(managed) > 0 && json.Unmarshal(managed, &entries) != nil {
		return claims{}
	}
	var c claims
	var h maphash.Hash
	h.SetSeed(seed)
	for _, e := range entries {
		for _, part := range []string{e.Name, e.Operation, e.Subresource, e.APIVersion} {
			_, _ = h.WriteString(part)
			_ = h.WriteByte(0)
		}
		_, _ = h.Write(e.FieldsV1)
		if e.Operation == ownership.Update {
			c.updates++
		}
		c.ancient = c.ancient || e.History()
		c.managers = append(c.managers, e.Owner)
	}
	c.sum = h.Sum64()
	return c
}

// latest is the manager whose entry was written last; nobody, where no entry has a time.
func (c claims) latest() ownership.Manager {
	var last ownership.Owner
	for _, m := range c.managers {
		if m.Written().After(last.Written()) {
			last = m
		}
	}
	return last.Manager
}

// foreign are the managers whose entries are in versions that the server doesn't serve.
func (c claims) foreign(served func(apiVersion string) bool) []ownership.Manager {
	var all []ownership.Manager
	for _, m := range c.managers {
		if m.APIVersion != "" && !served(m.APIVersion) && !slices.Contains(all, m.Manager) {
			all = append(all, m.Manager)
		}
	}
	return all
}
