package main

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/pem"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/google/ko/pkg/build"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// user is who runs the program: a number, so that Kubernetes can see that it is not root.
const user = "65532:65532"

// ownName is the name of our own base in the image's annotations. No registry has it.
const ownName = "fieldmark.invalid/base"

// program is where ko puts the server, whose package is called so. command is a link to it by its name.
const (
	program = "/ko-app/server"
	command = "usr/local/bin/fieldmark"
)

// file is a file of a layer. If to is set, it is a symbolic link.
type file struct {
	name, text, to string
	mode           int64
}

// getBase is what ko builds on: our own base or an image of a registry, with the link to the program on top.
func (o order) getBase(ctx context.Context, _ string) (name.Reference, build.Result, error) {
	link, err := layer(file{name: command, to: program, mode: 0o777})
	if err != nil {
		return nil, nil, err
	}
	if o.base == "" {
		ref, err := name.ParseReference(ownName)
		if err != nil {
			return nil, nil, fmt.Errorf("name the base: %w", err)
		}
		index, err := o.own(link)
		return ref, index, err
	}
	ref, err := name.NewDigest(o.base)
	if err != nil {
		return nil, nil, fmt.Errorf("read -base: %w", err)
	}
	index, err := remote.Index(ref, remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain))
	if err != nil {
		return nil, nil, fmt.Errorf("fetch -base, which must be an image for several platforms: %w", err)
	}
	linked, err := onEach(index, link)
	return ref, linked, err
}

// own is our own base, for each platform: the certificates that issuers and API servers on the internet are checked with, the names of
// root and of our user, and a folder for temporary files. There is no shell, no package manager and no C library. There are no time zones
// either: the program names none.
func (o order) own(link v1.Layer) (v1.ImageIndex, error) {
	system, err := layer(
		file{name: "etc/group", text: "root:x:0:\nnonroot:x:65532:\n", mode: 0o644},
		file{name: "etc/passwd", text: "root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n", mode: 0o644},
		file{name: "etc/ssl/certs/ca-certificates.crt", text: authorities(), mode: 0o644},
		file{name: "home/nonroot/", mode: 0o755},
		file{name: "tmp/", mode: 0o1777},
	)
	if err != nil {
		return nil, err
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, text := range o.platforms {
		platform, err := v1.ParsePlatform(text)
		if err != nil {
			return nil, fmt.Errorf("read -platforms: %w", err)
		}
		image, err := imageFor(platform, system, link)
		if err != nil {
			return nil, err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: platform}})
	}
	return index, nil
}

func imageFor(platform *v1.Platform, layers ...v1.Layer) (v1.Image, error) {
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err := mutate.AppendLayers(image, layers...)
	if err != nil {
		return nil, fmt.Errorf("make the base: %w", err)
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, fmt.Errorf("make the base: %w", err)
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Variant = platform.OS, platform.Architecture, platform.Variant
	config.Config.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"}
	config.Config.WorkingDir = "/home/nonroot"
	image, err = mutate.ConfigFile(image, config)
	if err != nil {
		return nil, fmt.Errorf("make the base: %w", err)
	}
	return image, nil
}

// onEach adds a layer to each image of an index, and keeps the platforms.
func onEach(index v1.ImageIndex, more v1.Layer) (v1.ImageIndex, error) {
	manifest, err := index.IndexManifest()
	if err != nil {
		return nil, fmt.Errorf("read the base: %w", err)
	}
	all := mutate.IndexMediaType(empty.Index, manifest.MediaType)
	for _, one := range manifest.Manifests {
		if !one.MediaType.IsImage() {
			continue // an attestation
		}
		image, err := index.Image(one.Digest)
		if err != nil {
			return nil, fmt.Errorf("read the base: %w", err)
		}
		image, err = mutate.AppendLayers(image, more)
		if err != nil {
			return nil, fmt.Errorf("add to the base: %w", err)
		}
		all = mutate.AppendManifests(all, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: one.Platform}})
	}
	return all, nil
}

// authorities are the certificates of Mozilla's programme, as Go's module has them. Those with a constraint are left out, because a file
// of certificates can't express it.
func authorities() string {
	var all strings.Builder
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			_ = pem.Encode(&all, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // a strings.Builder doesn't fail
		}
	}
	return all.String()
}

// layer is a layer with files. All of them are root's, have the same time, and have their folders before them, so that the same files are
// the same bytes.
func layer(files ...file) (v1.Layer, error) {
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	var buffer bytes.Buffer
	w, seen := tar.NewWriter(&buffer), map[string]bool{}
	for _, f := range files {
		for i, letter := range f.name {
			folder := f.name[:i+1]
			if letter == '/' && folder != f.name && !seen[folder] {
				seen[folder] = true
				if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: folder, Mode: 0o755}); err != nil {
					return nil, fmt.Errorf("write a layer: %w", err)
				}
			}
		}
		if err := f.writeTarEntry(w); err != nil {
			return nil, fmt.Errorf("write a layer: %w", err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("write a layer: %w", err)
	}
	made, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(buffer.Bytes())), nil },
		tarball.WithMediaType(types.OCILayer), tarball.WithCompressedCaching)
	if err != nil {
		return nil, fmt.Errorf("write a layer: %w", err)
	}
	return made, nil
}

func (f file) writeTarEntry(w *tar.Writer) error {
	h := &tar.Header{Typeflag: tar.TypeReg, Name: f.name, Mode: f.mode, Size: int64(len(f.text))}
	switch {
	case f.to != "":
		h.Typeflag, h.Linkname = tar.TypeSymlink, f.to
	case strings.HasSuffix(f.name, "/"):
		h.Typeflag = tar.TypeDir
	}
	if err := w.WriteHeader(h); err != nil {
		return fmt.Errorf("%s: %w", f.name, err)
	}
	_, err := io.WriteString(w, f.text)
	return err
}
