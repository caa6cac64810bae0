package markdown

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// versionFaults are what is wrong with versions.
var versionFaults = []fault{
	{inStep("```check since=1.x\nsince=1.35 until=1.34 status = 200\n```\n\n```notes since=1.33 since=1.34\nuntil=34 status -- x\n```\n"), []string{
		`18: check: since: "1.x" is no version: it is written with major and minor version, such as 1.34`,
		"19: reading the versions: since=1.35 until=1.34 has no version: since is the first version, and until is the last one",
		"18: there is no statement in the check",
		"22: notes: since is there twice",
		`23: until: "34" is no version: it is written with major and minor version, such as 1.34`,
	}},
	{inStep("```prose\nx\n```\n\n```differs until=1.33 x\n```\n\n```prose since=1.34\n## Step\n\n{{no}} <b>\n```\n\n```differs until=1.30\n{{no}}\n```\n"), []string{
		"18: prose needs the versions for which its text is true: prose until=1.33",
		`22: differs: "x" is not understood (what may stand here is since=…, until=…)`,
		"22: the differs block has no text",
		"26: a heading begins a step, and stands outside of blocks",
		"28: HTML is not shown: write it in Markdown, or between backticks if it is an example",
		"28: {{no}} has no value yet: a check before this has to keep one (keep SUBJECT as no)",
	}},
	{inStep("```request two since=1.34\nGET /apis\n```\n\n```check until=1.33\nstatus = 200\n```\n\n```check since=1.35\nstatus = 200\nuntil=1.34 status = 404\n```\n\n" +
		"```kubectl since=1.34\nkubectl get x\n```\n\n```cleanup since=1.34\nDELETE /x\n```\n"), []string{
		"18: nothing is checked of the answer to two on Kubernetes 1.34: say in a check what has to come, its status at least",
		"22: check: request two is sent with since=1.34 only",
		"28: until=1.34 is never true here, because this part has since=1.35 already",
		"31: kubectl has no versions of its own: it has those of its request",
		"35: cleanup stands alone: its requests have no names, and are sent on all versions",
	}},
	{inStep("```check\nsince=1.34 keep status as code\nuntil=1.32 keep status as code\n```\n\n{{code}}\n\n```prose until=1.32\n{{code}}\n```\n\n```prose since=1.33\n{{code}}\n```\n"), []string{
		"23: {{code}} has no value yet on Kubernetes 1.33: a check before this has to keep one (keep SUBJECT as code)",
		"30: {{code}} has no value yet on Kubernetes 1.33: a check before this has to keep one (keep SUBJECT as code)",
	}},
	{inStep("```predict of=one\nWhat?\n- [x] since=1.34 a\n  if status = 200\n  x\n- [ ] since=1.34 b\n  if since=1.35 status = 201\n  x\n- [x] until=1.32 a\n  if status = 200\n  x\n- [ ] until=1.32 b\n  if status = 201\n  x\n- [ ] since=1.32 a\n  if status = 200\n  x\n```\n"), []string{
		"18: a prediction has at least two choices on Kubernetes 1.33: - [x] and - [ ]",
		"18: no choice is right on Kubernetes 1.33: mark one with - [x]",
		"24: the versions stand before the text of the choice, and hold for its if, too",
		"32: the choice is there twice",
	}},
	{inStep("```predict of=one\nWhat?\n- [x] since=1.34 a\n  if status = 200\n  x\n- [x] b\n  if status = 201\n  x\n```\n\n```predict of=one since=1.35\nWhat?\n- [x] a\n  if status = 200\n  x\n- [ ] until=1.36 b\n  if status = 201\n  x\n```\n"), []string{
		"18: a prediction has at least two choices on Kubernetes 1.31: - [x] and - [ ]",
		"28: a prediction has at least two choices on Kubernetes 1.37: - [x] and - [ ]",
	}},
	{strings.Replace(fields, "minutes", "since: [1]\nminutes", 1) + "## A {since=1.3x}\n\nx\n\n## B {until=1.33}\n\nx\n\n## C {#c since=1.34}\n\n```request r\nGET /x\n```\n\n```check until=1.33\nstatus = 200\n```\n\n```differs until=1.33\nx\n```\n", []string{
		`5: since: "" is no version: it is written with major and minor version, such as 1.34`,
		"9: what stands in braces behind the heading can't be read: it is {#id since=1.34}, or one of the two",
		"13: a step has no until: write in a differs block what older servers do, and give the step since, if it can't be done there",
		"23: until=1.33 is never true here, because this part has since=1.34 already",
	}},
	{"---\ntitle: T\nsummary: S.\nconcepts: [3]\nminutes: 5\ntakeaways: ['since=34 x']\n---\n\n## A\n\nx\n", []string{
		`6: since: "34" is no version: it is written with major and minor version, such as 1.34`,
	}},
}

// versioned is a lesson with a range in each place that can have one.
const versioned = `---
title: T
summary: S.
concepts: [3]
minutes: 5
since: 1.30
takeaways:
  - since=1.35 *New.*
  - Always.
---

## First {#first}

` + "```predict\nWhat?\n- [x] since=1.34 yes\n  if status = 200\n  It does.\n- [ ] until=1.33 yes\n  if status = 200\n  Not yet.\n- [x] until=1.33 no\n  if status = 404\n  Not yet.\n- [ ] since=1.34 no\n  if status = 404\n  It does.\n```\n\n" +
	"```request one\nGET /api\n```\n\n```check\nsince=1.34 status = 200 -- since=1.33 is part of this text\nuntil=1.33 status = 404\n```\n\n" +
	"```notes\nsince=1.34 status -- new\n```\n\n```prose since=1.34\nNew *text*.\n```\n\n```differs until=1.33\nOld text.\n```\n" +
	"\n## Second {since=1.36}\n\nSome text.\n\n```request two\nGET /apis\n```\n\n```check until=1.36\nstatus = 200\n```\n\n```check since=1.37\nstatus = 201\n```\n\n```differs until=1.35\nNothing.\n```\n\n```show\nsizes one two\n```\n"

func TestVersions(t *testing.T) {
	parsed, problems := Parse(known(t), "x", "f", []byte(versioned))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	l := parsed.Lesson
	var got []string
	for _, step := range l.Steps {
		got = append(got, step.ID+" "+step.Range.String())
		for _, b := range step.Blocks {
			got = append(got, fmt.Sprintf("%d %s %v", b.Line, b.Range, b.Differs))
		}
	}
	want := []string{
		"first since=1.30", "14  false", "30  false", "34  false", "39  false", "43 since=1.34 false", "47 until=1.33 true",
		"second since=1.36", "53  false", "55  false", "59 until=1.36 false", "63 since=1.37 false", "67 until=1.35 true", "71  false",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant\n%q", got, want)
	}
	if c := fmt.Sprint(Changes(l)); c != "[1.30 1.34 1.35 1.36 1.37]" {
		t.Errorf("something changes at %s", c)
	}
	if s := l.Steps[0].Blocks[2].Check.Statements[0]; s.Range != (release.Range{Since: 34}) || s.Why != "since=1.33 is part of this text" {
		t.Errorf("%+v", s)
	}
	if want := (lesson.Takeaway{HTML: "<em>New.</em>", Range: release.Range{Since: 35}}); l.Takeaways[0] != want || !l.Takeaways[1].Range.IsZero() {
		t.Errorf("%+v", l.Takeaways)
	}
}

var practiceVersion = regexp.MustCompile(`(?m)^\s*k8s\.io/kubernetes v1\.([0-9]+)\.`)

// The newest version on which lessons are tried is that of the practice cluster.
func TestTheNewestVersionIsThePracticeClusters(t *testing.T) {
	text, err := os.ReadFile("../../practice/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	found := practiceVersion.FindStringSubmatch(string(text))
	if found == nil || "1."+found[1] != lesson.Tried.Until.String() {
		t.Errorf("the practice cluster has %q, and lessons are tried up to %s", found, lesson.Tried.Until)
	}
}
