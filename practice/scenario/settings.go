package scenario

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// settings are the data of a ConfigMap that tells an actor what to do. If it doesn't exist yet, the actor waits for it.
func (r *runner) settings(ctx context.Context, namespace, name string) (map[string]string, error) {
	object, err := r.typed.CoreV1().ConfigMaps(namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, patient(err)
	}
	return object.Data, nil
}

// patient is an error after which an actor goes on at its next turn, even if an object is missing. The actor didn't create that object, so
// it has nothing to create again.
func patient(err error) error {
	if apierrors.IsNotFound(err) {
		return errors.New(err.Error())
	}
	return err
}

// note writes what an actor found out into a ConfigMap, and creates that ConfigMap if it doesn't exist. Equal data change nothing.
func (r *runner) note(ctx context.Context, namespace, name, manager string, data map[string]string) (act, error) {
	objects := r.typed.CoreV1().ConfigMaps(namespace)
	patch, err := json.Marshal(map[string]any{"data": data})
	if err != nil {
		return nothing, fmt.Errorf("writing the data of %s: %w", name, err)
	}
	_, err = objects.Patch(ctx, name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: manager})
	if !apierrors.IsNotFound(err) {
		return change, err
	}
	_, err = objects.Create(ctx, &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{NameLabel: r.scenario.Name}},
		Data:       data,
	}, metav1.CreateOptions{FieldManager: manager})
	return creation, patient(err)
}
