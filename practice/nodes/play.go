package nodes

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/utils/clock"
	"sigs.k8s.io/kwok/pkg/apis/internalversion"
	"sigs.k8s.io/kwok/pkg/config"
	"sigs.k8s.io/kwok/pkg/kwok/controllers"
)

//go:embed stages/*.yaml
var stageFiles embed.FS

const (
	podParallelism  = 16
	nodeParallelism = 4
	leaseSeconds    = 40
	podCIDR         = "10.244.0.0/16"
	// holder is the holder of the nodes' leases. It is the same after a restart: with another name, the process would have to wait
	// until the leases expire.
	holder = "simulated-kubelets"
)

// play runs kwok's controllers: they renew the nodes' leases and lead pods and
// nodes from stage to stage.
func play(ctx context.Context, restConfig *rest.Config, client kubernetes.Interface) error {
	stages, err := loadStages()
	if err != nil {
		return err
	}
	dynamicClient, err := dynamic.NewForConfig(restConfig)
	if err != nil {
		return err
	}
	controller, err := controllers.NewController(controllers.Config{
		Clock:                     clock.RealClock{},
		DynamicClient:             dynamicClient,
		RESTClient:                client.Discovery().RESTClient(),
		RESTMapper:                restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client.Discovery())),
		TypedClient:               client,
		ManageAllNodes:            true,
		CIDR:                      podCIDR,
		LocalStages:               stages,
		PodPlayStageParallelism:   podParallelism,
		NodePlayStageParallelism:  nodeParallelism,
		NodeLeaseParallelism:      nodeParallelism,
		PodsOnNodeSyncParallelism: nodeParallelism,
		NodeLeaseDurationSeconds:  leaseSeconds,
		ID:                        holder,
	})
	if err != nil {
		return fmt.Errorf("making the controller of the nodes: %w", err)
	}
	if err := controller.Start(ctx); err != nil {
		return fmt.Errorf("starting the controller of the nodes: %w", err)
	}
	<-ctx.Done()
	return nil
}

// loadStages reads the embedded stages, by the kind that each is for.
func loadStages() (map[internalversion.StageResourceRef][]*internalversion.Stage, error) {
	names, err := fs.Glob(stageFiles, "stages/*.yaml")
	if err != nil {
		return nil, fmt.Errorf("finding the stages: %w", err)
	}
	stages := map[internalversion.StageResourceRef][]*internalversion.Stage{}
	for _, name := range names {
		data, err := stageFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		stage, err := config.UnmarshalWithType[*internalversion.Stage](data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		stages[stage.Spec.ResourceRef] = append(stages[stage.Spec.ResourceRef], stage)
	}
	return stages, nil
}
