package release

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"encoding/hex"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestEveryPlatformHasItsArchive(t *testing.T) {
	d := open(t)
	var want, got []string
	for _, a := range d.archives(t) {
		want = append(want, a.name)
	}
	want = append(want, d.guide())
	for _, pattern := range []string{"*.tar.gz", "*.zip"} {
		found, err := filepath.Glob(filepath.Join(d.folder, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			got = append(got, filepath.Base(name))
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("there are %q, but a release has %q", got, want)
	}
}

// TestArchives unpacks each archive once, because that takes longest, and looks at everything in it.
func TestArchives(t *testing.T) {
	d := open(t)
	in := map[string][]string{} // the names of the files in each archive
	for _, a := range d.archives(t) {
		found := d.unpack(t, a.name)
		in[a.name] = slices.Sorted(maps.Keys(found))
		program := found[a.program].content
		t.Run(a.name+" has exactly the named files", func(t *testing.T) { checkFiles(t, a, found) })
		t.Run(a.name+" has a program for its platform", func(t *testing.T) { checkPlatform(t, a, program) })
		t.Run(a.name+" has an SBOM with every module", func(t *testing.T) { checkSBOM(t, d, a, modulesOf(t, program)) })
		t.Run(a.name+" has the licence of every module", func(t *testing.T) {
			checkLicences(t, a, string(found["THIRD-PARTY-LICENCES.txt"].content), modulesOf(t, program))
		})
		if (a.platform == platform{runtime.GOOS, runtime.GOARCH}) {
			t.Run(a.name+" runs", func(t *testing.T) { checkRuns(t, d, a, found) })
		}
	}
	t.Run("krew installs what the archives have", func(t *testing.T) { checkKrew(t, d, in) })
	t.Run("the cask installs what the archives have", func(t *testing.T) { checkCask(t, d, in) })
}

func checkFiles(t *testing.T, a archive, found map[string]file) {
	want := []string{a.program, "LICENSE", "README.md", "THIRD-PARTY-LICENCES.txt"}
	if !a.practice {
		want = append(want, "completions/_fieldmark", "completions/fieldmark.bash", "completions/fieldmark.fish", "completions/fieldmark.ps1")
		for _, name := range names(t, "docs/reference", "*.md") { // each command has a page in both
			want = append(want, "man/man1/"+strings.ReplaceAll(strings.TrimSuffix(name, ".md"), "_", "-")+".1")
		}
	}
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, want) {
		t.Fatalf("it has %q, not %q", got, want)
	}
	for name, f := range found {
		if len(f.content) == 0 {
			t.Errorf("%s is empty", name)
		}
		if isProgram := f.mode.Perm()&0o111 != 0; isProgram != (name == a.program) {
			t.Errorf("%s has the mode %s", name, f.mode)
		}
	}
}

// checkPlatform reads the header by which a system recognizes a program of its own, and how Go built the program.
func checkPlatform(t *testing.T, a archive, program []byte) {
	if got := headerOf(t, program); got != a.platform {
		t.Errorf("the program is for %s", got)
	}
	info := built(t, program)
	if got := (platform{setting(info, "GOOS"), setting(info, "GOARCH")}); got != a.platform {
		t.Errorf("Go built it for %s", got)
	}
	if setting(info, "CGO_ENABLED") != "0" || setting(info, "-trimpath") != "true" {
		t.Errorf("it was built with %v: it must need no C library, and tell no path of the machine that built it", info.Settings)
	}
}

// headerOf is the platform that the header of a program names.
func headerOf(t *testing.T, program []byte) platform {
	t.Helper()
	r := bytes.NewReader(program)
	if f, err := elf.NewFile(r); err == nil {
		for _, part := range f.Progs {
			if part.Type == elf.PT_INTERP {
				t.Error("it needs a dynamic linker")
			}
		}
		return platform{"linux", map[elf.Machine]string{elf.EM_X86_64: "amd64", elf.EM_AARCH64: "arm64"}[f.Machine]}
	}
	if f, err := macho.NewFile(r); err == nil {
		return platform{"darwin", map[macho.Cpu]string{macho.CpuAmd64: "amd64", macho.CpuArm64: "arm64"}[f.Cpu]}
	}
	f, err := pe.NewFile(r)
	if err != nil {
		t.Fatal("it is a program of no system that we know")
	}
	return platform{"windows", map[uint16]string{pe.IMAGE_FILE_MACHINE_AMD64: "amd64", pe.IMAGE_FILE_MACHINE_ARM64: "arm64"}[f.Machine]}
}

// checksums are those of checksums.txt, by the name of the file.
func (d dist) checksums(t *testing.T) map[string]string {
	t.Helper()
	sums := map[string]string{}
	for line := range strings.Lines(string(d.read(t, "checksums.txt"))) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !ok {
			t.Fatalf("checksums.txt has the line %q", line)
		}
		sums[name] = sum
	}
	return sums
}

func TestArchivesAndSBOMsHaveTheirChecksums(t *testing.T) {
	d := open(t)
	sums := d.checksums(t)
	var want []string
	for _, a := range d.archives(t) {
		want = append(want, a.name, d.sbom(a))
	}
	want = append(want, d.guide())
	slices.Sort(want)
	for _, name := range want {
		sum := sha256.Sum256(d.read(t, name))
		if got := sums[name]; got != hex.EncodeToString(sum[:]) {
			t.Errorf("checksums.txt has %q for %s, not %x", got, name, sum)
		}
		delete(sums, name)
	}
	for name := range sums {
		t.Errorf("checksums.txt has %s, which is no archive and no SBOM", name)
	}
}

// guide is the name of the archive with the field guide as a static site.
func (d dist) guide() string { return "fieldmark-guide_" + d.version + ".tar.gz" }

// mostGuide bounds the files of the guide, in bytes.
const mostGuide = 20 << 20

func TestGuideHasEachLesson(t *testing.T) {
	d := open(t)
	found := d.unpack(t, d.guide())
	want := []string{"LICENSE", "THIRD-PARTY-LICENCES.txt", "fieldmark-guide/index.html", "fieldmark-guide/glossary.html", "fieldmark-guide/cases.html"}
	lessons, err := filepath.Glob(filepath.Join("..", "..", "lessons", "guide", "*", "lesson.md"))
	if err != nil || len(lessons) == 0 {
		t.Fatalf("there are no lessons: %v", err)
	}
	for _, name := range lessons {
		want = append(want, "fieldmark-guide/lessons/"+filepath.Base(filepath.Dir(name))+".html")
	}
	for _, name := range want {
		if len(found[name].content) == 0 {
			t.Errorf("it has no %s", name)
		}
	}
	size := 0
	for _, f := range found {
		size += len(f.content)
	}
	if size > mostGuide {
		t.Errorf("it has %d bytes", size)
	}
}

// checkRuns runs what somebody has who installs the archive of this platform.
func checkRuns(t *testing.T, d dist, a archive, found map[string]file) {
	program := filepath.Join(t.TempDir(), a.program)
	if err := os.WriteFile(program, found[a.program].content, 0o700); err != nil {
		t.Fatal(err)
	}
	if a.practice {
		if got := run(t, program, "--version"); !strings.HasPrefix(got, "fieldmark-practice (Kubernetes v1.") {
			t.Errorf("--version prints %q", got)
		}
		return
	}
	if got, want := run(t, program, "--version"), "fieldmark "+d.version+"\n"; got != want {
		t.Errorf("--version prints %q, not %q", got, want)
	}
	for shell, name := range map[string]string{"bash": "fieldmark.bash", "zsh": "_fieldmark", "fish": "fieldmark.fish", "powershell": "fieldmark.ps1"} {
		if run(t, program, "completion", shell) != string(found["completions/"+name].content) {
			t.Errorf("the completion script for %s is not what the program prints", shell)
		}
	}
}

func run(t *testing.T, program string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), program, args...).Output()
	if err != nil {
		t.Fatalf("%s %s: %v", filepath.Base(program), strings.Join(args, " "), err)
	}
	return string(out)
}
