// Package mcp is the verb mcp: it serves Fieldmark's tools to an assistant, by the Model Context Protocol, over standard input and output.
//
//	assistant ◀── JSON-RPC, one message a line ──▶ tools ──▶ ask: client-go ──▶ gate: reads and dry runs only ──▶ API server
package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/mcp/gate"
	"github.com/fieldmark/fieldmark/cli/mcp/library"
	"github.com/fieldmark/fieldmark/cli/mcp/tools"
)

const long = `Serve Fieldmark's tools to an assistant, by the Model Context Protocol. The assistant starts this command, and talks to it over standard
input and output.

The tools read your clusters, and try out writes as dry runs. They never write: no other request leaves this program. They tell who owns which
field, what an apply would do, which fields a force would take from whom, what a refusal means, and how to get out of it. The values of Secrets
are masked, and so are other values that look like credentials.

The assistant sees what your kubeconfig lets you read. Text from a cluster reaches it as data. That can't stop an assistant from obeying what it
reads, so let it write only with permissions that it may use.

docs/assistants.md has configurations for Claude Code, Cursor, VS Code, Codex and kagent.`

const examples = `  # The command that an assistant starts
  %[1]s mcp

  # Another context of the kubeconfig, and a log of each call and each request
  %[1]s mcp --context staging --log /tmp/fieldmark-mcp.log

  # In Claude Code
  claude mcp add fieldmark -- %[1]s mcp`

// maxMessage bounds a message of the assistant, in bytes.
const maxMessage = 16 << 20

// New makes the command. Its examples call the program by the name called.
func New(called string, cluster *ask.Cluster, streams genericiooptions.IOStreams, redact tools.Redact) *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:               "mcp",
		Short:             "Serve Fieldmark's tools to an assistant",
		Long:              long,
		Example:           fmt.Sprintf(examples, called),
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			to, err := openLog(file)
			if err != nil {
				return err
			}
			defer to.Close()
			return serve(c.Context(), cluster, streams, redact, c.Root().Version, slog.New(slog.NewJSONHandler(to, nil)))
		},
	}
	c.Flags().StringVar(&file, "log", "", "append a line to this file for each call and each request; it has no values")
	return c
}

// openLog opens the log; without a name, it is one that nobody reads.
func openLog(file string) (io.WriteCloser, error) {
	if file == "" {
		return nowhere{io.Discard}, nil
	}
	to, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the log: %w", err)
	}
	return to, nil
}

type nowhere struct{ io.Writer }

func (nowhere) Close() error { return nil }

// serve serves one assistant until its standard input ends.
func serve(ctx context.Context, cluster *ask.Cluster, streams genericiooptions.IOStreams, redact tools.Redact, version string, log *slog.Logger) error {
	cluster.Through(func(base *url.URL, next http.RoundTripper) http.RoundTripper {
		return gate.New(base, logged{next, log})
	})
	server, err := tools.New(tools.Options{
		Clusters: newClusters(ctx, cluster, time.Now), Redact: redact, Library: library.Library{}, Version: version, Now: time.Now, Turns: tools.NewTurns(), Log: log,
		Called: func(c tools.Call) {
			log.Info("call", "tool", c.Tool, "ms", c.Took.Milliseconds(), "bytes", c.Bytes, "failed", c.Failed)
		},
	})
	if err != nil {
		return err
	}
	err = server.Run(ctx, &sdk.IOTransport{Reader: io.NopCloser(streams.In), Writer: nowhere{streams.Out}, MaxLineLength: maxMessage})
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, sdk.ErrConnectionClosed) {
		return nil
	}
	return fmt.Errorf("serving the assistant: %w", err)
}

// logged writes a line for each request. The query has selectors and names, but no values.
type logged struct {
	next http.RoundTripper
	log  *slog.Logger
}

// RoundTrip implements http.RoundTripper.
func (l logged) RoundTrip(r *http.Request) (*http.Response, error) {
	began := time.Now()
	response, err := l.next.RoundTrip(r)
	code := 0
	if response != nil {
		code = response.StatusCode
	}
	l.log.Info("request", "method", r.Method, "target", r.URL.RequestURI(), "code", code, "ms", time.Since(began).Milliseconds())
	return response, err
}
