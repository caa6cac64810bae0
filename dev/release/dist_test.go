package release

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// platform is what a program is compiled for.
type platform struct{ system, processor string }

func (p platform) String() string { return p.system + "/" + p.processor }

// platforms are those of fieldmark.
var platforms = []platform{
	{"darwin", "amd64"}, {"darwin", "arm64"}, {"linux", "amd64"}, {"linux", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"},
}

// dist is the folder that goreleaser has written.
type dist struct {
	folder, version string
}

func open(t *testing.T) dist {
	t.Helper()
	d := dist{folder: os.Getenv("FIELDMARK_TEST_DIST")}
	if d.folder == "" {
		t.Skip("FIELDMARK_TEST_DIST is not set: make release-check makes a release and runs this test")
	}
	var metadata struct{ Version string }
	if err := json.Unmarshal(d.read(t, "metadata.json"), &metadata); err != nil || metadata.Version == "" {
		t.Fatalf("metadata.json has no version: %v", err)
	}
	d.version = metadata.Version
	return d
}

func (d dist) read(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(d.folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// archive is the archive of a program for a platform.
type archive struct {
	name    string // of its file
	program string // the name of the program in it
	platform
	practice bool
}

// archives are all that there must be. FIELDMARK_TEST_PRACTICE_PLATFORMS has the platforms of the practice program, with commas between.
func (d dist) archives(t *testing.T) []archive {
	t.Helper()
	var all []archive
	for _, p := range platforms {
		a := archive{program: "fieldmark", platform: p}
		ending := ".tar.gz"
		if p.system == "windows" {
			a.program, ending = "fieldmark.exe", ".zip"
		}
		a.name = strings.Join([]string{"fieldmark", d.version, p.system, p.processor}, "_") + ending
		all = append(all, a)
	}
	for name := range strings.SplitSeq(os.Getenv("FIELDMARK_TEST_PRACTICE_PLATFORMS"), ",") {
		system, processor, ok := strings.Cut(name, "/")
		if !ok {
			t.Fatalf("FIELDMARK_TEST_PRACTICE_PLATFORMS has %q, which is not a platform", name)
		}
		all = append(all, archive{
			name:     strings.Join([]string{"fieldmark-practice", d.version, system, processor}, "_") + ".tar.gz",
			platform: platform{system, processor}, practice: true, program: "fieldmark-practice",
		})
	}
	return all
}

// file is a file of an archive.
type file struct {
	mode    fs.FileMode
	content []byte
}

// unpack reads an archive. It refuses what no archive of ours may have: links, folders that aren't plain names, and files twice.
func (d dist) unpack(t *testing.T, name string) map[string]file {
	t.Helper()
	found := map[string]file{}
	add := func(name string, mode fs.FileMode, content []byte) {
		if _, twice := found[name]; twice || !fs.ValidPath(name) || !mode.IsRegular() {
			t.Errorf("the archive has %s (%s), which is no plain file, or there twice", name, mode)
		}
		found[name] = file{mode, content}
	}
	packed := d.read(t, name)
	if strings.HasSuffix(name, ".zip") {
		unzip(t, packed, add)
	} else {
		untar(t, packed, add)
	}
	return found
}

func unzip(t *testing.T, packed []byte, add func(string, fs.FileMode, []byte)) {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		add(f.Name, f.Mode(), content)
	}
}

func untar(t *testing.T, packed []byte, add func(string, fs.FileMode, []byte)) {
	t.Helper()
	plain, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(plain); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if header.Uid != 0 || header.Gid != 0 || header.Uname != "root" {
			t.Errorf("%s belongs to %s (%d:%d), a user of the machine that built it", header.Name, header.Uname, header.Uid, header.Gid)
		}
		add(header.Name, header.FileInfo().Mode(), content)
	}
}

// built reads what Go wrote into a program.
func built(t *testing.T, program []byte) *buildinfo.BuildInfo {
	t.Helper()
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// setting is how a program was built.
func setting(info *buildinfo.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// names are those of the files in a folder of the repository.
func names(t *testing.T, folder, pattern string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join("..", "..", folder, pattern))
	if err != nil || len(all) == 0 {
		t.Fatalf("%s has no %s: %v", folder, pattern, err)
	}
	for i := range all {
		all[i] = filepath.Base(all[i])
	}
	slices.Sort(all)
	return all
}
