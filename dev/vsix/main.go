// Vsix packs the extension for VS Code: one zip with the files of the extension, their media types, and a description of the package. The same files always
// make the same bytes.
//
//	go run ./dev/vsix -manifest deploy/vscode/package.json -version v1.2.3 -out bin/fieldmark.vsix FILE…
package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	manifest := flag.String("manifest", "", "the extension's package.json")
	version := flag.String("version", "", "the version of the extension, as git describes it")
	out := flag.String("out", "", "the file to write")
	flag.Parse()
	if err := run(*manifest, *version, *out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "vsix:", err)
		os.Exit(1)
	}
}

func run(manifest, version, out string, files []string) error {
	text, err := os.ReadFile(manifest)
	if err != nil {
		return fmt.Errorf("reading the manifest: %w", err)
	}
	contents := map[string][]byte{}
	for _, file := range files {
		if contents[filepath.Base(file)], err = os.ReadFile(file); err != nil {
			return fmt.Errorf("reading a file of the extension: %w", err)
		}
	}
	packed, err := pack(text, release(version), contents)
	if err != nil {
		return err
	}
	if err := os.WriteFile(out, packed, 0o644); err != nil { //nolint:gosec // it is for everybody
		return fmt.Errorf("writing the extension: %w", err)
	}
	return nil
}

// released is a version that VS Code accepts: three numbers.
var released = regexp.MustCompile(`^v?(\d+\.\d+\.\d+)$`)

// release is the version of a release. Between releases, it is 0.0.0.
func release(version string) string {
	if found := released.FindStringSubmatch(version); found != nil {
		return found[1]
	}
	return "0.0.0"
}

// extension is what the package's description needs of a package.json.
type extension struct {
	Name, DisplayName, Description, Version, Publisher, License, Main string

	Engines    struct{ VSCode string }
	Categories []string
	Keywords   []string
}

// check says which field VS Code would miss.
func (e extension) check() error {
	for name, value := range map[string]string{"name": e.Name, "displayName": e.DisplayName, "description": e.Description, "publisher": e.Publisher, "license": e.License, "main": e.Main, "engines.vscode": e.Engines.VSCode} {
		if value == "" {
			return errors.New("the manifest lacks " + name)
		}
	}
	return nil
}

// types are the media types of files by their endings.
var types = map[string]string{".json": "application/json", ".js": "application/javascript", ".md": "text/markdown", ".txt": "text/plain", ".vsixmanifest": "text/xml"}

// pack makes the zip. contents are the files beside the manifest.
func pack(manifest []byte, version string, contents map[string][]byte) ([]byte, error) {
	manifest, e, err := withVersion(manifest, version)
	if err != nil {
		return nil, err
	}
	if contents[path.Clean(e.Main)] == nil {
		return nil, fmt.Errorf("the manifest's main is %s, and there is no such file", e.Main)
	}
	files := map[string][]byte{"extension/package.json": manifest}
	for name, content := range contents {
		if name == "LICENSE" {
			name = "LICENSE.txt" // a file without an ending would have no media type
		}
		files["extension/"+name] = content
	}
	if files["extension.vsixmanifest"], err = description(e, files); err != nil {
		return nil, err
	}
	if files["[Content_Types].xml"], err = mediaTypes(files); err != nil {
		return nil, err
	}
	return zipped(files)
}

// withVersion is a package.json with another version. The rest stays byte for byte.
func withVersion(manifest []byte, version string) ([]byte, extension, error) {
	var e extension
	if err := json.Unmarshal(manifest, &e); err != nil {
		return nil, e, fmt.Errorf("reading the manifest: %w", err)
	}
	if err := e.check(); err != nil {
		return nil, e, err
	}
	old := fmt.Appendf(nil, "%q: %q", "version", e.Version)
	if bytes.Count(manifest, old) != 1 {
		return nil, e, errors.New("the manifest must have its version once")
	}
	e.Version = version
	return bytes.Replace(manifest, old, fmt.Appendf(nil, "%q: %q", "version", version), 1), e, nil
}

// zipped is a zip of files, in the order of their names and without a time.
func zipped(files map[string][]byte) ([]byte, error) {
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			return nil, fmt.Errorf("packing %s: %w", name, err)
		}
		if _, err := f.Write(files[name]); err != nil {
			return nil, fmt.Errorf("packing %s: %w", name, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("packing: %w", err)
	}
	return b.Bytes(), nil
}

// mediaTypes is the file [Content_Types].xml of the Open Packaging Conventions.
func mediaTypes(files map[string][]byte) ([]byte, error) {
	type byEnding struct {
		Extension   string `xml:"Extension,attr"`
		ContentType string `xml:"ContentType,attr"`
	}
	var all struct {
		XMLName xml.Name   `xml:"http://schemas.openxmlformats.org/package/2006/content-types Types"`
		Default []byEnding `xml:"Default"`
	}
	var endings []string
	for name := range files {
		endings = append(endings, path.Ext(name))
	}
	slices.Sort(endings)
	for _, ending := range slices.Compact(endings) {
		if types[ending] == "" {
			return nil, fmt.Errorf("no media type is known for files that end with %q", ending)
		}
		all.Default = append(all.Default, byEnding{ending, types[ending]})
	}
	return document(all)
}

func document(v any) ([]byte, error) {
	text, err := xml.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing XML: %w", err)
	}
	return append([]byte(xml.Header), append(text, '\n')...), nil
}

// property is a property of the package that VS Code reads.
type property struct {
	ID    string `xml:"Id,attr"`
	Value string `xml:"Value,attr"`
}

// asset is a file of the package with a meaning.
type asset struct {
	Type        string `xml:"Type,attr"`
	Path        string `xml:"Path,attr"`
	Addressable bool   `xml:"Addressable,attr"`
}

// vsixManifest is the description of a package.
type vsixManifest struct {
	XMLName  xml.Name `xml:"http://schemas.microsoft.com/developer/vsx-schema/2011 PackageManifest"`
	Version  string   `xml:"Version,attr"`
	Metadata struct {
		Identity struct {
			Language  string `xml:"Language,attr"`
			ID        string `xml:"Id,attr"`
			Version   string `xml:"Version,attr"`
			Publisher string `xml:"Publisher,attr"`
		}
		DisplayName, Description string
		Tags, Categories         string
		Properties               []property `xml:"Properties>Property"`
		License                  string
	}
	Targets []struct {
		ID string `xml:"Id,attr"`
	} `xml:"Installation>InstallationTarget"`
	Dependencies struct{}
	Assets       []asset `xml:"Assets>Asset"`
}

// description is the file extension.vsixmanifest.
func description(e extension, files map[string][]byte) ([]byte, error) {
	m := vsixManifest{Version: "2.0.0"}
	id := &m.Metadata.Identity
	id.Language, id.ID, id.Version, id.Publisher = "en-US", e.Name, e.Version, e.Publisher
	m.Metadata.DisplayName, m.Metadata.Description = e.DisplayName, e.Description
	m.Metadata.Tags, m.Metadata.Categories = strings.Join(e.Keywords, ","), strings.Join(e.Categories, ",")
	m.Metadata.Properties = []property{{"Microsoft.VisualStudio.Code.Engine", e.Engines.VSCode}, {"Microsoft.VisualStudio.Code.ExtensionKind", "workspace"}}
	m.Metadata.License = "extension/LICENSE.txt"
	m.Targets = append(m.Targets, struct {
		ID string `xml:"Id,attr"`
	}{"Microsoft.VisualStudio.Code"})
	for _, one := range []asset{
		{"Microsoft.VisualStudio.Code.Manifest", "extension/package.json", true},
		{"Microsoft.VisualStudio.Services.Content.Details", "extension/README.md", true},
		{"Microsoft.VisualStudio.Services.Content.License", "extension/LICENSE.txt", true},
	} {
		if files[one.Path] == nil {
			return nil, fmt.Errorf("the package lacks %s", one.Path)
		}
		m.Assets = append(m.Assets, one)
	}
	return document(m)
}
