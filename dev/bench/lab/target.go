package lab

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Names of the ways.
const (
	BareName     = "bare API server"
	OurName      = "Fieldmark"
	KubectlProxy = "kubectl proxy"
	BareHTTP2    = "bare API server, HTTP/2"
)

// Paths and representations that are asked for.
const (
	PodsPath = "/api/v1/namespaces/" + fillNamespace + "/pods"
	AsTable  = "application/json;as=Table;v=v1;g=meta.k8s.io"
)

// Target is a way to the API server. All use HTTP/1.1 with kept connections on the client's side.
type Target struct {
	Name   string
	Origin string
	Prefix string // before every API path
	Token  string // sent as Bearer where not empty
	PID    int    // of the way's own program; 0: it has none
	// Authority is the server's certificate authority as a kubeconfig has it, if the target is the API server itself.
	Authority string
	Client    *http.Client
}

// TargetAt is a way over HTTP/1.1.
func TargetAt(name, origin, prefix, token string, connections int) Target {
	return Target{Name: name, Origin: origin, Prefix: prefix, Token: token, Client: client(nil, connections)}
}

func client(config *tls.Config, connections int) *http.Client {
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig:     config,
		TLSNextProto:        map[string]func(string, *tls.Conn) http.RoundTripper{}, // HTTP/1.1 only, as the others
		MaxIdleConnsPerHost: connections,
		DisableCompression:  true,
	}}
}

// OverHTTP2 is the same way with HTTP/2, which client-go and so kubectl use: all requests share one
// connection.
func (t Target) OverHTTP2(connections int) Target {
	transport := t.Client.Transport.(*http.Transport) // client made it
	t.Name = BareHTTP2
	t.Client = &http.Client{Transport: &http.Transport{
		TLSClientConfig: transport.TLSClientConfig.Clone(), ForceAttemptHTTP2: true,
		MaxIdleConnsPerHost: connections, DisableCompression: true,
	}}
	return t
}

// bareTarget is the API server itself, with the admin's client certificate from the kubeconfig.
func bareTarget(kubeconfig string, connections int) (Target, error) {
	text, err := os.ReadFile(kubeconfig)
	if err != nil {
		return Target{}, fmt.Errorf("the practice cluster's kubeconfig: %w", err)
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
		return Target{}, fmt.Errorf("the practice cluster's kubeconfig cannot be read: %w", err)
	}
	for _, u := range k.Users {
		if u.Name == "practice" {
			config, err := tlsConfig(k.Clusters[0].Cluster.CA, u.User.Certificate, u.User.Key)
			at := k.Clusters[0].Cluster
			return Target{Name: BareName, Origin: at.Server, Authority: at.CA, Client: client(config, connections)}, err
		}
	}
	return Target{}, errors.New("the practice cluster's kubeconfig has no user practice")
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

// Do makes one request and reads the whole answer. Anything but success is an error.
func (t Target) Do(ctx context.Context, method, path string, body io.Reader) (size int64, content []byte, err error) {
	return t.Send(ctx, method, t.Prefix+path, body, true)
}

// Apply makes a request of server-side apply.
func (t Target) Apply(ctx context.Context, path, body string) error {
	_, _, err := t.Send(ctx, http.MethodPatch, t.Prefix+path, strings.NewReader(body), false, "Content-Type", "application/apply-patch+yaml")
	return err
}

// Submit sends a form.
func (t Target) Submit(ctx context.Context, path string, form url.Values) error {
	_, _, err := t.Send(ctx, http.MethodPost, path, strings.NewReader(form.Encode()), false, "Content-Type", "application/x-www-form-urlencoded")
	return err
}

// Read decodes a JSON document of a media type into a value.
func (t Target) Read(ctx context.Context, path, mediaType string, into any) error {
	_, text, err := t.Send(ctx, http.MethodGet, path, nil, true, "Accept", mediaType)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// Send makes one request to a path of the origin. headers are names and values in turn; a body is JSON unless they say otherwise. The content
// of the answer is returned only if it is kept. Anything but success is an error.
func (t Target) Send(ctx context.Context, method, path string, body io.Reader, keep bool, headers ...string) (size int64, content []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, method, t.Origin+path, body)
	if err != nil {
		return 0, nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	if t.Token != "" {
		request.Header.Set("Authorization", "Bearer "+t.Token)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i+1] != "" {
			request.Header.Set(headers[i], headers[i+1])
		}
	}
	answer, err := t.Client.Do(request)
	if err != nil {
		return 0, nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	defer answer.Body.Close()
	if keep {
		content, err = io.ReadAll(answer.Body)
		size = int64(len(content))
	} else {
		size, err = io.Copy(io.Discard, answer.Body)
	}
	if err == nil && answer.StatusCode >= http.StatusMultipleChoices {
		err = fmt.Errorf("%s answered %s to %s %s", t.Name, answer.Status, method, path)
	}
	return size, content, err
}
