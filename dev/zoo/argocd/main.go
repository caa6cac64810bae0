// zoo-argocd compares manifests with a cluster and syncs them, by Argo CD's own engine and as Argo CD's controller calls it.
//
// It is a module of its own: the engine needs other versions of Kubernetes' libraries than Helm and Flux do.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/argoproj/gitops-engine/pkg/diff"
	"github.com/argoproj/gitops-engine/pkg/sync"
	"github.com/argoproj/gitops-engine/pkg/sync/common"
	"github.com/argoproj/gitops-engine/pkg/utils/kube"
	"github.com/argoproj/gitops-engine/pkg/utils/tracing"
	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// manager is the field manager of Argo CD.
const manager = "argocd-controller"

func main() {
	kubeconfig := flag.String("kubeconfig", "", "the kubeconfig of the cluster")
	namespace := flag.String("namespace", "default", "the namespace of the application")
	serverSide := flag.Bool("server-side", false, "sync with ServerSideApply=true")
	compare := flag.Bool("diff", false, "only compare")
	flag.Parse()
	if err := compareOrSync(context.Background(), *kubeconfig, *namespace, *serverSide, *compare); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func compareOrSync(ctx context.Context, kubeconfig, namespace string, serverSide, compare bool) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return fmt.Errorf("reading the kubeconfig: %w", err)
	}
	state, err := readState(ctx, config, namespace)
	if err != nil {
		return err
	}
	if compare {
		return printSyncStatus(state)
	}
	return apply(config, state, namespace, serverSide)
}

// readState reads the manifests from the standard input, and the objects that they are about.
func readState(ctx context.Context, config *rest.Config, namespace string) (sync.ReconciliationResult, error) {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return sync.ReconciliationResult{}, fmt.Errorf("reading the manifests: %w", err)
	}
	targets, err := kube.SplitYAML(text)
	if err != nil {
		return sync.ReconciliationResult{}, fmt.Errorf("reading the manifests: %w", err)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return sync.ReconciliationResult{}, err
	}
	types, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return sync.ReconciliationResult{}, err
	}
	state := sync.ReconciliationResult{Target: targets}
	for _, target := range targets {
		target.SetNamespace(namespace)
		kind := target.GroupVersionKind()
		resource, err := kube.ServerResourceForGroupVersionKind(types, kind, "get")
		if err != nil {
			return state, fmt.Errorf("finding the type of %s: %w", kind, err)
		}
		live, err := client.Resource(kind.GroupVersion().WithResource(resource.Name)).Namespace(namespace).Get(ctx, target.GetName(), metav1.GetOptions{})
		switch {
		case apierrors.IsNotFound(err):
			live = nil
		case err != nil:
			return state, err
		}
		state.Live = append(state.Live, live)
	}
	return state, nil
}

// printSyncStatus says whether the objects are as the manifests have them.
func printSyncStatus(state sync.ReconciliationResult) error {
	result, err := diff.DiffArray(state.Target, state.Live, diff.WithLogr(logr.Discard()))
	if err != nil {
		return fmt.Errorf("comparing: %w", err)
	}
	if result.Modified {
		fmt.Println("OutOfSync")
		return nil
	}
	fmt.Println("Synced")
	return nil
}

// apply syncs the objects.
func apply(config *rest.Config, state sync.ReconciliationResult, namespace string, serverSide bool) error {
	kubectl := &kube.KubectlCmd{Log: logr.Discard(), Tracer: tracing.NopTracer{}}
	schema, _, err := kubectl.LoadOpenAPISchema(config)
	if err != nil {
		return fmt.Errorf("reading the cluster's schema: %w", err)
	}
	work, cleanup, err := sync.NewSyncContext("", state, config, config, kubectl, namespace, schema, sync.WithLogr(logr.Discard()),
		sync.WithOperationSettings(false, false, false, true), sync.WithServerSideApply(serverSide), sync.WithServerSideApplyManager(manager))
	if err != nil {
		return fmt.Errorf("preparing the sync: %w", err)
	}
	defer cleanup()
	for range 10 { // a sync has several steps: dry run, apply, health
		work.Sync()
		phase, message, results := work.GetState()
		if !phase.Completed() {
			continue
		}
		return report(phase, message, results)
	}
	return errors.New("the sync did not end")
}

// report says what became of each object.
func report(phase common.OperationPhase, message string, results []common.ResourceSyncResult) error {
	for _, r := range results {
		fmt.Printf("%s: %s\n", r.Status, r.Message)
	}
	if phase != common.OperationSucceeded {
		return fmt.Errorf("%s: %s", phase, message)
	}
	fmt.Printf("%s: %s\n", phase, message)
	return nil
}
