package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/fieldmark/fieldmark/lessons/check"
)

func TestKubectlIsLeftOutForWhatItHasPassedWithTheSameTextAndKubernetes(t *testing.T) {
	dir := t.TempDir()
	file, list := filepath.Join(dir, "tables", "task.md"), filepath.Join(dir, "proved.tsv")
	save := func(text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	now := func(server string) proved {
		t.Helper()
		p, err := readProved(list, server)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	save("one")
	first := now("v1.37.1")
	if first.has(file) {
		t.Error("proved before it was tried")
	}
	first.add(check.Report{Lesson: "tables", Commanded: []string{file}})
	if err := first.write(list); err != nil {
		t.Fatal(err)
	}
	if !now("v1.37.1").has(file) {
		t.Error("not proved after kubectl has passed it")
	}
	if now("v1.37.2").has(file) {
		t.Error("proved with another Kubernetes")
	}
	save("two")
	if now("v1.37.1").has(file) {
		t.Error("proved with another text")
	}
	save("one")
	again := now("v1.37.1")
	again.add(check.Report{Lesson: "tables", Commanded: []string{file}, Failures: []check.Failure{{What: "wrong"}}})
	if again.has(file) {
		t.Error("proved after a failure")
	}
}
