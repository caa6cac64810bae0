package cli

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/fieldmark/fieldmark/kube/check"
)

const (
	oneManifest   = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: input-a}\n"
	otherManifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: input-b}\n"
	oneJSON       = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"input-a"}}`
	otherJSON     = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"input-b"}}`
)

// wide is a text in UTF-16.
func wide(text string, order binary.AppendByteOrder) string {
	var all []byte
	for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
		all = order.AppendUint16(all, unit)
	}
	return string(all)
}

// inputs are files, and what kubectl makes of them.
var inputs = map[string]struct {
	text    string
	applied string // what kubectl applies
	refuses bool   // kubectl refuses the file, and so must check
	says    string // what check must say, also where kubectl says nothing
}{
	"YAML":                     {text: oneManifest + "---\n" + otherManifest, applied: "input-a input-b"},
	"mark of UTF-8":            {text: "\ufeff" + oneManifest, applied: "input-a"},
	"UTF-16":                   {text: wide(oneManifest+"---\n"+otherManifest, binary.LittleEndian), applied: "input-a input-b"},
	"UTF-16 big endian":        {text: wide(oneManifest, binary.BigEndian), applied: "input-a"},
	"JSON a line each":         {text: oneJSON + "\n" + otherJSON + "\n", applied: "input-a input-b"},
	"JSON in one line":         {text: oneJSON + otherJSON, applied: "input-a input-b"},
	"JSON separated":           {text: oneJSON + "\n---\n" + otherJSON, applied: "input-a input-b"},
	"JSON then YAML":           {text: oneJSON + "\n" + otherManifest, applied: "input-a input-b"},
	"YAML then JSON":           {text: oneManifest + otherJSON, refuses: true},
	"dots":                     {text: oneManifest + "...\n" + otherManifest, applied: "input-a", says: "kubectl ignores everything"},
	"dots and a separator":     {text: oneManifest + "...\n---\n" + otherManifest, applied: "input-a input-b"},
	"directive":                {text: "%YAML 1.1\n---\n" + oneManifest, refuses: true, says: "directive such as %YAML"},
	"beside the separator":     {text: "--- " + oneJSON + "\n", refuses: true, says: "in the same line as ---"},
	"tag beside the separator": {text: oneManifest + "--- !!map\n" + otherManifest, refuses: true, says: "in the same line as ---"},
	"four dashes":              {text: oneManifest + "----\n" + otherManifest, refuses: true, says: "in the same line as ---"},
	"comment beside it":        {text: oneManifest + "--- # the other\n" + otherManifest, applied: "input-a input-b"},
	"another namespace":        {text: strings.Replace(oneManifest, "}", ", namespace: shop}", 1), refuses: true, says: "--namespace=default"},
	"namespace of a namespace": {text: "apiVersion: v1\nkind: Namespace\nmetadata: {name: input-a, namespace: shop}\n", applied: "input-a"},
}

// TestInputIsReadAsKubectlReadsIt runs the real kubectl and check with the same files. Both dry-run an apply in the namespace default.
func TestInputIsReadAsKubectlReadsIt(t *testing.T) {
	if os.Getenv(practiceEnv) == "" {
		t.Skip("needs a practice cluster: make test-cluster")
	}
	for name, c := range inputs {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "input.yaml")
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.CommandContext(t.Context(), os.Getenv("FIELDMARK_KUBECTL"), "--kubeconfig", os.Getenv(practiceEnv),
				"apply", "--server-side", "--dry-run=server", "-n", "default", "-f", file).Output()
			var names []string
			for line := range strings.Lines(string(out)) {
				_, name, _ := strings.Cut(strings.Fields(line)[0], "/")
				names = append(names, name)
			}
			if applied := strings.Join(names, " "); applied != c.applied && !c.refuses || (err != nil) != c.refuses {
				t.Errorf("kubectl applies %q: %v", applied, err)
			}
			code, ours, errs := onPractice(t, "", "check", "-f", file, "-n", "default", "-o", "json")
			var r struct{ Findings []check.Finding }
			if err := json.Unmarshal([]byte(ours), &r); err != nil {
				t.Fatal(err, ours, errs)
			}
			var created []string
			for _, f := range r.Findings {
				if f.Kind == check.Created {
					created = append(created, f.Object.Name)
				}
			}
			slices.Sort(created)
			if got := strings.Join(created, " "); !c.refuses && got != c.applied {
				t.Errorf("check finds %q: %s%s", got, ours, errs)
			}
			if fails := c.refuses || c.says != ""; (code != 0) != fails || !strings.Contains(ours+errs, c.says) {
				t.Errorf("check ends with %d: %s%s", code, ours, errs)
			}
		})
	}
}
