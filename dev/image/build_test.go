package main

import (
	"io"
	"log" //nolint:depguard // the registry wants one of these
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// somewhere is a registry in memory. It returns the name of a repository in it.
func somewhere(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://") + "/team/fieldmark"
}

// TestTheSameCommitHasTheSameDigest builds the image again, and pushes it to a registry.
func TestTheSameCommitHasTheSameDigest(t *testing.T) {
	first := open(t, filepath.Join(built, "fieldmark"))
	want, err := first.Digest()
	if err != nil {
		t.Fatal(err)
	}
	var labels map[string]string
	each(t, first, func(t *testing.T, _ v1.Platform, image v1.Image) {
		file, err := image.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		labels = file.Config.Labels
		labels["seconds"] = strconv.FormatInt(file.Created.Unix(), 10)
	})
	repository := somewhere(t)
	version := labels["org.opencontainers.image.version"]
	err = buildImage(t.Context(), []string{
		"-out", t.TempDir(), "-version", version, "-revision", labels["org.opencontainers.image.revision"],
		"-created", labels["seconds"], "-push", repository,
	}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	ref, err := name.NewTag(repository + ":" + version)
	if err != nil {
		t.Fatal(err)
	}
	pushed, err := remote.Index(ref)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := pushed.Digest(); err != nil || got != want {
		t.Errorf("built again, it is %s (%v), not %s. Was the source changed since make image?", got, err, want)
	}
	tags, err := remote.List(ref.Context())
	if sbom := strings.Replace(want.String(), ":", "-", 1) + ".sbom"; err != nil || !slices.Contains(tags, sbom) {
		t.Errorf("the registry has the tags %v (%v), without the SBOM %s", tags, err, sbom)
	}
}

// TestABaseOfARegistry builds no program: it looks at what ko would build on.
func TestABaseOfARegistry(t *testing.T) {
	own := order{platforms: []string{"linux/amd64", "linux/arm64", "linux/s390x"}}
	_, made, err := own.getBase(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	digest, err := made.Digest()
	if err != nil {
		t.Fatal(err)
	}
	ref, err := name.NewDigest(somewhere(t) + "@" + digest.String())
	if err != nil {
		t.Fatal(err)
	}
	if err := remote.WriteIndex(ref, made.(v1.ImageIndex)); err != nil {
		t.Fatal(err)
	}
	_, based, err := order{base: ref.String()}.getBase(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	each(t, based.(v1.ImageIndex), func(t *testing.T, p v1.Platform, image v1.Image) {
		seen++
		layers, err := image.Layers()
		if err != nil || len(layers) != 3 {
			t.Errorf("%d layers (%v), not those of the base and one more", len(layers), err)
		}
		if file, err := image.ConfigFile(); err != nil || file.Architecture != p.Architecture {
			t.Errorf("it is for %v (%v)", file, err)
		}
		if link := files(t, image)["/"+command].header.Linkname; link != program {
			t.Errorf("fieldmark leads to %q", link)
		}
	})
	if seen != len(own.platforms) {
		t.Errorf("%d platforms of %d are left", seen, len(own.platforms))
	}
}

func TestFlags(t *testing.T) {
	good := []string{"-out", "x", "-version", "v1.0.0", "-revision", "0123"}
	cases := map[string]struct {
		args []string
		says string // empty: no error
	}{
		"all":                   {good, ""},
		"no folder":             {good[2:], "-out is missing"},
		"no version":            {append([]string{good[0], good[1]}, good[4:]...), "-version is missing"},
		"no revision":           {good[:4], "-revision is missing"},
		"a base":                {append(good, "-base", "example.com/static@sha256:"+strings.Repeat("0", 64)), ""},
		"a base without digest": {append(good, "-base", "example.com/static:latest"), "has no digest"},
		"unknown":               {append(good, "-arch", "arm64"), "-arch"},
	}
	for name, c := range cases {
		switch o, err := parse(c.args); {
		case c.says == "" && (err != nil || !filepath.IsAbs(o.root) || len(o.platforms) != 2):
			t.Errorf("%s: %v, %+v", name, err, o)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s: the error is %v, not %s", name, err, c.says)
		}
	}
}
