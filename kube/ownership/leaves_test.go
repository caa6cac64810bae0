package ownership

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// leavesOf are the paths of the leaves that Leaves visits.
func leavesOf(r *Reader, fields []byte) []string {
	all := []string{}
	r.Leaves(fields, func(l OwnedLeaf) { all = append(all, l.Path()) })
	slices.Sort(all)
	return all
}

// parsedLeaves are the same as Parse knows them.
func parsedLeaves(e Entry) []string {
	all := []string{}
	var visit func(c *claim)
	visit = func(c *claim) {
		if c.parent != nil && c.childless() {
			all = append(all, c.path())
		}
		for _, child := range c.children {
			visit(child)
		}
	}
	visit(e.claims)
	slices.Sort(all)
	return all
}

func TestLeaves(t *testing.T) {
	for fields, want := range map[string]string{
		`{"f:spec":{"f:replicas":{},"f:list":{".":{},"k:{\"name\":\"a\"}":{".":{},"f:image":{}}}}}`: `.spec.list[name="a"].image .spec.replicas`,
		`{"f:data":{".":{}}}`:                       ".data",
		`{"f:data":null}`:                           ".data",
		`{"f:s":{"v:\"a\"":{},"v:1":{},"i:2":{}}}`:  `.s[2] .s[="a"] .s[=1]`,
		`{"f:a":{"q:strange":{}},"f:b":{"f:c":[]}}`: "",
		`{"f:a":{"k:nonsense":{},"f:b":{}}}`:        ".a.b",
		`{".":{}}`:                                  "",
		`null`:                                      "",
		``:                                          "",
		`[]`:                                        "",
		`{"f:a"`:                                    "",
		`{"":{}}`:                                   "",
		`{"f:\u0061":{},"f:<b>":{},"f:a.b":{}}`:     ".<b> .a .a.b",
		strings.Repeat(`{"f:a":`, 1<<16):            "",
		strings.Repeat(`{"f:a":`, 1000) + "{}" + strings.Repeat("}", 1000): "",
	} {
		if got := strings.Join(leavesOf(&Reader{}, []byte(fields)), " "); got != want {
			t.Errorf("%.60s: %s, want %s", fields, got, want)
		}
	}
}

// randomFields are claims of random keys, as an object to decode and as they are sent.
func randomFields(r *rand.Rand, depth int) map[string]any {
	set := map[string]any{}
	for range r.IntN(4) {
		key := [...]string{"f:a", "f:b", "f:c.d", `k:{"name":"x"}`, `k:{"b":2,"a":"y"}`, `v:"z"`, "v:3", "i:1", ".", "q:unknown", "k:[]", "v:{", "f:<&>"}[r.IntN(13)]
		switch {
		case key == "." || depth == 0 || r.IntN(5) == 0:
			set[key] = map[string]any{}
		case r.IntN(12) == 0:
			set[key] = [...]any{nil, 1.0, "text", []any{}}[r.IntN(4)]
		default:
			set[key] = randomFields(r, depth-1)
		}
	}
	return set
}

func TestLeavesAgreeWithParse(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var reader Reader
	for i := range 5000 {
		agree(t, &reader, randomFields(r, r.IntN(5)))
		if t.Failed() {
			t.Fatalf("object %d", i)
		}
	}
}

// agree fails unless Leaves and Parse know the same leaves, and sums are the same for the same fields alone.
func agree(t *testing.T, reader *Reader, fields map[string]any) {
	t.Helper()
	sent, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	record := Parse(map[string]any{"metadata": map[string]any{"managedFields": []any{map[string]any{"fieldsType": "FieldsV1", "fieldsV1": fields}}}})
	if got, want := leavesOf(reader, sent), parsedLeaves(record.Entries[0]); !slices.Equal(got, want) {
		t.Errorf("%s:\n%q, but Parse has\n%q", sent, got, want)
	}
	sums := map[uint64]bool{}
	n := 0
	reader.Leaves(sent, func(l OwnedLeaf) { sums[l.Sum] = true; n++ })
	if len(sums) != n {
		t.Errorf("%s: %d leaves have %d sums", sent, n, len(sums))
	}
}

func TestWhereALeafIs(t *testing.T) {
	var all []string
	new(Reader).Leaves([]byte(`{"f:metadata":{"f:labels":{"f:a":{}}},"f:spec":{},"k:{\"name\":\"a\"}":{}}`), func(l OwnedLeaf) { all = append(all, l.Below()) })
	if got := fmt.Sprintf("%q", all); got != `["metadata" "spec" ""]` {
		t.Error(got)
	}
}

func TestEntriesAsSent(t *testing.T) {
	var all []string
	ok := Entries([]byte(`[{"manager":"m\u0041","operation":"Apply","subresource":"scale","apiVersion":"apps/v1","time":"2026-01-02T12:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:a":{}}},{},7,{"manager":7}]`),
		func(o Owner, fields []byte) { all = append(all, o.Key()+"|"+o.Time+"|"+string(fields)) })
	want := []string{`mA|Apply|scale|apps/v1|2026-01-02T12:00:00Z|{"f:a":{}}`, "|||||", "|||||", "|||||"}
	if !ok || !slices.Equal(all, want) {
		t.Errorf("%v %q", ok, all)
	}
	for _, text := range []string{``, `{}`, `[`, `"a"`, `[{"manager":"m"}`} {
		if Entries([]byte(text), func(Owner, []byte) {}) {
			t.Errorf("%s is taken for a list", text)
		}
	}
}

func FuzzLeaves(f *testing.F) {
	for _, text := range []string{`{"f:a":{"k:{\"b\":1}":{}}}`, `{"f:a":{".":{},"f:b":null}}`, `{"`, `[]`, `{"v:1":{},"v:1.0":{}}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var reader Reader
		leavesOf(&reader, text)
		Entries(text, func(_ Owner, fields []byte) { leavesOf(&reader, fields) })
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		var fields map[string]any
		if d.Decode(&fields) == nil && fields != nil {
			agree(t, &reader, fields)
		}
	})
}
