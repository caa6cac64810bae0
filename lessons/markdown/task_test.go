package markdown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/lessons/lesson"
)

const goodTask = `---
title: Paint the shop
goal: The shop is red, and nobody has lost a field.
minutes: 5
nouns: [shop]
---
Ada made the shop.

## Start

` + "```request made\nPOST /api/v1/namespaces/{{namespace}}/configmaps\n\n{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"shop\"}}\n```\n\n```check\nkeep json .metadata.uid as uid\n```" + `

## Goals

The shop is red.

` + "```state\nGET /api/v1/namespaces/{{namespace}}/configmaps/shop\njson .data.color = red\njson .metadata.uid = {{uid}}\n```" + `

You deleted it.

` + "```never\nGET /api/v1/namespaces/{{namespace}}/configmaps/shop\njson .type = DELETED\n```" + `

You know the answer.

` + "```answer\nHow many?\n- [x] 3\n  Three.\n- [ ] *\n  Count again.\n```" + `

## Misses

### replaced

You replaced the whole object.

` + "```seen\nPUT /api/v1/namespaces/*/configmaps/shop\nsent body contains red\nstatus = 200\n```\n\n```request replaced\nPUT /api/v1/namespaces/{{namespace}}/configmaps/shop\n\n{}\n```" + `

## Hints

1. Think.
2. Look into the shop.

## Solution

` + "```request paint\nPATCH /api/v1/namespaces/{{namespace}}/configmaps/shop?fieldManager=painter\nContent-Type: application/merge-patch+json\n\n{\"data\":{\"color\":\"red\"}}\n```" + `

A patch keeps the rest.
`

func TestATaskIsRead(t *testing.T) {
	task, mentions, problems := ParseTask(Known{}, "colors", "task.md", []byte(goodTask))
	if len(problems) > 0 || len(mentions) > 0 {
		t.Fatalf("%v %v", problems, mentions)
	}
	var kinds []string
	for _, g := range task.Goals {
		kinds = append(kinds, string(g.Kind)+" "+g.Says)
	}
	if got, want := fmt.Sprint(kinds), "[state <p>The shop is red.</p> never <p>You deleted it.</p> answer <p>You know the answer.</p>]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if len(task.Start) != 2 || len(task.Solution) != 1 || len(task.Hints) != 2 || task.Story != "<p>Ada made the shop.</p>" || task.Ending != "<p>A patch keeps the rest.</p>" {
		t.Errorf("%+v", task)
	}
	m := task.Misses[0]
	if m.Name != "replaced" || m.Says != "<p>You replaced the whole object.</p>" || len(m.When) != 1 || len(m.When[0].Sent) != 1 || len(m.Way) != 1 || m.When[0].Kind != lesson.GoalSeen {
		t.Errorf("%+v", m)
	}
}

func TestWhatIsWrongInATask(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"no title":                      {"title: Paint the shop\n", "", "the title is missing"},
		"no goal":                       {"goal: The shop is red, and nobody has lost a field.\n", "", "the goal is missing"},
		"the goal gives it away":        {"The shop is red, and", "The painter makes it red, and", `3: the goal has the word "painter"`},
		"the first hint gives it away":  {"1. Think.", "1. Try a merge-patch.", `the first hint has the word "merge-patch"`},
		"a goal without words":          {"The shop is red.\n\n", "", "say in the text before the block"},
		"a goal that keeps":             {"json .data.color = red", "keep json .data.color as color", "a goal keeps nothing"},
		"a state that writes":           {"```state\nGET", "```state\nDELETE", "asked for by a request that changes nothing"},
		"sent in a state":               {"json .data.color = red", "sent body contains red", "sent is for what a request of the learner"},
		"an unknown part":               {"## Hints", "## Help", `"Help" is no part of a task`},
		"a request among the goals":     {"```never", "```request x\nGET /version\n```\n\n```never", "a request has no place here"},
		"a miss without a way":          {"```request replaced\nPUT /api/v1/namespaces/{{namespace}}/configmaps/shop\n\n{}\n```", "", "the miss has no request"},
		"a miss without a sentence":     {"You replaced the whole object.\n\n", "", "the miss says nothing"},
		"no hints":                      {"1. Think.\n2. Look into the shop.\n", "", "the task has 0 hints"},
		"four hints":                    {"1. Think.\n", "1. Think.\n1. A.\n1. B.\n", "the task has 4 hints"},
		"an answer that is never right": {"- [x] 3", "- [ ] 3", "a value that is right"},
		"a variable without a value":    {"{{uid}}", "{{nothing}}", "{{nothing}} has no value yet"},
		"an unknown field":              {"minutes: 5", "minutes: 5\npoints: 3", "no field points"},
		"too long":                      {"minutes: 5", "minutes: 50", "minutes is 50"},
		"no solution":                   {"```request paint\nPATCH /api/v1/namespaces/{{namespace}}/configmaps/shop?fieldManager=painter\nContent-Type: application/merge-patch+json\n\n{\"data\":{\"color\":\"red\"}}\n```", "", "the task has no solution"},
		"lessons in a task":             {"minutes: 5", "minutes: 5\nlessons: [paths]", "only a case does"},
		"found-by in a task":            {"minutes: 5", "minutes: 5\nfound-by: [red]", "write found-by into the lesson's head"},
		"a state that lasts too long":   {"```state\n", "```state hold=61\n", "for 1 to 60 seconds"},
		"a break that has to last":      {"```never\n", "```never hold=5\n", "for 1 to 60 seconds"},
		"a user that doesn't exist":     {"```state\n", "```state as=ada\n", "as=ada is nobody"},
	} {
		t.Run(name, func(t *testing.T) {
			source := strings.Replace(goodTask, c.old, c.new, 1)
			if source == goodTask {
				t.Fatal("the task is as before")
			}
			_, _, problems := ParseTask(Known{}, "colors", "task.md", []byte(source))
			if got := problems.Error(); !strings.Contains(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func FuzzTask(f *testing.F) {
	f.Add(goodTask)
	f.Fuzz(func(_ *testing.T, source string) {
		_, _, _ = ParseTask(Known{}, "colors", "task.md", []byte(source)) // it doesn't panic
	})
}

// goodCase is the task as a case.
func goodCase() string {
	return strings.NewReplacer("minutes: 5", "minutes: 12\nlessons: [paths]\nfound-by: [a blue shop]", "```state\n", "```state hold=10\n", "## Hints\n\n1. Think.\n2. Look into the shop.\n\n", "").Replace(goodTask)
}

func TestACaseIsRead(t *testing.T) {
	of, mentions, problems := ParseCase(Known{}, "blue", "case.md", []byte(goodCase()))
	if len(problems) > 0 || len(mentions) != 1 || mentions[0].Lesson != "paths" {
		t.Fatalf("%v %v", problems, mentions)
	}
	if !of.Case || of.ID != "blue" || of.Goals[0].Hold != 10 || of.Goals[1].Hold != 0 || of.FoundBy[0] != "a blue shop" || of.Lessons[0] != "paths" {
		t.Errorf("%+v", of)
	}
}

func TestWhatIsWrongInACase(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"no lessons":   {"lessons: [paths]\n", "", "a case names the lessons"},
		"hints":        {"## Solution", "## Hints\n\n1. Think.\n\n## Solution", "a case has no hints"},
		"too short":    {"minutes: 12", "minutes: 5", "a case takes 10 to 20"},
		"a plain wait": {"A patch keeps the rest.", "```check within=5\nstatus = 200\n```", "changes no more"},
	} {
		source := strings.Replace(goodCase(), c.old, c.new, 1)
		if _, _, problems := ParseCase(Known{}, "blue", "case.md", []byte(source)); !strings.Contains(problems.Error(), c.want) {
			t.Errorf("%s: %q, want %q", name, problems.Error(), c.want)
		}
	}
	reads := strings.Replace(goodCase(), "A patch keeps the rest.", "```request seen\nGET /api/v1/namespaces/{{namespace}}/configmaps/shop\n```\n\n```check within=5\nstatus = 200\n```", 1)
	if _, _, problems := ParseCase(Known{}, "blue", "case.md", []byte(reads)); len(problems) > 0 {
		t.Errorf("a check that waits for a request that only reads: %v", problems)
	}
}
