package zoo

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/conflict-zoo.md")

const (
	page    = "../../docs/conflict-zoo.md"
	preface = `# The zoo of conflicts

Situations that people report about field ownership, reproduced with the real tools on a practice cluster. For each case, this page shows the steps,
what Fieldmark says before the tool acts, what the tool then does, and how to end the conflict.

` + "`make test-zoo`" + ` runs all cases, and fails if the output of a tool or of Fieldmark differs from this page. ` + "`make test-zoo ARGS=-update`" + ` writes it.
Commands of Flux and Argo CD represent calls of their libraries. ` + "`…`" + ` marks where a long output is cut.

`
)

// holdPage holds the page to what was seen, or writes it.
func holdPage(t *testing.T, all []seen) {
	t.Helper()
	var b strings.Builder
	b.WriteString(preface + versions(t) + "\n| case | reported as | check says |\n|---|---|---|\n")
	for _, v := range all {
		var found []string
		for _, f := range v.check.list() {
			found = append(found, "`"+f+"`")
		}
		reported := strings.Join(links(v.issues), ", ")
		if reported == "" {
			reported = "–"
		}
		b.WriteString("| [" + v.title + "](#" + v.name + ") | " + reported + " | " + strings.Join(found, ", ") + " |\n")
	}
	for _, v := range all {
		v.write(&b)
	}
	if *update {
		if err := os.WriteFile(page, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	is, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	was, now := strings.Split(string(is), "\n"), strings.Split(b.String(), "\n")
	for i := range min(len(was), len(now)) {
		if was[i] != now[i] {
			t.Fatalf("%s differs from what was seen in line %d:\n%s\nwas seen:\n%s\nIf that is right, run make test-zoo ARGS=-update and commit the page.", page, i+1, was[i], now[i])
		}
	}
	if len(was) != len(now) {
		t.Fatalf("%s has %d lines, and what was seen has %d. Run make test-zoo ARGS=-update.", page, len(was), len(now))
	}
}

// pinned are the tools that the modules pin.
var pinned = []struct{ name, file, module string }{
	{"Helm", "go.mod", "helm.sh/helm/v4"},
	{"Flux's package ssa", "go.mod", "github.com/fluxcd/pkg/ssa"},
	{"controller-runtime", "go.mod", "sigs.k8s.io/controller-runtime"},
	{"Argo CD's gitops-engine", "argocd/go.mod", "github.com/argoproj/gitops-engine"},
	{"Kubernetes with kubectl", "../../practice/go.mod", "k8s.io/kubernetes"},
}

// versions are those of the tools.
func versions(t *testing.T) string {
	t.Helper()
	var all []string
	for _, p := range pinned {
		text, err := os.ReadFile(p.file)
		if err != nil {
			t.Fatal(err)
		}
		version := regexp.MustCompile(`(?m)\s` + regexp.QuoteMeta(p.module) + ` v(\S+)`).FindSubmatch(text)
		if version == nil {
			t.Fatalf("%s doesn't pin %s", p.file, p.module)
		}
		all = append(all, p.name+" "+string(version[1]))
	}
	return "Seen with " + strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1] + ".\n"
}

func links(issues []string) []string {
	var all []string
	for _, issue := range issues {
		repository, number, _ := strings.Cut(issue, "#")
		all = append(all, "["+issue+"](https://github.com/"+repository+"/issues/"+number+")")
	}
	return all
}

// write writes the section of a case.
func (v seen) write(b *strings.Builder) {
	b.WriteString("\n<a id=\"" + v.name + "\"></a>\n\n## " + v.title + "\n\n")
	if len(v.issues) > 0 {
		b.WriteString("Reported as " + strings.Join(links(v.issues), " and ") + ".\n\n")
	}
	b.WriteString(v.story + "\n\n**The steps**\n\n")
	commands(b, v.prepared)
	b.WriteString("**`fieldmark check -f " + v.file + as(v.manager) + "` says**\n\n```text\n" + strings.Join(v.findings(), "\n") + "\n```\n\n")
	b.WriteString("**`fieldmark blame " + v.object + "` says**\n\n")
	for _, path := range slices.Sorted(maps.Keys(v.owns)) {
		b.WriteString("- `" + path + "`: " + ownersOr(v.blame[path]) + "\n")
	}
	b.WriteString("\n**Then the tool acts**\n\n")
	commands(b, v.acted)
	values(b, v.then)
	if e := v.explained; e.Reason != "" {
		b.WriteString("\n**`fieldmark explain -f " + v.file + as(v.manager) + "` says of the refusal**\n\n```text\n" + strings.Join(e.words(), "\n") + "\n```\n")
	}
	b.WriteString("\n**How to end it**: " + v.end + "\n")
	if v.out != nil {
		b.WriteString("\n")
		commands(b, v.left)
		values(b, v.ended)
	}
}

func as(manager string) string {
	if manager == "" {
		return ""
	}
	return " --manager " + manager
}

func ownersOr(owners string) string {
	if owners == "" {
		return "nobody"
	}
	return owners
}

// wroteAt is a time, which is another one in each run.
var wroteAt = regexp.MustCompile(`last wrote at \d{4}-\d\d-\d\dT[\d:]+Z`)

// findings are those that no rule expects, each with its reason and the names of its ways out.
func (v seen) findings() []string {
	var all []string
	for _, f := range v.check.Findings {
		if f.Expected != nil {
			continue
		}
		all = append(all, strings.TrimSpace(f.Finding+" "+f.Path), "  live "+valueOr(f.Live)+", manifest "+valueOr(f.Stated), "  "+wroteAt.ReplaceAllString(f.Why, "last wrote at TIME"))
		if ways := wayNames(f.Ways); ways != "" {
			all = append(all, "  ways out: "+ways)
		}
	}
	return all
}

// words are what explain says in sentences.
func (e explanation) words() []string {
	all := []string{e.What}
	for _, f := range e.Fields {
		all = append(all, f.Path, "  "+f.Why)
	}
	if ways := wayNames(e.Ways); ways != "" {
		all = append(all, "ways out: "+ways)
	}
	return all
}

func valueOr(v json.RawMessage) string {
	if len(v) == 0 {
		return "nothing"
	}
	var line bytes.Buffer
	if err := json.Compact(&line, v); err != nil {
		return string(v)
	}
	return line.String()
}

// commands shows files and commands in the order in which they came.
func commands(b *strings.Builder, all []said) {
	open := false
	for _, s := range all {
		if s.file {
			if open {
				b.WriteString("```\n\n")
			}
			open = false
			b.WriteString("```yaml\n# " + s.command + "\n" + strings.TrimSpace(s.output) + "\n```\n\n")
			continue
		}
		if !open {
			b.WriteString("```console\n")
		}
		open = true
		if !strings.HasPrefix(s.command, "#") {
			b.WriteString("$ ")
		}
		b.WriteString(s.command + "\n")
		if output := cut(s.output); output != "" {
			b.WriteString(output + "\n")
		}
	}
	if open {
		b.WriteString("```\n\n")
	}
}

// cut cuts an output where kubectl begins to explain conflicts in general.
func cut(output string) string {
	if before, _, found := strings.Cut(output, "\nPlease review the fields above"); found {
		return before + "\n…"
	}
	return output
}

func values(b *strings.Builder, all map[string]string) {
	for _, path := range slices.Sorted(maps.Keys(all)) {
		if value := all[path]; value != "" {
			b.WriteString("- `" + path + "` is `" + value + "`.\n")
		} else {
			b.WriteString("- `" + path + "` has no value.\n")
		}
	}
}
