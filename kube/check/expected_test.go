package check

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/ownership"
)

const ruleHead = "apiVersion: fieldmark.dev/v1\nkind: Expected\nrules:\n"

func TestParseRules(t *testing.T) {
	got, err := ParseRules("fieldmark.yaml", ruleHead+`- match: {kind: Deployment, namespace: "shop-*", name: web}
  path: .spec.replicas
  owner: kube-controller-manager
  finding: [extra, taken]
  reason: An autoscaler.
  until: 2027-01-31
- path: .spec.x
  finding: pruned
  reason: It goes.
`)
	want := []Rule{
		{
			File: "fieldmark.yaml", Line: 4, Kind: "Deployment", Namespace: "shop-*", Name: "web", Path: ".spec.replicas", Owner: "kube-controller-manager",
			Findings: []Kind{Extra, Taken}, Reason: "An autoscaler.", Until: "2027-01-31",
		},
		{File: "fieldmark.yaml", Line: 10, Path: ".spec.x", Findings: []Kind{Pruned}, Reason: "It goes."},
	}
	if err != nil || !slices.EqualFunc(got, want, func(a, b Rule) bool {
		return slices.Equal(a.Findings, b.Findings) && a.File == b.File && a.Line == b.Line && a.Kind+a.Namespace+a.Name == b.Kind+b.Namespace+b.Name &&
			a.Path+a.Owner+a.Reason+a.Until == b.Path+b.Owner+b.Reason+b.Until
	}) {
		t.Errorf("%v\n%+v", err, got)
	}
}

func TestWrongRules(t *testing.T) {
	for text, want := range map[string]string{
		"a: b\n": `r.yaml:1: This is not a file of rules. A file of rules begins with apiVersion: fieldmark.dev/v1 and kind: Expected.`,
		"apiVersion: fieldmark.dev/v1\nkind: Expected\n":    `r.yaml:1: The file has no rules. Add a list with the name rules.`,
		strings.Replace(ruleHead, "rules:", "rules: {}", 1): `r.yaml:3: rules must be a list.`,
		ruleHead + "- x\n":         `r.yaml:4: A rule must have fields: match, path, owner, finding, reason, until.`,
		ruleHead + "- path: .a\n":  `r.yaml:4: The rule has no reason. Say why you expect the finding.`,
		ruleHead + "- reason: a\n": `r.yaml:4: The rule would match every finding. Add at least one of match, path, owner and finding.`,
		ruleHead + "- match: {kind: '*'}\n  path: '**'\n  reason: a\n": `r.yaml:4: The rule would match every finding.`,
		ruleHead + "- path: .a\n  reason: a\n  untilx: x\n":            `r.yaml:6: There is no field "untilx" here. Did you mean until? The fields are: match, path, owner, finding, reason, until.`,
		ruleHead + "- path: .a\n  reason: a\n  until: soon\n":          `r.yaml:6: until must be a date such as 2027-01-31, but is "soon".`,
		ruleHead + "- path: .a\n  reason: 1\n":                         `r.yaml:5: reason must be text. Put it in quotes.`,
		ruleHead + "- match: web\n  reason: a\n  path: .a\n":           `r.yaml:4: match must have fields: kind, namespace, name.`,
		ruleHead + "- match: {kinds: x}\n  reason: a\n  path: .a\n":    `r.yaml:4: There is no field "kinds" here. Did you mean kind? The fields are: kind, namespace, name.`,
		ruleHead + "- finding: odd\n  reason: a\n":                     `r.yaml:4: odd is not a kind of finding. The kinds are: conflict, invalid, pruned, stuck, unserved, unknown, taken, server, changed, shared, released, extra, created.`,
		ruleHead + "- path: .a\n  reason: a\n  path: .b\n":             `r.yaml:6: `,
		ruleHead + "\t- x\n": `r.yaml:4: YAML can't be indented with tabs. Use spaces.`,
	} {
		rules, err := ParseRules("r.yaml", text)
		if err == nil || rules != nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s\n%v, %v", text, err, rules)
		}
		var wrong *RuleError
		if !errors.As(err, &wrong) {
			t.Errorf("%s: %T", text, err)
		}
	}
}

func owned(kind Kind, path string, owners ...string) Finding {
	f := Finding{Kind: kind, Path: path, Object: Object{Kind: "Deployment", Namespace: "shop", Name: "web"}}
	for _, o := range owners {
		f.Owners = append(f.Owners, ownership.Owner{Manager: ownership.Manager{Name: o, Operation: ownership.Update}})
	}
	return f
}

// A rule in one folder says nothing of another.
func TestRulesAreForTheirFolder(t *testing.T) {
	for file, beside := range map[string][]string{
		"":                    {"a.yaml", "/x/a.yaml", "-"},
		"fieldmark.yaml":      {"a.yaml", "-", "./b/a.yaml"},
		"mine/fieldmark.yaml": {"mine/a.yaml", "./mine/b/a.yaml", `mine\a.yaml`, "mine"},
		"/r/fieldmark.yaml":   {"/r/a.yaml"},
	} {
		for _, f := range []string{"a.yaml", "-", "./b/a.yaml", "mine/a.yaml", "./mine/b/a.yaml", `mine\a.yaml`, "mine", "minerals/a.yaml", "theirs/a.yaml", "/r/a.yaml", "/x/a.yaml", "/rr/a.yaml"} {
			relative := !strings.HasPrefix(f, "/")
			want := slices.Contains(beside, f) || file == "" || file == "fieldmark.yaml" && relative
			if got := (Rule{File: file}).beside(f); got != want {
				t.Errorf("%q beside %q: %t", f, file, got)
			}
		}
	}
}

func TestExpect(t *testing.T) {
	now := time.Date(2027, 1, 31, 23, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name string
		rule Rule
		f    Finding
		want bool
		idle string
	}{
		{"all", Rule{Kind: "Deployment", Namespace: "shop", Name: "web", Path: ".spec.replicas", Owner: "hpa", Findings: []Kind{Extra}}, owned(Extra, ".spec.replicas", "hpa"), true, ""},
		{"another kind of finding", Rule{Findings: []Kind{Extra}}, owned(Taken, ".a"), false, "matches no finding"},
		{"another object", Rule{Name: "we"}, owned(Extra, ".a"), false, "matches no finding"},
		{"every owner", Rule{Owner: "h*"}, owned(Extra, ".a", "hpa", "helm"), true, ""},
		{"one owner more", Rule{Owner: "h*"}, owned(Extra, ".a", "hpa", "eve"), false, "matches no finding"},
		{"nobody owns it", Rule{Owner: "*"}, owned(Extra, ".a"), false, "matches no finding"},
		{"the last day", Rule{Path: ".a", Until: "2027-01-31"}, owned(Extra, ".a"), true, ""},
		{"the day after", Rule{Path: ".a", Until: "2027-01-30"}, owned(Extra, ".a"), false, "The last day of the rule was 2027-01-30. Findings that it would match: 1."},
		{"without a dot", Rule{Path: "spec.replicas"}, owned(Extra, ".spec.replicas", "hpa"), true, ""},
		{"without quotes", Rule{Path: "spec.containers[name=a*].image"}, owned(Extra, `.spec.containers[name="app"].image`), true, ""},
		{"a name that looks like a step", Rule{Path: `.data.x[y=z]`}, owned(Extra, `.data.x[y=z]`), true, ""},
		{"items", Rule{Path: `.spec.containers[name="*"].image`}, owned(Extra, `.spec.containers[name="app"].image`), true, ""},
	} {
		c.rule.Reason = "why"
		findings := []Finding{c.f}
		idle := Expect(findings, []Rule{c.rule}, now)
		if got := findings[0].Expected != nil && findings[0].Expected.Reason == "why"; got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
		if len(idle) > 0 != (c.idle != "") || len(idle) > 0 && !strings.Contains(idle[0].Why, c.idle) {
			t.Errorf("%s: %+v", c.name, idle)
		}
	}
}

func TestBuiltInRules(t *testing.T) {
	rules, text := BuiltIn()
	if len(rules) == 0 || !strings.Contains(text, "cainjector") {
		t.Fatal(ParseRules("", text))
	}
	hook := owned(Extra, `.webhooks[name="a.example.com"].clientConfig.caBundle`, "cert-manager-cainjector")
	hook.Object.Kind = "ValidatingWebhookConfiguration"
	for i, f := range []Finding{owned(Extra, ".spec.replicas", "kube-controller-manager"), hook, owned(Server, ".status.replicas"), owned(Extra, ".spec.replicas", "kubectl"), owned(Conflict, ".spec.replicas", "kube-controller-manager")} {
		all := []Finding{f}
		Expect(all, rules, time.Now())
		if want := i < 3; want != (all[0].Expected != nil) {
			t.Errorf("%+v", all[0])
		}
	}
}

func TestGlob(t *testing.T) {
	for pattern, like := range map[string][2]string{
		"":        {"", "a"},
		"*":       {"", "\x00"},
		"a*":      {"a.b/c", "ba"},
		"*a":      {"bba", "ab"},
		"a?c":     {"abc", "ac"},
		"a*b*c":   {"a1b2b3c", "a1c2b"},
		`a\*`:     {"a*", "ab"},
		`a\?b`:    {"a?b", "axb"},
		`a\\`:     {`a\`, `a\\`},
		"**":      {"x", "\x00"},
		"[a-c]":   {"[a-c]", "b"},
		"*.x[*].": {".x[0].", ".x[0]"},
	} {
		if !glob(pattern, like[0]) || like[1] != "\x00" && glob(pattern, like[1]) {
			t.Errorf("%q", pattern)
		}
	}
	if glob(strings.Repeat("*a", 500)+"b", strings.Repeat("a", 20_000)) {
		t.Error("an a is no b")
	}
}

// FuzzParseRules: whatever a file holds, it has rules or errors that name their line.
func FuzzParseRules(f *testing.F) {
	f.Add(ruleHead + "- path: .a\n  reason: a\n  finding: [extra]\n  until: 2027-01-31\n")
	f.Add(ruleHead + "- match: {kind: x}\n---\na: &a [*a]\n")
	f.Add("{")
	f.Fuzz(func(t *testing.T, text string) {
		rules, err := ParseRules("f", text)
		lines := strings.Count(text, "\n") + strings.Count(text, "\r") + 1
		for _, r := range rules {
			if err != nil || r.Line < 1 || r.Line > lines || r.Reason == "" {
				t.Fatalf("%+v, %v", r, err)
			}
			r.matches(owned(Extra, ".spec.replicas", "hpa"))
		}
		joined, is := err.(interface{ Unwrap() []error })
		if err == nil || !is {
			return
		}
		for _, one := range joined.Unwrap() {
			var wrong *RuleError
			if !errors.As(one, &wrong) || wrong.Line < 1 || wrong.Line > lines || wrong.Words == "" {
				t.Fatalf("%q: %v", text, one)
			}
		}
	})
}
