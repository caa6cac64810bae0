package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTextsOf finds licences by their names, and takes no code for one.
func TestTextsOf(t *testing.T) {
	for name, found := range map[string]bool{
		"LICENSE": true, "LICENCE.md": true, "license.txt": true, "LICENSE-MIT": true, "COPYING": true, "NOTICE": true, "PATENTS": true,
		"license.go": false, "licenses.json": false, "README.md": false, "NOTICES-of-a-meeting": false,
	} {
		folder := t.TempDir()
		writeFile(t, filepath.Join(folder, name), " text\r\n")
		texts, err := textsOf([]string{folder})
		if err != nil {
			t.Fatal(err)
		}
		if (len(texts) == 1) != found {
			t.Errorf("%s: %q", name, texts)
		}
		if found && texts[0] != "text" {
			t.Errorf("%s has %q", name, texts[0])
		}
	}
}

// TestCollectSharesTexts: a text is written once, with everything that has it; something without a licence is an error.
func TestCollectSharesTexts(t *testing.T) {
	one, two, none := t.TempDir(), t.TempDir(), t.TempDir()
	writeFile(t, filepath.Join(one, "LICENSE"), "MIT")
	writeFile(t, filepath.Join(two, "COPYING"), "MIT")
	writeFile(t, filepath.Join(two, "NOTICE"), "Made by two.")
	all, err := collect([]part{{"two 2.0", []string{two}}, {"one 1.0", []string{one}}})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := writeTexts(&b, all); err != nil {
		t.Fatal(err)
	}
	want := rule + "\none 1.0\ntwo 2.0\n" + rule + "\n\nMIT\n\n" + rule + "\ntwo 2.0\n" + rule + "\n\nMade by two.\n"
	if _, got, _ := strings.Cut(b.String(), "\n\n"); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if _, err := collect([]part{{"none 1.0", []string{none}}}); err == nil || !strings.Contains(err.Error(), "none 1.0 has no licence") {
		t.Errorf("something without a licence: %v", err)
	}
}

func TestNpmPackagesFollowsDependencies(t *testing.T) {
	folder := t.TempDir()
	writeFile(t, filepath.Join(folder, "package.json"), `{"name":"pages","dependencies":{"@of/one":"1"},"devDependencies":{"tool":"1"}}`)
	writeFile(t, filepath.Join(folder, "node_modules", "@of", "one", "package.json"), `{"name":"@of/one","version":"1.0.0","dependencies":{"two":"2"}}`)
	writeFile(t, filepath.Join(folder, "node_modules", "two", "package.json"), `{"name":"two","version":"2.0.0","dependencies":{"@of/one":"1"}}`)
	parts, err := npmPackages(filepath.Join(folder, "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(parts) != 2 || parts[0].name != "@of/one 1.0.0" || parts[1].name != "two 2.0.0" {
		t.Errorf("got %v", parts)
	}
}

func TestPackagesOfRefusesWhatIsNoBuild(t *testing.T) {
	for _, build := range []string{"./server", "linux:./server", "linux/amd64", ""} {
		if _, err := packagesOf(t.Context(), ".", build); err == nil {
			t.Errorf("%q is accepted", build)
		}
	}
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
