package release

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// plugin is a manifest of krew.
type plugin struct {
	APIVersion, Kind string
	Metadata         struct{ Name string }
	Spec             struct {
		Version, ShortDescription, Description, Homepage string
		Platforms                                        []struct {
			Bin, URI, SHA256 string
			Selector         struct{ MatchLabels map[string]string }
		}
	}
}

var semantic = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)

// checkKrew checks the manifest by krew's rules, and its platforms against the archives.
func checkKrew(t *testing.T, d dist, in map[string][]string) {
	var p plugin
	if err := yaml.UnmarshalStrict(d.read(t, "krew/fieldmark.yaml"), &p); err != nil {
		t.Fatal(err)
	}
	if p.APIVersion != "krew.googlecontainertools.github.com/v1alpha2" || p.Kind != "Plugin" || p.Metadata.Name != "fieldmark" {
		t.Errorf("it is a %s of %s named %q", p.Kind, p.APIVersion, p.Metadata.Name)
	}
	s := p.Spec
	if !semantic.MatchString(s.Version) || s.Version != "v"+d.version {
		t.Errorf("the version is %q", s.Version)
	}
	if s.ShortDescription == "" || len(s.ShortDescription) > 70 || strings.HasSuffix(s.ShortDescription, ".") || s.Description == "" || s.Homepage == "" {
		t.Errorf("krew's index wants a short description without a full stop, a description and a homepage, not %q, %q and %q", s.ShortDescription, s.Description, s.Homepage)
	}
	sums, left := d.checksums(t), map[platform]archive{}
	for _, a := range d.archives(t) {
		if !a.practice {
			left[a.platform] = a
		}
	}
	for _, offered := range s.Platforms {
		labels := offered.Selector.MatchLabels
		a, ok := left[platform{labels["os"], labels["arch"]}]
		if !ok {
			t.Errorf("krew installs %s on %v, which is no platform of ours, or there twice", offered.URI, labels)
			continue
		}
		delete(left, a.platform)
		checkDownload(t, offered.URI, a)
		if offered.SHA256 != sums[a.name] {
			t.Errorf("krew has %s for %s, not %s", offered.SHA256, a.name, sums[a.name])
		}
		if !slices.Contains(in[a.name], offered.Bin) {
			t.Errorf("krew starts %q, which isn't in %s", offered.Bin, a.name)
		}
	}
	for p := range left {
		t.Errorf("krew has nothing for %s", p)
	}
}

// checkDownload compares an address with that of the archive in a release.
func checkDownload(t *testing.T, address string, a archive) {
	t.Helper()
	const releases = "https://github.com/fieldmark/fieldmark/releases/download/v"
	if !strings.HasPrefix(address, releases) || path.Base(address) != a.name {
		t.Errorf("%s is not where a release has %s", address, a.name)
	}
}

var (
	caskDownload = regexp.MustCompile(`url "([^"]+)"\s+sha256 "([0-9a-f]{64})"`)
	caskFile     = regexp.MustCompile(`(?m)^\s*(?:binary|manpage|bash_completion|zsh_completion|fish_completion) "([^"]+)"`)
)

// checkCask compares the cask with the archives for macOS and Linux.
func checkCask(t *testing.T, d dist, in map[string][]string) {
	text := string(d.read(t, "homebrew/Casks/fieldmark.rb"))
	for line := range strings.Lines(text) {
		if strings.Count(line, `"`)%2 != 0 {
			t.Errorf("Ruby can't read the line %q", line)
		}
	}
	text = strings.ReplaceAll(text, "#{version}", d.version)
	sums, left := d.checksums(t), map[string]archive{}
	for _, a := range d.archives(t) {
		if !a.practice && a.system != "windows" {
			left[a.name] = a
		}
	}
	named := caskFile.FindAllStringSubmatch(text, -1)
	if len(named) < 8 {
		t.Errorf("the cask installs only %q", named)
	}
	for _, download := range caskDownload.FindAllStringSubmatch(text, -1) {
		a, ok := left[path.Base(download[1])]
		if !ok {
			t.Errorf("the cask has %s, which is no archive for macOS or Linux, or there twice", download[1])
			continue
		}
		delete(left, a.name)
		checkDownload(t, download[1], a)
		if download[2] != sums[a.name] {
			t.Errorf("the cask has %s for %s, not %s", download[2], a.name, sums[a.name])
		}
		for _, n := range named {
			if !slices.Contains(in[a.name], n[1]) {
				t.Errorf("the cask installs %q, which isn't in %s", n[1], a.name)
			}
		}
	}
	for name := range left {
		t.Errorf("the cask doesn't have %s", name)
	}
}
