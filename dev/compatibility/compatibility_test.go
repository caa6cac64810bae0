package main

import (
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// said is what `go test -json` says, in short.
const said = `{"Action":"output","Package":"github.com/fieldmark/fieldmark/promises","Test":"TestParity","Output":"it differs\n"}
{"Action":"fail","Package":"github.com/fieldmark/fieldmark/promises","Test":"TestParity/large"}
{"Action":"fail","Package":"github.com/fieldmark/fieldmark/promises","Test":"TestParity"}
{"Action":"fail","Package":"github.com/fieldmark/fieldmark/promises"}
{"Action":"pass","Package":"github.com/fieldmark/fieldmark/server/pages","Test":"TestDeleteTells"}
{"Action":"pass","Package":"github.com/fieldmark/fieldmark/server/pages","Test":"TestActsDo"}
{"Action":"pass","Package":"github.com/fieldmark/fieldmark/server/pages","Test":"TestActsDo/scale"}
{"Action":"skip","Package":"github.com/fieldmark/fieldmark/server/pages","Test":"TestOther"}
{"Action":"pass","Package":"github.com/fieldmark/fieldmark/server/pages"}
{"Action":"build-output","ImportPath":"github.com/fieldmark/fieldmark/server/proxy","Output":"syntax error\n"}
{"Action":"fail","Package":"github.com/fieldmark/fieldmark/server/proxy"}
`

func TestCounts(t *testing.T) {
	var out strings.Builder
	ends, err := endsOf(strings.NewReader(said), &out)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "it differs") {
		t.Errorf("what failed isn't told: %q", out.String())
	}
	for name, want := range map[string]count{
		"kubectl":           {0, []string{"TestParity"}},
		"Deletion and acts": {2, nil},
		"All pages":         {2, nil},
		"Upgrades":          {0, []string{"server/proxy"}}, // not compiled
		"Continuity":        {0, nil},                      // not run
	} {
		for _, r := range rows {
			if got := r.countTests(ends); r.name == name && !reflect.DeepEqual(got, want) {
				t.Errorf("%s: got %v, want %v", name, got, want)
			}
		}
	}
	if _, err := endsOf(strings.NewReader("panic: no JSON\n"), io.Discard); err == nil {
		t.Error("what is no JSON was read")
	}
}

func TestFailuresAreAnError(t *testing.T) {
	all := results{
		"1.31": {Tests: map[string]count{"kubectl": {3, nil}}},
		"1.33": {Tests: map[string]count{"kubectl": {2, []string{"TestParity"}}}},
		"1.35": {Lessons: lessons{Passed: 3, Failed: []string{"watch"}}},
	}
	for versions, want := range map[string]bool{"1.31": false, "1.33": true, "1.35": true, "1.31 1.35": true} {
		if got := all.failures(strings.Fields(versions)) != nil; got != want {
			t.Errorf("%s: got %t", versions, got)
		}
	}
}

// committed are the results of the last run.
func committed(t *testing.T) results {
	t.Helper()
	all, err := readResults(filepath.Join(root, resultsFile))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestTheTableIsOfTheResults compares the page with the results, and the results with what is promised: no failures, ready in time, and the versions
// that the README names.
func TestTheTableIsOfTheResults(t *testing.T) {
	all := committed(t)
	page, err := os.ReadFile(filepath.Join(root, tableFile))
	if err != nil {
		t.Fatal(err)
	}
	if string(page) != all.document() {
		t.Errorf("%s isn't written from %s: run `go run ./dev/compatibility -write`", tableFile, resultsFile)
	}
	if err := all.failures(all.versions()); err != nil {
		t.Error(err)
	}
	for minor, r := range all {
		if !strings.HasPrefix(r.Version, "v"+minor+".") {
			t.Errorf("%s was tested on %s", minor, r.Version)
		}
		if r.ReadyMs <= 0 || r.ReadyMs > 10_000 {
			t.Errorf("%s was ready after %d ms", minor, r.ReadyMs)
		}
	}
}

var tested = regexp.MustCompile(`Fieldmark is tested with Kubernetes ((?:1\.\d{2}, )*1\.\d{2}) and (1\.\d{2})`)

func TestTheReadmeNamesTheTestedVersions(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := tested.FindSubmatch(readme)
	if named == nil {
		t.Fatal("the README doesn't say which versions are tested")
	}
	got := append(strings.Split(string(named[1]), ", "), string(named[2]))
	if want := committed(t).versions(); !reflect.DeepEqual(got, want) {
		t.Errorf("the README names %v; the results are of %v", got, want)
	}
	if !strings.Contains(string(readme), "(docs/compatibility.md)") {
		t.Error("the README has no link to the table")
	}
}

// TestEachFolderOfAReleaseIsTested compares the results with the releases that can be built.
func TestEachFolderOfAReleaseIsTested(t *testing.T) {
	folders, err := filepath.Glob(filepath.Join(root, "practice", "releases", "1.*"))
	if err != nil || len(folders) < 3 {
		t.Fatalf("%v, %v", folders, err)
	}
	all := committed(t)
	for _, folder := range folders {
		if _, has := all[filepath.Base(folder)]; !has {
			t.Errorf("there are no results of %s: run make test-controlplanes KUBERNETES=%s", filepath.Base(folder), filepath.Base(folder))
		}
	}
}

func TestOnlyVersionsAreTested(t *testing.T) {
	for _, versions := range [][]string{nil, {"1"}, {"v1.31"}, {"1.31", "newest"}, {"1.31.13"}} {
		if err := testAll(t.Context(), root, versions, results{}, ""); err == nil {
			t.Errorf("%q: no error", versions)
		}
	}
}

// TestEachPromiseIsInARow: what tests the whole program says something of each release, or it wouldn't be in package promises.
func TestEachPromiseIsInARow(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "promises", "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range regexp.MustCompile(`(?m)^func (Test\w+)`).FindAllSubmatch(text, -1) {
			seen++
			if !slices.ContainsFunc(rows, func(r row) bool {
				return slices.ContainsFunc(r.tests, func(s selection) bool { return s.pkg == "promises" && s.names.Match(test[1]) })
			}) {
				t.Errorf("%s is in no row of the table: name it in rows.go", test[1])
			}
		}
	}
	if seen == 0 {
		t.Error("package promises has no tests")
	}
}
