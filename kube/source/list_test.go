package source

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// itemsOf says of each document of a text, with the items of lists in place of the lists, what it is and where.
func itemsOf(text string, least int) (all []string) {
	t := readBy(wholeOf(text, 100).pieces(least, func(int) {}))
	for i, d := range t.Documents {
		if d.Index != i {
			all = append(all, "the index is wrong")
		}
		words := fmt.Sprintf("%s %s/%s %d-%d", d.APIVersion, d.Kind, d.Name, d.Start.Line, d.End.Line)
		for _, n := range d.Find(".data.a") {
			words += fmt.Sprintf(" a:%d", d.Head(n).Start.Line)
		}
		if d.Broken {
			words += " broken"
		}
		all = append(all, words)
	}
	for _, p := range t.Problems {
		all = append(all, fmt.Sprintf("%d %s:%d %.40s", p.Document, p.Severity, p.Start.Line, p.Message))
	}
	return all
}

// readBy reads pieces as one text.
func readBy(pieces []Piece) (all Text) {
	for _, p := range pieces {
		part, before := p.Parse(), len(all.Documents)
		for _, d := range part.Documents {
			d.Index += before
			all.Documents = append(all.Documents, d)
		}
		for _, p := range part.Problems {
			if p.Document >= 0 {
				p.Document += before
			}
			all.Problems = append(all.Problems, p)
		}
		all.steps += part.steps
	}
	return all
}

func TestItems(t *testing.T) {
	const item = "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: %s\n  data:\n    a: b\n"
	one, two := fmt.Sprintf(item, "one"), fmt.Sprintf(item, "two")
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"no list", strings.ReplaceAll(one[2:], "\n  ", "\n"), []string{"v1 ConfigMap/one 101-106 a:106"}},
		{"a list", "apiVersion: v1\nkind: List\nitems:\n" + one + two, []string{"v1 ConfigMap/one 104-109 a:109", "v1 ConfigMap/two 110-115 a:115"}},
		{
			"a list among others", "apiVersion: v1\nkind: A\nmetadata: {name: a}\n---\napiVersion: v1\nkind: List\nitems:\n" + one + "---\napiVersion: v1\nkind: Z\nmetadata: {name: z}\n",
			[]string{"v1 A/a 101-103", "v1 ConfigMap/one 108-113 a:113", "v1 Z/z 115-117"},
		},
		{"a typed list", "apiVersion: v1\nkind: ConfigMapList\nitems:\n- metadata: {name: x}\n  data: {a: b}\n", []string{"v1 ConfigMap/x 104-105 a:105"}},
		{
			"JSON in one line", `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"A","metadata":{"name":"x"}},{"apiVersion":"v1","kind":"B"}]}`,
			[]string{"v1 A/x 101-101", "v1 B/ 101-101 broken", "1 error:101 The document has no metadata.name, so it"},
		},
		{
			"lists in a list", "kind: List\napiVersion: v1\nitems:\n- kind: List\n  apiVersion: v1\n  items:\n  - {apiVersion: v1, kind: A, metadata: {name: x}}\n- {apiVersion: v1, kind: B, metadata: {name: z}}\n",
			[]string{"v1 A/x 107-107", "v1 B/z 108-108"},
		},
		{
			"items that are none", "kind: List\napiVersion: v1\nitems:\n- 5\n- {apiVersion: v1, kind: B, metadata: {name: 7}}\n",
			[]string{" / 104-104 broken", "v1 B/ 105-105 broken", "0 error:104 The list item is not an object with fiel", "1 error:105 name must be text, but it is 7. Put it i"},
		},
		{"an empty list", "kind: List\napiVersion: v1\nitems: []\n", nil},
		{"items without a type", "kind: List\napiVersion: v1\nitems: [{metadata: {name: x}}]\n", []string{" /x 103-103 broken", "0 error:103 The document has no apiVersion, no kind,"}},
		{"a problem of the list itself", "kind: List\napiVersion: v1\nkind: List\nitems: []\n", []string{"-1 warning:103 The field \"kind\" is here twice; the firs"}},
	} {
		for _, least := range []int{1 << 20, 1} { // as a whole, and item by item
			if got := itemsOf(c.text, least); !slices.Equal(got, c.want) {
				t.Errorf("%s, pieces of %d bytes:\n%q, want\n%q", c.name, least, got, c.want)
			}
		}
	}
}

func TestItemsAreWholeObjects(t *testing.T) {
	list := Parse("apiVersion: apps/v1\nkind: DeploymentList\nmetadata: {}\nitems:\n- metadata:\n    name: x\n  spec: {replicas: 1}\n").Items()
	text, err := list.Documents[0].JSON()
	if want := `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"x"},"spec":{"replicas":1}}`; err != nil || string(text) != want {
		t.Errorf("%s %v", text, err)
	}
	before, after, first := list.Documents[0].Around(2)
	if before+list.Documents[0].Text+after == "" || first != 3 || !strings.HasPrefix(list.Documents[0].Text, "metadata:\n    name: x") {
		t.Errorf("%q %q %d", before, after, first)
	}
}
