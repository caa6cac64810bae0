package scenario

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"
)

//go:embed crd.yaml
var definition []byte

const establishLimit = 30 * time.Second

// Install defines the Scenario resource and waits until it is served.
func Install(ctx context.Context, config *rest.Config) error {
	client, err := apiextensions.NewForConfig(config)
	if err != nil {
		return err
	}
	applied, err := yaml.YAMLToJSON(definition)
	if err != nil {
		return fmt.Errorf("reading the definition of Scenario: %w", err)
	}
	force := true
	definitions := client.ApiextensionsV1().CustomResourceDefinitions()
	var last error
	err = wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, establishLimit, true, func(ctx context.Context) (bool, error) {
		var crd *apiextensionsv1.CustomResourceDefinition
		crd, last = definitions.Patch(ctx, Resource.Resource+"."+Resource.Group, types.ApplyPatchType, applied,
			metav1.PatchOptions{FieldManager: Manager, Force: &force})
		return last == nil && established(crd), nil // the API server may be starting again
	})
	if err != nil {
		return fmt.Errorf("define the Scenario resource: %w", errors.Join(err, last))
	}
	return nil
}

func established(crd *apiextensionsv1.CustomResourceDefinition) bool {
	for _, condition := range crd.Status.Conditions {
		if condition.Type == apiextensionsv1.Established {
			return condition.Status == apiextensionsv1.ConditionTrue
		}
	}
	return false
}
