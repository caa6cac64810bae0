// Command image writes Fieldmark's container images as OCI layouts, for linux/amd64 and linux/arm64. It needs no container engine.
//
// ko compiles the program, puts it into a layer, and writes its SBOM. By default, the layer below it is one of our own (see base.go), so
// the build needs no registry, and the same commit always has the same digest. With -base, it is an image of a registry instead.
//
//	go run -C dev/image . -out ../../bin/image/fieldmark -version v1.0.0 -revision 0123abc -created 1790000000
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log" //nolint:depguard // only to silence ko's messages
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// order is one image to build.
type order struct {
	root      string // the repository's folder
	out       string // the folder for layout/ and sbom/. Both are replaced
	base      string // an image of a registry; empty: our own base
	platforms []string
	practice  bool // with the practice cluster
	version   string
	revision  string
	created   time.Time
	push      string // a repository of a registry; empty: none
}

func main() {
	log.SetOutput(io.Discard) // ko logs how far it is; what fails is an error
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := buildImage(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "image: "+err.Error())
		os.Exit(1)
	}
}

func buildImage(ctx context.Context, args []string, out io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	made, err := o.build(ctx)
	if err != nil {
		return err
	}
	if err := o.writeLayout(made); err != nil {
		return err
	}
	if o.push != "" {
		if err := o.publish(ctx, made); err != nil {
			return err
		}
	}
	return o.printImage(out, made)
}

func parse(args []string) (order, error) {
	var o order
	var platforms string
	var created int64
	f := flag.NewFlagSet("image", flag.ContinueOnError)
	f.StringVar(&o.root, "root", "../..", "the repository's `folder`")
	f.StringVar(&o.out, "out", "", "the `folder` for layout/ and sbom/, which are replaced")
	f.StringVar(&o.base, "base", "", "an `image` of a registry to build on, with its digest. If not set: our own base")
	f.StringVar(&platforms, "platforms", "linux/amd64,linux/arm64", "the `platforms`, separated by commas")
	f.BoolVar(&o.practice, "practice", false, "the image with the practice cluster")
	f.StringVar(&o.version, "version", "", "the `version` of the program")
	f.StringVar(&o.revision, "revision", "", "the `commit`")
	f.Int64Var(&created, "created", 0, "the image's time, in `seconds` since 1970: the time of the commit")
	f.StringVar(&o.push, "push", "", "push the image to this `repository` too, under its version")
	if err := f.Parse(args); err != nil {
		return o, fmt.Errorf("read the flags: %w", err)
	}
	o.platforms, o.created = strings.Split(platforms, ","), time.Unix(created, 0).UTC()
	for name, value := range map[string]string{"-out": o.out, "-version": o.version, "-revision": o.revision} {
		if value == "" {
			return o, fmt.Errorf("%s is missing", name)
		}
	}
	if o.base != "" && !strings.Contains(o.base, "@sha256:") {
		return o, fmt.Errorf("-base %s has no digest: a tag may be another image tomorrow", o.base)
	}
	var err error
	o.root, err = filepath.Abs(o.root)
	if err != nil {
		return o, fmt.Errorf("find the repository: %w", err)
	}
	return o, nil
}
