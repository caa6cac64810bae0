package main

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/lessons/check"
	"github.com/fieldmark/fieldmark/lessons/lesson"
)

func TestResult(t *testing.T) {
	all := result{Server: "v1.33.4", Version: "1.33"}
	newer, older := release.Range{Since: 34}, release.Range{Until: 32}
	good := check.Report{Lesson: "good", Requests: 2, Judged: 7, Skips: []lesson.Skip{{Line: 3, What: "request", Range: newer}, {Line: 9, What: "statement", Range: older}, {Line: 12, What: "choice", Range: newer}}}
	all.addReport(good)
	all.addReport(check.Report{Lesson: "bad", Requests: 1, Judged: 2, Failures: []check.Failure{{File: "f", Line: 1, What: "x"}}})
	var lines, document strings.Builder
	printReport(&lines, good, 33)
	if err := all.printResult(&lines, false); err != nil {
		t.Fatal(err)
	}
	want := "ok   good                      2 requests,   7 statements,   0 of them proved,  0 commands, 0.0 s\n" +
		"     skipped on Kubernetes 1.33: since=1.34 (request in line 3, choice in line 12); until=1.32 (statement in line 9)\n" +
		"Kubernetes v1.33.4: 1 of 2 lessons passed, 3 requests, 9 statements checked, 3 parts skipped\n"
	if lines.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &lines, want)
	}
	if err := all.printResult(&document, true); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"version": "1.33"`, `"passed": 1`, `"bad"`, `"skipped": [`, `"for": "until=1.32"`} {
		if !strings.Contains(document.String(), part) {
			t.Errorf("there is no %s in\n%s", part, &document)
		}
	}
}
