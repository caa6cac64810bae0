package cluster

import (
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

// Load finds the contexts by kubectl's rules: the file the flag names, else the files of $KUBECONFIG
// merged, else ~/.kube/config. A pod's own service account is never used. Errors are *ConfigError: the
// flag's file or every file of $KUBECONFIG is missing, or any file is unreadable or malformed. No contexts
// at all is no error but a note, and so is a missing file among others; one broken context hurts no other.
func Load(o Options) (*Registry, error) {
	r := New(o)
	rules, notes, err := o.rules()
	if err != nil {
		return nil, err
	}
	r.notes = notes
	if err := r.add(rules, FromKubeconfig); err != nil {
		return nil, err
	}
	if len(r.clusters) == 0 {
		r.notes = append(r.notes, noContexts(rules))
	}
	return r, nil
}

// AddFile puts every context of one kubeconfig into the registry, replacing clusters of the same slug.
// Errors are those of Load.
func (r *Registry) AddFile(path string, origin Origin) error {
	if why := unusable(path, "Fieldmark wrote it itself; start again"); why != nil {
		return why
	}
	return r.add(&clientcmd.ClientConfigLoadingRules{ExplicitPath: path}, origin)
}

func (r *Registry) add(rules *clientcmd.ClientConfigLoadingRules, origin Origin) error {
	config, err := rules.Load()
	if err != nil {
		return &ConfigError{
			File: strings.Join(rules.GetLoadingPrecedence(), string(filepath.ListSeparator)),
			Why:  malformed(err), Advice: "correct it; kubectl config view reads it too", Err: err,
		}
	}
	for _, name := range sortedNames(config) {
		if config.Contexts[name] == nil {
			continue
		}
		r.Put(&Cluster{
			slug: r.slugFor(name, origin), name: name, origin: origin,
			settings: r.settings, config: config, access: rules,
		})
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

// slugFor is the slug a context gets. Practice contexts own their names, everybody else's leave those be.
func (r *Registry) slugFor(name string, origin Origin) string {
	if origin == FromPractice {
		return Slug(name)
	}
	return unique(name, func(slug string) bool {
		_, taken := r.Get(slug)
		return taken || slug == Practice || slug == PracticeViewer
	})
}

// rules are client-go's loading rules for the files that exist, after looking at each.
func (o Options) rules() (*clientcmd.ClientConfigLoadingRules, []string, error) {
	if o.Kubeconfig != "" {
		if why := unusable(o.Kubeconfig, "name one that exists with --kubeconfig"); why != nil {
			return nil, nil, why
		}
		return &clientcmd.ClientConfigLoadingRules{ExplicitPath: o.Kubeconfig}, nil, nil
	}
	if list := o.env(clientcmd.RecommendedConfigPathEnvVar); list != "" {
		return rulesOfList(filepath.SplitList(list))
	}
	file := filepath.Join(o.home(), ".kube", "config")
	why := unusable(file, "")
	if why != nil && !errors.Is(why, fs.ErrNotExist) {
		return nil, nil, why
	}
	return &clientcmd.ClientConfigLoadingRules{Precedence: []string{file}}, nil, nil
}

func rulesOfList(list []string) (*clientcmd.ClientConfigLoadingRules, []string, error) {
	var files, notes []string
	var missing *ConfigError
	for _, file := range list {
		if file == "" || slices.Contains(files, file) {
			continue
		}
		why := unusable(file, "correct or unset $KUBECONFIG, which names it")
		if why != nil && !errors.Is(why, fs.ErrNotExist) {
			return nil, nil, why
		}
		files = append(files, file)
		if why != nil {
			missing = why
			notes = append(notes, fmt.Sprintf("%s, named in $KUBECONFIG, does not exist and is left out.", file))
		}
	}
	if missing != nil && len(notes) == len(files) {
		return nil, nil, missing
	}
	return &clientcmd.ClientConfigLoadingRules{Precedence: files}, notes, nil
}

// unusable says why a file can not be loaded, or nil. missing is the advice for a file that is not there.
func unusable(file, missing string) *ConfigError {
	data, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &ConfigError{File: file, Why: "does not exist", Advice: missing, Err: err}
	case errors.Is(err, fs.ErrPermission):
		return &ConfigError{File: file, Why: "is not readable", Advice: "give yourself the right to read it (chmod u+r)", Err: err}
	case err != nil:
		return &ConfigError{File: file, Why: "can not be read (" + reason(err) + ")", Advice: "name a file", Err: err}
	}
	if _, err := clientcmd.Load(data); err != nil {
		return &ConfigError{File: file, Why: malformed(err), Advice: "correct it; kubectl config view reads it too", Err: err}
	}
	return nil
}

// yamlLine is the one fact in a parser's complaint that is safe to repeat.
var yamlLine = regexp.MustCompile(`\bline \d{1,9}\b`)

// malformed says what is wrong with a kubeconfig without quoting it: parsers quote what they stumble over,
// which may be a password.
func malformed(err error) string {
	text := err.Error()
	switch {
	case strings.Contains(text, "illegal base64"):
		return "is malformed (a field that ends in -data holds something else than base64)"
	case strings.Contains(text, "no kind "):
		return "is malformed (it is an object of another kind than Config of v1)"
	}
	if line := yamlLine.FindString(text); line != "" {
		return "is malformed (" + line + ")"
	}
	return "is malformed (its structure is not a kubeconfig's)"
}

func noContexts(rules *clientcmd.ClientConfigLoadingRules) string {
	var files []string
	for _, file := range rules.GetLoadingPrecedence() {
		if _, err := os.Stat(file); err == nil {
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		return "There is no kubeconfig (~/.kube/config), thus no contexts: name one with --kubeconfig or $KUBECONFIG, or use the practice cluster."
	}
	return fmt.Sprintf("%s has no contexts: add one with kubectl config set-context, or use the practice cluster.", strings.Join(files, ", "))
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
