package call

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web"
)

// Fields of the form that opens the apply preview with a manifest. They are also parts of the query of that page.
const (
	FieldManifest    = "manifest"
	FieldManager     = "manager"
	FieldNamespace   = "namespace"
	FieldSubresource = "subresource"
)

// queryEdit is the part of that page's query with the path of an object.
const queryEdit = "edit"

// mostHanded is the length limit, in bytes, of a manifest that another page sends to the apply preview.
const mostHanded = 1 << 20

// Conflict is an apply that the server refused because other managers own some of its fields. It can be opened in the apply preview.
type Conflict struct {
	Cluster                         string // its slug
	Manifest                        string // empty: Missing says why
	Manager, Namespace, Subresource string
	Missing                         string
	path                            string // of the object
}

// Conflict returns the conflict that a call ran into. It returns nil if the call isn't an apply, or was not refused because of a conflict.
func (x Call) Conflict() *Conflict {
	no := x.No()
	if no == nil || !x.Done() || !no.ManagerConflict() {
		return nil
	}
	missing := ""
	if len(x.Body) == 0 {
		missing = "This page no longer has the manifest."
	}
	return conflictOf(x.Cluster, x.Path, x.Method, request.Field(x.Header, "Content-Type"), x.Body, missing)
}

// ConflictIn is Conflict for a recorded request.
func ConflictIn(cluster string, e record.Entry) *Conflict {
	if e.Status != status.CodeConflict || !e.Answer.Cut && !status.Parse(e.Status, e.Answer.Body).ManagerConflict() {
		return nil
	}
	missing := ""
	switch s := e.Request; {
	case s.Withheld != "":
		missing = fmt.Sprintf("The manifest wasn’t recorded: %s.", s.Withheld)
	case s.Cut:
		missing = fmt.Sprintf("The record has only the first %s of the manifest.", components.Bytes(int64(len(s.Body))))
	case s.Redacted:
		missing = "The record leaves out text that looks like a credential, so the manifest isn’t complete."
	}
	return conflictOf(cluster, e.Target(), e.Method, e.Request.Get("Content-Type"), e.Request.Body, missing)
}

func conflictOf(cluster, target, method, mediaType string, body []byte, missing string) *Conflict {
	path, raw, _ := strings.Cut(target, "?")
	p, err := apipath.Parse(path)
	query, wrong := url.ParseQuery(raw)
	if method != request.Patch || !strings.HasPrefix(mediaType, "application/apply-patch+") || err != nil || wrong != nil {
		return nil
	}
	c := &Conflict{Cluster: cluster, Manager: query.Get("fieldManager"), Namespace: p.Namespace, Subresource: p.Subresource, Missing: missing, path: p.String()}
	switch {
	case c.Missing != "":
	case !strings.HasPrefix(mediaType, "application/apply-patch+yaml"):
		c.Missing = "The manifest isn’t text."
	case len(body) > mostHanded:
		c.Missing = fmt.Sprintf("The manifest is longer than %s.", components.Bytes(mostHanded))
	default:
		c.Manifest = string(body)
	}
	return c
}

// action is where the form goes.
func (c Conflict) action() string { return web.Tool(c.Cluster, web.Apply) }

// object is the address of the apply preview with the object.
func (c Conflict) object() string {
	return web.WithQuery(c.action(), url.Values{queryEdit: {c.path}, FieldManager: {c.Manager}})
}
