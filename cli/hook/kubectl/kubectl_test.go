package kubectl

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/cli/hook/line"
)

func words(text string) (all []line.Word) {
	for w := range strings.FieldsSeq(text) {
		one := line.Word{Text: w, Known: true, One: true}
		if w == "?" || w == "?*" {
			one = line.Word{One: w == "?"}
		}
		all = append(all, one)
	}
	return all
}

func TestRead(t *testing.T) {
	for text, want := range map[string]Command{
		"":                                  {Kind: Reads},
		"-h":                                {Kind: Reads},
		"get ?*":                            {Kind: Reads, Verb: "get"},
		"-n ? get pods":                     {Kind: Reads, Verb: "get"},
		"-n ?* get pods":                    {Kind: Unread},
		"? pods":                            {Kind: Unread},
		"delete pod web":                    {Kind: Writes, Verb: "delete", Args: []string{"pod", "web"}},
		"delete pod web --now --wait=false": {Kind: Writes, Verb: "delete", Args: []string{"pod", "web"}},
		"-v6 -n shop --context=c delete pod web --cluster d": {Kind: Writes, Verb: "delete", Args: []string{"pod", "web"}, Aim: Aim{Context: "c", Cluster: "d", Namespace: "shop"}},
		"delete pod ?":                {Kind: Unread, Verb: "delete"},
		"delete pod web --dry-run":    {Kind: Reads, Verb: "delete", Args: []string{"pod", "web"}},
		"delete pod web --dry-run=no": {Kind: Unread, Verb: "delete", Args: []string{"pod", "web"}},
		"delete pod web --user u":     {Kind: Writes, Verb: "delete", Args: []string{"pod", "web"}, Aim: Aim{User: "u"}},
		"delete pod web --as u":       {Kind: Unread, Verb: "delete", Args: []string{"pod", "web"}},
		"delete --nosuch":             {Kind: Unread, Verb: "delete"},
		"rollout undo deploy/web":     {Kind: Writes, Verb: "rollout undo", Args: []string{"deploy/web"}},
		"rollout ? deploy/web":        {Kind: Unread, Verb: "rollout"},
		"rollout":                     {Kind: Reads, Verb: "rollout"},
		"apply view-last-applied x":   {Kind: Reads, Verb: "apply view-last-applied"},
		"apply -f x":                  {Kind: Writes, Verb: "apply"},
		"config use-context x":        {Kind: Steers, Verb: "config use-context"},
		"create -f x":                 {Kind: Creates, Verb: "create"},
		"create -f ?":                 {Kind: Unread, Verb: "create"},
		"weird":                       {Kind: Unread, Verb: "weird"},
	} {
		got := Read(words(text))
		if (got.Why != "") != (got.Kind == Unread) {
			t.Errorf("%q: kind %d, why %q", text, got.Kind, got.Why)
		}
		if got.Kind != want.Kind || got.Verb != want.Verb || !slices.Equal(got.Args, want.Args) || got.Aim != want.Aim && got.Kind != Unread {
			t.Errorf("%q is %+v, want %+v", text, got, want)
		}
	}
}

// The tables have exactly the flags that kubectl's help has, with their kinds.
func TestFlagsAreThoseOfKubectl(t *testing.T) {
	program := os.Getenv("FIELDMARK_KUBECTL")
	if program == "" {
		t.Skip("no kubectl: run make test-cluster")
	}
	help := regexp.MustCompile(`(?m)^    (?:-(\w), )?--([a-z-]+)=(.*):$`)
	for verb, specs := range flags {
		out, err := exec.CommandContext(t.Context(), program, append(strings.Fields(verb), "--help")...).Output()
		if err != nil {
			t.Fatal(verb, err)
		}
		var there []string
		for _, f := range help.FindAllStringSubmatch(string(out), -1) {
			spec := f[2]
			if f[1] != "" {
				spec += "," + f[1]
			}
			if f[3] == "true" || f[3] == "false" {
				spec += "!"
			}
			if f[3] == "[]" {
				spec += "*"
			}
			there = append(there, spec)
		}
		var ours []string
		for s := range strings.FieldsSeq(specs) {
			ours = append(ours, strings.TrimRight(s, "?"))
		}
		slices.Sort(there)
		slices.Sort(ours)
		if !slices.Equal(there, ours) {
			t.Errorf("kubectl %s has %q, the table %q", verb, there, ours)
		}
	}
}

// Each command of kubectl is in a table.
func TestVerbsAreThoseOfKubectl(t *testing.T) {
	program := os.Getenv("FIELDMARK_KUBECTL")
	if program == "" {
		t.Skip("no kubectl: run make test-cluster")
	}
	out, err := exec.CommandContext(t.Context(), program, "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, verb := range regexp.MustCompile(`(?m)^  ([a-z-]+)  `).FindAllStringSubmatch(string(out), -1) {
		_, one := verbs[verb[1]]
		_, family := families[verb[1]]
		if !one && !family {
			t.Errorf("kubectl %s is in no table", verb[1])
		}
	}
}
