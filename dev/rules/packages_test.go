package rules

import (
	"flag"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/packages.md and dev/platforms.sum")

const packageTable = "docs/packages.md"

// preface stands above the table.
const preface = `# The packages

The first sentence of each package's comment. ` + "`make generate`" + ` writes this table, and a test compares it with the code.
[ARCHITECTURE.md](../ARCHITECTURE.md) says how they work together, and dev/rules which may import which.

| package | what it is |
|---|---|
`

func TestPackageTable(t *testing.T) {
	var table strings.Builder
	table.WriteString(preface)
	for _, folder := range packageFolders(t) {
		said := synopsis(t, folder)
		if said == "" {
			t.Errorf("package %s has no package comment: add one whose first sentence says what the package is", folder)
		}
		table.WriteString("| `" + folder + "` | " + strings.ReplaceAll(said, "|", `\|`) + " |\n")
	}
	if *update {
		if err := os.WriteFile(filepath.Join(root, packageTable), []byte(table.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if string(read(t, packageTable)) != table.String() {
		t.Errorf("%s differs from the comments of the packages: run 'make generate', and commit the file", packageTable)
	}
}

// packageFolders are the folders of all packages, practice/ included, that are more than tests.
func packageFolders(t *testing.T) []string {
	t.Helper()
	var folders []string
	for _, name := range files(t, "*.go") {
		if !strings.HasSuffix(name, "_test.go") && !strings.Contains(name, "/testdata/") {
			folders = append(folders, path.Dir(name))
		}
	}
	slices.Sort(folders)
	return slices.Compact(folders)
}

// synopsis is the first sentence of a package's comment. What templ generates says nothing.
func synopsis(t *testing.T, folder string) string {
	t.Helper()
	for _, name := range files(t, folder+"/*.go") {
		if path.Dir(name) != folder || strings.HasSuffix(name, "_templ.go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if file.Doc != nil {
			return new(doc.Package).Synopsis(file.Doc.Text())
		}
	}
	return ""
}
