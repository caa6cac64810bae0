package ownership

import "github.com/fieldmark/fieldmark/kube/manifest"

// Summary tells how many values of an object each manager owns.
type Summary struct {
	Leaves   int     // number of values without children
	Nobody   int     // of these, those without an owner
	Shared   int     // of these, those with several owners
	Managers []Share // in the order of the record
	Fields   []string
}

// Share is how much of an object one manager owns.
type Share struct {
	Owner
	Leaves int   // values that it owns, alone or with others
	Alone  int   // of these, owned by no other manager
	Fields []int // its leaves by field, in the order of Summary.Fields
}

// Summarize counts how many values each manager owns: in all, and for each field of the document, including those of metadata.
func (b *Blame) Summarize() Summary {
	s := Summary{Managers: make([]Share, len(b.Record.Entries))}
	for i, e := range b.Record.Entries {
		s.Managers[i] = Share{Owner: e.Owner, Fields: make([]int, len(b.Root.Children))}
	}
	c := census{Blame: b, Summary: &s}
	c.prepare()
	if len(b.Root.Children) == 0 {
		c.countLeaves(b.Root, -1)
	}
	for i, child := range b.Root.Children {
		s.Fields = append(s.Fields, child.Key)
		c.countLeaves(child, i)
	}
	return s
}

// census counts leaves. If there are no claims on parts of a node, it counts all leaves of the node at once, without visiting them.
type census struct {
	*Blame
	*Summary
	leaves, claims []int // before each node
}

func (c *census) prepare() {
	c.leaves, c.claims = make([]int, c.Root.End+1), make([]int, c.Root.End+1)
	c.visit(c.Root)
	for i := range c.Root.End {
		c.leaves[i+1] += c.leaves[i]
		c.claims[i+1] += c.claims[i]
	}
}

func (c *census) visit(n *manifest.Node) {
	if len(n.Children) == 0 {
		c.leaves[n.ID+1] = 1
	}
	c.claims[n.ID+1] = len(c.direct[n.ID])
	for _, child := range n.Children {
		c.visit(child)
	}
}

func (c *census) countLeaves(n *manifest.Node, field int) {
	owners := c.entries(n)
	if len(n.Children) > 0 {
		if c.claims[n.End] > c.claims[n.ID+1] {
			for _, child := range n.Children {
				c.countLeaves(child, field)
			}
			return
		}
		owners = entriesOf(c.covered[n.Children[0].ID])
	}
	c.addLeaves(owners, c.leaves[n.End]-c.leaves[n.ID], field)
}

func (c *census) addLeaves(owners []int, leaves, field int) {
	c.Leaves += leaves
	switch len(owners) {
	case 0:
		c.Nobody += leaves
	case 1:
		c.Managers[owners[0]].Alone += leaves
	default:
		c.Shared += leaves
	}
	for _, i := range owners {
		c.Managers[i].Leaves += leaves
		if field >= 0 {
			c.Managers[i].Fields[field] += leaves
		}
	}
}
