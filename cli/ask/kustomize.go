package ask

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// built is what kustomize builds from a kustomization.
type built struct {
	text  []byte
	parts []part // in order
}

// part is an object in the text.
type part struct {
	line int    // its first line, from 1
	from string // the file that it comes from; empty if kustomize doesn't say
}

// fromAt is the file from which the text at a line comes; empty if it isn't known.
func (b built) fromAt(line int) string {
	at, found := slices.BinarySearchFunc(b.parts, line, func(p part, line int) int { return cmp.Compare(p.line, line) })
	if !found {
		at--
	}
	if at < 0 {
		return ""
	}
	return b.parts[at].from
}

// kustomized builds a kustomization. Unless remote is true, everything that it reads is on this machine: kustomize would run git, and download files
// from any host that a kustomization names.
//
// kustomize says where an object comes from only in an annotation, which patches can see. So it builds everything a second time for that.
//
// At is the place of the folder on this disk.
func kustomized(folder, at string, remote bool) (built, error) {
	objects, err := kustomize(at, remote)
	switch {
	case err != nil && at != folder:
		return built{}, errors.New(strings.ReplaceAll(strings.ReplaceAll(err.Error(), at, folder), strings.TrimSuffix(at, folder), "")) // nobody knows the other place
	case err != nil:
		return built{}, err
	}
	from := origins(folder, at, objects)
	var b built
	line := 1
	for i, o := range objects.Resources() {
		text, err := o.AsYAML()
		if err != nil {
			return built{}, fmt.Errorf("writing the kustomization: %w", err)
		}
		if i > 0 {
			text = append([]byte("---\n"), text...)
		}
		b.text, b.parts = append(b.text, text...), append(b.parts, part{line, from[i]})
		line += bytes.Count(text, []byte("\n"))
	}
	return b, nil
}

// origins are the files from which the objects of a kustomization come, as far as they are known.
func origins(folder, at string, objects resmap.ResMap) []string {
	from := make([]string, objects.Size())
	files := &localFiles{FileSystem: &askingFiles{FileSystem: filesys.MakeFsOnDisk()}} // downloads nothing a second time
	again, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, at)
	if err != nil || again.Size() != objects.Size() {
		return from
	}
	for i, o := range again.Resources() {
		origin, err := o.GetOrigin()
		if err != nil || origin == nil || origin.Repo != "" || o.CurId() != objects.GetByIndex(i).CurId() {
			continue
		}
		if file := cmp.Or(origin.Path, origin.ConfiguredIn); file != "" {
			from[i] = filepath.Join(folder, file)
		}
	}
	return from
}

// askingFiles are files in which the first kustomization asks for the origins of objects.
type askingFiles struct {
	filesys.FileSystem
	asked bool
}

// ReadFile implements filesys.FileSystem.
func (a *askingFiles) ReadFile(name string) ([]byte, error) {
	content, err := a.FileSystem.ReadFile(name)
	if err != nil || a.asked || !slices.Contains(konfig.RecognizedKustomizationFileNames(), filepath.Base(name)) {
		return content, err //nolint:wrapcheck // kustomize tells these errors apart
	}
	a.asked = true
	return askingOrigins(content), nil
}

// askingOrigins is a kustomization that asks for the origins of objects. A text that can't be read stays as it is.
func askingOrigins(kustomization []byte) []byte {
	var fields map[string]any
	if yaml.Unmarshal(kustomization, &fields) != nil || fields == nil {
		return kustomization
	}
	asked, _ := fields["buildMetadata"].([]any)
	fields["buildMetadata"] = append(slices.Clone(asked), types.OriginAnnotations)
	text, err := yaml.Marshal(fields)
	if err != nil {
		return kustomization
	}
	return text
}

func kustomize(folder string, remote bool) (resmap.ResMap, error) {
	files := filesys.MakeFsOnDisk()
	local := &localFiles{FileSystem: files}
	if !remote {
		if isRemote(folder) {
			return nil, refusedRemote("-k", folder)
		}
		files = local
	}
	objects, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, folder)
	switch {
	case local.refused != nil:
		return nil, local.refused
	case err != nil:
		return nil, fmt.Errorf("building the kustomization: %w", err)
	}
	return objects, nil
}

func refusedRemote(file, address string) error {
	return fmt.Errorf("%s names %s, which is not on this machine; nothing was downloaded; to let kustomize read it, add --allow-remote", file, address)
}

// localFiles are the files of this machine. A kustomization that names others can't be read, before anything is downloaded.
type localFiles struct {
	filesys.FileSystem
	refused error // kustomize doesn't pass it on
}

// ReadFile implements filesys.FileSystem.
func (l *localFiles) ReadFile(name string) ([]byte, error) {
	content, err := l.FileSystem.ReadFile(name)
	if err != nil || !slices.Contains(konfig.RecognizedKustomizationFileNames(), filepath.Base(name)) && !builtin.Match(content) {
		return content, err //nolint:wrapcheck // kustomize tells these errors apart
	}
	if address := remoteIn(content); address != "" {
		l.refused = refusedRemote(name, address)
		return nil, l.refused
	}
	return content, nil
}

// builtin matches a file with generators or transformers of kustomize itself, which may name files, too.
var builtin = regexp.MustCompile(`(?m)^["']?apiVersion["']?\s*:\s*["']?builtin\b`)

// named are the fields of a kustomization and of its generators whose texts name files, folders and repositories.
var named = []string{
	"resources", "bases", "components", "crds", "configurations", "generators", "transformers", "validators", "patchesStrategicMerge",
	"path", "paths", "files", "env", "envs", "targetFilePath", "valuesFile", "additionalValuesFiles", "repo", "chartRepoUrl",
}

// plainFields are fields whose values are no more than text.
var plainFields = []string{"metadata", "commonLabels", "commonAnnotations", "labels", "literals", "options", "generatorOptions"}

// remoteIn is the first address in a kustomization that isn't on this machine; empty: there is none. A text that can't be read has none: kustomize
// says what is wrong with it.
func remoteIn(text []byte) string {
	documents := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var document any
		if documents.Decode(&document) != nil {
			return ""
		}
		if found := remoteBelow(document, false); found != "" {
			return found
		}
	}
}

func remoteBelow(value any, names bool) string {
	switch v := value.(type) {
	case map[string]any:
		for field, below := range v {
			if slices.Contains(plainFields, field) {
				continue
			}
			if found := remoteBelow(below, names || slices.Contains(named, field)); found != "" {
				return found
			}
		}
	case []any:
		for _, item := range v {
			if found := remoteBelow(item, names); found != "" {
				return found
			}
		}
	case string:
		_, file, keyed := strings.Cut(v, "=") // key=file, of a generator
		switch {
		case !names:
		case strings.Contains(v, "\n"):
			return remoteIn([]byte(v)) // a generator that is written in place
		case isRemote(v):
			return v
		case keyed && isRemote(file):
			return file
		}
	}
	return ""
}

// elsewhere matches what kustomize takes for the address of a file or of a repository: with a scheme, with a user as in ssh, or of GitHub.
var elsewhere = regexp.MustCompile(`(?i)^(?:git::)?(?:https?:|ssh://|file://|[a-z][a-z0-9-]*@|github\.com[/:])`)

func isRemote(name string) bool { return elsewhere.MatchString(strings.TrimSpace(name)) }
