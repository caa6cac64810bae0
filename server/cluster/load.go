package cluster

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/fieldmark/fieldmark/kube/status"
)

// Load finds the contexts by kubectl's rules: the file the flag names, else the files of $KUBECONFIG merged, else ~/.kube/config. A
// pod's own service account is never used. Errors are *ConfigError: the flag's file or every file of $KUBECONFIG is missing, or any
// file is unreadable or malformed. If there are no contexts, or one file of several is missing, that is a note and not an error. One
// broken context doesn't affect the others.
func Load(o Options) (*Registry, error) {
	r := New(o)
	r.looking.Lock()
	defer r.looking.Unlock()
	k := r.kubeconfig
	k.seen = k.readFiles()
	if err := k.unusable(); err != nil {
		return nil, err
	}
	r.updateClusters()
	return r, nil
}

// unusable is an error if a file can't be used, or if none of the named files exists.
func (k *kubeconfig) unusable() error {
	missing := 0
	var last *ConfigError
	for _, path := range k.paths() {
		switch trouble := k.files[path].trouble; {
		case trouble == nil:
		case !errors.Is(trouble, fs.ErrNotExist):
			return trouble
		default:
			missing++
			last = trouble
		}
	}
	switch o := k.options; {
	case last == nil || missing < len(k.paths()):
		return nil
	case o.Kubeconfig != "":
		return unreadable(last.File, "name another file with --kubeconfig", last.Err)
	case o.env(clientcmd.RecommendedConfigPathEnvVar) != "":
		return unreadable(last.File, "correct or unset $KUBECONFIG, which names this file", last.Err)
	}
	return nil // the default file need not exist
}

// AddFile puts every context of one kubeconfig into the registry, replacing clusters of the same slug.
// Errors are those of Load.
func (r *Registry) AddFile(path string, origin Origin) error {
	if why := unusable(path, "Fieldmark wrote this file itself, so start Fieldmark again"); why != nil {
		return why
	}
	return r.addContexts(&clientcmd.ClientConfigLoadingRules{ExplicitPath: path}, origin)
}

func (r *Registry) addContexts(rules *clientcmd.ClientConfigLoadingRules, origin Origin) error {
	config, err := rules.Load()
	if err != nil {
		return malformedFile(strings.Join(rules.GetLoadingPrecedence(), string(filepath.ListSeparator)), err)
	}
	for _, name := range sortedNames(config) {
		if config.Contexts[name] == nil {
			continue
		}
		c := r.newCluster(r.slugFor(name, origin), name, origin)
		c.access = rules
		c.kubeconfig.Store(&merged{Config: config})
		r.Put(c)
	}
	return nil
}

func sortedNames(config *clientcmdapi.Config) []string {
	names := make([]string, 0, len(config.Contexts))
	for name := range config.Contexts {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// slugFor is the slug of a context. The slugs of practice contexts are reserved for them.
func (r *Registry) slugFor(name string, origin Origin) string {
	if origin == FromPractice {
		return Slug(name)
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.freeSlug(name)
}

// unusable says why a file can't be loaded; nil: it can. missing is the advice if the file doesn't exist.
func unusable(file, missing string) *ConfigError {
	data, err := os.ReadFile(file)
	if err != nil {
		return unreadable(file, missing, err)
	}
	if _, err := clientcmd.Load(data); err != nil {
		return malformedFile(file, err)
	}
	return nil
}

// unreadable says why a file can't be read. missing is the advice if the file doesn't exist.
func unreadable(file, missing string, err error) *ConfigError {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &ConfigError{File: file, Why: fmt.Sprintf("the kubeconfig %s does not exist", file), Advice: cmp.Or(missing, "put the file back, or start Fieldmark again without it"), Err: err}
	case errors.Is(err, fs.ErrPermission):
		return &ConfigError{File: file, Why: fmt.Sprintf("you have no permission to read the kubeconfig %s", file), Advice: "allow yourself to read the file (chmod u+r)", Err: err}
	}
	return &ConfigError{File: file, Why: fmt.Sprintf("the kubeconfig %s can't be read (%s)", file, reason(err)), Advice: "name a file", Err: err}
}

func malformedFile(file string, err error) *ConfigError {
	return &ConfigError{File: file, Why: fmt.Sprintf("the kubeconfig %s is malformed (%s)", file, malformed(err)), Advice: "correct the file; kubectl config view reads it too", Err: err}
}

func missingNote(file string) string {
	return fmt.Sprintf("$KUBECONFIG names the file %s, which does not exist. Fieldmark ignores this file.", file)
}

// yamlLine finds the only part of a parser's error that is safe to show.
var yamlLine = regexp.MustCompile(`\bline \d{1,9}\b`)

// malformed says what is wrong with a kubeconfig without quoting it: the errors of parsers quote the text, which may be a
// password.
func malformed(err error) string {
	text := err.Error()
	switch {
	case strings.Contains(text, "illegal base64"):
		return "a field that ends in -data is not base64"
	case strings.Contains(text, "duplicate name "):
		return "two of its clusters, users or contexts have the same name"
	case strings.Contains(text, "no kind "):
		return "its kind is not Config of v1"
	}
	if line := yamlLine.FindString(text); line != "" {
		return line
	}
	return "it does not have the structure of a kubeconfig"
}

func noContexts(paths []string) string {
	var files []string
	for _, file := range paths {
		if _, err := os.Stat(file); err == nil {
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		return "Fieldmark found no kubeconfig. Set one with --kubeconfig or $KUBECONFIG, or use the practice cluster."
	}
	return fmt.Sprintf("The kubeconfig %s has no contexts. Add a context with kubectl config set-context, or use the practice cluster.", strings.Join(files, ", "))
}

// reason is an I/O error without the path it repeats.
func reason(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err.Error()
	}
	return oneLine(err)
}

// oneLine is an error's text, printable and bounded.
func oneLine(err error) string { return status.Excerpt([]byte(err.Error()), 200) }
