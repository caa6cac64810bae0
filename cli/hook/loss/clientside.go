package loss

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"github.com/fieldmark/fieldmark/kube/assist"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/patch"
	fieldschema "github.com/fieldmark/fieldmark/kube/schema"
)

// clientSide is a client-side apply: a patch that kubectl computes from the manifest before, the manifest now, and the live object.
func (p *predictor) clientSide(t target) (*request, error) {
	before, now, live, err := p.three(t)
	if err != nil {
		return nil, err
	}
	contentType := patch.MergeType
	var body []byte
	switch {
	case !discovery.BuiltIn(t.kind.Group):
		body, err = jsonmergepatch.CreateThreeWayJSONMergePatch(before, now, live)
	case t.schema == nil:
		return nil, Unpredicted("The schema of " + t.object.Kind + " can’t be read.")
	default:
		contentType = patch.StrategicType
		body, err = strategicpatch.CreateThreeWayMergePatch(before, now, live, keys{schema: *t.schema}, true)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("computing the patch of %s: %w", nameOf(t.object), err)
	case string(body) == "{}":
		return nil, nil
	}
	return p.update(t, "kubectl-client-side-apply", "PATCH", contentType, body), nil
}

// three are the manifest of the last apply, the manifest with an annotation that has it, and the live object.
func (p *predictor) three(t target) (before, now, live []byte, err error) {
	fields := t.manifest.Fields()
	metadata, _ := fields["metadata"].(map[string]any)
	if metadata == nil {
		return nil, nil, nil, errors.New("the manifest has no metadata")
	}
	if t.object.Namespace != "" {
		metadata["namespace"] = t.object.Namespace
	}
	notes, _ := metadata["annotations"].(map[string]any)
	if notes == nil {
		notes = map[string]any{}
		metadata["annotations"] = notes
	}
	delete(notes, assist.LastApplied)
	own, err := json.Marshal(fields)
	if err != nil {
		return nil, nil, nil, err
	}
	notes[assist.LastApplied] = string(own) + "\n"
	if now, err = json.Marshal(fields); err != nil {
		return nil, nil, nil, err
	}
	if live, err = json.Marshal(t.live); err != nil {
		return nil, nil, nil, err
	}
	there, _ := t.live["metadata"].(map[string]any)
	is, _ := there["annotations"].(map[string]any)
	if text, has := is[assist.LastApplied].(string); has {
		before = []byte(text)
	}
	return before, now, live, nil
}

// keys tells how strategic merge patches treat the fields of a schema.
type keys struct {
	schema fieldschema.Schema
	path   fieldschema.Path
}

func (k keys) at(name string) (keys, strategicpatch.PatchMeta, error) {
	below := keys{k.schema, k.path.To(name)}
	f, found := k.schema.Field(below.path)
	if !found {
		return keys{}, strategicpatch.PatchMeta{}, fmt.Errorf("the schema has no field %s", below.path)
	}
	var m strategicpatch.PatchMeta
	m.SetPatchMergeKey(f.Patch.Key)
	if f.Patch.Strategy != "" {
		m.SetPatchStrategies(strings.Split(f.Patch.Strategy, ","))
	}
	return below, m, nil
}

// LookupPatchMetadataForStruct is for a field with fields.
func (k keys) LookupPatchMetadataForStruct(name string) (strategicpatch.LookupPatchMeta, strategicpatch.PatchMeta, error) {
	below, m, err := k.at(name)
	return below, m, err
}

// LookupPatchMetadataForSlice is for a list, and returns how its items are treated.
func (k keys) LookupPatchMetadataForSlice(name string) (strategicpatch.LookupPatchMeta, strategicpatch.PatchMeta, error) {
	below, m, err := k.at(name)
	below.path = below.path.To(fieldschema.Each)
	return below, m, err
}

// Name is the path of the field.
func (k keys) Name() string { return k.path.String() }
