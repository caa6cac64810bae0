package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

// sources are the files of the extension. The script isn't bundled here: what is packed doesn't depend on its content.
func sources(t *testing.T) (manifest []byte, contents map[string][]byte) {
	t.Helper()
	contents = map[string][]byte{"THIRD-PARTY-LICENCES.txt": []byte("none")}
	for name, file := range map[string]string{"package.json": "../../deploy/vscode/package.json", "extension.js": "../../deploy/vscode/extension.js", "README.md": "../../deploy/vscode/README.md", "LICENSE": "../../LICENSE"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		contents[name] = text
	}
	manifest = contents["package.json"]
	delete(contents, "package.json")
	return manifest, contents
}

// unpacked are the files of a zip.
func unpacked(t *testing.T, packed []byte) (names []string, files map[string][]byte) {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	files = map[string][]byte{}
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(in); err != nil {
			t.Fatal(err)
		}
		names = append(names, f.Name)
	}
	return names, files
}

func TestPackage(t *testing.T) {
	manifest, contents := sources(t)
	packed, err := pack(manifest, "1.2.3", contents)
	if err != nil {
		t.Fatal(err)
	}
	again, err := pack(manifest, "1.2.3", contents)
	if err != nil || !bytes.Equal(packed, again) {
		t.Errorf("the same files make another package: %v", err)
	}
	names, files := unpacked(t, packed)
	if want := []string{"[Content_Types].xml", "extension.vsixmanifest", "extension/LICENSE.txt", "extension/README.md", "extension/THIRD-PARTY-LICENCES.txt", "extension/extension.js", "extension/package.json"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	var m vsixManifest
	if err := xml.Unmarshal(files["extension.vsixmanifest"], &m); err != nil || m.Metadata.Identity.Version != "1.2.3" || m.Metadata.Identity.ID != "fieldmark" || len(m.Targets) != 1 {
		t.Errorf("%v: %s", err, files["extension.vsixmanifest"])
	}
	for _, a := range m.Assets {
		if files[a.Path] == nil {
			t.Errorf("%s is no file of the package", a.Path)
		}
	}
	for _, ending := range []string{".js", ".json", ".md", ".txt", ".vsixmanifest"} {
		if !bytes.Contains(files["[Content_Types].xml"], []byte(`Extension="`+ending+`"`)) {
			t.Errorf("%s has no media type", ending)
		}
	}
}

// TestAFolderCannotConfigureTheExtension: each setting is the person's own, and the extension doesn't start in a folder that isn't trusted.
func TestAFolderCannotConfigureTheExtension(t *testing.T) {
	manifest, contents := sources(t)
	var m struct {
		Capabilities struct {
			Untrusted struct{ Supported *bool } `json:"untrustedWorkspaces"`
		}
		Contributes struct {
			Configuration struct {
				Properties map[string]struct{ Scope, Type, Description string }
			}
		}
	}
	if err := json.Unmarshal(manifest, &m); err != nil || m.Capabilities.Untrusted.Supported == nil || *m.Capabilities.Untrusted.Supported {
		t.Errorf("%v: %+v", err, m.Capabilities)
	}
	settings := m.Contributes.Configuration.Properties
	for name, s := range settings {
		if s.Scope != "machine" || s.Type == "" || s.Description == "" {
			t.Errorf("%s: %+v", name, s)
		}
		if _, key, _ := strings.Cut(name, "."); !strings.Contains(string(contents["extension.js"]), `"`+key+`"`) {
			t.Errorf("the script doesn't read %s", name)
		}
	}
	if len(settings) != 4 {
		t.Errorf("%d settings", len(settings))
	}
	if n := bytes.Count(contents["extension.js"], []byte("\n")); n > 200 {
		t.Errorf("the script has %d lines, and 200 are the most", n)
	}
}

func TestWhatIsMissingIsSaid(t *testing.T) {
	manifest, contents := sources(t)
	without := func(name string) map[string][]byte {
		some := map[string][]byte{}
		for n, text := range contents {
			if n != name {
				some[n] = text
			}
		}
		return some
	}
	for what, c := range map[string]struct {
		manifest string
		contents map[string][]byte
		says     string
	}{
		"no script":      {string(manifest), without("extension.js"), "no such file"},
		"no licence":     {string(manifest), without("LICENSE"), "lacks extension/LICENSE.txt"},
		"no publisher":   {strings.Replace(string(manifest), `"publisher"`, `"x"`, 1), contents, "lacks publisher"},
		"no JSON":        {"{", contents, "reading the manifest"},
		"another ending": {string(manifest), map[string][]byte{"extension.js": {}, "README.md": {}, "LICENSE": {}, "a.exe": {}}, "no media type"},
	} {
		if _, err := pack([]byte(c.manifest), "1.0.0", c.contents); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for version, want := range map[string]string{"v1.2.3": "1.2.3", "1.2.3": "1.2.3", "v1.2.3-4-gabc": "0.0.0", "unknown": "0.0.0"} {
		if got := release(version); got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
}
