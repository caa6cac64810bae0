package main

import (
	"archive/tar"
	"bytes"
	"crypto/x509"
	"debug/buildinfo"
	"debug/elf"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// built has the images that make image and make image-practice have built.
const built = "../../bin/image"

var machines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}

// open opens an image for several platforms.
func open(t *testing.T, folder string) v1.ImageIndex {
	t.Helper()
	all, err := layout.ImageIndexFromPath(filepath.Join(folder, "layout"))
	if err != nil {
		t.Fatalf("%v: run make image", err)
	}
	manifest, err := all.IndexManifest()
	if err != nil || len(manifest.Manifests) != 1 {
		t.Fatalf("the layout has %v (%v), not one image", manifest, err)
	}
	index, err := all.ImageIndex(manifest.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	return index
}

// each calls check with each platform's image.
func each(t *testing.T, index v1.ImageIndex, check func(t *testing.T, p v1.Platform, image v1.Image)) {
	t.Helper()
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range manifest.Manifests {
		image, err := index.Image(one.Digest)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(one.Platform.String(), func(t *testing.T) { check(t, *one.Platform, image) })
	}
}

// images are the folders of the images that are built. That of Fieldmark alone must be there.
func images(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(built, "*", "layout"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range found {
		found[i] = filepath.Dir(found[i])
	}
	if !slices.Contains(found, filepath.Join(built, "fieldmark")) {
		t.Fatal("there is no image in " + built + ": run make image")
	}
	return found
}

func TestBothPlatformsAreBuilt(t *testing.T) {
	index := open(t, filepath.Join(built, "fieldmark"))
	if err := validate.Index(index); err != nil {
		t.Error(err)
	}
	if kind, err := index.MediaType(); err != nil || kind != types.OCIImageIndex {
		t.Errorf("its media type is %s (%v)", kind, err)
	}
	var platforms []string
	each(t, index, func(_ *testing.T, p v1.Platform, _ v1.Image) { platforms = append(platforms, p.String()) })
	slices.Sort(platforms)
	if want := []string{"linux/amd64", "linux/arm64"}; !slices.Equal(platforms, want) {
		t.Errorf("it is built for %v, not for %v", platforms, want)
	}
}

func TestTheConfigurationIsSafe(t *testing.T) {
	for _, folder := range images(t) {
		each(t, open(t, folder), func(t *testing.T, p v1.Platform, image v1.Image) {
			file, err := image.ConfigFile()
			if err != nil {
				t.Fatal(err)
			}
			if file.OS != p.OS || file.Architecture != p.Architecture {
				t.Errorf("the index says %s, and the image %s/%s", p, file.OS, file.Architecture)
			}
			c := file.Config
			if c.User != "65532:65532" {
				t.Errorf("it runs as %q", c.User)
			}
			if !slices.Equal(c.Entrypoint, []string{program}) || len(c.Cmd) > 0 || len(c.Volumes) > 0 {
				t.Errorf("entrypoint %v, command %v, volumes %v", c.Entrypoint, c.Cmd, c.Volumes)
			}
			for _, variable := range c.Env {
				if name, _, _ := strings.Cut(variable, "="); !slices.Contains([]string{"PATH", "SSL_CERT_FILE", "KO_DATA_PATH"}, name) {
					t.Errorf("it sets %s", variable)
				}
			}
			for _, key := range []string{"title", "description", "version", "revision", "created", "licenses", "source", "url"} {
				if c.Labels["org.opencontainers.image."+key] == "" {
					t.Errorf("it has no label org.opencontainers.image.%s", key)
				}
			}
			if at := file.Created.Format("2006-01-02T15:04:05Z"); at != c.Labels["org.opencontainers.image.created"] {
				t.Errorf("created at %s, and its label says %s", at, c.Labels["org.opencontainers.image.created"])
			}
		})
	}
}

// entry is a file of an image.
type entry struct {
	header  tar.Header
	content []byte
}

// files are the files that a container sees, by their path.
func files(t *testing.T, image v1.Image) map[string]entry {
	t.Helper()
	r := mutate.Extract(image)
	defer r.Close()
	all, archive := map[string]entry{}, tar.NewReader(r)
	for {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		all["/"+strings.Trim(h.Name, "/")] = entry{*h, content}
	}
}

func TestFilesOfTheImage(t *testing.T) {
	for _, folder := range images(t) {
		programs := []string{program}
		if filepath.Base(folder) == "practice" {
			programs = append(programs, "/ko-app/fieldmark-practice")
		}
		each(t, open(t, folder), func(t *testing.T, p v1.Platform, image v1.Image) {
			all := files(t, image)
			var executable []string
			for path, f := range all {
				holdEntry(t, path, f.header)
				if f.header.Typeflag == tar.TypeReg && f.header.Mode&0o111 != 0 {
					executable = append(executable, path)
				}
			}
			slices.Sort(executable)
			slices.Sort(programs)
			if !slices.Equal(executable, programs) {
				t.Errorf("executable are %v, not only %v", executable, programs)
			}
			if link := all["/"+command].header; link.Linkname != program {
				t.Errorf("fieldmark in the PATH leads to %q", link.Linkname)
			}
			for _, path := range programs {
				holdProgram(t, all[path].content, machines[p.Architecture])
			}
			if p.OS == runtime.GOOS && p.Architecture == runtime.GOARCH {
				holdVersion(t, image, all[program].content)
			}
			holdAuthorities(t, all["/etc/ssl/certs/ca-certificates.crt"].content)
			holdSBOM(t, filepath.Join(folder, "sbom"), p, all[program].content)
		})
	}
}

// holdEntry checks that the program can't change a file, and gets no rights by one.
func holdEntry(t *testing.T, path string, h tar.Header) {
	t.Helper()
	if h.Mode&0o6000 != 0 || h.PAXRecords["SCHILY.xattr.security.capability"] != "" {
		t.Errorf("%s gives rights to who runs it: mode %o", path, h.Mode)
	}
	if h.Uid != 0 || h.Gid != 0 {
		t.Errorf("%s is owned by %d:%d, not by root", path, h.Uid, h.Gid)
	}
	if h.Typeflag != tar.TypeSymlink && path != "/tmp" && h.Mode&0o022 != 0 {
		t.Errorf("others may write %s: mode %o", path, h.Mode)
	}
}

// holdProgram checks that a program is for the machine, needs no library, and has no path of the machine that built it.
func holdProgram(t *testing.T, content []byte, machine elf.Machine) {
	t.Helper()
	binary, err := elf.NewFile(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	if binary.Machine != machine {
		t.Errorf("the program is for %s, not for %s", binary.Machine, machine)
	}
	for _, part := range binary.Progs {
		if part.Type == elf.PT_INTERP {
			t.Error("the program needs a dynamic linker, which the image doesn't have")
		}
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(content, []byte(root+"/server")) {
		t.Errorf("the program contains the path %s", root)
	}
}

// holdVersion runs the program of the image, which says the version of its label.
func holdVersion(t *testing.T, image v1.Image, content []byte) {
	t.Helper()
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "fieldmark")
	if err := os.WriteFile(path, content, 0o700); err != nil {
		t.Fatal(err)
	}
	said, err := exec.CommandContext(t.Context(), path, "--version").CombinedOutput()
	if version := config.Config.Labels["org.opencontainers.image.version"]; err != nil || !strings.Contains(string(said), version) {
		t.Errorf("the program says %s (%v), and the label %s", said, err, version)
	}
}

// holdAuthorities checks that Go can use the certificates.
func holdAuthorities(t *testing.T, text []byte) {
	t.Helper()
	count := 0
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil || !certificate.IsCA {
			t.Errorf("a certificate of the image is not an authority's: %v", err)
		}
		count++
	}
	if count < 100 {
		t.Errorf("the image has %d authorities", count)
	}
}

// holdSBOM checks that the SBOM has each module that is in the program.
func holdSBOM(t *testing.T, folder string, p v1.Platform, content []byte) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "server-"+strings.ReplaceAll(p.String(), "/", "-")+".spdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	var sbom struct {
		Version  string `json:"spdxVersion"`
		Packages []struct{ Name, VersionInfo string }
	}
	if err := json.Unmarshal(text, &sbom); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(sbom.Version, "SPDX-2") {
		t.Errorf("its SBOM is in the format %q", sbom.Version)
	}
	info, err := buildinfo.Read(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	if len(info.Deps) < 20 {
		t.Fatalf("the program says that it has %d modules", len(info.Deps))
	}
	for _, module := range info.Deps {
		if !slices.Contains(sbom.Packages, struct{ Name, VersionInfo string }{module.Path, module.Version}) {
			t.Errorf("the SBOM doesn't have %s %s", module.Path, module.Version)
		}
	}
}
