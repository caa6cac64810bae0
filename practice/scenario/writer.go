package scenario

import (
	"context"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// write writes one value of a ConfigMap as a service account, whether or not the value is there already. If the account may not do it, the
// actor tells so, and tries again at its next turn.
func (r *runner) write(ctx context.Context, i int, w Writer) error {
	if err := r.ensureNamespace(ctx, w.Namespace); err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(w.identity(r.config))
	if err != nil {
		return fmt.Errorf("making the client of the service account: %w", err)
	}
	patch, err := json.Marshal(map[string]any{"data": map[string]string{w.Key: w.Value}})
	if err != nil {
		return fmt.Errorf("writing the patch: %w", err)
	}
	accounts := r.typed.CoreV1().ServiceAccounts(w.Namespace)
	return r.repeat(ctx, i, everySeconds(w.EverySeconds), func(ctx context.Context, _ int64) (act, error) {
		// The actor has no token. A token of an account that was deleted isn't valid any more, so the actor stops, too.
		if _, err := accounts.Get(ctx, w.ServiceAccount, metav1.GetOptions{}); err != nil {
			return nothing, patient(err)
		}
		_, err := client.CoreV1().ConfigMaps(w.Namespace).Patch(ctx, w.Name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: w.Manager})
		return change, patient(err)
	})
}

// identity is the configuration with which requests have the rights of the service account, and no others.
func (w Writer) identity(config *rest.Config) *rest.Config {
	config = rest.CopyConfig(config)
	config.UserAgent = w.Manager
	config.Impersonate = rest.ImpersonationConfig{
		UserName: "system:serviceaccount:" + w.Namespace + ":" + w.ServiceAccount,
		Groups:   []string{"system:serviceaccounts", "system:serviceaccounts:" + w.Namespace, "system:authenticated"},
	}
	return config
}
