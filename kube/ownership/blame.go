package ownership

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

// Schema has facts about the type that managedFields doesn't have. Without one, only the facts about all objects are used.
type Schema interface {
	// KeyDefault is the value of a key of an associative list in items without that key.
	KeyDefault(list *manifest.Node, key string) (value any, ok bool)
	// Atomic tells whether a value can only be owned as a whole. If the schema doesn't know, ok is false.
	Atomic(n *manifest.Node) (atomic, ok bool)
	// Names says what identifies the items of a list: the fields keys, or their own values in a set. If it is their position, or the schema
	// doesn't know, it returns neither.
	Names(list *manifest.Node) (keys []string, set bool)
}

// Why says why a claim covers a value.
type Why string

// The reasons.
const (
	Direct Why = "direct" // the value itself is claimed
	Atomic Why = "atomic" // a map or list around it is claimed as a whole
	Item   Why = "item"   // the list item around it is claimed, without claims for its fields

	Renamed   Why = "renamed"   // the field is claimed in another API version, where it has another name
	Elsewhere Why = "elsewhere" // a field is claimed in another API version, and it is unknown which one it is here
)

// Claim is one manager's claim that covers a value.
type Claim struct {
	Owner
	Why          Why      `json:"why"`
	Path         string   `json:"path"`         // what is claimed: the value, or what is around it
	Keys         []string `json:"keys"`         // the keys that lead to it, as written in managedFields
	OtherVersion bool     `json:"otherVersion"` // claimed in another API version than the object's
}

// Blame connects the claims in managedFields with the fields of an object.
type Blame struct {
	Record Record
	Root   *manifest.Node

	schema  Schema
	version string                      // the object's API version
	direct  [][]hold                    // by the ID of a node: claims on the node
	covered [][]hold                    // by the ID of a node: claims on something around it as a whole; nodes share these slices
	steps   []string                    // by the ID of a list item: its name
	named   map[*manifest.Node][]string // by the list: the fields that identify its items
	found   [][]sight                   // by the entry, and by the ID of the claim

	unplaced map[int][]hold // by the ID of a node: claims of other API versions that may be on it
	places   map[hold]int   // on how many fields a claim may be of which it is unknown which field it is on
	vague    []hold         // claims of other API versions of which it is unknown which fields they are on

	index nameIndex
}

// nameIndex finds the items of lists by their names. It is made for each list in which somebody looks for an item, because many findings may be
// in one long list.
type nameIndex struct {
	sync.Mutex
	items map[*manifest.Node]map[string][]int // by the list and the name: the positions
	steps int                                 // how many items were looked at, for tests
}

// items are the positions of the items of a list with this name.
func (b *Blame) items(list *manifest.Node, step string) []int {
	b.index.Lock()
	defer b.index.Unlock()
	named, known := b.index.items[list]
	if !known {
		if b.index.items == nil {
			b.index.items = map[*manifest.Node]map[string][]int{}
		}
		named = make(map[string][]int, len(list.Children))
		for i, child := range list.Children {
			named[b.Step(child)] = append(named[b.Step(child)], i)
		}
		b.index.items[list] = named
		b.index.steps += len(list.Children)
	}
	return named[step]
}

// hold is a claim on a node.
type hold struct {
	entry int // in Record.Entries
	claim *claim
	why   Why
}

// sight tells whether a claim could be shown, and if not, why.
type sight uint8

const (
	unseen sight = iota
	shown
	tooMuch
)

// On finds the fields of an object that the claims of the record are about. The schema may be nil.
func (r Record) On(root *manifest.Node, schema Schema) *Blame {
	b := &Blame{
		Record: r, Root: root, schema: schema,
		direct:  make([][]hold, root.End),
		covered: make([][]hold, root.End),
		steps:   make([]string, root.End),
		named:   map[*manifest.Node][]string{},
		found:   make([][]sight, len(r.Entries)),
	}
	if v := root.Field("apiVersion"); v != nil {
		b.version = textValue(v.Value)
	}
	refs := make([]ref, 0, len(r.Entries))
	for i, e := range r.Entries {
		b.found[i] = make([]sight, e.size+1)
		refs = append(refs, ref{entry: i, claim: e.claims})
	}
	l := laying{Blame: b, left: maxCopies}
	l.lay(root, refs, nil)
	b.placeClaims(l.other)
	return b
}

// Path is the path of a node in structured-merge-diff's notation. A path that is too long to read is cut, and ends with "…".
func (b *Blame) Path(n *manifest.Node) string {
	size, depth := 0, 0
	for at := n; at.Parent != nil; at = at.Parent {
		size += 1 + len(at.Key)
		if depth++; at.Index >= 0 {
			size += len(b.steps[at.ID])
		}
	}
	if size > maxPath {
		return b.longPath(n)
	}
	way := make([]*manifest.Node, 0, depth)
	for at := n; at.Parent != nil; at = at.Parent {
		way = append(way, at)
	}
	text := make([]byte, 0, size)
	for i := len(way) - 1; i >= 0; i-- {
		if at := way[i]; at.Index >= 0 {
			text = append(text, b.steps[at.ID]...)
		} else {
			text = append(append(text, '.'), at.Key...)
		}
	}
	return string(text)
}

func (b *Blame) longPath(n *manifest.Node) string {
	var steps []string
	for ; n.Parent != nil; n = n.Parent {
		steps = append(steps, b.Step(n))
	}
	return spell(steps)
}

// Step is the last step of a node's path: its name in its parent.
func (b *Blame) Step(n *manifest.Node) string {
	if n.Index < 0 {
		return cutText("." + n.Key)
	}
	return b.steps[n.ID]
}

// Parts are the steps that lead to a node. Unlike its path, they are never ambiguous: names of fields may have dots and brackets.
func (b *Blame) Parts(n *manifest.Node) []string {
	if n.Parent == nil {
		return nil
	}
	return append(b.Parts(n.Parent), b.Step(n))
}

// At is the node to which steps lead, the first if a list has it twice; nil if there is none.
func (b *Blame) At(parts []string) *manifest.Node {
	n := b.Root
	for _, step := range parts {
		if n = b.child(n, step); n == nil {
			return nil
		}
	}
	return n
}

// child is the child of a node to which a step leads; nil if there is none. Fields are looked up, because a map may have many.
func (b *Blame) child(n *manifest.Node, step string) *manifest.Node {
	if name, is := strings.CutPrefix(step, "."); is {
		return n.Field(name)
	}
	if found := b.items(n, step); len(found) > 0 && !isFields(n) {
		return n.Children[found[0]]
	}
	return nil
}

// Readings are the fields that a path can mean, each by its parts, in the order of the object.
func (b *Blame) Readings(path string) [][]string {
	var all [][]string
	for _, n := range b.Find(path) {
		if parts := b.Parts(n); !slices.ContainsFunc(all, func(other []string) bool { return slices.Equal(other, parts) }) {
			all = append(all, parts)
		}
	}
	return all
}

// Claims returns all claims that cover a node, first those on the node itself.
func (b *Blame) Claims(n *manifest.Node) []Claim {
	var all []Claim
	for _, h := range slices.Concat(b.direct[n.ID], b.covered[n.ID]) {
		all = append(all, b.claim(h))
	}
	return all
}

func (b *Blame) claim(h hold) Claim {
	e := &b.Record.Entries[h.entry]
	return Claim{Owner: e.Owner, Why: h.why, Path: h.claim.path(), Keys: h.claim.keys(), OtherVersion: b.foreign(e)}
}

// Owners returns the managers that own a node, each once. If no manager does, the list is empty, but not nil.
func (b *Blame) Owners(n *manifest.Node) []Owner {
	owners := []Owner{}
	for _, i := range b.entries(n) {
		owners = append(owners, b.Record.Entries[i].Owner)
	}
	return owners
}

// OwnersWithin returns the managers that own a node or something in it, each once.
func (b *Blame) OwnersWithin(n *manifest.Node) []Owner {
	owners := []Owner{}
	for _, i := range entriesOf(append(b.direct[n.ID:n.End:n.End], b.covered[n.ID])...) {
		owners = append(owners, b.Record.Entries[i].Owner)
	}
	return owners
}

// entries are the entries that cover a node, each once, in the order of the record.
func (b *Blame) entries(n *manifest.Node) []int { return entriesOf(b.direct[n.ID], b.covered[n.ID]) }

func entriesOf(holds ...[]hold) []int {
	var all []int
	for _, some := range holds {
		for _, h := range some {
			all = append(all, h.entry)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Find returns the nodes at a path in structured-merge-diff's notation. There may be several, because the notation doesn't quote names
// of fields.
func (b *Blame) Find(path string) []*manifest.Node { return b.findNodes(b.Root, path, nil) }

func (b *Blame) findNodes(n *manifest.Node, rest string, found []*manifest.Node) []*manifest.Node {
	if rest == "" {
		return append(found, n)
	}
	switch {
	case !isFields(n):
		return b.findItems(n, rest, found)
	case !strings.Contains(rest, "…"): // the names of steps are not cut
		return b.findFields(n, rest, found)
	}
	for _, child := range n.Children {
		if step := b.Step(child); len(step) <= len(rest) && rest[:len(step)] == step {
			found = b.findNodes(child, rest[len(step):], found)
		}
	}
	return found
}

// findItems looks up each item that a path may mean, because a list may have many.
func (b *Blame) findItems(n *manifest.Node, rest string, found []*manifest.Node) []*manifest.Node {
	type item struct{ at, end int }
	var all []item
	for end := 1; end <= len(rest); end++ {
		if rest[end-1] != ']' && !strings.HasSuffix(rest[:end], "…") {
			continue
		}
		for _, at := range b.items(n, rest[:end]) {
			all = append(all, item{at, end})
		}
	}
	slices.SortFunc(all, func(a, b item) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.end, b.end)) })
	for _, i := range all {
		found = b.findNodes(n.Children[i.at], rest[i.end:], found)
	}
	return found
}

// findFields looks up each field that a path may mean, because a mapping may have many.
func (b *Blame) findFields(n *manifest.Node, rest string, found []*manifest.Node) []*manifest.Node {
	for end := 1; end <= len(rest) && rest[0] == '.'; end++ {
		if end < len(rest) && rest[end] != '.' && rest[end] != '[' {
			continue
		}
		if child := n.Field(rest[1:end]); child != nil {
			found = b.findNodes(child, rest[end:], found)
		}
	}
	return found
}
