package cluster

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// kubeconfig is the user's kubeconfig as it was read last. A file that is broken or missing for a moment keeps what was
// known of it, so that a half-written file takes no context away.
//
//	look ──▶ same as in use ──▶ nothing
//	  └────▶ something else ──▶ seen twice in a row? ──▶ take: parse, merge, keep what is broken
type kubeconfig struct {
	options Options
	// files are the kubeconfig's files, by path. named are the contents of the files that they name (certificates, tokens).
	files map[string]*kubefile
	named map[string]digest
	// taken is the digest of the configuration in use, and seen that of the last look.
	taken, seen digest
}

// kubefile is one file: its content now, and its content when it could last be read.
type kubefile struct {
	now     digest
	trouble *ConfigError
	good    *clientcmdapi.Config // nil: it could never be read
}

type digest [sha256.Size]byte

func newKubeconfig(o Options) *kubeconfig {
	return &kubeconfig{options: o, files: map[string]*kubefile{}, named: map[string]digest{}}
}

// paths are the files by kubectl's rules; earlier ones win.
func (k *kubeconfig) paths() []string {
	o := k.options
	if o.Kubeconfig != "" {
		return []string{o.Kubeconfig}
	}
	list := o.env(clientcmd.RecommendedConfigPathEnvVar)
	if list == "" {
		return []string{filepath.Join(o.home(), ".kube", "config")}
	}
	var paths []string
	for _, path := range filepath.SplitList(list) {
		if path != "" && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// checkForChange reads all files, and tells whether they differ from the configuration in use. Two looks in a row must see the same new content:
// a program that writes a file without a rename may not have finished.
func (k *kubeconfig) checkForChange() (changed bool) {
	found := k.readFiles()
	before := k.seen
	k.seen = found
	return found != k.taken && found == before
}

// readFiles reads all files, and returns one digest of them.
func (k *kubeconfig) readFiles() digest {
	sum := sha256.New()
	for _, path := range k.paths() {
		data, err := os.ReadFile(path)
		now := sha256.Sum256(fmt.Appendf(data, "\x00%v", err))
		file := k.files[path]
		if file == nil {
			file = &kubefile{}
			k.files[path] = file
		}
		if file.now != now {
			file.parseContent(path, now, data, err)
		}
		_, _ = fmt.Fprintf(sum, "%q %x\n", path, now)
	}
	for _, path := range k.naming() {
		if data, err := os.ReadFile(path); err == nil { // otherwise its earlier content counts
			k.named[path] = sha256.Sum256(data)
		}
		_, _ = fmt.Fprintf(sum, "%q %x\n", path, k.named[path])
	}
	return digest(sum.Sum(nil))
}

// parseContent parses the current content of a file.
func (f *kubefile) parseContent(path string, now digest, data []byte, err error) {
	f.now, f.trouble = now, nil
	if err != nil {
		f.trouble = unreadable(path, "", err)
		return
	}
	config, err := clientcmd.Load(data)
	if err != nil {
		f.trouble = malformedFile(path, err)
		return
	}
	for _, cluster := range config.Clusters {
		cluster.LocationOfOrigin = path
	}
	for _, user := range config.AuthInfos {
		user.LocationOfOrigin = path
	}
	for _, kubeContext := range config.Contexts {
		if kubeContext != nil {
			kubeContext.LocationOfOrigin = path
		}
	}
	if err := clientcmd.ResolveLocalPaths(config); err != nil {
		f.trouble = malformedFile(path, err)
		return
	}
	f.good = config
}

// naming are the files that the kubeconfig names, as far as it can be read.
func (k *kubeconfig) naming() []string {
	paths := map[string]struct{}{}
	for _, file := range k.files {
		if file.good == nil {
			continue
		}
		for _, cluster := range file.good.Clusters {
			paths[cluster.CertificateAuthority] = struct{}{}
		}
		for _, user := range file.good.AuthInfos {
			paths[user.ClientCertificate], paths[user.ClientKey], paths[user.TokenFile] = struct{}{}, struct{}{}, struct{}{}
		}
	}
	delete(paths, "")
	return slices.Sorted(maps.Keys(paths))
}

// merged is the kubeconfig of all files together: of entries with the same kind and name, the first wins.
func (k *kubeconfig) merged() *merged {
	all := &merged{Config: clientcmdapi.NewConfig(), leftOut: map[partKey][]LeftOut{}}
	for _, path := range k.paths() {
		one := k.files[path].good
		if one == nil {
			continue
		}
		merge(all, path, "cluster", all.Clusters, one.Clusters)
		merge(all, path, "user", all.AuthInfos, one.AuthInfos)
		merge(all, path, "context", all.Contexts, one.Contexts)
		if all.CurrentContext == "" {
			all.CurrentContext = one.CurrentContext
		}
	}
	return all
}

// troubles are what is wrong with the files. A file that never existed is a note, not a trouble.
func (k *kubeconfig) troubles() (troubles []*ConfigError, notes []string) {
	for _, path := range k.paths() {
		file := k.files[path]
		switch {
		case file.trouble == nil:
		case file.good == nil && errors.Is(file.trouble, fs.ErrNotExist):
			if len(k.paths()) > 1 {
				notes = append(notes, missingNote(path))
			}
		default:
			t := *file.trouble
			t.Kept = file.good != nil
			troubles = append(troubles, &t)
		}
	}
	if none, ok := errors.AsType[*ConfigError](k.unusable()); ok && len(troubles) == 0 {
		return []*ConfigError{none}, nil
	}
	return troubles, notes
}

// login is a digest of a context's server and credentials, with the contents of the files that have them.
func (k *kubeconfig) login(config *clientcmdapi.Config, name string) digest {
	kubeContext := config.Contexts[name]
	var of struct {
		Cluster clientcmdapi.Cluster
		User    clientcmdapi.AuthInfo
		Plugin  string
		Named   []digest
	}
	if cluster := config.Clusters[kubeContext.Cluster]; cluster != nil {
		of.Cluster = *cluster
		of.Named = append(of.Named, k.named[cluster.CertificateAuthority])
	}
	if user := config.AuthInfos[kubeContext.AuthInfo]; user != nil {
		of.User = *user
		of.Named = append(of.Named, k.named[user.ClientCertificate], k.named[user.ClientKey], k.named[user.TokenFile])
		if user.Exec != nil {
			of.Plugin = user.Exec.Command
		}
	}
	of.Cluster.Extensions, of.User.Extensions = nil, nil // other tools' notes
	text, err := json.Marshal(of)
	if err != nil { // these are plain values
		panic(err)
	}
	return sha256.Sum256(text)
}
