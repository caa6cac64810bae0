// Package access makes what clients need to reach the practice cluster:
// kubeconfig files and client configurations. Every one of them verifies the
// API server's certificate against the cluster's own authority.
package access

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/fieldmark/fieldmark/practice/folder"
	"github.com/fieldmark/fieldmark/practice/pki"
)

// AdminContext is the administrator's context in the kubeconfig that users get, unless they choose another name.
const AdminContext = "practice"

// Viewer is the viewer's context beside that of the administrator.
func Viewer(admin string) string { return admin + "-viewer" }

// header is the first line of every kubeconfig that this program writes. It
// is how the program knows a file that it may overwrite or remove.
const header = "# Written by fieldmark-practice for as long as it runs; do not edit.\n"

// Users names the clients of one kubeconfig by context.
type Users map[string]pki.Certificate

// Kubeconfig returns a kubeconfig that needs no other file.
func Kubeconfig(server string, ca []byte, users Users, current string) ([]byte, error) {
	const cluster = "practice"
	config := clientcmdapi.NewConfig()
	config.CurrentContext = current
	config.Clusters[cluster] = &clientcmdapi.Cluster{Server: server, CertificateAuthorityData: ca}
	for context, cert := range users {
		config.AuthInfos[context] = &clientcmdapi.AuthInfo{
			ClientCertificateData: cert.Cert, ClientKeyData: cert.Key,
		}
		config.Contexts[context] = &clientcmdapi.Context{Cluster: cluster, AuthInfo: context}
	}
	encoded, err := clientcmd.Write(*config)
	return append([]byte(header), encoded...), err
}

// Write puts a kubeconfig at path, unless something else is there already.
func Write(path string, kubeconfig []byte) error {
	if err := Writable(path); err != nil {
		return err
	}
	return folder.WriteFile(path, kubeconfig)
}

// Writable says why no kubeconfig may be put at path, if so. A file that this
// program did not write (someone's own kubeconfig, say) is never overwritten.
func Writable(path string) error {
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return fmt.Errorf("the folder of %s does not exist", path)
	}
	there, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(there) == 0, bytes.HasPrefix(there, []byte(header)):
		return nil
	case err != nil:
		return folder.Explain(err)
	}
	return fmt.Errorf("the file %s exists, and fieldmark-practice did not write it; give --kubeconfig-out another name", path)
}

// Readable returns the absolute path of a file that the API server has to read, or says why it can't. An empty path stays empty.
func Readable(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("reading the file of --authentication-config: %w", err)
	}
	defer func() { _ = file.Close() }()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", fmt.Errorf("reading the file of --authentication-config: %s is not a file", path)
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("finding the file of --authentication-config: %w", err)
	}
	return absolute, nil
}

// RemoveCopy removes the kubeconfig at path if it is the one of the cluster in
// the folder, and not that of a newer cluster.
func RemoveCopy(path, dir string) error {
	if path == "" {
		return nil
	}
	ours, err := os.ReadFile(filepath.Join(dir, "kubeconfig"))
	if err != nil {
		return ignoreMissing(err) // the cluster ended before it wrote one
	}
	there, err := os.ReadFile(path)
	if err == nil && bytes.Equal(ours, there) {
		err = os.Remove(path)
	}
	return ignoreMissing(err)
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Config returns a client configuration. The client doesn't limit its
// requests: the API server does.
func Config(server string, ca []byte, user pki.Pair, agent string) *rest.Config {
	return &rest.Config{
		Host:            server,
		TLSClientConfig: rest.TLSClientConfig{CAData: ca, CertData: user.Cert, KeyData: user.Key},
		UserAgent:       agent,
		QPS:             -1,
	}
}

// FromFile returns a client configuration from a kubeconfig file of this program.
func FromFile(path, agent string) (*rest.Config, error) {
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	config.UserAgent = agent
	config.QPS = -1
	return config, nil
}
