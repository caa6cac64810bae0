package loss

import (
	"context"
	"fmt"
	"path"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	kuberequest "github.com/fieldmark/fieldmark/kube/request"
	fieldschema "github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/status"
)

// target is an object that the command writes.
type target struct {
	object   check.Object
	kind     discovery.Type
	path     apipath.Path
	schema   *fieldschema.Schema // nil: not known
	live     map[string]any      // nil: it doesn't exist
	manifest *source.Document    // nil: the command names the object
}

// targets are the objects that the command writes.
func (p *predictor) targets(ctx context.Context) ([]target, error) {
	which, err := p.files()
	if err != nil {
		return nil, err
	}
	if which.FromFiles() {
		return p.fromFiles(ctx, which)
	}
	args, _ := p.write.split()
	if len(args) == 0 {
		return nil, Unpredicted("The command names no object.")
	}
	which = ask.Which{Selector: p.write.Flags.Get("selector"), AllNamespaces: p.write.Flags.Has("all-namespaces")}
	var all []target
	err = p.cluster.Objects(ctx, which, nil, args, func(o object.Object) error {
		if len(all) > most {
			return nil
		}
		t, err := p.target(ctx, check.Object{APIVersion: o.APIVersion(), Kind: o.Kind(), Namespace: o.Meta("namespace"), Name: o.Meta("name")}, o.Fields)
		all = append(all, t)
		return err
	})
	if err != nil && (len(all) > 0 || !apierrors.IsNotFound(err)) {
		return nil, err
	}
	return all, nil
}

// files are the manifests that the command names, with absolute paths.
func (p *predictor) files() (ask.Which, error) {
	var which ask.Which
	place := func(name string) (string, error) {
		switch {
		case name == "-", path.IsAbs(name):
			return name, nil
		case strings.Contains(name, "://"), strings.HasPrefix(name, "github.com/"):
			return "", Unpredicted("The command reads a manifest from a URL, and Fieldmark reads no URLs.")
		case p.write.Folder == "":
			return "", Unpredicted("Fieldmark can’t tell in which folder the command runs.")
		}
		return path.Join(p.write.Folder, name), nil
	}
	for _, name := range p.write.Flags["filename"] {
		at, err := place(name)
		if err != nil {
			return which, err
		}
		which.Files.Filenames = append(which.Files.Filenames, at)
	}
	if folder := p.write.Flags.Get("kustomize"); folder != "" {
		at, err := place(folder)
		if err != nil {
			return which, err
		}
		which.Files.Kustomize = at
	}
	which.Files.Recursive = p.write.Flags.Has("recursive")
	return which, nil
}

// fromFiles are the objects of manifests, as they are in the cluster.
func (p *predictor) fromFiles(ctx context.Context, which ask.Which) ([]target, error) {
	input := p.write.Input
	for _, name := range which.Files.Filenames {
		if name == "-" && input == nil {
			return nil, Unpredicted("The standard input of the command is known only when it runs.")
		}
	}
	namespace, only, err := p.cluster.Namespace()
	if err != nil {
		return nil, err
	}
	var all []target
	err = which.Manifests(ctx, input, func(m ask.Manifest) error {
		if err := m.Problem(); err != nil {
			return err
		}
		for i := range m.Documents {
			if len(all) > most {
				return nil
			}
			t, err := p.fromManifest(ctx, check.Document{Source: m.Documents[i], Namespace: namespace, Only: only})
			if err != nil {
				return err
			}
			all = append(all, t)
		}
		return nil
	})
	return all, err
}

func (p *predictor) fromManifest(ctx context.Context, d check.Document) (target, error) {
	kind, err := p.cluster.Type(schema.FromAPIVersionAndKind(d.Source.APIVersion, d.Source.Kind))
	if err != nil {
		return target{}, fmt.Errorf("%s: %w", d.Source.Kind, err)
	}
	d.Clustered = !kind.Namespaced
	if d.Source.Name == "" {
		return target{object: d.Object()}, nil // the API server chooses a new name
	}
	t, err := p.target(ctx, d.Object(), nil)
	t.manifest = &d.Source
	return t, err
}

// target finds the type, the path, the schema and, if it isn't known yet, the live object.
func (p *predictor) target(ctx context.Context, o check.Object, live map[string]any) (target, error) {
	kind := schema.FromAPIVersionAndKind(o.APIVersion, o.Kind)
	of, err := p.cluster.Type(kind)
	if err != nil {
		return target{}, err
	}
	t := target{object: o, kind: of, live: live, path: apipath.Object(of.Group, of.Version, o.Namespace, of.Resource, o.Name)}
	if s, found, err := p.cluster.Schema(kind); err == nil && found {
		t.schema = &s
	}
	if live != nil {
		return t, nil
	}
	response, err := p.requests.Ask(ctx, check.Ask{Method: kuberequest.Get, Path: t.path})
	switch {
	case err != nil:
		return target{}, err
	case response.No != nil && response.No.Is(status.NotFound):
	case response.No != nil:
		return target{}, Unpredicted("The API server refuses to read " + nameOf(o) + ": " + response.No.Message)
	default:
		t.live = response.Object
	}
	return t, nil
}
