package source

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// lists are lists whose items are easily taken for something else.
var lists = []string{
	"apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: A, metadata: {name: a}}\n# a comment\n\n- apiVersion: v1\n  kind: B\n  metadata:\n    name: b\n  text: |\n    - c\n   # no comment\n    items:\n  more: 'd\n\n    e'\n",
	"items: # of the list\n  - apiVersion: v1\n    kind: A\n    metadata: {name: a}\n  -\n    apiVersion: v1\n    kind: B\n    metadata: {name: b}\nkind: List\napiVersion: v1\n",
	"apiVersion: v1\nkind: List\nitems:\n- &a {apiVersion: v1, kind: A, metadata: &m {name: a}}\n- {apiVersion: v1, kind: B, metadata: *m}\n",
	"apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: A, metadata: {name: \"a\n- b\"}}\n- {apiVersion: v1, kind: B, metadata: {name: b}}\n",
	"apiVersion: v1\nkind: ConfigMapList\nitems:\n- metadata: {name: a}\n  data:\n    x: |+\n      long\n\n\n- metadata: {name: b}\n  data: {x: >-\n  folded}\n",
	"apiVersion: v1\r\nkind: List\r\nitems:\r\n- apiVersion: v1\r\n  kind: A\r\n  metadata:\r\n    name: a\r\n- apiVersion: v1\r\n  kind: B\r\n  metadata: {name: b}\r\n",
	"apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: A\n  metadata: {name: a}\n  list:\n  - x\n  - - y\n- apiVersion: v1\n  kind: A\n  metadata: {name: a}\nmetadata: {}\n",
	"apiVersion: v1\nkind: List\nitems:\n- kind: List\n  apiVersion: v1\n  items:\n  - {apiVersion: v1, kind: A, metadata: {name: x}}\n- 5\n- {apiVersion: v1, kind: B, metadata: {name: 7}}\n",
	"apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: A, metadata: {name: a}}\nitems:\n- {apiVersion: v1, kind: B, metadata: {name: b}}\n",
	`{"apiVersion": "v1", "kind": "List", "items": [ {"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"}, "items": ["}", "\"]"]} , {"apiVersion": "v1",` + "\n\t\"kind\": \"B\",\n" + `"metadata": {"name": "é😀"}, "data": {"x": "items"}} ], "metadata": {"items": [1, 2]}}`,
	`{"items": [{"metadata": {"name": "a"}, "data": {"x": "y"}}, null, [], {"metadata": {"name": "b"}}], "kind": "ConfigMapList", "apiVersion": "v1"}`,
	`{"kind": "items", "x": [1], "items": [2]}` + "\n# comment\n",
	`{"apiVersion": "v1", "kind": "List", "items": [{}], "\u0069tems": []}`,
}

// told says all about the documents of a text.
func told(documents []Document) (all []string) {
	for _, d := range documents {
		fields, err := json.Marshal(d.Fields())
		all = append(all, fmt.Sprintf("%d %s %q %s/%s %s/%s broken:%t line:%d %s %v %s", d.Index, fmt.Sprint(d.Span), d.Text, d.APIVersion, d.Kind, d.Namespace, d.Name, d.Broken, d.Line(), fields, err, described(d)))
	}
	return all
}

// checkItems reads a text as a whole and item by item, and tells how they differ.
func checkItems(t *testing.T, text string) {
	t.Helper()
	asWhole := Parse(text).Items()
	if slices.ContainsFunc(asWhole.Problems, func(p Problem) bool { return p.Severity == Error && p.Document < 0 }) || slices.ContainsFunc(asWhole.Documents, func(d Document) bool { return d.Root == nil }) {
		return // where not all can be read, items can be read one by one that can't be read together
	}
	byItems := readBy(wholeOf(text, 0).pieces(1, func(int) {}))
	want, got := told(asWhole.Documents), told(byItems.Documents)
	if !slices.Equal(got, want) {
		t.Errorf("%q:\n%s\nand as a whole:\n%s", text, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for i, d := range byItems.Documents {
		byItems.Documents[i] = d.Unread().Read()
	}
	if again := told(byItems.Documents); !slices.Equal(again, got) {
		t.Errorf("%q, read again:\n%s\nand before:\n%s", text, strings.Join(again, "\n"), strings.Join(got, "\n"))
	}
}

func TestItemsAreReadAsTheWhole(t *testing.T) {
	for _, text := range lists {
		checkItems(t, text)
	}
}

func FuzzItemsAreReadAsTheWhole(f *testing.F) {
	for _, text := range lists {
		f.Add(text)
	}
	f.Fuzz(checkItems)
}

// Where a text tells where its items are, they are read one by one.
func TestItemsOfLongListsAreReadOneByOne(t *testing.T) {
	alone := 0
	for _, text := range lists {
		for _, p := range wholeOf(text, 0).pieces(1, func(int) {}) {
			if p.list != nil {
				alone++
			}
		}
	}
	if alone != 15 {
		t.Errorf("%d items are read one by one", alone)
	}
}

// What the values of an unread document were is in its text alone.
func TestUnreadDocumentsKeepNoValues(t *testing.T) {
	d := Parse("apiVersion: v1\nkind: A\nmetadata: {name: a}\n").Documents[0].Unread()
	if d.Root != nil || d.places != nil || d.Name != "a" || d.Line() != 2 {
		t.Errorf("%+v", d)
	}
}

// Not even the head of a list of Secrets is in the text of an item.
func TestItemsOfSecretsMayHoldValues(t *testing.T) {
	for _, text := range []string{`{"apiVersion":"v1","kind":"SecretList","items":[{"metadata":{"name":"a"},"data":{"x":"\ud83d"}},{}]}`, "apiVersion: v1\nkind: SecretList\nitems:\n- metadata: {name: a}\n"} {
		for _, p := range wholeOf(text, 0).pieces(1, func(int) {}) {
			for _, d := range p.Parse().Documents {
				if p.list == nil || !d.MayHold() {
					t.Errorf("%q: %+v", text, d)
				}
			}
		}
	}
}
