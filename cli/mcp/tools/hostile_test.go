package tools

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/plain/hostile"
)

// TestHostileTextsAreData sends each text through each kind of place in each tool, and looks where it comes out.
func TestHostileTextsAreData(t *testing.T) {
	if len(hostile.Texts()) < 40 {
		t.Fatalf("the corpus has only %d texts", len(hostile.Texts()))
	}
	for i, text := range hostile.Texts() {
		c := hostileCluster(text)
		d := deskOf(t, c)
		for tool, arguments := range map[string]string{
			"list":          `{"resource":"configmaps"}`,
			"get":           `{"resource":"configmaps","name":"a","owners":true}`,
			"owners_of":     `{"resource":"configmaps","name":"a","field_list":["data.a"],"manager":"agent/x"}`,
			"preview_apply": `{"manifest":"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b}\n","manager":"agent/x","details":true}`,
			"events":        `{"namespace":"shop"}`,
			"logs":          `{"name":"a"}`,
			"who_can":       `{"verb":"change","resource":"configmaps","name":"a","field":"data"}`,
			"history":       `{"resource":"configmaps","name":"a","seconds":1}`,
			"who_fights":    `{"resources":["configmaps"],"seconds":1}`,
			"clusters":      `{}`,
			"explain_field": `{"resource":"configmaps"}`,
		} {
			answer, failed := d.answer(t, tool, arguments)
			if failed && tool != "explain_field" {
				t.Errorf("%d: %s fails: %s", i, tool, answer)
			}
			var members map[string]any
			if err := json.Unmarshal(answer, &members); err != nil {
				t.Fatalf("%d: %s: %v: %s", i, tool, err, answer)
			}
			for name, value := range members {
				judgeMember(t, fmt.Sprintf("%d: %s", i, tool), name, value, text)
			}
			if strings.ContainsAny(string(answer), "<>") || plain.Hides(string(answer)) || strings.ContainsAny(string(answer), "\n\t") {
				t.Errorf("%d: %s: markup, or a character that nobody sees: %.300q", i, tool, answer)
			}
		}
	}
}

// judgeMember tells whether a text from the cluster stands where it may, and only there.
func judgeMember(t *testing.T, where, name string, value any, text string) {
	t.Helper()
	written, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	fromCluster := strings.HasSuffix(name, "_from_cluster")
	var all []string
	collect(value, &all)
	for _, one := range all {
		if plain.Hides(one) || strings.Contains(one, "\n") {
			t.Errorf("%s: %s has a character that nobody sees: %.200q", where, name, one)
		}
		if words := strings.Fields(text); !fromCluster && len(words) > 0 && len(words[0]) > 6 && strings.Contains(one, words[0]) {
			t.Errorf("%s: %s has text of the cluster: %.200s", where, name, written)
		}
	}
	if !fromCluster && name != "says" && name != "accepted" && name != "safe_to_force" && name != "more" && name != "next_cursor" && name != "guide" {
		t.Errorf("%s: the member %q isn't one of Fieldmark's", where, name)
	}
}

// collect finds all texts of a value, also names of members.
func collect(value any, all *[]string) {
	switch v := value.(type) {
	case string:
		*all = append(*all, v)
	case []any:
		for _, one := range v {
			collect(one, all)
		}
	case map[string]any:
		for name, one := range v {
			*all = append(*all, name)
			collect(one, all)
		}
	}
}

func TestCleanedKeepsValues(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":"b","c":[1,true,null,"d\"e"]}`: `{"a":"b","c":[1,true,null,"d\"e"]}`,
		"{\"a\":\"x\u202ey\"}":               `{"a":"x·y"}`,
		`{"a":"x\u0007\ny"}`:                 `{"a":"x·⏎y"}`,
		`{"<b>":"\u003c"}`:                   `{"\u003cb\u003e":"\u003c"}`,
		`"👩‍🚀"`:                              `"👩‍🚀"`,
	} {
		if got := string(cleaned([]byte(text))); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
}

// FuzzCleaned: what is cleaned stays JSON, and has nothing that nobody sees.
func FuzzCleaned(f *testing.F) {
	for _, text := range hostile.Texts()[:40] {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		in, err := json.Marshal(map[string]any{text: []any{text, 1}})
		if err != nil {
			t.Skip()
		}
		out := cleaned(in)
		var back any
		if err := json.Unmarshal(out, &back); err != nil || plain.Hides(string(out)) {
			t.Errorf("%q becomes %q: %v", in, out, err)
		}
	})
}
