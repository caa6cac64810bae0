package pages

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/web/read/collection"
)

// declared are the columns that the definition of a custom resource has for the version of the path. They are nil if the type is no custom
// resource, or if its definition can't be read at once: the page doesn't wait for it.
func (v *visit) declared() []collection.Column {
	if !definable(v.path.Group) {
		return nil
	}
	ctx, cancel := context.WithTimeout(v.context(), lacksPatience)
	defer cancel()
	answer, err := v.client.Do(ctx, api.Request{Path: definitionOf(v.path.Resource, v.path.Group).String(), MaxBytes: maxObject})
	if err != nil {
		return nil
	}
	var definition struct {
		Spec struct {
			Versions []struct {
				Name    string              `json:"name"`
				Columns []collection.Column `json:"additionalPrinterColumns"`
			} `json:"versions"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(answer.Body, &definition); err != nil {
		return nil
	}
	for _, version := range definition.Spec.Versions {
		if version.Name == v.path.Version {
			return version.Columns
		}
	}
	return nil
}

// definable tells whether a CustomResourceDefinition may define types of the group.
func definable(group string) bool {
	return strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io")
}

func definitionOf(resource, group string) apipath.Path {
	return apipath.Object("apiextensions.k8s.io", "v1", "", "customresourcedefinitions", resource+"."+group)
}
