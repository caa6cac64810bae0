package read

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/fieldmark/fieldmark/kube/column"
	"github.com/fieldmark/fieldmark/kube/table"
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

// valuesBytes bounds the response with the objects of a first screen.
const valuesBytes = 16 << 20

// readValues reads the first objects of the list for the columns that the reader has added, in the version of the table. The browser reads the others
// as they come into sight. If that fails, the page has the table without these values, and says why.
func (v making) readValues(m *collection.Model) {
	n := m.Sight()
	if n == 0 {
		return
	}
	query := m.Query.Request()
	query.Set("limit", strconv.Itoa(n))
	if m.Query.Continue == "" && m.Table.ResourceVersion != "" {
		query.Set("resourceVersion", m.Table.ResourceVersion)
		query.Set("resourceVersionMatch", "Exact")
	}
	reader := m.Reader()
	answer, err := v.Client().Do(v.Context(), api.Request{Path: visit.WithQuery(v.Path, query), Accept: collection.Accept(reader, true), MaxBytes: valuesBytes})
	m.Cost.Requests = 1
	var list column.List
	if err == nil {
		m.Cost.Bytes = int64(len(answer.Body))
		list, err = reader.List(answer.Body)
	}
	if err != nil {
		_, notice := visit.Explain(err)
		m.Unread = "Your columns aren’t complete: " + notice.Title + "."
		return
	}
	m.Cost.Objects = len(list.All)
	m.Values = slices.DeleteFunc(list.All, func(one column.Read) bool {
		return !slices.ContainsFunc(m.Table.Rows, func(r table.Row) bool { return r.UID == one.UID })
	})
}
