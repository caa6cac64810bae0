package census

import (
	"cmp"
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/walk"
)

// object is what a census reads of an object. Its slices are used again for the next one.
type object struct {
	namespace, name string
	bytes, managed  int // of metadata, and of managedFields in it
	entries         []entry
	managers        []int  // those of the entries, each once, sorted
	leaves          []leaf // by field, then by manager
}

// entry is an entry of managedFields.
type entry struct {
	ownership.Owner
	who     int
	at      int // its place in managedFields
	written time.Time
	fields  []byte // fieldsV1
	leaves  int
	content bool // it owns fields other than those of metadata and status
}

// leaf is a field that an entry owns.
type leaf struct {
	sum uint64
	who int
}

// read reads an object. If the text isn't an object with a name, ok is false.
func (o *object) read(c *Census, raw []byte) (ok bool) {
	*o = object{entries: o.entries[:0], managers: o.managers[:0], leaves: o.leaves[:0]}
	var managed []byte
	end := walk.Members(raw, func(name, _, value []byte) {
		if string(name) == "metadata" {
			o.bytes = len(value)
			managed = o.metadata(value)
		}
	})
	if end < 0 || o.name == "" {
		return false
	}
	o.managed = len(managed)
	ownership.Entries(managed, func(owner ownership.Owner, fields []byte) { o.add(c, owner, fields) })
	o.managers = slices.Compact(sorted(o.managers))
	slices.SortFunc(o.leaves, func(a, b leaf) int { return cmp.Or(cmp.Compare(a.sum, b.sum), cmp.Compare(a.who, b.who)) })
	return true
}

func sorted(all []int) []int {
	slices.Sort(all)
	return all
}

// metadata reads the name of the object, and returns its managedFields.
func (o *object) metadata(raw []byte) (managed []byte) {
	walk.Members(raw, func(name, _, value []byte) {
		switch string(name) {
		case "managedFields":
			managed = value
		case "namespace":
			o.namespace = walk.Word(value)
		case "name":
			o.name = walk.Word(value)
		}
	})
	return managed
}

func (o *object) add(c *Census, owner ownership.Owner, fields []byte) {
	e := entry{Owner: owner, who: c.manager(owner.Name), at: len(o.entries), written: owner.Written(), fields: fields}
	c.reader.Leaves(fields, func(l ownership.OwnedLeaf) {
		e.leaves++
		o.leaves = append(o.leaves, leaf{l.Sum, e.who})
		if below := l.Below(); below != "metadata" && below != "status" {
			e.content = true
		}
	})
	o.entries = append(o.entries, e)
	o.managers = append(o.managers, e.who)
}
