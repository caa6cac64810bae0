package request

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/lazy"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// template is a body to start with.
type template struct {
	Name string
	Body string      // empty: it must be requested
	Type string      // its media type; empty: the chosen one
	Live bool        // the body is the live object
	Kind schema.Kind // the body is made from the schema of this kind
}

// templates are the bodies that fit the request.
func (m Model) templates() []template {
	p, ok := m.Draft.Path()
	if !ok || !p.IsResource() || !m.Draft.HasBody() {
		return nil
	}
	t, known := m.Shell.Catalog.Type(p.Group, p.Version, p.Resource)
	switch m.Draft.Method {
	case request.Delete:
		return []template{{Name: "DeleteOptions", Body: deleteOptions, Type: "application/json"}}
	case request.Patch:
		return patches(p, t, known)
	}
	if body := ready(p); body != "" {
		return []template{{Name: kindIn(body), Body: body, Type: "application/json"}}
	}
	var all []template
	if m.Draft.Method == request.Put && !m.Draft.Secret() {
		all = append(all, template{Name: "The live object", Live: true, Type: "application/json"})
	}
	if known && p.Subresource == "" {
		all = append(all, template{Name: t.Kind + ", from its schema", Kind: schema.Kind{Group: t.Group, Version: t.Version, Kind: t.Kind}, Type: "application/json"})
	}
	return all
}

const deleteOptions = `{
  "apiVersion": "v1",
  "kind": "DeleteOptions",
  "propagationPolicy": "Background",
  "preconditions": {"resourceVersion": ""},
  "dryRun": ["All"]
}
`

func patches(p apipath.Path, t discovery.Type, known bool) []template {
	change := `"metadata": {"labels": {"example.com/tried": "yes"}}`
	if p.Subresource == "scale" {
		change = `"spec": {"replicas": 1}`
	}
	all := []template{
		{Name: "merge patch", Type: "application/merge-patch+json", Body: "{\n  " + change + "\n}\n"},
		{Name: "JSON Patch", Type: "application/json-patch+json", Body: "[\n  {\"op\": \"test\", \"path\": \"/metadata/name\", \"value\": " + strconv.Quote(p.Name) + "}\n]\n"},
	}
	kind, groupVersion := t.Kind, t.GroupVersion()
	if s, ok := t.Subresource(p.Subresource); ok {
		kind, groupVersion = s.Kind, discovery.GroupVersion(s.Group, s.Version)
	}
	if known {
		body := "apiVersion: " + groupVersion + "\nkind: " + kind + "\nmetadata:\n  name: " + strconv.Quote(p.Name) + "\n"
		if p.Subresource == "scale" {
			body += "spec:\n  replicas: 1\n"
		} else {
			body += "  labels:\n    example.com/tried: \"yes\"\n"
		}
		all = append([]template{{Name: "apply", Type: "application/apply-patch+yaml", Body: body}}, all...)
	}
	return all
}

// ready is the body for a virtual type, or for a subresource that takes an object of another kind; empty: the path has neither.
func ready(p apipath.Path) string {
	if p.Subresource != "" {
		return strings.NewReplacer("NAMESPACE", p.Namespace, "NAME", p.Name).Replace(subresources.Get()[p.Subresource])
	}
	namespace := p.Namespace
	if namespace == "" {
		namespace = "default"
	}
	return strings.ReplaceAll(virtual.Get()[p.Resource+"."+p.Group], "NAMESPACE", namespace)
}

const attributes = `{
      "namespace": "NAMESPACE",
      "verb": "list",
      "group": "apps",
      "resource": "deployments"
    }`

var virtual = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"subjectaccessreviews.authorization.k8s.io":      review("SubjectAccessReview", `"user": "system:serviceaccount:NAMESPACE:default",`+"\n    "+`"groups": ["system:serviceaccounts", "system:authenticated"],`+"\n    "+`"resourceAttributes": `+attributes),
		"localsubjectaccessreviews.authorization.k8s.io": strings.Replace(review("LocalSubjectAccessReview", `"user": "system:serviceaccount:NAMESPACE:default",`+"\n    "+`"resourceAttributes": `+attributes), `"spec"`, `"metadata": {"namespace": "NAMESPACE"},`+"\n  "+`"spec"`, 1),
		"selfsubjectaccessreviews.authorization.k8s.io":  review("SelfSubjectAccessReview", `"resourceAttributes": `+attributes),
		"selfsubjectrulesreviews.authorization.k8s.io":   review("SelfSubjectRulesReview", `"namespace": "NAMESPACE"`),
		"selfsubjectreviews.authentication.k8s.io":       "{\n  \"apiVersion\": \"authentication.k8s.io/v1\",\n  \"kind\": \"SelfSubjectReview\"\n}\n",
		"tokenreviews.authentication.k8s.io":             "{\n  \"apiVersion\": \"authentication.k8s.io/v1\",\n  \"kind\": \"TokenReview\",\n  \"spec\": {\n    \"token\": \"\"\n  }\n}\n",
		"bindings.":                                      "{\n  \"apiVersion\": \"v1\",\n  \"kind\": \"Binding\",\n  \"metadata\": {\"name\": \"\", \"namespace\": \"NAMESPACE\"},\n  \"target\": {\"apiVersion\": \"v1\", \"kind\": \"Node\", \"name\": \"\"}\n}\n",
	}
}}

func review(kind, spec string) string {
	return "{\n  \"apiVersion\": \"authorization.k8s.io/v1\",\n  \"kind\": \"" + kind + "\",\n  \"spec\": {\n    " + spec + "\n  }\n}\n"
}

var subresources = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"eviction": "{\n  \"apiVersion\": \"policy/v1\",\n  \"kind\": \"Eviction\",\n  \"metadata\": {\"name\": \"NAME\", \"namespace\": \"NAMESPACE\"},\n  \"deleteOptions\": {\"dryRun\": [\"All\"]}\n}\n",
		"token":    "{\n  \"apiVersion\": \"authentication.k8s.io/v1\",\n  \"kind\": \"TokenRequest\",\n  \"spec\": {\n    \"audiences\": [],\n    \"expirationSeconds\": 600\n  }\n}\n",
		"scale":    "{\n  \"apiVersion\": \"autoscaling/v1\",\n  \"kind\": \"Scale\",\n  \"metadata\": {\"name\": \"NAME\", \"namespace\": \"NAMESPACE\"},\n  \"spec\": {\"replicas\": 1}\n}\n",
		"binding":  "{\n  \"apiVersion\": \"v1\",\n  \"kind\": \"Binding\",\n  \"metadata\": {\"name\": \"NAME\", \"namespace\": \"NAMESPACE\"},\n  \"target\": {\"apiVersion\": \"v1\", \"kind\": \"Node\", \"name\": \"\"}\n}\n",
	}
}}

func kindIn(body string) string {
	var head struct{ Kind string }
	_ = json.Unmarshal([]byte(body), &head) // it is ours
	return head.Kind
}

const (
	askSchema = "schema"
	askLive   = "live"
)

// fill puts a template into the editor, or requests its object or schema.
func (m Model) fill(t template) (Model, []page.Cmd) {
	switch {
	case t.Live:
		return m, []page.Cmd{page.Get(askLive, m.Shell.Cluster.Slug, m.Draft.Request().Path, "application/json")}
	case t.Body == "":
		query := url.Values{"group": {t.Kind.Group}, "version": {t.Kind.Version}, "kind": {t.Kind.Kind}}
		m.live.filling = t.Kind
		return m, []page.Cmd{page.Ask{ID: askSchema, Address: web.WithQuery(web.Tool(m.Shell.Cluster.Slug, web.KindSchema), query), Accept: "application/json"}}
	}
	if t.Type != "" {
		m.Draft.ContentType = t.Type
	}
	return m.replaceBody(t.Body)
}

// replaceBody replaces the body.
func (m Model) replaceBody(body string) (Model, []page.Cmd) {
	m.Draft.Body = body
	m.live.settling.Begin()
	return m, []page.Cmd{page.Edit{Field: fieldBody, Text: body}}
}

// fromSchema fills the body with the required fields of the kind's schema.
func (m Model) fromSchema(f page.Response) (Model, []page.Cmd) {
	p, _ := m.Draft.Path()
	kind := m.live.filling
	meta := map[string]any{"name": "example"}
	if p.Name != "" {
		meta["name"] = p.Name
	}
	if p.Namespace != "" {
		meta["namespace"] = p.Namespace
	}
	object := map[string]any{"apiVersion": discovery.GroupVersion(kind.Group, kind.Version), "kind": kind.Kind, "metadata": meta}
	var found schema.Schema
	if f.Status == 200 && string(f.Body) != "null" && json.Unmarshal(f.Body, &found) == nil {
		demanded(found, nil, object)
	}
	text, err := json.MarshalIndent(object, "", "  ")
	if err != nil {
		return m, nil
	}
	return m.replaceBody(string(text) + "\n")
}

// deepest bounds the depth of the fields that are written.
const deepest = 8

// demanded writes the required fields below a path. At the top it writes spec too.
func demanded(s schema.Schema, path schema.Path, into map[string]any) {
	if len(path) > deepest {
		return
	}
	for _, f := range s.Children(path) {
		name := f.Name()
		if _, had := into[name]; had || name == schema.Each || !f.Required && (len(path) > 0 || name != "spec") || name == "status" {
			continue
		}
		into[name] = placeholder(s, f)
	}
}

func placeholder(s schema.Schema, f schema.Field) any {
	if f.Default != "" {
		return json.RawMessage(f.Default)
	}
	if len(f.Enum) > 0 {
		return f.Enum[0]
	}
	inside := map[string]any{}
	if len(s.Children(f.Path)) > 0 || f.Parent || f.Merge.Map {
		if !f.Merge.List {
			demanded(s, f.Path, inside)
			return inside
		}
		demanded(s, f.Path.To(schema.Each), inside)
		return []any{inside}
	}
	switch {
	case f.Merge.List:
		return []any{}
	case strings.HasPrefix(f.Type, "integer"), strings.HasPrefix(f.Type, "number"):
		return 1
	case f.Type == "boolean":
		return false
	case f.Type == "object":
		return inside
	}
	return ""
}

// fromLive fills the body with the live object.
func (m Model) fromLive(f page.Response) (Model, []page.Cmd) {
	var object map[string]any
	d := json.NewDecoder(strings.NewReader(string(f.Body)))
	d.UseNumber()
	if f.Status != 200 || d.Decode(&object) != nil {
		m.live.trouble = "Fieldmark can’t read the object. The status code was " + strconv.Itoa(f.Status) + "."
		return m, nil
	}
	if meta, ok := object["metadata"].(map[string]any); ok {
		delete(meta, "managedFields") // the server writes it
	}
	text, err := json.MarshalIndent(object, "", "  ")
	if err != nil {
		return m, nil
	}
	m.Draft.ContentType = "application/json"
	return m.replaceBody(string(text) + "\n")
}
