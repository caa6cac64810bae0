package request

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

// kubectlPatch is the command for a patch: apply for server-side apply; label, annotate or scale if these can write the patch; otherwise
// patch.
func (r Request) kubectlPatch(p apipath.Path) (string, string) {
	media, _, _ := strings.Cut(r.Field("Content-Type"), ";")
	if media == "application/apply-patch+yaml" || media == "application/apply-patch+cbor" {
		return r.kubectlApply(p, media)
	}
	kind := map[string]string{"application/json-patch+json": "json", "application/merge-patch+json": "merge", "application/strategic-merge-patch+json": "strategic"}[media]
	if kind == "" || !pastable(string(r.Body)) || !r.only("fieldManager", "dryRun", "pretty") {
		return "", ""
	}
	if kind != "json" {
		if line, note := r.small(p); line != "" {
			return line, note
		}
	}
	words := append(line(p, "patch"), "--type="+kind)
	if p.Subresource != "" {
		words = append(words, "--subresource="+p.Subresource)
	}
	words = append(append(words, r.writing()...), "-o", "json", "--show-managed-fields", "-p", string(r.Body))
	return command(words...), r.managed("kubectl-patch", "The command reads the object first.")
}

func (r Request) kubectlApply(p apipath.Path, media string) (string, string) {
	if media != "application/apply-patch+yaml" || p.Subresource != "" && p.Subresource != "status" || !r.only("fieldManager", "force", "dryRun", "fieldValidation", "pretty") {
		return "", ""
	}
	words := namespaced([]string{"kubectl", "apply", "--server-side", "-f", "-", "-o", "json", "--show-managed-fields"}, p)
	if p.Subresource != "" {
		words = append(words, "--subresource="+p.Subresource)
	}
	if on(r.Query.Get("force")) {
		words = append(words, "--force-conflicts")
	}
	return fed(command(append(words, r.validating()...)...), r.Body),
		r.managed("kubectl", "The command reads the object first. It also takes over the fields that kubectl owns by client-side apply.")
}

// small returns the command for a patch that has its own: of labels only, of annotations only, or of a scale's replicas.
func (r Request) small(p apipath.Path) (string, string) {
	var body struct {
		Metadata *struct {
			Labels      map[string]*string `json:"labels"`
			Annotations map[string]*string `json:"annotations"`
		} `json:"metadata"`
		Spec *struct {
			Replicas *int64 `json:"replicas"`
		} `json:"spec"`
	}
	strict := json.NewDecoder(bytes.NewReader(r.Body))
	strict.DisallowUnknownFields()
	if strict.Decode(&body) != nil {
		return "", ""
	}
	var words []string
	var as string
	switch {
	case p.Subresource == "scale" && body.Metadata == nil && body.Spec != nil && body.Spec.Replicas != nil:
		return command(append(append(line(p, "scale"), "--replicas="+strconv.FormatInt(*body.Spec.Replicas, 10)), r.dry()...)...),
			"The command uses the field manager kubectl, and reads the object first."
	case p.Kind != apipath.KindObject || body.Spec != nil || body.Metadata == nil:
		return "", ""
	case len(body.Metadata.Labels) > 0 && body.Metadata.Annotations == nil:
		words, as = append(line(p, "label", "--overwrite"), assigned(body.Metadata.Labels)...), "kubectl-label"
	case len(body.Metadata.Annotations) > 0 && body.Metadata.Labels == nil:
		words, as = append(line(p, "annotate", "--overwrite"), assigned(body.Metadata.Annotations)...), "kubectl-annotate"
	default:
		return "", ""
	}
	return command(append(append(words, r.writing()...), "-o", "json", "--show-managed-fields")...), r.managed(as, "The command reads the object first.")
}

func (r Request) dry() []string {
	if r.Query.Get("dryRun") == "All" {
		return []string{"--dry-run=server"}
	}
	return nil
}

// assigned writes keys with their values. A key to remove has a minus after it.
func assigned(values map[string]*string) []string {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if values[key] == nil {
			all = append(all, key+"-")
			continue
		}
		all = append(all, key+"="+*values[key])
	}
	return all
}
