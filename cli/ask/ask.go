// Package ask makes the requests of the verbs, as kubectl would: with the user's kubeconfig, its context and its cache.
package ask

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/resource"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/object"
	fieldschema "github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/typed"
)

// Cluster makes requests to one cluster. It requests each schema once. It is safe for concurrent use.
type Cluster struct {
	flags *genericclioptions.ConfigFlags
	ctx   context.Context // client-go makes some requests without one; see Within

	through func(base *url.URL, next http.RoundTripper) http.RoundTripper // nil: requests pass nothing else

	first sync.Once // the first lookup of a type
	dead  error     // why that lookup failed; all later lookups return it

	mu        sync.Mutex
	documents map[schema.GroupVersion]func() (fieldschema.Document, error)
	missing   map[schema.GroupVersion]func() error // why types are not served
	verbs     map[schema.GroupVersionResource][]string
}

// New makes a Cluster from kubectl's flags. It makes no request.
func New(flags *genericclioptions.ConfigFlags) *Cluster {
	c := &Cluster{flags: flags, documents: map[schema.GroupVersion]func() (fieldschema.Document, error){}, missing: map[schema.GroupVersion]func() error{}, verbs: map[schema.GroupVersionResource][]string{}}
	flags.WithWrapConfigFn(c.bound)
	return c
}

// Which says which objects are meant. Its flags are kubectl's.
type Which struct {
	Files         resource.FilenameOptions
	Selector      string
	AllNamespaces bool
	Remote        bool // a kustomization may name files and repositories of other machines
	// Place says where a named file or folder is on this disk; nil: where its name says. Results have the name.
	Place func(name string) string
}

// AddFlags adds -f, -R, -k, -l and -A.
func (w *Which) AddFlags(f *pflag.FlagSet, files string) {
	w.AddFileFlags(f, files)
	f.StringVarP(&w.Selector, "selector", "l", "", "only objects with these labels, as in 'app=web,tier!=test'")
	f.BoolVarP(&w.AllNamespaces, "all-namespaces", "A", false, "objects of all namespaces")
}

// AddFileFlags adds -f, -R and -k.
func (w *Which) AddFileFlags(f *pflag.FlagSet, files string) {
	f.StringSliceVarP(&w.Files.Filenames, "filename", "f", nil, files)
	f.BoolVarP(&w.Files.Recursive, "recursive", "R", false, "also read the subfolders of folders in -f")
	f.StringVarP(&w.Files.Kustomize, "kustomize", "k", "", "a folder with a kustomization")
	f.BoolVar(&w.Remote, "allow-remote", false, "let a kustomization download what it names on other machines; it runs git for that")
}

// FromFiles tells whether objects are read from files, without a cluster.
func (w *Which) FromFiles() bool { return len(w.Files.Filenames) > 0 || w.Files.Kustomize != "" }

// Objects calls take with each object, in kubectl's order, and stops at the first error of take. If an object can't be read, the others still
// are: the result joins all errors. Files have objects that were read before.
func (c *Cluster) Objects(ctx context.Context, w Which, stdin io.Reader, args []string, take func(object.Object) error) error {
	if w.FromFiles() {
		if len(args) > 0 {
			return fmt.Errorf("files can't be combined with names of objects (%s); leave one of them out", strings.Join(args, " "))
		}
		return w.objects(ctx, stdin, take)
	}
	if err := c.reachable(); err != nil {
		return err
	}
	namespace, _, err := c.Namespace()
	if err != nil {
		return err
	}
	return c.withMeant(resource.NewBuilder(c.flags).Unstructured().ContinueOnError().Flatten().
		NamespaceParam(namespace).DefaultNamespace().AllNamespaces(w.AllNamespaces).LabelSelectorParam(w.Selector).
		ResourceTypeOrNameArgs(true, args...).Latest().Do().
		Visit(func(i *resource.Info, err error) error {
			if err != nil {
				return err
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			o, err := parseInfo(i)
			if err != nil {
				return err
			}
			return take(o)
		}))
}

// noType is what the library says about a type that it doesn't know.
var noType = regexp.MustCompile(`^(?:error: )?the server doesn't have a resource type "([^"]+)"$`)

// withMeant adds which type was probably meant, if the cluster doesn't have the type that the user named.
func (c *Cluster) withMeant(err error) error {
	if err == nil {
		return nil
	}
	named := noType.FindStringSubmatch(err.Error())
	if named == nil {
		return err
	}
	catalog, unread := c.Catalog()
	if unread != nil {
		return err
	}
	var names []string
	for _, t := range catalog.Preferred() {
		names = append(names, t.Resource, t.Singular)
	}
	return fmt.Errorf("%w.%s kubectl api-resources lists the types", err, typed.DidYouMean(named[1], names))
}

// configured is the subject of a sentence about the kubeconfig. It names the files if there are several.
func (c *Cluster) configured() string {
	files := c.flags.ToRawKubeConfigLoader().ConfigAccess().GetLoadingPrecedence()
	if len(files) < 2 {
		return "the kubeconfig has"
	}
	return fmt.Sprintf("the kubeconfig (%s) has", strings.Join(files, ", "))
}

// reachable returns an error if the flags and the kubeconfig name no cluster. kubectl would try a default address.
func (c *Cluster) reachable() error {
	config, err := c.flags.ToRawKubeConfigLoader().RawConfig()
	switch {
	case err != nil:
		return fmt.Errorf("reading the kubeconfig: %w", err)
	case *c.flags.Context != "" && config.Contexts[*c.flags.Context] == nil:
		return fmt.Errorf("%s no context %q; it has %s", c.configured(), *c.flags.Context, strings.Join(slices.Sorted(maps.Keys(config.Contexts)), ", "))
	case *c.flags.APIServer == "" && len(config.Clusters) == 0:
		return errors.New("there is no kubeconfig, so the cluster is unknown; name a kubeconfig with --kubeconfig or $KUBECONFIG, or read objects from a file with -f")
	}
	return nil
}

func (w *Which) objects(ctx context.Context, stdin io.Reader, take func(object.Object) error) error {
	var wrong []error
	err := w.Manifests(ctx, stdin, func(m Manifest) error {
		if err := m.problem(m.unnamed); err != nil {
			wrong = append(wrong, err)
			return nil
		}
		wrong = append(wrong, m.Dropped()...)
		for _, d := range m.Documents {
			o, err := objectOf(d)
			if err != nil {
				wrong = append(wrong, fmt.Errorf("%s, line %d: %w", m.File, d.Start.Line, err))
				continue
			}
			if err := take(o); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(append(wrong, err)...)
}

func objectOf(d source.Document) (object.Object, error) {
	text, err := d.JSON()
	if err != nil {
		return object.Object{}, err
	}
	return object.Parse(text)
}

func parseInfo(i *resource.Info) (object.Object, error) {
	var b bytes.Buffer
	if err := unstructured.UnstructuredJSONScheme.Encode(i.Object, &b); err != nil {
		return object.Object{}, fmt.Errorf("reading %s: %w", i.Name, err)
	}
	return object.Parse(b.Bytes())
}

// Schema is the cluster's schema of a kind; found is false if the cluster has none.
func (c *Cluster) Schema(kind schema.GroupVersionKind) (s fieldschema.Schema, found bool, err error) {
	c.mu.Lock()
	once := c.documents[kind.GroupVersion()]
	if once == nil {
		once = sync.OnceValues(func() (fieldschema.Document, error) { return c.document(kind.GroupVersion()) })
		c.documents[kind.GroupVersion()] = once
	}
	c.mu.Unlock()
	d, err := once()
	if err != nil {
		return fieldschema.Schema{}, false, err
	}
	s, found = d.Schema(fieldschema.Kind{Group: kind.Group, Version: kind.Version, Kind: kind.Kind})
	return s, found, nil
}

func (c *Cluster) document(of schema.GroupVersion) (fieldschema.Document, error) {
	discovery, err := c.flags.ToDiscoveryClient()
	if err != nil {
		return fieldschema.Document{}, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	paths, err := discovery.OpenAPIV3().Paths()
	if err != nil {
		return fieldschema.Document{}, fmt.Errorf("listing the schemas of the cluster: %w", err)
	}
	there, ok := paths[strings.TrimPrefix(apipath.DiscoveryOf(of.Group, of.Version).String(), "/")]
	if !ok {
		return fieldschema.Document{}, nil
	}
	text, err := there.Schema("application/json")
	if err != nil {
		return fieldschema.Document{}, fmt.Errorf("reading the schema of %s: %w", of, err)
	}
	return fieldschema.Parse(text)
}
