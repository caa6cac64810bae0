package content

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

const (
	runningInterval = 100 * time.Millisecond
	runningLimit    = 2 * time.Minute
)

// Running waits until every workload of the cluster runs as it should and
// every job has done its work.
func Running(ctx context.Context, config *rest.Config) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	var last error
	err = wait.PollUntilContextTimeout(ctx, runningInterval, runningLimit, true, func(ctx context.Context) (bool, error) {
		last = unfinished(ctx, client)
		return last == nil, nil
	})
	if wait.Interrupted(err) && ctx.Err() == nil {
		return fmt.Errorf("the starter content does not run: %w", last)
	}
	return err
}

// unfinished names one thing that does not run yet, if there is one.
func unfinished(ctx context.Context, client kubernetes.Interface) error {
	for _, look := range []func(context.Context, kubernetes.Interface) error{
		deployments, statefulSets, daemonSets, jobs,
	} {
		if err := look(ctx, client); err != nil {
			return err
		}
	}
	return nil
}

func deployments(ctx context.Context, client kubernetes.Interface) error {
	list, err := client.AppsV1().Deployments(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for i := range list.Items {
		d := &list.Items[i]
		if !available(d) {
			return fmt.Errorf("deployment %s/%s: %d of %d available", d.Namespace, d.Name, d.Status.AvailableReplicas, *d.Spec.Replicas)
		}
	}
	return nil
}

// available tells whether all replicas are available and have the latest template.
func available(d *appsv1.Deployment) bool {
	wanted := *d.Spec.Replicas
	return d.Status.ObservedGeneration >= d.Generation &&
		d.Status.AvailableReplicas == wanted && d.Status.UpdatedReplicas == wanted && d.Status.Replicas == wanted
}

func statefulSets(ctx context.Context, client kubernetes.Interface) error {
	list, err := client.AppsV1().StatefulSets(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for i := range list.Items {
		if s := &list.Items[i]; s.Status.AvailableReplicas != *s.Spec.Replicas {
			return fmt.Errorf("statefulset %s/%s: %d of %d available", s.Namespace, s.Name, s.Status.AvailableReplicas, *s.Spec.Replicas)
		}
	}
	return nil
}

func daemonSets(ctx context.Context, client kubernetes.Interface) error {
	list, err := client.AppsV1().DaemonSets(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for i := range list.Items {
		s := &list.Items[i].Status
		if s.DesiredNumberScheduled == 0 || s.NumberAvailable != s.DesiredNumberScheduled {
			return fmt.Errorf("daemonset %s: %d of %d available", list.Items[i].Name, s.NumberAvailable, s.DesiredNumberScheduled)
		}
	}
	return nil
}

func jobs(ctx context.Context, client kubernetes.Interface) error {
	list, err := client.BatchV1().Jobs(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for i := range list.Items {
		if !complete(&list.Items[i]) {
			return fmt.Errorf("job %s/%s is not complete", list.Items[i].Namespace, list.Items[i].Name)
		}
	}
	return nil
}

func complete(job *batchv1.Job) bool {
	for _, condition := range job.Status.Conditions {
		if condition.Type == batchv1.JobComplete && condition.Status == "True" {
			return true
		}
	}
	return false
}
