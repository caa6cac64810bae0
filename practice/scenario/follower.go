package scenario

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// ordersOnly selects the objects that a follower follows.
const ordersOnly = "kind=order"

// follow keeps a state of the orders in a namespace. The version to continue from is read again each time, so that people can change it while
// the actor runs. What the actor does is what a simple client does: it takes the version as it is, and never checks it.
func (r *runner) follow(ctx context.Context, i int, f Follower) error {
	if err := r.ensureNamespace(ctx, f.Namespace); err != nil {
		return err
	}
	v := &view{client: r.typed.CoreV1().RESTClient(), namespace: f.Namespace, orders: map[string]bool{}}
	defer v.stop()
	return r.repeat(ctx, i, everySeconds(f.EverySeconds), func(turn context.Context, _ int64) (act, error) {
		settings, err := r.settings(turn, f.Namespace, f.Name)
		if err != nil {
			return nothing, err
		}
		version := settings["resourceVersion"]
		if f.Watch {
			v.keepWatching(ctx, turn, version)
		} else {
			_, err := v.list(turn, version)
			v.tell(err)
		}
		if turn.Err() != nil {
			return nothing, turn.Err()
		}
		return r.note(turn, f.Namespace, f.Name+"-state", f.Manager, v.data())
	})
}

// view is what a follower knows.
type view struct {
	client    rest.Interface
	namespace string

	from    string // the version that the open watch continues from, as it was told
	watches bool
	cancel  context.CancelFunc
	done    chan struct{}

	mu     sync.Mutex
	orders map[string]bool
	log    string // the last error; empty: the last attempt succeeded
	ended  bool
}

func (v *view) data() map[string]string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return map[string]string{"orders": strings.Join(slices.Sorted(maps.Keys(v.orders)), ","), "log": v.log}
}

// tell keeps the words of an error.
func (v *view) tell(err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.log = ""
	if err != nil {
		v.log = err.Error()
	}
}

// request reads the orders. It isn't repeated if the server says *later*, because then the actor would wait, and never tell why.
func (v *view) request(options metav1.ListOptions) *rest.Request {
	options.LabelSelector = ordersOnly
	return v.client.Get().Namespace(v.namespace).Resource(resourceOf(ConfigMapKind).Resource).
		VersionedParams(&options, scheme.ParameterCodec).MaxRetries(0)
}

// list takes the orders of a list that isn't older than a version, and returns the version of the list.
func (v *view) list(ctx context.Context, version string) (string, error) {
	var list corev1.ConfigMapList
	if err := v.request(metav1.ListOptions{ResourceVersion: version}).Do(ctx).Into(&list); err != nil {
		return "", err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.orders = map[string]bool{}
	for i := range list.Items {
		v.orders[list.Items[i].Name] = true
	}
	return list.ResourceVersion, nil
}

// keepWatching opens a watch if none is open, or if the version to continue from has changed. The watch lives as long as ctx, and may be opened
// as long as turn lasts.
func (v *view) keepWatching(ctx, turn context.Context, version string) {
	if v.watches && !v.over() && v.from == version {
		return
	}
	v.stop()
	v.from = version
	from := version
	if from == "" {
		var err error
		if from, err = v.list(turn, ""); err != nil {
			v.tell(err)
			return
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	events, err := v.request(metav1.ListOptions{Watch: true, ResourceVersion: from}).Watch(ctx)
	if v.tell(err); err != nil {
		cancel()
		return
	}
	v.watches, v.cancel, v.done = true, cancel, make(chan struct{})
	v.mu.Lock()
	v.ended = false
	v.mu.Unlock()
	go func() {
		defer close(v.done)
		defer events.Stop()
		v.takeAll(ctx, events.ResultChan())
	}()
}

// takeAll takes the events of a watch until it ends. A watch that was stopped ends with an error, which says nothing.
func (v *view) takeAll(ctx context.Context, events <-chan watch.Event) {
	for event := range events {
		if ctx.Err() == nil {
			v.take(event)
		}
	}
	v.mu.Lock()
	v.ended = true
	v.mu.Unlock()
}

func (v *view) take(event watch.Event) {
	if event.Type == watch.Error {
		v.tell(apierrors.FromObject(event.Object))
		return
	}
	order, ok := event.Object.(*corev1.ConfigMap)
	if !ok {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	switch event.Type {
	case watch.Added, watch.Modified:
		v.orders[order.Name] = true
	case watch.Deleted:
		delete(v.orders, order.Name)
	}
}

func (v *view) over() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.ended
}

// stop ends the watch that is open, if there is one.
func (v *view) stop() {
	if !v.watches {
		return
	}
	v.cancel()
	<-v.done
	v.watches = false
}
