package table

// ranked is a sorted sequence. The time to find an index by item, or an item by index, grows with the logarithm of the length. It is a
// weight-balanced tree (Adams, with the parameters that Hirai and Yamamoto proved correct): no subtree is more than three times as heavy
// as its sibling.
type ranked struct {
	compare func(a, b *item) int
	root    *node
	epoch   uint32 // counts snapshots: nodes of an earlier epoch may belong to a snapshot
}

type node struct {
	item        *item
	left, right *node
	size        int32
	epoch       uint32
}

// snapshot is the sequence in its current state. It costs nothing itself. Later, each change copies the nodes that it changes, once.
func (t *ranked) snapshot() *ranked {
	s := *t
	t.epoch++
	return &s
}

// own is the node, or a copy if the node may belong to a snapshot.
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
	gamma = 2 // a single rotation if the inner child is lighter than this many times the outer one, else a double rotation
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

// fill replaces the sequence with sorted items.
func (t *ranked) fill(items []*item) { t.root = t.build(items) }

func (t *ranked) build(items []*item) *node {
	if len(items) == 0 {
		return nil
	}
	middle := len(items) / 2
	return (&node{item: items[middle], left: t.build(items[:middle]), right: t.build(items[middle+1:]), epoch: t.epoch}).fix()
}

func (t *ranked) len() int { return t.root.count() }

// insert adds an item. The sequence must not have it.
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

// remove removes an item; there is false if the sequence doesn't have it.
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

// without is a subtree without its root.
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

// balance restores the balance of a node after one item below it was added or removed. No snapshot may have the node.
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

// rank is the index of an item, or the index at which it would be.
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

// each calls f for the items from an index on, in order, until f returns false.
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
