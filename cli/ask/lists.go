package ask

import (
	"bufio"
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/inquiry"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/walk"
)

// Listing is how objects are listed.
type Listing struct {
	Namespace string // empty: all namespaces
	Metadata  bool   // read only the metadata of objects; there is no fallback to whole objects
	Chunk     int    // the most objects of one response
}

// metadataOnly requests lists of metadata.
const metadataOnly = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"

// notAList is what a response says that is no list.
const notAList = "The response isn't a list."

// List lists the objects of a type, chunk by chunk, and calls take with each. The status says why the list ended early; nil: it is complete.
func (r *Requests) List(ctx context.Context, t discovery.Type, l Listing, take func(object []byte)) *status.Status {
	a := inquiry.Ask{Path: apipath.Collection(t.Group, t.Version, l.Namespace, t.Resource), Query: url.Values{"limit": {strconv.Itoa(l.Chunk)}}, Accept: "application/json"}
	if l.Metadata {
		a.Accept = metadataOnly
	}
	for {
		body, no := r.Send(ctx, a)
		if no != nil {
			return no
		}
		listed, ok := walk.List(body, take)
		switch {
		case !ok:
			return &status.Status{Message: notAList}
		case listed.Continue == "":
			return nil
		}
		a.Query.Set("continue", listed.Continue)
	}
}

// Get sends a GET of a path with its query. If there is no body after so much time, the status says why.
func (r *Requests) Get(ctx context.Context, target, accept string, patience time.Duration) (body []byte, no *status.Status) {
	path, query, _ := strings.Cut(target, "?")
	parsed, err := apipath.Parse(path)
	if err != nil {
		return nil, &status.Status{Message: err.Error()}
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, &status.Status{Message: err.Error()}
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return r.Send(ctx, inquiry.Ask{Path: parsed, Query: values, Accept: accept})
}

// longestLine is how long a line of a text response may be, in bytes. Longer ones end the reading.
const longestLine = 1 << 20

// Lines reads a response line by line, such as that of /metrics. It keeps none of them.
func (r *Requests) Lines(ctx context.Context, path string, take func(line string)) error {
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
