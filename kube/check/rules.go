package check

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/ignore"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/manifest"
)

// rules are settings that make tools ignore a difference: for the tool that applies, for tools that own the field, and for check itself.
func (j *judgement) rules(f Finding) []string {
	var owners []string
	for _, o := range f.Owners {
		if !o.Same(j.me) && !slices.Contains(owners, o.Name) {
			owners = append(owners, o.Name)
		}
	}
	d := j.difference(f.Path)
	all := []string{ruleOf(j.Manager, d, owners)}
	for _, owner := range owners[:min(len(owners), manager.MostNamed)] {
		if owner != j.Manager {
			all = append(all, ruleOf(owner, d, []string{j.Manager}))
		}
	}
	return append(all, expectation(f, owners))
}

// difference is the field of the object that a rule ignores.
func (j *judgement) difference(path string) ignore.Difference {
	o := j.object
	d := ignore.Difference{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name, Path: path}
	return d.Find(j.before, j.after, j.sent)
}

// ruleOf is the rule of a tool as a text; empty if none is known.
func ruleOf(tool string, d ignore.Difference, others []string) string {
	rule, _ := ignore.For(tool, d, others)
	return rule.Text()
}

// literal puts a backslash before the special characters of a pattern.
var literal = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`)

// expectation is a rule for the file of rules beside the manifests.
func expectation(f Finding, owners []string) string {
	match := map[string]any{"kind": literal.Replace(f.Object.Kind), "name": literal.Replace(f.Object.Name)}
	if f.Object.Namespace != "" {
		match["namespace"] = literal.Replace(f.Object.Namespace)
	}
	rule := map[string]any{"match": match, "path": literal.Replace(f.Path), "finding": string(f.Kind), "reason": "Say here why you expect this."}
	if len(owners) == 1 && len(f.Owners) == 1 {
		rule["owner"] = literal.Replace(owners[0])
	} else if families := manager.Families(f.Owners); len(families) == 1 && families[0].Members == len(f.Owners) {
		rule["owner"] = literal.Replace(families[0].Name) + "*"
	}
	return "# " + RulesFile + "\n" + asYAML(map[string]any{"apiVersion": APIVersion, "kind": ruleKind, "rules": []any{rule}})
}

// asYAML is a value as YAML.
func asYAML(v any) string {
	text, err := manifest.YAML(v)
	if err != nil {
		return "" // maps and lists of texts can always be written
	}
	return string(text)
}
