package read

import (
	"context"
	"encoding/json"

	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web/read/collection"
)

// declared are the columns that the definition of a custom resource has for the version of the path. They are nil if the type is no custom
// resource, or if its definition can't be read at once: the page doesn't wait for it.
func (v making) declared() []collection.Column {
	if !visit.Definable(v.Path.Group) {
		return nil
	}
	ctx, cancel := context.WithTimeout(v.Context(), visit.LacksPatience)
	defer cancel()
	answer, err := v.Client().Do(ctx, api.Request{Path: visit.DefinitionOf(v.Path.Resource, v.Path.Group).String(), MaxBytes: visit.MaxObject})
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
		if version.Name == v.Path.Version {
			return version.Columns
		}
	}
	return nil
}
