package scenario

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/client-go/kubernetes/scheme"
)

const (
	// copiesAtOnce is how many copies one transaction stores. etcd allows 128 operations.
	copiesAtOnce = 100
	// keysOfManager is how many keys of the data each manager of a copied object owns.
	keysOfManager = 4
)

// copyAll stores objects with several managers directly. Each would be several requests to the API server otherwise. All are copies of
// the first one, which the managers write through the API server. So their managedFields are what a server makes of these writes.
func (r *runner) copyAll(ctx context.Context, objects made, fault Fault, numbers []int, tell func(int64)) error {
	if len(numbers) == 0 {
		return nil
	}
	first := fillName(fault.Name, numbers[0])
	original, err := objects.writtenBy(ctx, fault.Fill.Managers, first, numbers[0])
	if err != nil {
		_ = objects.remove(ctx, first) // otherwise the next try would count it, and some managers would be missing
		return err
	}
	tell(1)
	store, err := r.host.OpenStore()
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	batches := slices.Collect(slices.Chunk(numbers[1:], copiesAtOnce))
	err = inParallel(ctx, batches, func(ctx context.Context, batch []int) error {
		values := make(map[string]string, len(batch))
		for _, number := range batch {
			name := fillName(fault.Name, number)
			value, err := encodeCopy(original, name, number)
			if err != nil {
				return err
			}
			values["/registry/configmaps/"+objects.namespace+"/"+name] = value
		}
		if err := store.Add(ctx, values); err != nil {
			return err
		}
		tell(int64(len(batch)))
		return nil
	})
	if err != nil {
		return err
	}
	// The API server must be able to read what it hasn't written.
	_, err = objects.client.CoreV1().ConfigMaps(objects.namespace).Get(ctx, fillName(fault.Name, numbers[len(numbers)-1]), metav1.GetOptions{})
	return err
}

// writtenBy makes a ConfigMap to which each of the managers writes. The first one applies it, and the others add keys of their own.
func (m made) writtenBy(ctx context.Context, managers []string, name string, number int) (*corev1.ConfigMap, error) {
	maps := m.client.CoreV1().ConfigMaps(m.namespace)
	var written *corev1.ConfigMap
	for i, manager := range managers {
		data := map[string]string{}
		for k := range keysOfManager {
			data[fmt.Sprintf("%s-%d", partOf(manager), k+1)] = "a value of some length, as a setting may have it"
		}
		change := map[string]any{"data": data}
		as := types.MergePatchType
		if i == 0 {
			data["number"] = strconv.Itoa(number)
			change["apiVersion"], change["kind"], change["metadata"] = "v1", ConfigMapKind, map[string]any{"name": name, "labels": m.labels}
			as = types.ApplyPatchType
		}
		patch, err := json.Marshal(change)
		if err != nil {
			return nil, err
		}
		if written, err = maps.Patch(ctx, name, as, patch, metav1.PatchOptions{FieldManager: manager}); err != nil {
			return nil, fmt.Errorf("as %s: %w", manager, err)
		}
	}
	return written, nil
}

// partOf is a manager's name as a part of a key of data, which allows fewer characters.
func partOf(manager string) string {
	key := []byte(manager)
	for i, c := range key {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			key[i] = '-'
		}
	}
	return string(key)
}

// encodeCopy encodes an object with another name as the API server stores it.
func encodeCopy(original *corev1.ConfigMap, name string, number int) (string, error) {
	one := original.DeepCopy()
	one.Name, one.UID, one.ResourceVersion = name, uuid.NewUUID(), ""
	one.Data["number"] = strconv.Itoa(number)
	stored, known := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	if !known {
		return "", fmt.Errorf("no encoder of %s", runtime.ContentTypeProtobuf)
	}
	value, err := runtime.Encode(scheme.Codecs.EncoderForVersion(stored.Serializer, corev1.SchemeGroupVersion), one)
	return string(value), err
}
