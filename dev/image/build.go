package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/google/ko/pkg/build"
	"github.com/google/ko/pkg/publish"
)

const module = "github.com/fieldmark/fieldmark"

const (
	server   = build.StrictScheme + module + "/server"
	practice = build.StrictScheme + module + "/practice/cmd/fieldmark-practice"
)

// build compiles the program for each platform. The practice cluster's program, if wanted, is a layer below it: Fieldmark looks for
// that program beside its own.
func (o order) build(ctx context.Context) (v1.ImageIndex, error) {
	below := o.getBase
	if o.practice {
		flags, err := o.practiceFlags(ctx)
		if err != nil {
			return nil, err
		}
		made, err := o.compile(ctx, practice, filepath.Join(o.root, "practice"), flags, below)
		if err != nil {
			return nil, err
		}
		ref, err := name.ParseReference(ownName)
		if err != nil {
			return nil, fmt.Errorf("name the base: %w", err)
		}
		below = func(context.Context, string) (name.Reference, build.Result, error) { return ref, made, nil }
	}
	return o.compile(ctx, server, o.root, "-s -w -X main.version="+o.version, below)
}

func (o order) compile(ctx context.Context, what, folder, ldflags string, below build.GetBase) (v1.ImageIndex, error) {
	options := []build.Option{
		build.WithBaseImages(below),
		build.WithPlatforms(o.platforms...),
		build.WithUser(user),
		build.WithTrimpath(true),
		build.WithDefaultLdflags([]string{ldflags}),
		build.WithCreationTime(v1.Time{Time: o.created}),
		build.WithKoDataCreationTime(v1.Time{Time: o.created}),
		build.WithSBOMDir(filepath.Join(o.out, "sbom")),
		build.WithJobs(1), // go build uses all cores already
	}
	for key, value := range o.labels() {
		options = append(options, build.WithLabel(key, value), build.WithAnnotation(key, value))
	}
	builder, err := build.NewGo(ctx, folder, options...)
	if err != nil {
		return nil, fmt.Errorf("prepare the build: %w", err)
	}
	made, err := builder.Build(ctx, what)
	if err != nil {
		return nil, fmt.Errorf("build %s: %w", strings.TrimPrefix(what, build.StrictScheme), err)
	}
	return o.indexOf(made)
}

// indexOf is an index with what ko made. For one platform, ko makes an image without an index.
func (o order) indexOf(made build.Result) (v1.ImageIndex, error) {
	if index, ok := made.(v1.ImageIndex); ok {
		return index, nil
	}
	image, ok := made.(v1.Image)
	if !ok {
		return nil, errors.New("ko made neither an image nor an index")
	}
	platform, err := v1.ParsePlatform(o.platforms[0])
	if err != nil {
		return nil, fmt.Errorf("read -platforms: %w", err)
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	return mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: platform}}), nil
}

// labels are the image's labels, which are also annotations of its manifests.
func (o order) labels() map[string]string {
	title, about := "Fieldmark", "A field guide to the Kubernetes API in the browser"
	if o.practice {
		title, about = "Fieldmark with the practice cluster", about+", and a Kubernetes control plane for practice"
	}
	const prefix = "org.opencontainers.image."
	return map[string]string{
		prefix + "title":       title,
		prefix + "description": about,
		prefix + "version":     o.version,
		prefix + "revision":    o.revision,
		prefix + "created":     o.created.Format("2006-01-02T15:04:05Z"),
		prefix + "licenses":    "Apache-2.0",
		prefix + "source":      "https://" + module,
		prefix + "url":         "https://" + module,
	}
}

// practiceFlags are the linker's flags for the practice cluster's program. practice/build.sh knows them.
func (o order) practiceFlags(ctx context.Context) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(o.root, "practice", "build.sh"), "--ldflags")
	cmd.Stderr = os.Stderr
	flags, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("ask practice/build.sh for its flags: %w", err)
	}
	return strings.TrimSpace(string(flags)), nil
}

// writeLayout replaces the layout.
func (o order) writeLayout(made v1.ImageIndex) error {
	folder := filepath.Join(o.out, "layout")
	if err := os.RemoveAll(folder); err != nil {
		return fmt.Errorf("remove the last layout: %w", err)
	}
	path, err := layout.Write(folder, empty.Index)
	if err != nil {
		return fmt.Errorf("write the layout: %w", err)
	}
	err = path.AppendIndex(made, layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": o.version}))
	if err != nil {
		return fmt.Errorf("write the layout: %w", err)
	}
	return nil
}

// publish pushes the image and its SBOMs.
func (o order) publish(ctx context.Context, made v1.ImageIndex) error {
	bare := func(base, _ string) string { return base }
	to, err := publish.NewDefault(o.push, publish.WithNamer(bare), publish.WithTags([]string{o.version}))
	if err != nil {
		return fmt.Errorf("prepare the push: %w", err)
	}
	defer to.Close() //nolint:errcheck // it has nothing to close
	if _, err := to.Publish(ctx, made, server); err != nil {
		return fmt.Errorf("push to %s: %w", o.push, err)
	}
	return nil
}

// printImage prints the image's digest, and its compressed size for each platform.
func (o order) printImage(w io.Writer, made v1.ImageIndex) error {
	digest, err := made.Digest()
	if err != nil {
		return fmt.Errorf("read the image: %w", err)
	}
	manifest, err := made.IndexManifest()
	if err != nil {
		return fmt.Errorf("read the image: %w", err)
	}
	_, _ = fmt.Fprintln(w, digest)
	for _, one := range manifest.Manifests {
		image, err := made.Image(one.Digest)
		if err != nil {
			return fmt.Errorf("read the image: %w", err)
		}
		parts, err := image.Manifest()
		if err != nil {
			return fmt.Errorf("read the image: %w", err)
		}
		bytes := int64(0)
		for _, l := range parts.Layers {
			bytes += l.Size
		}
		_, _ = fmt.Fprintf(w, "%s: %.1f MB compressed\n", one.Platform, float64(bytes)/1e6)
	}
	return nil
}
