// Package apiserver runs a practice cluster that trusts issuers, and sends requests to its API server with one token or another.
package apiserver

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/fieldmark/fieldmark/dev/team/process"
)

// Server is the API server of a practice cluster.
type Server struct {
	// URL is https://host:port.
	URL string
	// CAFile has the certificate of its authority.
	CAFile string
	// Kubeconfig has a credential with all rights.
	Kubeconfig string

	run   *process.Process
	roots *x509.CertPool
	admin tls.Certificate
}

// Start starts a practice cluster in a folder and waits until it responds. It reads whom to trust from the file issuers.
func Start(ctx context.Context, program, dir, issuers string) (*Server, error) {
	s := &Server{CAFile: filepath.Join(dir, "cluster.crt"), Kubeconfig: filepath.Join(dir, "kubeconfig")}
	var err error
	s.run, err = process.Start(nil, program, append([]string{
		"up", "--dir", filepath.Join(dir, "cluster"), "--ephemeral", "--die-with-stdin",
		"--kubeconfig-out", s.Kubeconfig, "--authentication-config", issuers,
	}, versionFlags()...)...)
	if err != nil {
		return nil, err
	}
	if err := s.run.Await(ctx, s.ready); err != nil {
		return nil, errors.Join(fmt.Errorf("starting a practice cluster: %w", err), s.Stop())
	}
	return s, nil
}

// Stop ends the cluster, with all its processes.
func (s *Server) Stop() error { return s.run.Stop() }

// ready finds out where the cluster is, and whether it has what it says it has.
func (s *Server) ready(ctx context.Context) error {
	if s.roots == nil {
		if err := s.readKubeconfig(); err != nil {
			return err
		}
	}
	if got, err := s.Admin(ctx, http.MethodGet, "/readyz", nil); err != nil || got.Status != http.StatusOK {
		return errors.Join(err, errors.New("the API server isn't ready"))
	}
	return nil
}

type kubeconfig struct {
	Clusters []struct {
		Cluster struct {
			Server string `json:"server"`
			CA     []byte `json:"certificate-authority-data"`
		} `json:"cluster"`
	} `json:"clusters"`
	Users []struct {
		Name string `json:"name"`
		User struct {
			Certificate []byte `json:"client-certificate-data"`
			Key         []byte `json:"client-key-data"`
		} `json:"user"`
	} `json:"users"`
}

func (s *Server) readKubeconfig() error {
	text, err := os.ReadFile(s.Kubeconfig)
	if err != nil {
		return fmt.Errorf("reading the kubeconfig: %w", err)
	}
	var config kubeconfig
	if err := yaml.Unmarshal(text, &config); err != nil || len(config.Clusters) != 1 {
		return fmt.Errorf("reading the kubeconfig: %w", err)
	}
	for _, u := range config.Users {
		if u.Name != "practice" {
			continue
		}
		if s.admin, err = tls.X509KeyPair(u.User.Certificate, u.User.Key); err != nil {
			return fmt.Errorf("reading the admin's certificate: %w", err)
		}
	}
	cluster := config.Clusters[0].Cluster
	if err := os.WriteFile(s.CAFile, cluster.CA, 0o600); err != nil {
		return fmt.Errorf("writing the cluster's authority: %w", err)
	}
	s.URL, s.roots = cluster.Server, x509.NewCertPool()
	s.roots.AppendCertsFromPEM(cluster.CA)
	return nil
}

// Response is a response of the API server.
type Response struct {
	Status int
	Body   []byte
}

// Bearer sends a request with a token. Without one, the request has no credential at all.
func (s *Server) Bearer(ctx context.Context, token, method, path string, body any) (Response, error) {
	return s.sendRequest(ctx, &tls.Config{RootCAs: s.roots, MinVersion: tls.VersionTLS12}, token, method, path, body)
}

// Admin sends a request with all rights.
func (s *Server) Admin(ctx context.Context, method, path string, body any) (Response, error) {
	return s.sendRequest(ctx, &tls.Config{RootCAs: s.roots, Certificates: []tls.Certificate{s.admin}, MinVersion: tls.VersionTLS12}, "", method, path, body)
}

func (s *Server) sendRequest(ctx context.Context, secure *tls.Config, token, method, path string, body any) (Response, error) {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return Response{}, fmt.Errorf("writing the body: %w", err)
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, s.URL+path, bytes.NewReader(text))
	if err != nil {
		return Response{}, fmt.Errorf("making the request: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		request.Header.Set("Content-Type", "application/merge-patch+json")
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	client := http.Client{Timeout: time.Minute, Transport: &http.Transport{TLSClientConfig: secure, DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return Response{}, fmt.Errorf("sending the request: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	got, err := io.ReadAll(response.Body)
	if err != nil {
		return Response{}, fmt.Errorf("reading the response: %w", err)
	}
	return Response{Status: response.StatusCode, Body: got}, nil
}

// Who is what the API server says of a token's owner: the name and the groups, without the prefix, and without the groups that every user has.
func (s *Server) Who(ctx context.Context, token string) (name string, groups []string, status int, err error) {
	review := map[string]any{"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
	got, err := s.Bearer(ctx, token, http.MethodPost, "/apis/authentication.k8s.io/v1/selfsubjectreviews", review)
	if err != nil || got.Status != http.StatusCreated {
		return "", nil, got.Status, err
	}
	var reviewed struct {
		Status struct {
			User struct {
				Username string   `json:"username"`
				Groups   []string `json:"groups"`
			} `json:"userInfo"`
		} `json:"status"`
	}
	if err := json.Unmarshal(got.Body, &reviewed); err != nil {
		return "", nil, got.Status, fmt.Errorf("reading the review: %w", err)
	}
	for _, group := range reviewed.Status.User.Groups {
		if own, found := strings.CutPrefix(group, Prefix); found {
			groups = append(groups, own)
		}
	}
	return strings.TrimPrefix(reviewed.Status.User.Username, Prefix), groups, got.Status, nil
}
