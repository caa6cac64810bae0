package scenario

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
)

const (
	// writers is how many requests are sent at the same time: enough that the API
	// server never waits for the next one.
	writers             = 32
	listLimit           = 2000
	serviceAccountLimit = 30 * time.Second
	runLimit            = 5 * time.Minute
	pollInterval        = 50 * time.Millisecond
)

func poll(ctx context.Context, limit time.Duration, condition wait.ConditionWithContextFunc) error {
	return wait.PollUntilContextTimeout(ctx, pollInterval, limit, true, condition)
}

// fillName is the name of an object of a fill. Lists have the names in the order of their numbers.
func fillName(part string, number int) string { return fmt.Sprintf("%s-%05d", part, number) }

// fill creates and deletes objects until exactly the numbers 1 to count exist.
func (r *runner) fill(ctx context.Context, i int, fault Fault) error {
	fill := fault.Fill
	if err := r.ensureNamespace(ctx, fill.Namespace); err != nil {
		return err
	}
	objects := r.made(fault.Name, fill.Namespace, fill.Kind, fill.Running)
	present, err := r.names(ctx, objects)
	if err != nil {
		return err
	}
	missing, surplus := difference(fault.Name, fill.Count, present)
	var count atomic.Int64
	count.Store(int64(len(present)))
	tell := func(change int64) {
		now := count.Add(change)
		r.updateFault(i, func(s *FaultStatus) {
			s.Present, s.Message = int(now), fmt.Sprintf("%d of %d exist", now, fill.Count)
		})
	}
	tell(0)
	if err := removeAll(ctx, objects, surplus, tell); err != nil {
		return err
	}
	if len(fill.Managers) > 0 {
		return r.copyAll(ctx, objects, fault, missing, tell)
	}
	if err := createAll(ctx, objects, fault.Name, missing, tell); err != nil || !fill.Running {
		return err
	}
	r.updateFault(i, func(s *FaultStatus) { s.Message = "waiting for the nodes to run them" })
	return r.allRun(ctx, objects)
}

// allRun waits until the simulated nodes run every pod.
func (r *runner) allRun(ctx context.Context, objects made) error {
	return poll(ctx, runLimit, func(ctx context.Context) (bool, error) {
		list, err := r.metadata.Resource(resourceOf(PodKind)).Namespace(objects.namespace).List(ctx, metav1.ListOptions{
			LabelSelector: objects.selector(), FieldSelector: "status.phase!=Running", Limit: 1,
		})
		return err == nil && len(list.Items) == 0, nil
	})
}

// names returns the names of the objects that exist.
func (r *runner) names(ctx context.Context, objects made) (map[string]bool, error) {
	names := map[string]bool{}
	options := metav1.ListOptions{LabelSelector: objects.selector(), Limit: listLimit}
	for {
		page, err := r.metadata.Resource(resourceOf(objects.kind)).Namespace(objects.namespace).List(ctx, options)
		if err != nil {
			return nil, err
		}
		for i := range page.Items {
			names[page.Items[i].Name] = true
		}
		if options.Continue = page.Continue; options.Continue == "" {
			return names, nil
		}
	}
}

// difference returns the numbers that are missing and the names that are too many.
func difference(part string, count int, present map[string]bool) (missing []int, surplus []string) {
	wanted := make(map[string]bool, count)
	for number := 1; number <= count; number++ {
		name := fillName(part, number)
		wanted[name] = true
		if !present[name] {
			missing = append(missing, number)
		}
	}
	for name := range present {
		if !wanted[name] {
			surplus = append(surplus, name)
		}
	}
	return missing, surplus
}

func createAll(ctx context.Context, objects made, part string, numbers []int, tell func(int64)) error {
	return inParallel(ctx, numbers, func(ctx context.Context, number int) error {
		err := objects.create(ctx, fillName(part, number), number)
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
		tell(1)
		return nil
	})
}

func removeAll(ctx context.Context, objects made, names []string, tell func(int64)) error {
	return inParallel(ctx, names, func(ctx context.Context, name string) error {
		err := objects.remove(ctx, name)
		if err != nil && !apierrors.IsNotFound(err) {
			return err
		}
		tell(-1)
		return nil
	})
}

func inParallel[T any](ctx context.Context, items []T, do func(context.Context, T) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(writers)
	for _, item := range items {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error { return do(ctx, item) })
	}
	return group.Wait()
}
