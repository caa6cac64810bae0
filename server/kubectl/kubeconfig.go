package kubectl

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"

	"go.yaml.in/yaml/v3"

	"github.com/fieldmark/fieldmark/server/private"
)

// Access is what a client needs to connect.
type Access struct {
	Address string   // host:port
	Trusted []byte   // the certificate, as PEM
	Token   string   // the launch token
	Slugs   []string // of the clusters; each becomes a context of its own
}

type named struct {
	Name    string         `yaml:"name"`
	Cluster map[string]any `yaml:"cluster,omitempty"`
	User    map[string]any `yaml:"user,omitempty"`
	Context map[string]any `yaml:"context,omitempty"`
}

type kubeconfig struct {
	APIVersion     string  `yaml:"apiVersion"`
	Kind           string  `yaml:"kind"`
	CurrentContext string  `yaml:"current-context,omitempty"`
	Clusters       []named `yaml:"clusters"`
	Users          []named `yaml:"users"`
	Contexts       []named `yaml:"contexts"`
}

// Kubeconfig writes a kubeconfig with a context per cluster, named by its slug; the first is current.
func (a Access) Kubeconfig() ([]byte, error) {
	const user = "fieldmark"
	config := kubeconfig{
		APIVersion: "v1", Kind: "Config",
		Users: []named{{Name: user, User: map[string]any{"token": a.Token}}},
	}
	for _, slug := range a.Slugs {
		config.Clusters = append(config.Clusters, named{Name: slug, Cluster: map[string]any{
			"server":                     "https://" + a.Address + "/clusters/" + slug,
			"certificate-authority-data": base64.StdEncoding.EncodeToString(a.Trusted),
		}})
		config.Contexts = append(config.Contexts, named{Name: slug, Context: map[string]any{"cluster": slug, "user": user}})
	}
	if len(a.Slugs) > 0 {
		config.CurrentContext = a.Slugs[0]
	}
	b := bytes.NewBufferString(header)
	if err := yaml.NewEncoder(b).Encode(config); err != nil {
		return nil, fmt.Errorf("writing a kubeconfig: %w", err)
	}
	return b.Bytes(), nil
}

// header is the first line of every kubeconfig that is written here: only files with this line may be
// overwritten or removed.
const header = "# Written by Fieldmark for as long as it runs; do not edit.\n"

// Write puts the kubeconfig into a file that only its owner may read. A reader sees the file that was
// there before or the whole new one. A file that was not written here is never overwritten.
func (a Access) Write(file string) error {
	content, err := a.Kubeconfig()
	if err != nil {
		return err
	}
	there, err := before(file)
	if err != nil {
		return err
	}
	if len(there) > 0 && !bytes.HasPrefix(there, []byte(header)) {
		return fmt.Errorf("the file %s exists, and Fieldmark did not write it; give --kubeconfig-out another name", file)
	}
	if err := private.Write(file, content); err != nil {
		return fmt.Errorf("cannot write the kubeconfig %s: %w", file, err)
	}
	return nil
}

// before is what a file has; nothing if it doesn't exist or can't be read. Only a regular file is opened: the others may wait for somebody who writes.
func before(file string) ([]byte, error) {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return nil, nil //nolint:nilerr // writing the new file says what is wrong
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file, so Fieldmark can't put a kubeconfig there; give --kubeconfig-out the name of a new file", file)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, nil //nolint:nilerr // the same
	}
	return content, nil
}

// Remove removes the file, unless it has been replaced by another one.
func (a Access) Remove(file string) error {
	content, err := a.Kubeconfig()
	if err != nil {
		return err
	}
	there, err := before(file)
	if err != nil || !bytes.Equal(there, content) {
		return nil //nolint:nilerr // the file is gone or belongs to somebody else, so it must not be removed
	}
	if err := os.Remove(file); err != nil {
		return fmt.Errorf("cannot remove the kubeconfig with the launch token: %w", err)
	}
	return nil
}
