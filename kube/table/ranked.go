package table

// ranked is a sequence kept in order, in which a place is found by value and a value by place in time that grows with
// the logarithm of its length. It is a weight-balanced tree (Adams, with the parameters that Hirai and Yamamoto proved
// right): no subtree of siblings is more than three times as heavy as the other.
type ranked struct {
	compare func(a, b *item) int
	root    *node
	epoch   uint32 // counts snapshots: nodes of an earlier one may be a snapshot's, too
}

type node struct {
	item        *item
	left, right *node
	size        int32
	epoch       uint32
}

// snapshot is the sequence as it is now, whatever becomes of it. It costs nothing at once; later each change makes new
// nodes of those that it would have changed, once.
func (t *ranked) snapshot() *ranked {
	s := *t
	t.epoch++
	return &s
}

// own is a node that no snapshot has a part in.
func (t *ranked) own(n *node) *node {
	if n.epoch == t.epoch {
		return n
	}
	c := *n
	c.epoch = t.epoch
	return &c
}

const (
	delta = 3 // a subtree heavier than this many times its sibling is rotated
	gamma = 2 // once or twice, as its inner child is lighter or heavier than this many times the outer
)

func (n *node) count() int {
	if n == nil {
		return 0
	}
	return int(n.size)
}

func (n *node) weight() int { return n.count() + 1 }

func (n *node) fix() *node {
	n.size = int32(n.left.count() + n.right.count() + 1)
	return n
}

// fill replaces the sequence with items that are in order.
func (t *ranked) fill(items []*item) { t.root = t.build(items) }

func (t *ranked) build(items []*item) *node {
	if len(items) == 0 {
		return nil
	}
	middle := len(items) / 2
	return (&node{item: items[middle], left: t.build(items[:middle]), right: t.build(items[middle+1:]), epoch: t.epoch}).fix()
}

func (t *ranked) len() int { return t.root.count() }

// insert adds an item that is not there.
func (t *ranked) insert(i *item) { t.root = t.insertInto(t.root, i) }

func (t *ranked) insertInto(n *node, i *item) *node {
	if n == nil {
		return &node{item: i, size: 1, epoch: t.epoch}
	}
	n = t.own(n)
	if t.compare(i, n.item) < 0 {
		n.left = t.insertInto(n.left, i)
	} else {
		n.right = t.insertInto(n.right, i)
	}
	return t.balance(n.fix())
}

// remove takes an item out; false where it is not there.
func (t *ranked) remove(i *item) (there bool) {
	t.root, there = t.removeFrom(t.root, i)
	return there
}

func (t *ranked) removeFrom(n *node, i *item) (rest *node, there bool) {
	if n == nil {
		return nil, false
	}
	c := t.compare(i, n.item)
	if c == 0 {
		return t.without(n), true
	}
	n = t.own(n)
	if c < 0 {
		n.left, there = t.removeFrom(n.left, i)
	} else {
		n.right, there = t.removeFrom(n.right, i)
	}
	return t.balance(n.fix()), there
}

// without is what is left of a subtree without its root.
func (t *ranked) without(n *node) *node {
	if n.left == nil {
		return n.right
	}
	if n.right == nil {
		return n.left
	}
	var first *item
	right := t.takeFirst(n.right, &first)
	return t.balance((&node{item: first, left: n.left, right: right, epoch: t.epoch}).fix())
}

func (t *ranked) takeFirst(n *node, first **item) *node {
	if n.left == nil {
		*first = n.item
		return n.right
	}
	n = t.own(n)
	n.left = t.takeFirst(n.left, first)
	return t.balance(n.fix())
}

// balance restores the balance of a node that is owned, below which one item came or went.
func (t *ranked) balance(n *node) *node {
	switch l, r := n.left.weight(), n.right.weight(); {
	case l+r <= 3: // a root with at most one child is balanced
		return n
	case r > delta*l:
		if n.right.left.weight() >= gamma*n.right.right.weight() {
			n.right = t.rotateRight(t.own(n.right))
		}
		return t.rotateLeft(n)
	case l > delta*r:
		if n.left.right.weight() >= gamma*n.left.left.weight() {
			n.left = t.rotateLeft(t.own(n.left))
		}
		return t.rotateRight(n)
	default:
		return n
	}
}

func (t *ranked) rotateLeft(n *node) *node {
	top := t.own(n.right)
	n.right, top.left = top.left, n
	n.fix()
	return top.fix()
}

func (t *ranked) rotateRight(n *node) *node {
	top := t.own(n.left)
	n.left, top.right = top.right, n
	n.fix()
	return top.fix()
}

// rank is the place of an item, or the one where it would be.
func (t *ranked) rank(i *item) (at int, there bool) {
	for n := t.root; n != nil; {
		switch c := t.compare(i, n.item); {
		case c < 0:
			n = n.left
		case c > 0:
			at += n.left.count() + 1
			n = n.right
		default:
			return at + n.left.count(), true
		}
	}
	return at, false
}

// each calls f for the items from a place on, in order, until it has enough.
func (t *ranked) each(from int, f func(*item) bool) { t.root.each(from, f) }

func (n *node) each(from int, f func(*item) bool) bool {
	if n == nil || from >= n.count() {
		return true
	}
	before := n.left.count()
	if from < before && !n.left.each(from, f) {
		return false
	}
	if from <= before && !f(n.item) {
		return false
	}
	return n.right.each(max(0, from-before-1), f)
}
