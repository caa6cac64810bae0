package nodes

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

const (
	// statusWriters is how many requests are sent at the same time.
	statusWriters = 4
	// writeAgain is how long to wait after a write of a status failed.
	writeAgain = 500 * time.Millisecond
)

// containers lets containers end and start again, as turn says.
type containers struct {
	client kubernetes.Interface
	pods   cache.Store
	queue  workqueue.TypedDelayingInterface[string]
	log    *slog.Logger
}

// turnContainers watches all pods until the context ends.
func turnContainers(ctx context.Context, client kubernetes.Interface, log *slog.Logger) error {
	informer := informers.NewSharedInformerFactory(client, 0).Core().V1().Pods().Informer()
	c := &containers{client: client, pods: informer.GetStore(), queue: workqueue.NewTypedDelayingQueue[string](), log: log}
	if err := informer.SetTransform(withoutManagers); err != nil {
		return fmt.Errorf("watching the containers: %w", err)
	}
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    c.queuePod,
		UpdateFunc: func(_, object any) { c.queuePod(object) },
	})
	if err != nil {
		return fmt.Errorf("watching the containers: %w", err)
	}
	defer context.AfterFunc(ctx, c.queue.ShutDown)()
	for range statusWriters {
		go c.work(ctx)
	}
	informer.RunWithContext(ctx)
	return nil
}

// withoutManagers saves the memory of what nobody here reads.
func withoutManagers(object any) (any, error) {
	if pod, ok := object.(*corev1.Pod); ok {
		pod.ManagedFields = nil
	}
	return object, nil
}

// queuePod queues a pod for the time when it has its next status.
func (c *containers) queuePod(object any) {
	pod, ok := object.(*corev1.Pod)
	if !ok {
		return
	}
	now := time.Now()
	if status, due := turn(pod, now); status != nil {
		c.queue.AddAfter(pod.Namespace+"/"+pod.Name, due.Sub(now))
	}
}

func (c *containers) work(ctx context.Context) {
	for {
		key, ended := c.queue.Get()
		if ended {
			return
		}
		c.play(ctx, key)
		c.queue.Done(key)
	}
}

// play writes the next status of a pod, if it is due.
func (c *containers) play(ctx context.Context, key string) {
	object, exists, err := c.pods.GetByKey(key)
	if err != nil || !exists {
		return
	}
	pod, ok := object.(*corev1.Pod)
	if !ok {
		return
	}
	now := time.Now()
	status, due := turn(pod, now)
	switch {
	case status == nil:
		return
	case due.After(now):
		c.queue.AddAfter(key, due.Sub(now))
		return
	}
	pod = pod.DeepCopy()
	pod.Status = *status
	// An older version is refused; the newer one is looked at when the watch tells about it.
	_, err = c.client.CoreV1().Pods(pod.Namespace).UpdateStatus(ctx, pod, metav1.UpdateOptions{})
	if err != nil && ctx.Err() == nil && !apierrors.IsNotFound(err) {
		c.log.Debug("writing the status of a pod failed, and is tried again", "pod", key, "error", err)
		c.queue.AddAfter(key, writeAgain)
	}
}
