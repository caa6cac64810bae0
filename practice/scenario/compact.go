package scenario

import (
	"context"
	"fmt"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// expiryLimit is how long to wait. A watch cache that is kept checks every
// fifteen seconds whether the store was compacted.
const expiryLimit = time.Minute

// compact makes the response to requests for older versions 410, and tests it.
func (r *runner) compact(ctx context.Context, i int, compact Compact) error {
	r.cluster.Lock()
	defer r.cluster.Unlock()
	before, err := r.rememberVersion(ctx)
	if err != nil {
		return err
	}
	revision, err := r.host.Compact(ctx)
	if err != nil {
		return err
	}
	r.updateFault(i, func(s *FaultStatus) { s.ResourceVersion = strconv.FormatInt(revision, 10) })
	if compact.WatchCache == ForgetWatchCache {
		if err := r.takeDown(ctx, 0); err != nil {
			return err
		}
	}
	err = poll(ctx, expiryLimit, func(ctx context.Context) (bool, error) {
		return r.listExpired(ctx, before.Continue), nil
	})
	if err != nil {
		return fmt.Errorf("a continue token from before the compaction still works: %w", err)
	}
	if compact.WatchCache == ForgetWatchCache && !r.watchExpired(ctx, before.ResourceVersion) {
		return fmt.Errorf("a watch from before the compaction still works")
	}
	return nil
}

// rememberVersion returns a version and a continue token of now. There are
// always several ConfigMaps: each namespace has one.
func (r *runner) rememberVersion(ctx context.Context) (metav1.ListMeta, error) {
	list, err := r.typed.CoreV1().ConfigMaps(metav1.NamespaceAll).List(ctx, metav1.ListOptions{Limit: 1})
	if err != nil {
		return metav1.ListMeta{}, err
	}
	return list.ListMeta, nil
}

func (r *runner) listExpired(ctx context.Context, token string) bool {
	_, err := r.typed.CoreV1().ConfigMaps(metav1.NamespaceAll).List(ctx, metav1.ListOptions{Limit: 1, Continue: token})
	return apierrors.IsResourceExpired(err) || apierrors.IsGone(err)
}

// watchExpired says whether a watch from that version is refused, by the status
// code of the response or by an error as its first event.
func (r *runner) watchExpired(ctx context.Context, version string) bool {
	seconds := int64(5)
	stream, err := r.typed.CoreV1().ConfigMaps(metav1.NamespaceAll).Watch(ctx, metav1.ListOptions{
		ResourceVersion: version, TimeoutSeconds: &seconds,
	})
	if err != nil {
		return apierrors.IsResourceExpired(err) || apierrors.IsGone(err)
	}
	defer stream.Stop()
	first := <-stream.ResultChan()
	return first.Type == watch.Error
}
