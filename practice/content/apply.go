package content

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

const (
	retryInterval = 50 * time.Millisecond
	retryLimit    = 30 * time.Second
)

// Apply writes the starter content. It doesn't change objects that exist.
func Apply(ctx context.Context, config *rest.Config) error {
	all, err := steps()
	if err != nil {
		return err
	}
	w, err := newWriter(config)
	if err != nil {
		return err
	}
	for _, s := range all {
		if err := w.writeStep(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s.file, err)
		}
	}
	return nil
}

// writer sends steps as they are, without a typed client in between, so that
// what arrives at the API server is what the file says.
type writer struct {
	client rest.Interface
	mapper *restmapper.DeferredDiscoveryRESTMapper
}

func newWriter(config *rest.Config) (*writer, error) {
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	return &writer{
		client: client.RESTClient(),
		mapper: restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client)),
	}, nil
}

// writeStep sends one step. It tries again while the cluster is not ready for it:
// a new resource type is not served at once, and the service account of a new
// namespace does not exist at once.
func (w *writer) writeStep(ctx context.Context, s step) error {
	body, err := s.body()
	if err != nil {
		return err
	}
	var last error
	err = wait.PollUntilContextTimeout(ctx, retryInterval, retryLimit, true, func(ctx context.Context) (bool, error) {
		last = w.sendStep(ctx, s, body)
		switch {
		case last == nil || apierrors.IsAlreadyExists(last):
			return true, nil
		case meta.IsNoMatchError(last):
			w.mapper.Reset()
			return false, nil
		case apierrors.IsInvalid(last), apierrors.IsBadRequest(last):
			return false, last
		}
		return false, nil
	})
	if wait.Interrupted(err) {
		return errors.Join(err, last)
	}
	return err
}

func (w *writer) sendStep(ctx context.Context, s step, body []byte) error {
	path, err := w.path(s)
	if err != nil {
		return err
	}
	var request *rest.Request
	switch s.how {
	case apply:
		request = w.client.Patch(types.ApplyPatchType)
	case patch:
		request = w.client.Patch(types.MergePatchType)
	case strategicPatch:
		request = w.client.Patch(types.StrategicMergePatchType)
	default:
		request = w.client.Post().SetHeader("Content-Type", "application/json")
	}
	return request.AbsPath(path...).Param("fieldManager", s.by).Body(body).Do(ctx).Error()
}

// path returns the object's path, or its collection's for what is created.
func (w *writer) path(s step) ([]string, error) {
	kind := s.object.GroupVersionKind()
	mapping, err := w.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return nil, fmt.Errorf("finding the resource of the kind: %w", err)
	}
	path := groupPath(mapping.Resource.GroupVersion())
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		path = append(path, "namespaces", namespaceOf(s))
	}
	path = append(path, mapping.Resource.Resource)
	if s.how == create || s.how == clientApply {
		return path, nil
	}
	path = append(path, s.object.GetName())
	if s.subresource != "" {
		path = append(path, s.subresource)
	}
	return path, nil
}

func groupPath(gv schema.GroupVersion) []string {
	if gv.Group == "" {
		return []string{"/api", gv.Version}
	}
	return []string{"/apis", gv.Group, gv.Version}
}

func namespaceOf(s step) string {
	if namespace := s.object.GetNamespace(); namespace != "" {
		return namespace
	}
	return metav1.NamespaceDefault
}
