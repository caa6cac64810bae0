// Package content creates the starter content of a new practice cluster: a small shop, written by several managers, so that there is
// something to look at and every field has a history.
package content

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

//go:embed objects
var files embed.FS

// How a file is written to the API server.
const (
	create         = "create"          // POST
	clientApply    = "client-apply"    // POST with kubectl's last-applied annotation
	apply          = "apply"           // server-side apply
	patch          = "patch"           // JSON merge patch
	strategicPatch = "strategic-patch" // strategic merge patch
)

// step is one file: an object or a part of one, its field manager, and how it is written.
type step struct {
	file        string
	by          string
	how         string
	subresource string
	object      *unstructured.Unstructured
}

// steps reads the embedded files in the order in which they are written: by
// folder, then by name.
func steps() ([]step, error) {
	var all []step
	err := fs.WalkDir(files, "objects", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := files.ReadFile(path)
		if err != nil {
			return err
		}
		s, err := parse(path, data)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, s)
		return nil
	})
	return all, err
}

// parse reads a file: comments at its head that say by whom and how it is
// written, and one object.
func parse(path string, data []byte) (step, error) {
	s := step{file: path}
	for line := range strings.Lines(string(data)) {
		comment, ok := strings.CutPrefix(line, "# ")
		if !ok {
			break
		}
		switch key, value, _ := strings.Cut(strings.TrimSpace(comment), ": "); key {
		case "by":
			s.by = value
		case "how":
			s.how = value
		case "subresource":
			s.subresource = value
		}
	}
	switch s.how {
	case create, clientApply, apply, patch, strategicPatch:
	default:
		return s, fmt.Errorf("how: %q is not a way to write", s.how)
	}
	if s.by == "" {
		return s, errors.New("the field manager is missing")
	}
	raw := map[string]any{}
	if err := yaml.Unmarshal(data, &raw); err != nil {
		return s, fmt.Errorf("reading the YAML: %w", err)
	}
	s.object = &unstructured.Unstructured{Object: raw}
	return s, nil
}

// body is what is sent.
func (s step) body() ([]byte, error) {
	switch s.how {
	case clientApply:
		return s.withLastApplied()
	case patch, strategicPatch:
		return json.Marshal(onlyChanges(s.object.Object))
	}
	return json.Marshal(s.object)
}

// withLastApplied adds the annotation in which `kubectl apply` keeps what was
// applied. kubectl's form of it ends in a newline.
func (s step) withLastApplied() ([]byte, error) {
	var applied bytes.Buffer
	if err := json.NewEncoder(&applied).Encode(s.object); err != nil {
		return nil, err
	}
	object := s.object.DeepCopy()
	annotations := object.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[corev1.LastAppliedConfigAnnotation] = applied.String()
	object.SetAnnotations(annotations)
	return json.Marshal(object)
}

// onlyChanges removes the fields that only identify the object of a patch.
func onlyChanges(object map[string]any) map[string]any {
	changes := map[string]any{}
	for key, value := range object {
		if key != "apiVersion" && key != "kind" && key != "metadata" {
			changes[key] = value
		}
	}
	return changes
}
