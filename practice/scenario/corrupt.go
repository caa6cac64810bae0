package scenario

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// SecretKind is a kind that can be corrupted; the others are ConfigMapKind.
const SecretKind = "Secret"

// corruptLimit is how long to wait. The API server reads the store, so it notices at once.
const corruptLimit = 30 * time.Second

// resource is the resource type of what is corrupted, in the core group.
func (c Corrupt) resource() string { return strings.ToLower(c.Kind) + "s" }

// key is the key of the object in etcd.
func (c Corrupt) key() string { return "/registry/" + c.resource() + "/" + c.Namespace + "/" + c.Name }

// corrupt makes an object unreadable in the store, and tests that the API server can't read it.
func (r *runner) corrupt(ctx context.Context, corrupt Corrupt) error {
	if err := r.ensureVictim(ctx, corrupt); err != nil {
		return err
	}
	store, err := r.host.OpenStore()
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	if err := store.Corrupt(ctx, r.scenario.Name, corrupt.key()); err != nil {
		return err
	}
	err = poll(ctx, corruptLimit, func(ctx context.Context) (bool, error) {
		return unreadable(r.readObject(ctx, corrupt)), nil
	})
	if err != nil {
		return fmt.Errorf("%s %s can still be read: %w", corrupt.Kind, corrupt.Name, err)
	}
	return nil
}

// ensureVictim makes sure that the object to corrupt exists. It uses an existing one, or creates one.
func (r *runner) ensureVictim(ctx context.Context, corrupt Corrupt) error {
	err := r.readObject(ctx, corrupt)
	if err == nil || unreadable(err) {
		return nil
	}
	if !apierrors.IsNotFound(err) {
		return err
	}
	if err := r.ensureNamespace(ctx, corrupt.Namespace); err != nil {
		return err
	}
	options := metav1.CreateOptions{FieldManager: Manager}
	named := metav1.ObjectMeta{Name: corrupt.Name, Labels: map[string]string{NameLabel: r.scenario.Name}}
	if corrupt.Kind == SecretKind {
		_, err = r.typed.CoreV1().Secrets(corrupt.Namespace).Create(ctx, &corev1.Secret{ObjectMeta: named}, options)
	} else {
		_, err = r.typed.CoreV1().ConfigMaps(corrupt.Namespace).Create(ctx, &corev1.ConfigMap{ObjectMeta: named}, options)
	}
	return err
}

// readObject reads the object from the store.
func (r *runner) readObject(ctx context.Context, corrupt Corrupt) error {
	resource := corev1.SchemeGroupVersion.WithResource(corrupt.resource())
	_, err := r.metadata.Resource(resource).Namespace(corrupt.Namespace).Get(ctx, corrupt.Name, metav1.GetOptions{})
	return err
}

// unreadable tells whether the API server can't read an object that exists. The text and the reason of this error have changed from release to release, and its
// status code hasn't.
func unreadable(err error) bool {
	status := apierrors.APIStatus(nil)
	return errors.As(err, &status) && status.Status().Code == http.StatusInternalServerError
}

// discardCorrupt removes the objects that this Scenario made unreadable from the store. The API server can't do that, because it
// reads what it deletes. While they exist, objects of their kind can't be listed or watched.
func (r *runner) discardCorrupt(ctx context.Context) error {
	store, err := r.host.OpenStore()
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	return store.Discard(ctx, r.scenario.Name)
}
