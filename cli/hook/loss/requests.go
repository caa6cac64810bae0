package loss

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/fieldmark/fieldmark/kube/act"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/patch"
	kuberequest "github.com/fieldmark/fieldmark/kube/request"
)

// request is the request that kubectl would send for an object; nil: it would send none.
func (p *predictor) request(ctx context.Context, t target) (*request, error) {
	switch p.write.Verb {
	case "apply":
		if p.write.Flags.Has("server-side") {
			return p.serverSide(t)
		}
		return p.clientSide(t)
	case "replace":
		body, err := p.body(t)
		return p.update(t, "kubectl-replace", kuberequest.Put, patch.PlainJSON, body), err
	case "patch":
		return p.patch(t)
	case "scale":
		return p.scale(t)
	case "label", "annotate":
		return p.mark(t)
	case "set image":
		return p.image(t)
	case "rollout undo":
		return p.undo(ctx, t)
	case "rollout restart":
		at := map[string]any{"kubectl.kubernetes.io/restartedAt": time.Now().UTC().Format(time.RFC3339)}
		return p.strategic(t, "kubectl-rollout", nested(at, "spec", "template", "metadata", "annotations"))
	case "rollout pause":
		return p.strategic(t, "kubectl-rollout", nested(true, "spec", "paused"))
	case "rollout resume":
		return p.strategic(t, "kubectl-rollout", nested(nil, "spec", "paused"))
	}
	return nil, Unpredicted("Fieldmark can’t predict what kubectl " + p.write.Verb + " does.")
}

// update is a request that updates an object, under kubectl's name for it or the one that the command chooses.
func (p *predictor) update(t target, name, method, contentType string, body []byte) *request {
	name = cmp.Or(p.write.Flags.Get("field-manager"), name)
	sub := ""
	if p.write.Verb == "patch" {
		sub = p.write.Flags.Get("subresource")
	}
	return &request{
		Request: patch.Request{Method: method, ContentType: contentType, Subresource: sub, Query: url.Values{"fieldManager": {name}}, Body: body},
		by:      ownership.Manager{Name: name, Operation: ownership.Update, Subresource: sub, APIVersion: t.object.APIVersion},
	}
}

// patches is an update by a patch.
func (p *predictor) patches(t target, name, contentType string, body any) (*request, error) {
	text, err := json.Marshal(body)
	return p.update(t, name, kuberequest.Patch, contentType, text), err
}

// strategic is a strategic merge patch, which only types of Kubernetes itself support.
func (p *predictor) strategic(t target, name string, body any) (*request, error) {
	if !discovery.BuiltIn(t.kind.Group) {
		return nil, nil // kubectl refuses it
	}
	return p.patches(t, name, patch.StrategicType, body)
}

// serverSide is a server-side apply.
func (p *predictor) serverSide(t target) (*request, error) {
	name := p.write.Flags.Get("field-manager")
	if name == "" || name == "kubectl-client-side-apply" {
		name = "kubectl"
	}
	query := url.Values{"fieldManager": {name}}
	if p.write.Flags.Has("force-conflicts") {
		query.Set("force", "true")
	}
	body, err := t.manifest.JSON()
	return &request{
		Request: patch.Request{Method: kuberequest.Patch, ContentType: patch.ServerSideType, Query: query, Body: body},
		by:      ownership.Manager{Name: name, Operation: ownership.Apply, APIVersion: t.object.APIVersion},
	}, err
}

// body is the manifest, in the namespace of the command. Without a resource version, kubectl puts that of the live object into it.
func (p *predictor) body(t target) ([]byte, error) {
	fields := t.manifest.Fields()
	metadata, _ := fields["metadata"].(map[string]any)
	if metadata == nil {
		return nil, errors.New("the manifest has no metadata")
	}
	if t.object.Namespace != "" {
		metadata["namespace"] = t.object.Namespace
	}
	if metadata["resourceVersion"] == nil {
		metadata["resourceVersion"] = object.Object{Fields: t.live}.Meta("resourceVersion")
	}
	return json.Marshal(fields)
}

func (p *predictor) patch(t target) (*request, error) {
	types := map[string]string{"": patch.StrategicType, "strategic": patch.StrategicType, "merge": patch.MergeType, "json": patch.JSONPatchType}
	contentType, known := types[p.write.Flags.Get("type")]
	text := []byte(p.write.Flags.Get("patch"))
	if name := p.write.Flags.Get("patch-file"); name != "" {
		if !path.IsAbs(name) {
			if p.write.Folder == "" {
				return nil, Unpredicted("Fieldmark can’t tell in which folder the command runs.")
			}
			name = path.Join(p.write.Folder, name)
		}
		var err error
		if text, err = os.ReadFile(name); err != nil {
			return nil, Unpredicted("The file of the patch can’t be read.")
		}
	}
	body, err := yaml.YAMLToJSON(text)
	if !known || err != nil {
		return nil, Unpredicted("The patch can’t be read.")
	}
	return p.update(t, "kubectl-patch", kuberequest.Patch, contentType, body), nil
}

func (p *predictor) scale(t target) (*request, error) {
	n, err := strconv.ParseInt(p.write.Flags.Get("replicas"), 10, 32)
	if err != nil {
		return nil, Unpredicted("The number of replicas can’t be read.")
	}
	if !discovery.BuiltIn(t.kind.Group) {
		return nil, Unpredicted("Fieldmark can’t predict how " + nameOf(t.object) + " is scaled.")
	}
	return p.patches(t, "kubectl", patch.MergeType, nested(n, "spec", "replicas"))
}

// split are the arguments that name objects, and those that say what changes.
func (w Write) split() (names, changes []string) {
	if w.Verb != "label" && w.Verb != "annotate" && w.Verb != "set image" {
		return w.Args, nil
	}
	for i, a := range w.Args {
		if strings.Contains(a, "=") || strings.HasSuffix(a, "-") && i > 0 {
			return w.Args[:i], w.Args[i:]
		}
	}
	return w.Args, nil
}

// mark sets and removes labels or annotations. Without --overwrite, kubectl refuses to change one.
func (p *predictor) mark(t target) (*request, error) {
	field := map[string]string{"label": "labels", "annotate": "annotations"}[p.write.Verb]
	metadata, _ := t.live["metadata"].(map[string]any)
	now, _ := metadata[field].(map[string]any)
	_, changes := p.write.split()
	to := map[string]any{}
	for _, c := range changes {
		key, value, sets := strings.Cut(c, "=")
		if !sets {
			to[strings.TrimSuffix(key, "-")] = nil
			continue
		}
		if was, has := now[key]; has && was != value && !p.write.Flags.Has("overwrite") {
			return nil, nil
		}
		to[key] = value
	}
	return p.patches(t, "kubectl-"+p.write.Verb, patch.MergeType, nested(to, "metadata", field))
}

// image sets images of containers by their names; * means all.
func (p *predictor) image(t target) (*request, error) {
	at := []string{"spec", "template", "spec"}
	switch t.kind.Resource {
	case "pods":
		at = at[:1]
	case "cronjobs":
		at = []string{"spec", "jobTemplate", "spec", "template", "spec"}
	}
	spec := t.live
	for _, name := range at {
		spec, _ = spec[name].(map[string]any)
	}
	_, changes := p.write.split()
	lists := map[string]any{}
	for _, list := range []string{"containers", "initContainers"} {
		var set []any
		items, _ := spec[list].([]any)
		for _, item := range items {
			c, _ := item.(map[string]any)
			for _, change := range changes {
				name, image, _ := strings.Cut(change, "=")
				if name == "*" || name == c["name"] {
					set = append(set, map[string]any{"name": c["name"], "image": image})
				}
			}
		}
		if len(set) > 0 {
			lists[list] = set
		}
	}
	if len(lists) == 0 {
		return nil, nil // kubectl finds no container of that name
	}
	return p.strategic(t, "kubectl-set", nested(lists, at...))
}

// undo is the roll back of the page that acts on objects.
func (p *predictor) undo(ctx context.Context, t target) (*request, error) {
	rollback, is := act.Find(t.kind, "rollback")
	if !is {
		return nil, nil // kubectl refuses it
	}
	s := act.Subject{Type: t.kind, Path: t.path, Object: object.Object{Fields: t.live}, Manager: "kubectl", Now: time.Now(), Schema: t.schema}
	found := act.Found{}
	for _, r := range rollback.Reads(s) {
		body, no := p.requests.Get(ctx, r.Target(), "application/json")
		if no != nil {
			return nil, Unpredicted("The API server refuses to read " + r.What + ": " + no.Message)
		}
		result, err := act.ReadResult(body)
		if err != nil {
			return nil, err
		}
		found[r.Name] = result
	}
	chosen := act.Chosen{}
	if n := p.write.Flags.Get("to-revision"); n != "" && n != "0" {
		chosen["revision"] = n
	}
	plan := rollback.Plan(s, found, chosen)
	if len(plan.Steps) == 0 {
		return nil, Unpredicted("Fieldmark finds no revision to which " + nameOf(t.object) + " can go back. A controller may be about to store one.")
	}
	r := plan.Steps[0].Request
	return &request{r, ownership.Manager{Name: r.Query.Get("fieldManager"), Operation: ownership.Update, APIVersion: t.object.APIVersion}}, nil
}

// nested is a value below a path of fields.
func nested(value any, path ...string) any {
	for i := len(path) - 1; i >= 0; i-- {
		value = map[string]any{path[i]: value}
	}
	return value
}
