package aggregated

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	apidiscoveryv2 "k8s.io/api/apidiscovery/v2"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	aggregator "k8s.io/kube-aggregator/pkg/client/clientset_generated/clientset"

	"github.com/fieldmark/fieldmark/practice/pki"
)

const (
	manager   = "fieldmark-practice"
	available = 30 * time.Second
)

// Register tells the API server where this server is, and returns when it
// passes requests on and lists the types of all groups.
func (s *Server) Register(ctx context.Context, config *rest.Config, ca []byte) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	services, err := aggregator.NewForConfig(config)
	if err != nil {
		return err
	}
	var last error
	err = wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, available, true, func(ctx context.Context) (bool, error) {
		last = s.introduce(ctx, client, services, ca)
		return last == nil, nil
	})
	if err == nil {
		err = wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, available, true, func(ctx context.Context) (bool, error) {
			last = listed(ctx, client, s.apis)
			return last == nil, nil
		})
	}
	if wait.Interrupted(err) && ctx.Err() == nil {
		return fmt.Errorf("the API server does not serve the aggregated APIs: %w", last)
	}
	return err
}

// introduce creates a Service and an APIService for each group. It fails as long as the API
// server has not created its own namespaces.
func (s *Server) introduce(ctx context.Context, client kubernetes.Interface, services aggregator.Interface, ca []byte) error {
	force := metav1.PatchOptions{FieldManager: manager, Force: new(true)}
	for _, api := range s.apis {
		_, err := client.CoreV1().Services(pki.AggregatedNamespace).Patch(ctx, api.Service, types.ApplyPatchType, encoded(service(api)), force)
		if err != nil {
			return fmt.Errorf("service %s: %w", api.Service, err)
		}
		registration := apiService(api, s.port, ca)
		_, err = services.ApiregistrationV1().APIServices().Patch(ctx, registration.Name, types.ApplyPatchType, encoded(registration), force)
		if err != nil {
			return fmt.Errorf("APIService %s: %w", registration.Name, err)
		}
	}
	return nil
}

// service is where the API server looks. Endpoints can't have a loopback
// address, and cluster IPs don't work here; but a Service can have an external
// name.
func service(api API) corev1.Service {
	return corev1.Service{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
		ObjectMeta: metav1.ObjectMeta{Name: api.Service, Namespace: pki.AggregatedNamespace},
		Spec:       corev1.ServiceSpec{Type: corev1.ServiceTypeExternalName, ExternalName: "127.0.0.1"},
	}
}

func apiService(api API, port int, ca []byte) apiregistrationv1.APIService {
	return apiregistrationv1.APIService{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apiregistration.k8s.io/v1", Kind: "APIService"},
		ObjectMeta: metav1.ObjectMeta{Name: api.Version + "." + api.Group},
		Spec: apiregistrationv1.APIServiceSpec{
			Group: api.Group, Version: api.Version, GroupPriorityMinimum: 100, VersionPriority: 100, CABundle: ca,
			Service: &apiregistrationv1.ServiceReference{
				Namespace: pki.AggregatedNamespace, Name: api.Service, Port: new(int32(port)),
			},
		},
	}
}

func encoded(object any) []byte {
	text, err := json.Marshal(object)
	if err != nil { // these objects hold nothing that JSON can't
		panic(err)
	}
	return text
}

// listed says why the groups can't be used yet.
func listed(ctx context.Context, client kubernetes.Interface, apis []API) error {
	const form = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
	body, err := client.Discovery().RESTClient().Get().AbsPath("/apis").SetHeader("Accept", form).DoRaw(ctx)
	if err != nil {
		return err
	}
	var groups apidiscoveryv2.APIGroupDiscoveryList
	if err := json.Unmarshal(body, &groups); err != nil {
		return fmt.Errorf("reading the list of groups: %w", err)
	}
	for _, api := range apis {
		if err := api.listed(groups.Items); err != nil {
			return err
		}
	}
	return nil
}

func (a API) listed(groups []apidiscoveryv2.APIGroupDiscovery) error {
	for _, g := range groups {
		if g.Name != a.Group {
			continue
		}
		if v := g.Versions[0]; v.Freshness == apidiscoveryv2.DiscoveryFreshnessCurrent && len(v.Resources) == a.Types {
			return nil
		}
		return fmt.Errorf("the API server does not know the types of %s yet", a.Group)
	}
	return fmt.Errorf("the API server does not list %s yet", a.Group)
}

// MayHold returns a function that returns an error if a namespace of the cluster accepts no new objects.
func MayHold(client kubernetes.Interface) func(ctx context.Context, namespace string) error {
	return func(ctx context.Context, name string) error {
		namespace, err := client.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if namespace.DeletionTimestamp != nil {
			return apierrors.NewForbidden(readings.group(), "", fmt.Errorf("namespace %s is being deleted", name))
		}
		return nil
	}
}
