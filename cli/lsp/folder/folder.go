// Package folder tells which files of an editor Fieldmark looks at: manifests in folders that a fieldmark.yaml names.
//
//	shop/fieldmark.yaml          names shop, and all folders below
//	shop/base/web.yaml           is looked at
//	shop/charts/web/templates/…  are templates of Helm: they are told once, and not read
//	other/web.yaml               is not looked at: no folder above it has a fieldmark.yaml
//
// The file only names the folder, and has rules for expected findings. It can't choose a cluster, and it can't permit anything.
package folder

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/check"
)

// endings are those of the names of manifests, as kubectl reads them in folders.
var endings = []string{".json", ".yaml", ".yml"}

// others are files of other programs that look like manifests.
var others = []string{"kustomization.yaml", "kustomization.yml", "Chart.yaml", "values.yaml", "docker-compose.yaml", "docker-compose.yml"}

// IsManifest tells whether a file can have manifests, by its name.
func IsManifest(file string) bool {
	base := filepath.Base(file)
	return slices.Contains(endings, filepath.Ext(base)) && base != check.RulesFile && !slices.Contains(others, base)
}

// Of is the nearest folder above a file that has a fieldmark.yaml; false: there is none. The path is absolute, without symbolic links.
func Of(file string) (string, bool) {
	at, err := filepath.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		return "", false // the folder doesn't exist yet
	}
	for {
		if info, err := os.Stat(filepath.Join(at, check.RulesFile)); err == nil && info.Mode().IsRegular() {
			return at, true
		}
		above := filepath.Dir(at)
		if above == at {
			return "", false
		}
		at = above
	}
}

// IsTemplate tells whether a file is in the templates of a chart of Helm.
func IsTemplate(file string) bool {
	for at := filepath.Dir(file); at != filepath.Dir(at); at = filepath.Dir(at) {
		if filepath.Base(at) != "templates" {
			continue
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(at), "Chart.yaml")); err == nil {
			return true
		}
	}
	return false
}

// Within tells whether a folder is another one, or below it. Both are absolute, without symbolic links.
func Within(folder, above string) bool {
	rest, err := filepath.Rel(above, folder)
	return err == nil && rest != ".." && !strings.HasPrefix(rest, ".."+string(filepath.Separator))
}

// maxRules bounds a fieldmark.yaml, in bytes.
const maxRules = 1 << 20

// Rules reads the rules in a folder.
func Rules(folder string) (text string, rules []check.Rule, err error) {
	file := filepath.Join(folder, check.RulesFile)
	f, err := os.Open(file)
	if err != nil {
		return "", nil, fmt.Errorf("reading the rules: %w", err)
	}
	defer func() { _ = f.Close() }()
	read, err := io.ReadAll(io.LimitReader(f, maxRules+1))
	switch {
	case err != nil:
		return "", nil, fmt.Errorf("reading the rules: %w", err)
	case len(read) > maxRules:
		return "", nil, errors.New(file + " is longer than 1 MB")
	}
	rules, err = check.ParseRules(file, string(read))
	return string(read), rules, err
}

// Path is the file that a URI names; false: it names no file of this machine.
func Path(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || strings.ContainsRune(u.Path, 0) {
		return "", false
	}
	path := u.Path
	if len(path) > 2 && path[0] == '/' && path[2] == ':' { // /c:/shop on Windows
		path = path[1:]
	}
	path = filepath.FromSlash(path)
	return filepath.Clean(path), filepath.IsAbs(path)
}

// URI is the URI of a file.
func URI(path string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String()
}
