package ask

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/rest"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/status"
)

// ErrUnserved says that no API server of the cluster serves a type.
var ErrUnserved = errors.New("the cluster doesn't serve this type")

// UnreadError says that nobody knows whether the cluster serves a type, because its API group couldn't be read.
type UnreadError struct {
	Of schema.GroupVersion
	By error
}

// how is the way in which the group couldn't be read.
func (e *UnreadError) how() discovery.How {
	code := 0
	var answer apierrors.APIStatus
	if errors.As(e.By, &answer) {
		code = int(answer.Status().Code)
	}
	late, is := errors.AsType[net.Error](e.By)
	return discovery.HowOf(code, is && late.Timeout() || errors.Is(e.By, context.DeadlineExceeded))
}

// Error says what happened, and what to do.
func (e *UnreadError) Error() string {
	f := discovery.Failure{Group: e.Of.Group, Version: e.Of.Version, How: e.how(), Why: oneLine(e.By)}
	text := strings.TrimSuffix(f.Title(), ".") + " (" + f.Why + ")"
	if name := f.APIService(); name != "" && f.How != discovery.Forbidden {
		text += "; see kubectl get apiservice " + name
	}
	return strings.ToLower(text[:1]) + text[1:]
}

func (e *UnreadError) Unwrap() error { return e.By }

// Type finds a type by discovery, with its verbs if discovery says them. The error is ErrUnserved if the cluster doesn't serve the type. If discovery
// fails for the first type, all later calls return the same error and make no request.
func (c *Cluster) Type(of schema.GroupVersionKind) (discovery.Type, error) {
	mapper, err := c.flags.ToRESTMapper()
	if err != nil {
		return discovery.Type{}, fmt.Errorf("listing the types of the cluster: %w", err)
	}
	c.first.Do(func() {
		if _, err := mapper.RESTMapping(of.GroupKind(), of.Version); err != nil && !meta.IsNoMatchError(err) {
			c.dead = fmt.Errorf("listing the types of the cluster: %s", oneLine(err))
		}
	})
	if c.dead != nil {
		return discovery.Type{}, c.dead
	}
	m, err := mapper.RESTMapping(of.GroupKind(), of.Version)
	switch {
	case meta.IsNoMatchError(err):
		return discovery.Type{}, c.served(of.GroupVersion())
	case err != nil:
		return discovery.Type{}, fmt.Errorf("listing the types of the cluster: %s", oneLine(err))
	}
	return discovery.Type{
		Group: m.Resource.Group, Version: m.Resource.Version, Resource: m.Resource.Resource, Kind: of.Kind,
		Namespaced: m.Scope.Name() == meta.RESTScopeNameNamespace, Verbs: c.verbsOf(m.Resource),
	}, nil
}

// Kinds are the kinds that the cluster serves in a version of a group; nil if it serves none, or if they can't be listed.
func (c *Cluster) Kinds(of schema.GroupVersion) (kinds []string) {
	catalog, err := c.Catalog()
	if err != nil {
		return nil
	}
	g, _ := catalog.Group(of.Group)
	v, _ := g.Version(of.Version)
	for _, t := range v.Types {
		kinds = append(kinds, t.Kind)
	}
	return kinds
}

// verbsOf are the verbs of a type; nil if discovery doesn't say.
func (c *Cluster) verbsOf(of schema.GroupVersionResource) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	verbs, known := c.verbs[of]
	if known {
		return verbs
	}
	if client, err := c.flags.ToDiscoveryClient(); err == nil {
		if types, err := client.ServerResourcesForGroupVersion(of.GroupVersion().String()); err == nil {
			if i := slices.IndexFunc(types.APIResources, func(r metav1.APIResource) bool { return r.Name == of.Resource }); i >= 0 {
				verbs = types.APIResources[i].Verbs
			}
		}
	}
	c.verbs[of] = verbs
	return verbs
}

// served tells why discovery doesn't have a type: the cluster doesn't serve the type, or nobody knows.
func (c *Cluster) served(of schema.GroupVersion) error {
	c.mu.Lock()
	once := c.missing[of]
	if once == nil {
		once = sync.OnceValue(func() error {
			client, err := c.flags.ToDiscoveryClient()
			if err != nil {
				return fmt.Errorf("reading the kubeconfig: %w", err)
			}
			if _, err := client.ServerResourcesForGroupVersion(of.String()); err != nil && !apierrors.IsNotFound(err) && !errors.Is(err, memory.ErrCacheNotFound) {
				return &UnreadError{of, err}
			}
			return ErrUnserved
		})
		c.missing[of] = once
	}
	c.mu.Unlock()
	return once()
}

// oneLine is an error in one line, without the request's URL. So the errors of several documents are equal, and are reported once.
func oneLine(err error) string {
	if asked, is := errors.AsType[*url.Error](err); is {
		err = asked.Err
	}
	return strings.ReplaceAll(err.Error(), "\n", " ")
}

// Namespace is the namespace of objects that name none. only tells that the user named it with an option, so kubectl refuses manifests with
// another one.
func (c *Cluster) Namespace() (namespace string, only bool, err error) {
	namespace, only, err = c.flags.ToRawKubeConfigLoader().Namespace()
	if err != nil {
		return "", false, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	return namespace, only, nil
}

// Requests sends requests about single objects.
type Requests struct{ client *rest.RESTClient }

// Requests prepares a client. Callers limit how many requests they send at the same time.
func (c *Cluster) Requests() (*Requests, error) {
	if err := c.reachable(); err != nil {
		return nil, err
	}
	config, err := c.flags.ToRESTConfig()
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	config = rest.CopyConfig(config)
	config.QPS = -1 // no limit here: the API server limits requests itself
	config.WarningHandlerWithContext = rest.NoWarnings{}
	config.ContentConfig = resource.UnstructuredPlusDefaultContentConfig()
	client, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("preparing the connection: %w", err)
	}
	return &Requests{client: client}, nil
}

// errPath says that a request wasn't sent, because client-go would change its path into another one.
var errPath = errors.New("no request was sent, because the name has a slash or another character with a meaning in paths; correct the name")

// single tells whether the path of a target is unambiguous, so that client-go sends it unchanged.
func single(target string) bool {
	path, _, _ := strings.Cut(target, "?")
	_, err := apipath.Parse(path)
	return err == nil
}

// Ask sends a request of a check: a GET, or a dry run. Nothing is stored.
func (r *Requests) Ask(ctx context.Context, a check.Ask) (check.Response, error) {
	if !single(a.Target()) {
		return check.Response{}, errPath
	}
	request := r.client.Verb(a.Method).RequestURI(a.Target())
	if a.ContentType != "" {
		request = request.SetHeader("Content-Type", a.ContentType).Body(a.Body)
	}
	return answered(request.Do(ctx))
}

// answered reads a result. A refusal is a Response; the error says that there was no response, or that it can't be read.
func answered(result rest.Result) (check.Response, error) {
	var code int
	body, err := result.StatusCode(&code).Raw()
	var answer check.Response
	for _, w := range result.Warnings() {
		answer.Warnings = append(answer.Warnings, status.Warning{Code: w.Code, Agent: w.Agent, Text: w.Text})
	}
	switch {
	case code == 0 && err != nil:
		return check.Response{}, fmt.Errorf("no response from the API server: %s", oneLine(err))
	case code >= http.StatusBadRequest:
		no := status.Parse(code, body)
		answer.No = &no
		return answer, nil
	}
	o, err := object.Parse(body)
	if err != nil {
		return check.Response{}, fmt.Errorf("reading the response: %w", err)
	}
	answer.Object = o.Fields
	return answer, nil
}
