package scenario

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// Host is what only the program that runs the cluster can do.
type Host interface {
	// Compact compacts the store at its current revision and returns that.
	Compact(ctx context.Context) (revision int64, err error)
	// RestartAPIServer takes the API server down and returns when it is ready again.
	RestartAPIServer(ctx context.Context, down time.Duration) error
	// OpenStore opens the store directly, without the API server.
	OpenStore() (Store, error)
}

// Store is what the API server keeps objects in.
type Store interface {
	// Rewrite stores the value of a key again, as a new version. It fails if the key doesn't exist, or if another
	// client wrote at the same time.
	Rewrite(ctx context.Context, key string) error
	// Corrupt overwrites the value of a key with unreadable bytes, and records the owner. It fails if the key doesn't
	// exist.
	Corrupt(ctx context.Context, owner, key string) error
	// Add stores several keys at once. It fails, and stores none, if one of them exists.
	Add(ctx context.Context, values map[string]string) error
	// Discard removes the keys that an owner made unreadable. It leaves keys that were written or removed since.
	Discard(ctx context.Context, owner string) error
	Close() error
}

// clients are the ways in which Scenarios reach the cluster.
type clients struct {
	scenarios dynamic.ResourceInterface
	typed     kubernetes.Interface
	metadata  metadata.Interface
	dynamic   dynamic.Interface
	// config is how the typed client reaches the cluster. Clients with other rights are made from it.
	config *rest.Config
}

// controller keeps one runner for each Scenario.
type controller struct {
	clients
	host Host
	log  *slog.Logger
	// cluster serialises what is done to the cluster as a whole.
	cluster sync.Mutex

	mu      sync.Mutex
	runners map[string]*runner
	all     sync.WaitGroup
}

// Run reconciles Scenarios until the context ends. When it returns, all its
// goroutines have ended.
func Run(ctx context.Context, config *rest.Config, host Host, log *slog.Logger) error {
	clients, informer, err := connect(config)
	if err != nil {
		return err
	}
	c := &controller{clients: clients, host: host, log: log, runners: map[string]*runner{}}
	defer c.all.Wait()
	_, err = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { c.observe(ctx, object) },
		UpdateFunc: func(_, object any) { c.observe(ctx, object) },
		DeleteFunc: func(object any) { c.forget(object) },
	})
	if err != nil {
		return fmt.Errorf("watching Scenarios: %w", err)
	}
	informer.RunWithContext(ctx)
	return nil
}

func connect(config *rest.Config) (clients, cache.SharedIndexInformer, error) {
	config = rest.CopyConfig(config)
	config.UserAgent = Manager
	dynamicClient, err := dynamic.NewForConfig(config)
	if err != nil {
		return clients{}, nil, err
	}
	metadataClient, err := metadata.NewForConfig(config)
	if err != nil {
		return clients{}, nil, err
	}
	// Built-in types are much cheaper to send and to read as Protobuf.
	config.ContentType = runtime.ContentTypeProtobuf
	config.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	typed, err := kubernetes.NewForConfig(config)
	if err != nil {
		return clients{}, nil, err
	}
	informer := dynamicinformer.NewFilteredDynamicInformer(dynamicClient, Resource, "", 0, cache.Indexers{}, nil)
	return clients{
		scenarios: dynamicClient.Resource(Resource), typed: typed, metadata: metadataClient, dynamic: dynamicClient,
		config: config,
	}, informer.Informer(), nil
}

// observe starts work on the latest form of a Scenario. Changes of status,
// managers or labels don't make a new form.
func (c *controller) observe(ctx context.Context, object any) {
	scenario, ok := decode(object)
	if !ok {
		c.log.Error("unreadable Scenario", "object", object)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.runners[scenario.Name]
	if before != nil && before.same(scenario) {
		return
	}
	next := newRunner(c, scenario)
	c.runners[scenario.Name] = next
	runCtx, cancel := context.WithCancel(ctx)
	next.cancel = cancel
	c.all.Go(func() {
		defer close(next.done)
		defer cancel()
		if before != nil {
			before.stop()
		}
		next.retryUntilDone(runCtx)
	})
}

func (c *controller) forget(object any) {
	if unknown, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = unknown.Obj
	}
	scenario, ok := decode(object)
	if !ok {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if r := c.runners[scenario.Name]; r != nil && r.scenario.UID == scenario.UID {
		r.cancel()
		delete(c.runners, scenario.Name)
	}
}

func decode(object any) (*Scenario, bool) {
	raw, ok := object.(*unstructured.Unstructured)
	if !ok {
		return nil, false
	}
	var scenario Scenario
	err := runtime.DefaultUnstructuredConverter.FromUnstructured(raw.Object, &scenario)
	return &scenario, err == nil
}

// form identifies a form of a Scenario: its UID, generation and deletion.
type form struct {
	uid        types.UID
	generation int64
	deleting   bool
}

func formOf(s *Scenario) form {
	return form{uid: s.UID, generation: s.Generation, deleting: s.DeletionTimestamp != nil}
}
