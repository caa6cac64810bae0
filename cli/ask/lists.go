package ask

import (
	"bufio"
	"context"
	"net/url"
	"strings"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/census/reading"
	"github.com/fieldmark/fieldmark/kube/inquiry"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/upgrade/gather"
)

// Get sends a GET of a path with its query. If there is no body after reading.Patience, the status says why.
func (r *Requests) Get(ctx context.Context, target, accept string) (body []byte, no *status.Status) {
	path, query, _ := strings.Cut(target, "?")
	parsed, err := apipath.Parse(path)
	if err != nil {
		return nil, &status.Status{Message: err.Error()}
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, &status.Status{Message: err.Error()}
	}
	ctx, cancel := context.WithTimeout(ctx, reading.Patience)
	defer cancel()
	return r.Send(ctx, inquiry.Ask{Path: parsed, Query: values, Accept: accept})
}

// Reading is how a census sends its lists. It calls step after each.
func (r *Requests) Reading(step func()) reading.Send {
	return reading.Send{
		Now: time.Now, Panicked: func(any) {}, // the state of the type says it
		Get: func(ctx context.Context, target, accept string) ([]byte, *status.Status) {
			defer step()
			return r.Get(ctx, target, accept)
		},
	}
}

// Gathering is how a gathering for an upgrade check sends its requests. It calls step after each.
func (r *Requests) Gathering(step func()) gather.Send {
	return gather.Send{
		Get: r.Reading(step).Get,
		Lines: func(ctx context.Context, target string, take func(line string)) *status.Status {
			defer step()
			if err := r.lines(ctx, target, take); err != nil {
				return &status.Status{Message: err.Error()}
			}
			return nil
		},
	}
}

// longestLine is how long a line of a text response may be, in bytes. Longer ones end the reading.
const longestLine = 1 << 20

// lines reads a response line by line, such as that of /metrics. It keeps none of them.
func (r *Requests) lines(ctx context.Context, path string, take func(line string)) error {
	body, err := r.client.Get().RequestURI(path).SetHeader("Accept", "text/plain").Stream(ctx)
	if err != nil {
		return err
	}
	defer body.Close()
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		take(lines.Text())
	}
	return lines.Err() //nolint:wrapcheck // it says what happened to the connection
}

// Context is the name of the cluster's context; empty if flags alone say where the cluster is.
func (c *Cluster) Context() string {
	if *c.flags.Context != "" {
		return *c.flags.Context
	}
	config, err := c.flags.ToRawKubeConfigLoader().RawConfig()
	if err != nil {
		return ""
	}
	return config.CurrentContext
}

// flagsFor are the same flags with another context. What client-go remembers for a context isn't copied.
func (c *Cluster) flagsFor(context string) *genericclioptions.ConfigFlags {
	is := genericclioptions.NewConfigFlags(true)
	was := c.flags
	is.CacheDir, is.KubeConfig, is.ClusterName, is.AuthInfoName, is.Namespace = was.CacheDir, was.KubeConfig, was.ClusterName, was.AuthInfoName, was.Namespace
	is.APIServer, is.TLSServerName, is.Insecure, is.CertFile, is.KeyFile, is.CAFile = was.APIServer, was.TLSServerName, was.Insecure, was.CertFile, was.KeyFile, was.CAFile
	is.BearerToken, is.Impersonate, is.ImpersonateUID, is.ImpersonateGroup, is.ImpersonateUserExtra = was.BearerToken, was.Impersonate, was.ImpersonateUID, was.ImpersonateGroup, was.ImpersonateUserExtra
	is.Username, is.Password, is.Timeout, is.DisableCompression = was.Username, was.Password, was.Timeout, was.DisableCompression
	is.Context = &context
	return is
}

// Aimed is a cluster by the same flags, with another context, cluster, user and namespace. What is empty is as in the kubeconfig.
func (c *Cluster) Aimed(ctx context.Context, name, cluster, user, namespace string) *Cluster {
	flags := c.flagsFor(name)
	flags.ClusterName, flags.AuthInfoName, flags.Namespace = &cluster, &user, &namespace
	one := New(flags)
	one.Within(ctx)
	return one
}
