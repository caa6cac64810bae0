package ownership

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

// randomRecord is entries of some of so many managers, in any order, each with claims on some fields.
func randomRecord(t testing.TB, r *rand.Rand, managers int) Record {
	t.Helper()
	var all []string
	for _, m := range r.Perm(managers) {
		set := []string{}
		for _, f := range []string{"a", "b", "c"} {
			switch r.IntN(3) {
			case 0:
				set = append(set, fmt.Sprintf(`"f:%s":{}`, f))
			case 1:
				set = append(set, fmt.Sprintf(`"f:%s":{".":{},"f:x":{}}`, f))
			}
		}
		if r.IntN(4) > 0 {
			all = append(all, entry(fmt.Sprint(m), []string{Apply, Update}[r.IntN(2)], "{"+strings.Join(set, ",")+"}"))
		}
	}
	return Parse(with(t, `{}`, "["+strings.Join(all, ",")+"]").Fields)
}

// managersOf are the managers of a node, sorted and each once.
func managersOf(b *Blame, n *manifest.Node) []string {
	var all []string
	for _, o := range b.Owners(n) {
		all = append(all, fmt.Sprint(o.Identity()))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// TestPairsTellTheSame: what a Pair says of two versions is what a look at their owners says.
func TestPairsTellTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	root := manifest.Tree(parse(t, []byte(`{"a":{"x":1,"y":2},"b":[1],"c":{"x":{"z":3}}}`)).Fields)
	nodes := nodesOf(root)
	same := 0
	for range 300 {
		before, after := randomRecord(t, r, 5).On(root, nil), randomRecord(t, r, 5).On(root, nil)
		p := NewPair(before, after)
		for _, n := range nodes {
			want := slices.Equal(managersOf(before, n), managersOf(after, n))
			if got := p.Same(n, n); got != want {
				t.Fatalf("%s: %v, but the owners are %v and %v", before.Path(n), got, managersOf(before, n), managersOf(after, n))
			}
			if want {
				same++
			}
		}
	}
	if same < 100 {
		t.Errorf("only %d nodes keep their owners: this proves nothing", same)
	}
}

func nodesOf(n *manifest.Node) []*manifest.Node {
	all := []*manifest.Node{n}
	for _, child := range n.Children {
		all = append(all, nodesOf(child)...)
	}
	return all
}

// TestPairsOfTooMany: more managers than there are bits are not told apart, so nothing is said to be the same.
func TestPairsOfTooMany(t *testing.T) {
	root := manifest.Tree(parse(t, []byte(`{"a":1}`)).Fields)
	for _, managers := range []int{maxPaired, maxPaired + 1} {
		var all []string
		for m := range managers {
			all = append(all, entry(fmt.Sprint(m), Update, `{"f:a":{}}`))
		}
		b := Parse(with(t, `{}`, "["+strings.Join(all, ",")+"]").Fields).On(root, nil)
		if got := NewPair(b, b).Same(root.Children[0], root.Children[0]); got != (managers == maxPaired) {
			t.Errorf("%d managers: %v", managers, got)
		}
	}
}

// TestReadersRememberNothingButKeys: one reader of many objects reads each as another would.
func TestReadersRememberNothingButKeys(t *testing.T) {
	if testing.Short() {
		t.Skip("the work is the same on each platform")
	}
	r := rand.New(rand.NewPCG(3, 4))
	var one Reader
	for range 50 {
		var set []string
		for i := range r.IntN(200) {
			set = append(set, fmt.Sprintf(`"k:{\"n\":%d}":{},"z:%d":{}`, r.IntN(5000), i))
		}
		o := with(t, `{}`, "["+entry("m", Update, "{"+strings.Join(set, ",")+"}")+"]")
		got, want := one.Parse(o.Fields), Parse(o.Fields)
		if fmt.Sprint(got.Unreadable) != fmt.Sprint(want.Unreadable) || got.Entries[0].size != want.Entries[0].size {
			t.Fatalf("%d claims, want %d", got.Entries[0].size, want.Entries[0].size)
		}
	}
	if len(one.keys) > 2*maxKeys {
		t.Errorf("%d keys are remembered", len(one.keys))
	}
}
