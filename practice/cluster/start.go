package cluster

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"

	"github.com/fieldmark/fieldmark/practice/access"
	"github.com/fieldmark/fieldmark/practice/component"
	"github.com/fieldmark/fieldmark/practice/controlplane"
	"github.com/fieldmark/fieldmark/practice/nodes"
	"github.com/fieldmark/fieldmark/practice/pki"
	"github.com/fieldmark/fieldmark/practice/progress"
)

const (
	pollInterval = 50 * time.Millisecond
	// startLimit is how long to wait for a component that neither works nor ends.
	startLimit = 2 * time.Minute
	// etcdConfig is the name of the file with etcd's configuration.
	etcdConfig = "etcd.json"
)

// until polls a condition. After startLimit it returns an error that says what it
// was waiting for, with the last error of the condition.
func until(ctx context.Context, what string, condition func(context.Context) error) error {
	var last error
	err := wait.PollUntilContextTimeout(ctx, pollInterval, startLimit, true, func(ctx context.Context) (bool, error) {
		last = condition(ctx)
		return last == nil, nil
	})
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return fmt.Errorf("waiting for %s took longer than %s: %w", what, startLimit, last)
}

func (c *Cluster) startEtcd(ctx context.Context) (string, error) {
	var err error
	if c.etcdPort, err = reserve(0); err != nil {
		return "", err
	}
	// Data that is removed at the end need not survive a power cut, so etcd need not wait for the disk.
	sync := !c.folder.Ephemeral()
	ready := func(ctx context.Context) error { return until(ctx, "etcd", c.etcdAnswers) }
	config, err := controlplane.EtcdConfig(c.folder.Path("etcd"), c.etcdPort.port, sync, c.certs)
	if err != nil {
		return "", err
	}
	if err := c.folder.Write(etcdConfig, config); err != nil {
		return "", err
	}
	c.etcd, err = c.keep(ctx, process{
		name: component.Etcd, program: c.release.Program, step: progress.Etcd, ready: ready,
		args: controlplane.EtcdArgs(c.folder.Path(etcdConfig)),
	})
	if err != nil {
		return "", err
	}
	return "etcd responds", ready(ctx)
}

func (c *Cluster) apiServerArgs() []string {
	args := controlplane.APIServerArgs(c.port.port, c.etcdPort.port, c.certs)
	if file := c.options.AuthenticationConfig; file != "" {
		args = append(args, controlplane.Issuers(file))
	}
	return append(args, c.options.APIServerFlags...)
}

func (c *Cluster) startAPIServer(ctx context.Context) (string, error) {
	var err error
	c.apiServer, err = c.keep(ctx, process{
		name: component.APIServer, program: c.release.Program, step: progress.APIServer,
		args:  c.apiServerArgs(),
		needs: func(ctx context.Context) error { return until(ctx, "etcd", c.etcdAnswers) },
		ready: func(ctx context.Context) error { return c.apiServerAnswers(ctx, "/readyz") },
	})
	if err != nil {
		return "", err
	}
	client, err := kubernetes.NewForConfig(c.config("fieldmark-practice"))
	if err != nil {
		return "", err
	}
	if err := until(ctx, "the API server", answers(client, "/livez")); err != nil {
		return "", err
	}
	// From here on the API server can be asked, so the others start while it
	// finishes its own set-up.
	if err := until(ctx, "the API server", func(ctx context.Context) error { return askForSignOfLife(ctx, client) }); err != nil {
		return "", err
	}
	if err := c.startOthers(ctx, client); err != nil {
		return "", err
	}
	if err := until(ctx, "the API server", answers(client, "/readyz")); err != nil {
		return "", err
	}
	if err := c.writeKubeconfig(); err != nil {
		return "", err
	}
	return fmt.Sprintf("Kubernetes %s at %s", c.release.Version, controlplane.Endpoint(c.port.port)), nil
}

func answers(client kubernetes.Interface, path string) func(context.Context) error {
	return func(ctx context.Context) error {
		return client.Discovery().RESTClient().Get().AbsPath(path).Do(ctx).Error()
	}
}

// startOthers starts the components that are clients of the API server.
func (c *Cluster) startOthers(ctx context.Context, client kubernetes.Interface) error {
	for _, other := range []struct {
		process
		cert pki.Certificate
		args func(kubeconfig string) []string
	}{
		{process{name: nodes.Command, step: progress.Nodes, ready: nodesBack(client)}, c.certs.SimulatedNodes, func(kubeconfig string) []string {
			return nodes.Args(kubeconfig, c.certs)
		}},
		{process{name: component.ControllerManager, program: c.release.Program, step: progress.Controllers, ready: controllersBack(client)}, c.certs.ControllerManager, func(kubeconfig string) []string {
			return controlplane.ControllerManagerArgs(kubeconfig, c.certs)
		}},
		{process{name: component.Scheduler, program: c.release.Program, step: progress.Controllers}, c.certs.Scheduler, controlplane.SchedulerArgs},
	} {
		kubeconfig, err := c.componentKubeconfig(other.name, other.cert)
		if err != nil {
			return err
		}
		x := other.process
		x.args = other.args(kubeconfig)
		x.needs = func(ctx context.Context) error { return c.apiServerAnswers(ctx, "/livez") }
		keeper, err := c.keep(ctx, x)
		if err != nil {
			return err
		}
		c.others = append(c.others, keeper)
	}
	return nil
}

// nodesBack waits until all nodes have reported again that they are ready.
func nodesBack(client kubernetes.Interface) func(context.Context) error {
	return func(ctx context.Context) error { return nodesReady(ctx, client, time.Now()) }
}

// controllersBack deletes an object that the controllers create, and waits until they create it again.
func controllersBack(client kubernetes.Interface) func(context.Context) error {
	return func(ctx context.Context) error {
		if err := askForSignOfLife(ctx, client); err != nil {
			return err
		}
		return controllersAtWork(ctx, client)
	}
}

func (c *Cluster) componentKubeconfig(name string, cert pki.Certificate) (string, error) {
	data, err := access.Kubeconfig(controlplane.Endpoint(c.port.port), c.certs.ClusterCA.Cert,
		access.Users{name: cert}, name)
	if err != nil {
		return "", err
	}
	file := "pki/" + name + ".kubeconfig"
	return c.folder.Path(file), c.folder.Write(file, data)
}

// writeKubeconfig writes the kubeconfig of the users.
func (c *Cluster) writeKubeconfig() error {
	data, err := access.Kubeconfig(controlplane.Endpoint(c.port.port), c.certs.ClusterCA.Cert, access.Users{
		c.options.Context: c.certs.Admin, access.Viewer(c.options.Context): c.certs.Viewer,
	}, c.options.Context)
	if err != nil {
		return err
	}
	if err := access.Write(c.folder.Path("kubeconfig"), data); err != nil {
		return err
	}
	if c.options.KubeconfigOut == "" {
		return nil
	}
	return access.Write(c.options.KubeconfigOut, data)
}

func (c *Cluster) kubeconfigPath() string {
	if c.options.KubeconfigOut != "" {
		return c.options.KubeconfigOut
	}
	return c.folder.Path("kubeconfig")
}

// rootCA is a ConfigMap that a controller makes in every namespace.
const rootCA = "kube-root-ca.crt"

// askForSignOfLife deletes an object that only a working controller manager
// creates again: in a kept folder, objects of the last run prove nothing.
func askForSignOfLife(ctx context.Context, client kubernetes.Interface) error {
	err := client.CoreV1().ConfigMaps(corev1.NamespaceNodeLease).Delete(ctx, rootCA, metav1.DeleteOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// controllersAtWork waits for objects that only the controllers create.
func controllersAtWork(ctx context.Context, client kubernetes.Interface) error {
	return until(ctx, "controllers", func(ctx context.Context) error {
		_, err := client.CoreV1().ServiceAccounts(metav1.NamespaceDefault).Get(ctx, "default", metav1.GetOptions{})
		if err != nil {
			return err
		}
		_, err = client.CoreV1().ConfigMaps(corev1.NamespaceNodeLease).Get(ctx, rootCA, metav1.GetOptions{})
		return err
	})
}

// nodesReady waits until all nodes have reported since then that they are ready.
func nodesReady(ctx context.Context, client kubernetes.Interface, since time.Time) error {
	return until(ctx, "simulated nodes", func(ctx context.Context) error {
		list, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		ready := 0
		for i := range list.Items {
			if usable(&list.Items[i], since) {
				ready++
			}
		}
		if ready < nodes.Count {
			return fmt.Errorf("%d of %d are ready", ready, nodes.Count)
		}
		return nil
	})
}

// usable tells whether a node accepts pods and has reported since then that it is ready.
func usable(node *corev1.Node, since time.Time) bool {
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady {
			said := !condition.LastHeartbeatTime.Time.Before(since.Truncate(time.Second))
			return said && condition.Status == corev1.ConditionTrue && len(node.Spec.Taints) == 0
		}
	}
	return false
}
