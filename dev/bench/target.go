package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Paths and representations that are asked for.
const (
	podsPath = "/api/v1/namespaces/" + fillNamespace + "/pods"
	asTable  = "application/json;as=Table;v=v1;g=meta.k8s.io"
)

// target is a way to the API server. All use HTTP/1.1 with kept connections on the client's side.
type target struct {
	name   string
	origin string
	prefix string // before every API path
	token  string // sent as Bearer where not empty
	pid    int    // of the way's own program; 0: it has none
	// authority is the server's certificate authority as a kubeconfig has it, if the target is the API server itself.
	authority string
	client    *http.Client
}

func httpTarget(name, origin, prefix, token string, connections int) target {
	return target{name: name, origin: origin, prefix: prefix, token: token, client: client(nil, connections)}
}

func client(config *tls.Config, connections int) *http.Client {
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig:     config,
		TLSNextProto:        map[string]func(string, *tls.Conn) http.RoundTripper{}, // HTTP/1.1 only, as the others
		MaxIdleConnsPerHost: connections,
		DisableCompression:  true,
	}}
}

// overHTTP2 is the same way with HTTP/2, which client-go and so kubectl use: all requests share one
// connection.
func (t target) overHTTP2(connections int) target {
	transport := t.client.Transport.(*http.Transport) // client made it
	t.name = bareHTTP2
	t.client = &http.Client{Transport: &http.Transport{
		TLSClientConfig: transport.TLSClientConfig.Clone(), ForceAttemptHTTP2: true,
		MaxIdleConnsPerHost: connections, DisableCompression: true,
	}}
	return t
}

// bareTarget is the API server itself, with the admin's client certificate from the kubeconfig.
func bareTarget(kubeconfig string, connections int) (target, error) {
	text, err := os.ReadFile(kubeconfig)
	if err != nil {
		return target{}, fmt.Errorf("the practice cluster's kubeconfig: %w", err)
	}
	var k struct {
		Clusters []struct {
			Cluster struct {
				Server string `yaml:"server"`
				CA     string `yaml:"certificate-authority-data"`
			} `yaml:"cluster"`
		} `yaml:"clusters"`
		Users []struct {
			Name string `yaml:"name"`
			User struct {
				Certificate string `yaml:"client-certificate-data"`
				Key         string `yaml:"client-key-data"`
			} `yaml:"user"`
		} `yaml:"users"`
	}
	if err := yaml.Unmarshal(text, &k); err != nil || len(k.Clusters) == 0 {
		return target{}, fmt.Errorf("the practice cluster's kubeconfig cannot be read: %w", err)
	}
	for _, u := range k.Users {
		if u.Name == "practice" {
			config, err := tlsConfig(k.Clusters[0].Cluster.CA, u.User.Certificate, u.User.Key)
			at := k.Clusters[0].Cluster
			return target{name: bareName, origin: at.Server, authority: at.CA, client: client(config, connections)}, err
		}
	}
	return target{}, errors.New("the practice cluster's kubeconfig has no user practice")
}

func tlsConfig(ca, certificate, key string) (*tls.Config, error) {
	var decoded [3][]byte
	for i, text := range []string{ca, certificate, key} {
		var err error
		if decoded[i], err = base64.StdEncoding.DecodeString(text); err != nil {
			return nil, fmt.Errorf("the practice cluster's kubeconfig: %w", err)
		}
	}
	pair, err := tls.X509KeyPair(decoded[1], decoded[2])
	if err != nil {
		return nil, fmt.Errorf("the admin's certificate: %w", err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(decoded[0])
	return &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

// do makes one request and reads the whole answer. Anything but success is an error.
func (t target) do(ctx context.Context, method, path string, body io.Reader) (size int64, content []byte, err error) {
	return t.sendRequest(ctx, method, t.prefix+path, "", body, true)
}

// apply makes a request of server-side apply.
func (t target) apply(ctx context.Context, path, body string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPatch, t.origin+t.prefix+path, strings.NewReader(body))
	if err != nil {
		return fmt.Errorf("%s: %w", t.name, err)
	}
	request.Header.Set("Content-Type", "application/apply-patch+yaml")
	answer, err := t.client.Do(request)
	if err != nil {
		return fmt.Errorf("%s: %w", t.name, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("%s answered %s to the apply of %s", t.name, answer.Status, path)
	}
	return nil
}

func (t target) sendRequest(ctx context.Context, method, path, accept string, body io.Reader, keep bool) (size int64, content []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, method, t.origin+path, body)
	if err != nil {
		return 0, nil, fmt.Errorf("%s: %w", t.name, err)
	}
	if t.token != "" {
		request.Header.Set("Authorization", "Bearer "+t.token)
	}
	if accept != "" {
		request.Header.Set("Accept", accept)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	answer, err := t.client.Do(request)
	if err != nil {
		return 0, nil, fmt.Errorf("%s: %w", t.name, err)
	}
	defer answer.Body.Close()
	if keep {
		content, err = io.ReadAll(answer.Body)
		size = int64(len(content))
	} else {
		size, err = io.Copy(io.Discard, answer.Body)
	}
	if err == nil && answer.StatusCode >= http.StatusMultipleChoices {
		err = fmt.Errorf("%s answered %s to %s %s", t.name, answer.Status, method, path)
	}
	return size, content, err
}
