package ownership

import "github.com/fieldmark/fieldmark/kube/walk"

// Entries visits the entries of managedFields as they were sent: the owner of each, and its fieldsV1. It returns false if the text isn't a list.
// An entry that isn't an object is visited with an owner that has no name. Nothing is decoded twice, so this is for many objects; Parse is for one.
func Entries(managed []byte, visit func(o Owner, fieldsV1 []byte)) bool {
	return walk.Items(managed, func(item []byte) {
		var o Owner
		var fields []byte
		walk.Members(item, func(name, _, value []byte) {
			switch string(name) {
			case "manager":
				o.Name = walk.Word(value)
			case "operation":
				o.Operation = walk.Word(value)
			case "subresource":
				o.Subresource = walk.Word(value)
			case "apiVersion":
				o.APIVersion = walk.Word(value)
			case "time":
				o.Time = walk.Word(value)
			case "fieldsV1":
				fields = value
			}
		})
		visit(o, fields)
	}) > 0
}

// OwnedLeaf is a field that an entry of managedFields owns, and nothing in it: a key without keys below it, where "." is none.
//
//	{"f:spec":{"f:replicas":{},"f:list":{".":{},"k:{\"name\":\"a\"}":{".":{},"f:image":{}}}}}
//	                └ leaf                                                        └ leaf
//
// So a list item with fields of its own isn't a leaf, and an empty one is. If a key below can't be read, the key above it is no leaf either, because
// the manager owns something in it.
type OwnedLeaf struct {
	// Sum identifies the field among those of one object: two entries that own the same field have the same sum.
	Sum  uint64
	last *step
}

// step is a key on the way to a leaf.
type step struct {
	known
	sum  uint64
	from *step
}

// Path is the leaf in structured-merge-diff's notation.
func (l OwnedLeaf) Path() string {
	var steps []string
	for s := l.last; s.from != nil; s = s.from {
		steps = append(steps, s.step)
	}
	return spell(steps)
}

// Below is the first field on the way to the leaf: "spec", "metadata". It is empty if that isn't a field.
func (l OwnedLeaf) Below() string {
	top := l.last
	for top.from.from != nil {
		top = top.from
	}
	if top.element.FieldName == nil {
		return ""
	}
	return *top.element.FieldName
}

// Leaves visits the leaves of an entry. An OwnedLeaf is valid only during its visit.
func (reader *Reader) Leaves(fieldsV1 []byte, visit func(l OwnedLeaf)) {
	if reader.keys == nil || len(reader.keys) > maxKeys {
		reader.keys = map[string]known{}
	}
	l := leaves{parser: parser{keys: reader.keys}, visit: visit}
	l.below(&step{sum: offset}, fieldsV1, 1)
}

// leaves visits the leaves of one entry.
type leaves struct {
	parser
	visit func(l OwnedLeaf)
}

// below visits the leaves below a step, and tells whether there is anything: a key, or one that can't be read.
func (l *leaves) below(from *step, set []byte, depth int) (some bool) {
	walk.Members(set, func(name, member, value []byte) {
		if string(name) == "." {
			return
		}
		some = true
		s := step{from: from, sum: hash(from.sum, name)}
		if s.known = l.known(member[:len(name)+len(`""`)]); s.err != nil || depth > maxDepth || !canClaim(value) {
			return
		}
		if !l.below(&s, value, depth+1) {
			l.visit(OwnedLeaf{Sum: s.sum, last: &s})
		}
	})
	return some
}

// known is the parsed key of a quoted name. The names of managedFields have escaped quotation marks, so they are remembered as they were sent.
func (l *leaves) known(quoted []byte) known {
	if k, ok := l.keys[string(quoted)]; ok {
		return k
	}
	k := l.element(walk.Word(quoted))
	l.keys[string(quoted)] = k
	return k
}

// canClaim tells whether a value can have claims: an object, or null, which has none.
func canClaim(value []byte) bool {
	return len(value) > 0 && value[0] == '{' || string(value) == "null"
}

// FNV-1a, step by step along a path.
const (
	offset = 14695981039346656037
	prime  = 1099511628211
)

func hash(sum uint64, key []byte) uint64 {
	for _, b := range key {
		sum = (sum ^ uint64(b)) * prime
	}
	return sum * prime // as for a byte that is 0, which no key has
}
