package output

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/fieldmark/fieldmark/kube/plain"
)

// hostile are texts that a terminal, a pipeline or a reader would take for something else.
var hostile = []string{
	"::error::done", "  ::add-mask::x", "a\n\t::stop-commands::x\nb", "\u2003::debug::x", "see ##[section]x", "##vso[task.setvariable variable=x]y", "a ###[b", "##teamcity[x]", "##[a]##vso[b]",
	"ad\u200bmin", "a\u2028b", "\ufeffx", "soft\u00adhyphen", "tag\U000e0041\U000e0042", "c1\u009b31m", "\u202eab", "del\x7f", "nul\x00", "\u3164", "sel\ufe0fx", "\ufdd00\ufdd1", `\ud83d\ude00 \\u202e`,
	strings.Repeat("long words ", 20) + "::error::folded",
}

// harmless are texts that stay as they are.
var harmless = []string{"shop/web", "größe 5 µs — 全部", "a::b", "std::vector", "# head", "#[derive]", "## [x]", "👩\u200d🚀 ❤\ufe0f", "10:00::x"}

func executes(text string) bool {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "::") {
			return true
		}
	}
	return strings.Contains(text, "##[") || strings.Contains(text, "##vso[") || strings.Contains(text, "##teamcity[") ||
		strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && !plain.Printable(r) })
}

// TestNothingThatIsPrintedActs holds for each format, and the values of JSON and YAML are the same.
func TestNothingThatIsPrintedActs(t *testing.T) {
	for _, text := range hostile {
		value := map[string]any{"a": text, text: []any{text, map[string]any{"b": "x " + text}}, "n": 1.5}
		var asJSON, asYAML, lines bytes.Buffer
		for _, err := range []error{JSON(&asJSON, value), YAML(&asYAML, value), Text(&lines, "  "+plain.Text(text)+"\n"+plain.Text("x "+text)+"\n")} {
			if err != nil {
				t.Error(err)
			}
		}
		for _, got := range []string{asJSON.String(), asYAML.String(), lines.String()} {
			if executes(got) {
				t.Errorf("%+q is printed as %+q", text, got)
			}
		}
		var again, andAgain map[string]any
		if err := json.Unmarshal(asJSON.Bytes(), &again); err != nil || !reflect.DeepEqual(again, value) {
			t.Errorf("%+q: %s is %+q, %v", text, asJSON.String(), again, err)
		}
		if err := yaml.Unmarshal(asYAML.Bytes(), &andAgain); err != nil || !reflect.DeepEqual(andAgain, value) {
			t.Errorf("%+q: %s is %+q, %v", text, asYAML.String(), andAgain, err)
		}
	}
}

func TestOtherTextStays(t *testing.T) {
	for _, text := range harmless {
		var lines, asYAML bytes.Buffer
		if err := Text(&lines, "a "+plain.Text(text)+"\n"); err != nil || lines.String() != "a "+text+"\n" {
			t.Errorf("%+q became %+q, %v", text, lines.String(), err)
		}
		want, _ := yaml.Marshal(map[string]string{"a": text})
		if err := YAML(&asYAML, map[string]string{"a": text}); err != nil || strings.ContainsAny(text, "\u200d\ufe0f") != (asYAML.String() != string(want)) {
			t.Errorf("%+q became %q, want %q, %v", text, asYAML.String(), want, err)
		}
	}
}

// Characters of East Asia and emojis take two columns, and accents take none.
func TestWideCharactersFitTheTerminal(t *testing.T) {
	for text, want := range map[string]string{
		"字字字 字字字": "字字字\n字字字\n", "e\u0301e\u0301e\u0301 e\u0301e\u0301e\u0301": "e\u0301e\u0301e\u0301 e\u0301e\u0301e\u0301\n", "👩\u200d🚀👩\u200d🚀👩\u200d🚀 ab": "👩\u200d🚀👩\u200d🚀👩\u200d🚀 ab\n", "가나다 ab cd": "가나다 ab\ncd\n",
	} {
		var b strings.Builder
		if Sentences(&b, "", text, 10); b.String() != want {
			t.Errorf("%q, want %q", b.String(), want)
		}
	}
}

func TestLinesAreCut(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "123456": "123456", "1234567": "12345…", "字字字": "字字字", "字字字字": "字字…", "12345字": "12345…", "e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301": "e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301",
		"a\tb": "a…", "👩\u200d🚀👩\u200d🚀👩\u200d🚀👩\u200d🚀": "👩\u200d🚀👩\u200d🚀…",
	} {
		if got := Cut(text, 6); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestSentencesFitTheTerminal(t *testing.T) {
	const text = "The field is owned by build-1 (Apply), build-2 (Apply) and 118 more.\n.spec.template.spec.containers[name=\"app\"].image is one word"
	for width, want := range map[int]string{
		0:  "    The field is owned by build-1 (Apply), build-2 (Apply) and 118 more.\n    .spec.template.spec.containers[name=\"app\"].image is one word\n",
		30: "    The field is owned by\n    build-1 (Apply), build-2\n    (Apply) and 118 more.\n    .spec.template.spec.containers[name=\"app\"].image\n    is one word\n",
	} {
		var b strings.Builder
		if Sentences(&b, "    ", text, width); b.String() != want {
			t.Errorf("%d: got\n%s\nwant\n%s", width, b.String(), want)
		}
	}
}
