package read

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	objectpage "github.com/fieldmark/fieldmark/web/read/object"
	"github.com/fieldmark/fieldmark/web/read/object/outline"
	"github.com/fieldmark/fieldmark/words"
)

// inform tells the Fields tab what is known of the object's kind, or why nothing is.
func (v making) inform(m *objectpage.Model, about visit.Described) {
	var problem *components.Notice
	if m.Outline, problem = v.schema(*m, about, nil); problem != nil {
		m.Fields.Untold = problem.Title + ". So Fieldmark explains only the fields that all objects have."
	}
}

// unserved are the API versions in which the object's managers own fields, but in which the server doesn't serve the type. The catalog
// may be some seconds old, and a server adds the versions of a new type one after the other. So a fresh catalog decides.
func (v making) unserved(o object.Object, catalog discovery.Catalog) []string {
	missing := v.missing(ownership.Parse(o.Fields).Versions(), catalog)
	if len(missing) == 0 {
		return nil
	}
	group, version := discovery.SplitGroupVersion(missing[0])
	if _, _, err := v.Cluster().Type(v.Context(), v.Client(), group, version, v.Path.Resource); err != nil {
		return nil
	}
	fresh, err := v.Cluster().Catalog(v.Context(), v.Client())
	if err != nil {
		return nil
	}
	return v.missing(missing, fresh)
}

// missing are the API versions in which a catalog doesn't have the type of the page. If the group could not be read, there are
// none.
func (v making) missing(versions []string, catalog discovery.Catalog) []string {
	var all []string
	for _, apiVersion := range versions {
		group, version := discovery.SplitGroupVersion(apiVersion)
		_, has := catalog.Type(group, version, v.Path.Resource)
		_, unread := catalog.Unread(group, "")
		if apiVersion != "" && !has && !unread {
			all = append(all, apiVersion)
		}
	}
	return all
}

// schema is what is known of the object's kind, or why nothing is. A subresource may answer with an object of another
// group; the document of the path describes it all the same.
func (v making) schema(m objectpage.Model, about visit.Described, query url.Values) (*outline.Outline, *components.Notice) {
	kind := schema.Kind{Version: m.Object.APIVersion(), Kind: m.Object.Kind()}
	if group, version, named := strings.Cut(kind.Version, "/"); named {
		kind.Group, kind.Version = group, version
	}
	found, ok := about.Document.Schema(kind)
	text, err := json.Marshal(found)
	switch {
	case about.Err != nil:
		return nil, v.noSchema(about.Err)
	case !ok:
		return nil, &components.Notice{
			Title:  "There is no schema of " + m.Object.Kind(),
			Words:  fmt.Sprintf("The server publishes an OpenAPI document of %s, but the document doesn’t describe the kind %s of %s.", discovery.GroupVersion(v.Path.Group, v.Path.Version), m.Object.Kind(), m.Object.APIVersion()),
			Advice: "Without a schema, Fieldmark and kubectl explain can’t say what the fields mean.",
		}
	case err != nil || len(text) > visit.MaxSchema:
		return nil, &components.Notice{
			Tone: components.Warn, Title: "The schema is too large to show",
			Words: fmt.Sprintf("The schema of %s has %s. A page can have at most %s.", m.Object.Kind(), components.Bytes(int64(len(text))), components.Bytes(visit.MaxSchema)),
		}
	default:
		return outline.New(found, query), nil
	}
}

// noSchema is the notice that says why there is no document.
func (v making) noSchema(err error) *components.Notice {
	_, notice := visit.Explain(err)
	again := components.Link{Text: words.TryAgain, Href: v.Request().URL.RequestURI(), Primary: true}
	var (
		undescribed *cluster.Undescribed
		tooLarge    *api.TooLarge
	)
	switch {
	case errors.As(err, &undescribed):
		if catalog, caught := v.Cluster().Catalog(v.Context(), v.Client()); caught == nil {
			if _, unread := v.Unread(catalog, undescribed.Group, undescribed.Version); unread != nil {
				return unread
			}
		}
		notice = components.Notice{
			Title:  "No schema is published for " + discovery.GroupVersion(undescribed.Group, undescribed.Version),
			Words:  "The API server lists no OpenAPI document of this group version. Aggregated API servers, for example for metrics, often publish none.",
			Advice: "Without a schema, Fieldmark and kubectl explain can’t say what the fields mean.",
			Links:  []components.Link{again},
		}
	case api.Code(err) == http.StatusNotFound:
		notice = components.Lacking(feature.OpenAPI)
	case errors.Is(err, context.DeadlineExceeded):
		notice = components.Notice{
			Tone: components.Busy, Title: "The schema hasn’t arrived yet",
			Words: fmt.Sprintf("The API server didn’t send its OpenAPI document within %s. Fieldmark still waits for the document. Try again in a moment.", v.SchemaPatience()),
			Links: []components.Link{again},
		}
	case errors.As(err, &tooLarge):
		notice.Title, notice.Advice = "The OpenAPI document is too large to read", ""
	}
	return &notice
}
