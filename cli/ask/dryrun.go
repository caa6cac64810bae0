package ask

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/rest"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/status"
)

// ErrUnserved says that no API server of the cluster serves a type.
var ErrUnserved = errors.New("the cluster doesn't serve this type")

// Target is where the objects of a type are.
type Target struct {
	resource   schema.GroupVersionResource
	Namespaced bool
}

// Target finds a type in the cluster's discovery; the error is ErrUnserved where it isn't there.
func (c *Cluster) Target(of schema.GroupVersionKind) (Target, error) {
	mapper, err := c.flags.ToRESTMapper()
	if err != nil {
		return Target{}, fmt.Errorf("asking which types there are: %w", err)
	}
	m, err := mapper.RESTMapping(of.GroupKind(), of.Version)
	switch {
	case meta.IsNoMatchError(err):
		return Target{}, ErrUnserved
	case err != nil:
		return Target{}, fmt.Errorf("asking which types there are: %w", err)
	}
	return Target{resource: m.Resource, Namespaced: m.Scope.Name() == meta.RESTScopeNameNamespace}, nil
}

func (t Target) path(namespace, name string) string {
	if !t.Namespaced {
		namespace = ""
	}
	return apipath.Object(t.resource.Group, t.resource.Version, namespace, t.resource.Resource, name).String()
}

// Namespace is that of objects which name none.
func (c *Cluster) Namespace() (string, error) {
	namespace, _, err := c.flags.ToRawKubeConfigLoader().Namespace()
	if err != nil {
		return "", fmt.Errorf("reading the kubeconfig: %w", err)
	}
	return namespace, nil
}

// Requests sends requests about single objects.
type Requests struct{ client *rest.RESTClient }

// Requests opens a connection. How many requests are under way at the same time is for its users to bound.
func (c *Cluster) Requests() (*Requests, error) {
	if err := c.reachable(); err != nil {
		return nil, err
	}
	config, err := c.flags.ToRESTConfig()
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	config = rest.CopyConfig(config)
	config.QPS = -1 // the API server has its own rules
	config.WarningHandlerWithContext = rest.NoWarnings{}
	config.ContentConfig = resource.UnstructuredPlusDefaultContentConfig()
	client, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("preparing the connection: %w", err)
	}
	return &Requests{client: client}, nil
}

// Response is what the API server said.
type Response struct {
	Object   map[string]any // numbers as json.Number
	No       *status.Status // the refusal; nil: the server did as asked
	Warnings []status.Warning
}

// Get asks for an object.
func (r *Requests) Get(ctx context.Context, t Target, namespace, name string) (Response, error) {
	return answered(r.client.Get().RequestURI(t.path(namespace, name)).Do(ctx))
}

// DryRun tries an apply: nothing is stored.
func (r *Requests) DryRun(ctx context.Context, t Target, namespace, name, manager string, force bool, manifest []byte) (Response, error) {
	request := r.client.Patch(types.ApplyYAMLPatchType).RequestURI(t.path(namespace, name)).
		Param("dryRun", "All").Param("fieldManager", manager).Param("fieldValidation", "Warn")
	if force {
		request = request.Param("force", "true")
	}
	return answered(request.Body(manifest).Do(ctx))
}

// answered is an error only if the API server gave no answer.
func answered(result rest.Result) (Response, error) {
	var code int
	body, err := result.StatusCode(&code).Raw()
	var answer Response
	for _, w := range result.Warnings() {
		answer.Warnings = append(answer.Warnings, status.Warning{Code: w.Code, Agent: w.Agent, Text: w.Text})
	}
	switch {
	case code == 0 && err != nil:
		return Response{}, fmt.Errorf("asking the API server: %s", strings.ReplaceAll(err.Error(), "\n", " "))
	case code >= http.StatusBadRequest:
		no := status.Parse(code, body)
		answer.No = &no
		return answer, nil
	}
	o, err := object.Parse(body)
	if err != nil {
		return Response{}, fmt.Errorf("reading the answer: %w", err)
	}
	answer.Object = o.Fields
	return answer, nil
}
