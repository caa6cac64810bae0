package scenario

import (
	"context"
	"encoding/base64"
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/fieldmark/fieldmark/practice/pki"
)

// inject renews a certificate authority again and again, and puts its certificate into every webhook of a
// configuration. Like real injectors of certificates, it reads and updates the whole configuration. So its update may
// conflict with that of another client; then it tries again later.
func (r *runner) inject(ctx context.Context, i int, in Injector) error {
	resource := r.dynamic.Resource(webhooksOf(in.Kind))
	if err := r.create(ctx, resource, in.configuration(r.scenario.Name)); err != nil {
		return err
	}
	return r.repeat(ctx, i, everySeconds(in.EverySeconds), func(ctx context.Context, n int64) (act, error) {
		authority, err := pki.NewAuthority(fmt.Sprintf("%s %d", in.Name, n+1))
		if err != nil {
			return nothing, err
		}
		current, err := r.own(ctx, resource, in.Kind, in.Name)
		if err != nil {
			return nothing, err
		}
		if current == nil {
			return creation, r.create(ctx, resource, in.configuration(r.scenario.Name))
		}
		if err := setBundle(current, authority.Pair.Cert); err != nil {
			return nothing, err
		}
		_, err = resource.Update(ctx, current, metav1.UpdateOptions{FieldManager: in.Manager})
		return change, err
	})
}

// configuration has one webhook without a server. It is never called, because its condition is false.
func (in Injector) configuration(scenario string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": admissionregistrationv1.SchemeGroupVersion.String(),
		"kind":       in.Kind,
		"metadata":   map[string]any{"name": in.Name, "labels": map[string]any{NameLabel: scenario}},
		"webhooks": []any{map[string]any{
			"name":                    "never.practice.fieldmark.dev",
			"admissionReviewVersions": []any{"v1"},
			"sideEffects":             "None",
			"failurePolicy":           "Ignore",
			"matchConditions":         []any{map[string]any{"name": "never", "expression": "false"}},
			"clientConfig":            map[string]any{"service": map[string]any{"name": "nobody", "namespace": metav1.NamespaceDefault}},
			"rules": []any{map[string]any{
				"apiGroups": []any{""}, "apiVersions": []any{"v1"}, "resources": []any{"configmaps"}, "operations": []any{"CREATE"},
			}},
		}},
	}}
}

func setBundle(configuration *unstructured.Unstructured, bundle []byte) error {
	webhooks, _, err := unstructured.NestedSlice(configuration.Object, "webhooks")
	if err != nil {
		return fmt.Errorf("reading the webhooks: %w", err)
	}
	for _, webhook := range webhooks {
		fields, _ := webhook.(map[string]any)
		if err := unstructured.SetNestedField(fields, base64.StdEncoding.EncodeToString(bundle), "clientConfig", "caBundle"); err != nil {
			return fmt.Errorf("writing the certificate of a webhook: %w", err)
		}
	}
	if err := unstructured.SetNestedSlice(configuration.Object, webhooks, "webhooks"); err != nil {
		return fmt.Errorf("writing the webhooks: %w", err)
	}
	return nil
}
