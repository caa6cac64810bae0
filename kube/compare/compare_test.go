package compare

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/rounds"
)

func response(status int, kind, body string, header ...string) Response {
	r := Response{Status: status, Body: []byte(body), Header: []request.Header{{Name: "content-type", Value: kind}}}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header = append(r.Header, request.Header{Name: header[i], Value: header[i+1]})
	}
	return r
}

// drawn writes the lines that differ, with a sign for what they show.
func drawn(d Difference) string {
	var all []string
	text := func(b Body, i int) string {
		if i < 0 {
			return ""
		}
		return strings.TrimSuffix(strings.TrimSpace(b.Lines[i].String()), ",")
	}
	for _, l := range d.Lines {
		a, b := text(d.Left, l.Left), text(d.Right, l.Right)
		switch l.What {
		case Only:
			if l.Left >= 0 {
				all = append(all, "< "+a)
			} else {
				all = append(all, "> "+b)
			}
		case Changes:
			all = append(all, a+" | "+b)
		case Varies:
			all = append(all, a+" ~ "+b)
		}
	}
	return strings.Join(all, "\n")
}

const (
	jsonType = "application/json"
	yamlType = "application/yaml"
)

func TestBodies(t *testing.T) {
	for name, c := range map[string]struct {
		kind, left, right string
		want              string
	}{
		"equal":                     {jsonType, `{"a":1}`, "{\n  \"a\": 1\n}\n", ""},
		"a value":                   {jsonType, `{"a":1,"b":2}`, `{"a":1,"b":3}`, `"b": 2 | "b": 3`},
		"a field":                   {jsonType, `{"a":1,"c":3}`, `{"a":1,"b":2,"c":3}`, `> "b": 2`},
		"the last field":            {jsonType, `{"a":1}`, `{"a":1,"b":2}`, `> "b": 2`},
		"none":                      {jsonType, `{"a":1}`, ``, "< {\n< \"a\": 1\n< }"},
		"metadata":                  {jsonType, `{"metadata":{"name":"a","uid":"1","resourceVersion":"5"}}`, `{"metadata":{"name":"a","uid":"2","resourceVersion":"6"}}`, `"uid": "1" ~ "uid": "2"` + "\n" + `"resourceVersion": "5" ~ "resourceVersion": "6"`},
		"metadata in a list":        {jsonType, `{"items":[{"metadata":{"uid":"1"}}]}`, `{"items":[{"metadata":{"uid":"2"}}]}`, `"uid": "1" ~ "uid": "2"`},
		"metadata in a Table":       {jsonType, `{"rows":[{"object":{"metadata":{"uid":"1"}}}]}`, `{"rows":[{"object":{"metadata":{"uid":"2"}}}]}`, `"uid": "1" ~ "uid": "2"`},
		"metadata in an event":      {jsonType, `{"type":"ADDED","object":{"metadata":{"uid":"1"}}}`, `{"type":"ADDED","object":{"metadata":{"uid":"2"}}}`, `"uid": "1" ~ "uid": "2"`},
		"a time of a manager":       {jsonType, `{"metadata":{"managedFields":[{"time":"1"}]}}`, `{"metadata":{"managedFields":[{"time":"2"}]}}`, `"time": "1" ~ "time": "2"`},
		"a time of a condition":     {jsonType, `{"status":{"conditions":[{"lastTransitionTime":"1"}]}}`, `{"status":{"conditions":[{"lastTransitionTime":"2"}]}}`, `"lastTransitionTime": "1" ~ "lastTransitionTime": "2"`},
		"a uid only on one side":    {jsonType, `{"metadata":{"name":"a"}}`, `{"metadata":{"name":"a","uid":"2"}}`, `> "uid": "2"`},
		"data isn't metadata":       {jsonType, `{"data":{"uid":"1"}}`, `{"data":{"uid":"2"}}`, `"uid": "1" | "uid": "2"`},
		"metadata in data":          {jsonType, `{"data":{"metadata":{"uid":"1"}}}`, `{"data":{"metadata":{"uid":"2"}}}`, `"uid": "1" | "uid": "2"`},
		"YAML":                      {yamlType, "metadata:\n  name: a\n  uid: 1\nspec:\n  n: 1\n", "metadata:\n  name: a\n  uid: 2\nspec:\n  n: 2\n", "uid: 1 ~ uid: 2\nn: 1 | n: 2"},
		"a list as YAML":            {yamlType, "items:\n- kind: A\n  metadata:\n    uid: 1\n- metadata:\n    uid: 3\nkind: L\n", "items:\n- kind: A\n  metadata:\n    uid: 2\n- metadata:\n    uid: 4\nkind: L\n", "uid: 1 ~ uid: 2\nuid: 3 ~ uid: 4"},
		"managers as YAML":          {yamlType, "metadata:\n  managedFields:\n  - manager: a\n    time: 1\n  uid: 1\n", "metadata:\n  managedFields:\n  - manager: a\n    time: 2\n  uid: 1\n", "time: 1 ~ time: 2"},
		"a text in YAML":            {yamlType, "data:\n  a: |\n    x\nmetadata:\n  b: |\n    c\n  uid: 1\n", "data:\n  a: |\n    x\nmetadata:\n  b: |\n    c\n  uid: 2\n", "uid: 1 ~ uid: 2"},
		"a text in YAML of YAML":    {yamlType, "metadata: |\n  uid: 1\n", "metadata: |\n  uid: 2\n", "uid: 1 | uid: 2"},
		"text":                      {"text/plain", "ok\nuid: 1\n", "ok\nuid: 2\n", "uid: 1 | uid: 2"},
		"no media type":             {"", "ok", "not ok", "ok | not ok"},
		"bytes":                     {"application/x", "a\x00b", "a\x00c", "3 B | 3 B"},
		"equal bytes":               {"application/x", "a\x00b", "a\x00b", ""},
		"no Protobuf":               {"application/vnd.kubernetes.protobuf", "a", "b", "1 B | 1 B"},
		"YAML of a Secret":          {yamlType, "kind: Secret\ndata:\n  a: eA==\n", "kind: Secret\ndata:\n  a: eQ==\n", "29 B | 29 B"},
		"a Secret":                  {jsonType, `{"kind":"Secret","data":{"a":"eA=="},"type":"Opaque"}`, `{"kind":"Secret","data":{"a":"eQ=="},"type":"Opaque"}`, `"a": •••••••• (1 bytes, hidden) | "a": •••••••• (1 bytes, hidden)`},
		"two documents in one body": {jsonType, `{"a":1}` + "\n" + `{"a":2}`, `{"a":1}` + "\n" + `{"a":3}`, `"a": 2 | "a": 3`},
	} {
		d := Of(response(200, c.kind, c.left), response(200, c.kind, c.right))
		if got := drawn(d); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got, c.want)
		}
	}
}

func TestCBORHasNoOrder(t *testing.T) {
	encode := func(fields ...any) string {
		mode, err := cbor.EncOptions{}.EncMode()
		if err != nil {
			t.Fatal(err)
		}
		content := []byte{0xd9, 0xd9, 0xf7, 0xa0 + byte(len(fields)/2)}
		for _, f := range fields {
			one, err := mode.Marshal(f)
			if err != nil {
				t.Fatal(err)
			}
			content = append(content, one...)
		}
		return string(content)
	}
	metadata := func(uid string) map[string]string { return map[string]string{"uid": uid} }
	left := encode("kind", "A", "metadata", metadata("1"), "list", []int{2, 1}, "b", true)
	right := encode("b", true, "list", []int{2, 1}, "metadata", metadata("2"), "kind", "B")
	d := Of(response(200, "application/cbor", left), response(200, "application/cbor", right))
	if got, want := drawn(d), `"kind": "A" | "kind": "B"`+"\n"+`"uid": "1" ~ "uid": "2"`; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got := d.Right.Lines[1].String(); got != `  "b": true,` {
		t.Errorf("the first field is %q", got)
	}
}

func TestStatusAndHeaders(t *testing.T) {
	left := response(200, jsonType, `{}`, "Date", "1", "Warning", "a", "warning", "b", "x", "1", "audit-id", "1")
	right := response(403, jsonType, `{}`, "date", "2", "warning", "a, b", "y", "1", "audit-id", "2")
	d := Of(left, right)
	var got []string
	for _, h := range d.Headers {
		got = append(got, fmt.Sprintf("%s %s/%s %s", h.Name, h.Left, h.Right, h.What))
	}
	want := []string{"audit-id 1/2 varies", "content-type application/json/application/json ", "date 1/2 varies", "warning a, b/a, b ", "x 1/ only", "y /1 only"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if c := d.Count(false); c != (Counts{Status: true, Headers: 2, LeftOut: 2}) || c.None() {
		t.Errorf("%+v", c)
	}
	if c := d.Count(true); c != (Counts{Status: true, Headers: 4}) {
		t.Errorf("%+v", c)
	}
}

func TestOversizedInput_OnlyTheBeginningIsCompared(t *testing.T) {
	long := strings.Repeat("a\n", mostLines+5)
	if d := Of(response(200, "text/plain", long), response(200, "text/plain", long+"b")); !d.Partial() || len(d.Lines) != mostLines || !d.Count(true).None() {
		t.Errorf("%d lines, partial: %v", len(d.Lines), d.Partial())
	}
	cut := response(200, jsonType, `{"a":[1,2`)
	cut.Cut = true
	if d := Of(cut, response(200, jsonType, `{"a":[1,2,3]}`)); !d.Partial() {
		t.Error("the comparison of a body that is cut says it is complete")
	}
}

// random is a JSON body of a list, and another one that has some other objects.
func random(r *rand.Rand, objects int) string {
	var items []string
	for i := range objects {
		if r.IntN(4) > 0 {
			items = append(items, fmt.Sprintf(`{"metadata":{"name":"n%d","uid":"%d"},"spec":{"a":%d,"b":[%d]}}`, i, r.IntN(3), r.IntN(2), r.IntN(3)))
		}
	}
	return `{"items":[` + strings.Join(items, ",") + `]}`
}

func TestProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range rounds.Of(100) {
		left, right := response(200, jsonType, random(r, n), "date", "1"), response(200, jsonType, random(r, n), "date", "2", "x", "y")
		if d := Of(left, left); !d.Count(true).None() || d.Count(false) != (Counts{}) {
			t.Fatalf("a response differs from itself: %s", drawn(d))
		}
		forth, back := Of(left, right), Of(right, left)
		if turned := swapped(back); !reflect.DeepEqual(forth, turned) {
			t.Fatalf("swapping the sides doesn't swap the result:\n%s\n\n%s", drawn(forth), drawn(turned))
		}
		sound(t, forth)
	}
}

// sound tests that each line of both bodies is in the result once, in order.
func sound(t *testing.T, d Difference) {
	t.Helper()
	var left, right []int
	for _, l := range d.Lines {
		if l.Left >= 0 {
			left = append(left, l.Left)
		}
		if l.Right >= 0 {
			right = append(right, l.Right)
		}
	}
	for _, side := range []struct{ got, want []int }{{left, upTo(len(d.Left.Lines))}, {right, upTo(len(d.Right.Lines))}} {
		if !slices.Equal(side.got, side.want) {
			t.Fatalf("the lines are %v", side.got)
		}
	}
}

func upTo(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

func swapped(d Difference) Difference {
	d.Left, d.Right = d.Right, d.Left
	d.Headers, d.Lines = slices.Clone(d.Headers), slices.Clone(d.Lines)
	for i, h := range d.Headers {
		d.Headers[i].Left, d.Headers[i].Right = h.Right, h.Left
	}
	for i, l := range d.Lines {
		d.Lines[i].Left, d.Lines[i].Right = l.Right, l.Left
	}
	return d
}

// An object that only one side has doesn't shift the others, however long the lists are.
func TestOneMoreObject(t *testing.T) {
	list := func(without int) string {
		var items []string
		for i := range 2000 {
			if i%100 != without {
				items = append(items, fmt.Sprintf(`{"name":"n%d","verbs":["get","list"]}`, i))
			}
		}
		return `{"resources":[` + strings.Join(items, ",") + `]}`
	}
	if c := Of(response(200, jsonType, list(7)), response(200, jsonType, list(-1))).Count(true); c.Lines != 20*7 {
		t.Errorf("%d lines differ, want those of 20 objects", c.Lines)
	}
}

func TestNoCanaryEscapes(t *testing.T) {
	for _, doc := range canary.Documents() {
		for _, n := range []int{len(doc.JSON), len(doc.JSON) * 9 / 10, len(doc.JSON) / 2} {
			for _, kind := range []string{jsonType, yamlType, "application/cbor", "application/vnd.kubernetes.protobuf", "text/plain", ""} {
				r := response(200, kind, doc.JSON[:n])
				r.Secret, r.Cut = doc.Vague || strings.Contains(doc.Path, "secrets") || strings.Contains(doc.Path, "token"), n < len(doc.JSON)
				d := Of(r, response(200, kind, ""))
				var shown strings.Builder
				for _, l := range d.Left.Lines {
					shown.WriteString(l.String() + "\n")
				}
				if canary.Escapes(shown.String()) {
					t.Errorf("%s as %s: %s", doc.Name, kind, shown.String())
				}
			}
		}
	}
}
