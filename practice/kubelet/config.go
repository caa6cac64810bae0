package kubelet

import (
	"context"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// values are the entries of ConfigMaps and Secrets.
type values map[string][]byte

// configMap returns the entries of a ConfigMap, or none if it can't be read.
func (k *kubelet) configMap(ctx context.Context, namespace, name string) values {
	object, err := k.client.CoreV1().ConfigMaps(namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil
	}
	v := values(maps.Clone(object.BinaryData))
	if v == nil {
		v = values{}
	}
	for key, text := range object.Data {
		v[key] = []byte(text)
	}
	return v
}

// secret returns the entries of a Secret, or none if it can't be read.
func (k *kubelet) secret(ctx context.Context, namespace, name string) values {
	object, err := k.client.CoreV1().Secrets(namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil
	}
	return object.Data
}

// environment returns the variables of a container, as NAME=value.
func (k *kubelet) environment(ctx context.Context, pod *corev1.Pod, c *corev1.Container) []string {
	env := []string{"HOSTNAME=" + hostname(pod), "KUBERNETES_SERVICE_HOST=10.96.0.1", "KUBERNETES_SERVICE_PORT=443"}
	for _, from := range c.EnvFrom {
		var found values
		switch {
		case from.ConfigMapRef != nil:
			found = k.configMap(ctx, pod.Namespace, from.ConfigMapRef.Name)
		case from.SecretRef != nil:
			found = k.secret(ctx, pod.Namespace, from.SecretRef.Name)
		}
		for _, key := range slices.Sorted(maps.Keys(found)) {
			env = append(env, from.Prefix+key+"="+string(found[key]))
		}
	}
	for _, e := range c.Env {
		env = append(env, e.Name+"="+k.variable(ctx, pod, e))
	}
	return env
}

func (k *kubelet) variable(ctx context.Context, pod *corev1.Pod, e corev1.EnvVar) string {
	from := e.ValueFrom
	switch {
	case from == nil:
		return e.Value
	case from.ConfigMapKeyRef != nil:
		return string(k.configMap(ctx, pod.Namespace, from.ConfigMapKeyRef.Name)[from.ConfigMapKeyRef.Key])
	case from.SecretKeyRef != nil:
		return string(k.secret(ctx, pod.Namespace, from.SecretKeyRef.Name)[from.SecretKeyRef.Key])
	case from.FieldRef != nil:
		return field(pod, from.FieldRef.FieldPath)
	}
	return ""
}

// field returns a field of a pod that a variable can have.
func field(pod *corev1.Pod, path string) string {
	return map[string]string{
		"metadata.name": pod.Name, "metadata.namespace": pod.Namespace, "metadata.uid": string(pod.UID), "spec.nodeName": pod.Spec.NodeName,
		"spec.serviceAccountName": pod.Spec.ServiceAccountName, "status.hostIP": pod.Status.HostIP, "status.podIP": pod.Status.PodIP,
	}[path]
}

// mounts returns the files of a container's volumes, by directory: those of ConfigMaps, Secrets and the service account.
func (k *kubelet) mounts(ctx context.Context, pod *corev1.Pod, c *corev1.Container) map[string]map[string][]byte {
	found := map[string]map[string][]byte{}
	for _, mount := range c.VolumeMounts {
		at := slices.IndexFunc(pod.Spec.Volumes, func(v corev1.Volume) bool { return v.Name == mount.Name })
		if at < 0 || mount.SubPath != "" {
			continue
		}
		switch v := pod.Spec.Volumes[at]; {
		case v.ConfigMap != nil:
			found[mount.MountPath] = items(k.configMap(ctx, pod.Namespace, v.ConfigMap.Name), v.ConfigMap.Items)
		case v.Secret != nil:
			found[mount.MountPath] = items(k.secret(ctx, pod.Namespace, v.Secret.SecretName), v.Secret.Items)
		case v.Projected != nil:
			found[mount.MountPath] = k.projected(ctx, pod, v.Projected)
		}
	}
	return found
}

// projected returns the files of a volume that has several sources. There is a token, but no API server accepts it.
func (k *kubelet) projected(ctx context.Context, pod *corev1.Pod, v *corev1.ProjectedVolumeSource) map[string][]byte {
	files := map[string][]byte{}
	for _, source := range v.Sources {
		switch {
		case source.ConfigMap != nil:
			maps.Copy(files, items(k.configMap(ctx, pod.Namespace, source.ConfigMap.Name), source.ConfigMap.Items))
		case source.Secret != nil:
			maps.Copy(files, items(k.secret(ctx, pod.Namespace, source.Secret.Name), source.Secret.Items))
		case source.ServiceAccountToken != nil:
			files[source.ServiceAccountToken.Path] = fmt.Appendf(nil, "simulated-token-of-%s-%s", pod.Namespace, pod.Spec.ServiceAccountName)
		case source.DownwardAPI != nil:
			for _, item := range source.DownwardAPI.Items {
				if item.FieldRef != nil {
					files[item.Path] = []byte(field(pod, item.FieldRef.FieldPath))
				}
			}
		}
	}
	return files
}

// items returns the entries under the paths that a volume gives them, or all of them.
func items(v values, chosen []corev1.KeyToPath) map[string][]byte {
	if len(chosen) == 0 {
		return v
	}
	files := map[string][]byte{}
	for _, item := range chosen {
		if data, ok := v[item.Key]; ok {
			files[item.Path] = data
		}
	}
	return files
}
