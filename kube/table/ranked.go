package table

// ranked is a sequence kept in order, in which a place is found by value and a value by place in time that grows with
// the logarithm of its length. It is a weight-balanced tree (Adams, with the parameters that Hirai and Yamamoto proved
// right): no subtree of siblings is more than three times as heavy as the other.
type ranked struct {
	compare func(a, b *item) int
	root    *node
}

type node struct {
	item        *item
	left, right *node
	size        int
}

const (
	delta = 3 // a subtree heavier than this many times its sibling is rotated
	gamma = 2 // once or twice, as its inner child is lighter or heavier than this many times the outer
)

func (n *node) count() int {
	if n == nil {
		return 0
	}
	return n.size
}

func (n *node) weight() int { return n.count() + 1 }

func (n *node) fix() *node {
	n.size = n.left.count() + n.right.count() + 1
	return n
}

// fill makes the sequence anew, of items that are in order.
func (t *ranked) fill(items []*item) { t.root = build(items) }

func build(items []*item) *node {
	if len(items) == 0 {
		return nil
	}
	middle := len(items) / 2
	return (&node{item: items[middle], left: build(items[:middle]), right: build(items[middle+1:])}).fix()
}

func (t *ranked) len() int { return t.root.count() }

// insert adds an item that is not there.
func (t *ranked) insert(i *item) { t.root = t.insertInto(t.root, i) }

func (t *ranked) insertInto(n *node, i *item) *node {
	switch {
	case n == nil:
		return &node{item: i, size: 1}
	case t.compare(i, n.item) < 0:
		n.left = t.insertInto(n.left, i)
	default:
		n.right = t.insertInto(n.right, i)
	}
	return n.fix().balance()
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
	switch c := t.compare(i, n.item); {
	case c < 0:
		n.left, there = t.removeFrom(n.left, i)
	case c > 0:
		n.right, there = t.removeFrom(n.right, i)
	default:
		return n.without(), true
	}
	return n.fix().balance(), there
}

// without is what is left of a subtree without its root.
func (n *node) without() *node {
	if n.left == nil {
		return n.right
	}
	if n.right == nil {
		return n.left
	}
	var first *item
	right := n.right.takeFirst(&first)
	return (&node{item: first, left: n.left, right: right}).fix().balance()
}

func (n *node) takeFirst(first **item) *node {
	if n.left == nil {
		*first = n.item
		return n.right
	}
	n.left = n.left.takeFirst(first)
	return n.fix().balance()
}

func (n *node) balance() *node {
	switch l, r := n.left.weight(), n.right.weight(); {
	case l+r <= 3: // a root with at most one child is balanced
		return n
	case r > delta*l:
		if n.right.left.weight() >= gamma*n.right.right.weight() {
			n.right = n.right.rotateRight()
		}
		return n.rotateLeft()
	case l > delta*r:
		if n.left.right.weight() >= gamma*n.left.left.weight() {
			n.left = n.left.rotateLeft()
		}
		return n.rotateRight()
	default:
		return n
	}
}

func (n *node) rotateLeft() *node {
	top := n.right
	n.right, top.left = top.left, n
	n.fix()
	return top.fix()
}

func (n *node) rotateRight() *node {
	top := n.left
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
	if n == nil || from >= n.size {
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
