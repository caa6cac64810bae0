package ask

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// kustomized builds a kustomization. Unless remote is true, everything that it reads is on this machine: kustomize would run git, and download files
// from any host that a kustomization names.
func kustomized(folder string, remote bool) ([]byte, error) {
	files := filesys.MakeFsOnDisk()
	local := &localFiles{FileSystem: files}
	if !remote {
		if isRemote(folder) {
			return nil, refusedRemote("-k", folder)
		}
		files = local
	}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, folder)
	switch {
	case local.refused != nil:
		return nil, local.refused
	case err != nil:
		return nil, fmt.Errorf("building the kustomization: %w", err)
	}
	text, err := built.AsYaml()
	if err != nil {
		return nil, fmt.Errorf("writing the kustomization: %w", err)
	}
	return text, nil
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
