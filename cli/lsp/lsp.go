// Package lsp is the verb lsp: a language server, which tells an editor what an apply of the manifests in it would do.
//
//	editor ◀── frames of JSON-RPC ──▶ session: documents ── pause ──▶ folder: whose file is it? ──▶ consent? ──▶ check ──▶ gate ──▶ API server
//	                                                     └ each change ends the check before it             └ no: nothing is sent
//
// The editor's messages are handled one after the other, and none of them waits for a request. All requests pass a gate that lets only reads and dry runs
// out. Without the person's consent for a folder, nothing is sent at all. A file of the folder can't consent: see package folder, and aim.
package lsp

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/mcp/gate"
	"github.com/fieldmark/fieldmark/kube/manager"
)

const long = `Serve an editor: tell what an apply of the manifests in it would do, while you write them. The editor starts this command, and talks to it over
standard input and output, by the Language Server Protocol.

The server looks at YAML and JSON files in folders that have a file fieldmark.yaml, also in a folder above. It checks their syntax without a
cluster. With your consent, it reads the objects from one cluster and sends dry runs of the manifests, after a pause in typing. Then it shows
the findings of check at their lines, the owners of a line, and ways out of a finding.

Nothing is sent without your consent. Give it with --context and --dry-runs, which names folders of yours. Or choose "check this folder" in the
editor: the server asks you first, and names the cluster and the user. Settings of a folder and its fieldmark.yaml can't consent.

No request but reads and dry runs leaves the program. docs/editors.md has the lines for Neovim, Helix, Zed and VS Code.`

const examples = `  # The command that an editor starts. It asks before it sends anything
  %[1]s lsp

  # Manifests in one folder are checked against one cluster, without a question
  %[1]s lsp --context staging --dry-runs ~/work/manifests`

// options are the values of the flags.
type options struct {
	context string
	dryRuns []string
	manager string
	pause   time.Duration
	version string
}

// New makes the command. Its examples call the program by the name called.
func New(called string, cluster *ask.Cluster, streams genericiooptions.IOStreams) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:               "lsp",
		Short:             "Serve an editor: findings of check while you type",
		Long:              long,
		Example:           fmt.Sprintf(examples, called),
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			o.context, o.version = c.Flag("context").Value.String(), c.Root().Version
			if err := o.check(c.Flag("kubeconfig").Value.String()); err != nil {
				return err
			}
			cluster.Through(func(base *url.URL, next http.RoundTripper) http.RoundTripper { return gate.New(base, next) })
			return newSession(c.Context(), cluster, o, os.Getenv("KUBECONFIG")).serve(streams.In, streams.Out)
		},
	}
	f := c.Flags()
	f.StringSliceVar(&o.dryRuns, "dry-runs", nil, "folders of yours whose manifests may be sent as dry runs without a question; it needs --context")
	f.StringVar(&o.manager, "manager", "", "the field manager to apply as; by default, the manager that owns most of the file's fields")
	f.DurationVar(&o.pause, "pause", 300*time.Millisecond, "check a file after this long without a key")
	_ = c.MarkFlagDirname("dry-runs") // the flag exists
	return c
}

// check reads the flags. The folders become absolute, because an editor starts the server in any folder.
func (o *options) check(kubeconfig string) error {
	switch {
	case len(o.dryRuns) > 0 && o.context == "":
		return errors.New("--dry-runs needs --context: name the cluster to which the manifests may be sent")
	case kubeconfig != "" && !filepath.IsAbs(kubeconfig):
		return errors.New("--kubeconfig must be an absolute path here: the editor starts the server in the folder of a project, which could have such a file")
	case o.pause < 0:
		return errors.New("--pause must not be negative")
	}
	if err := manager.Valid(o.manager); err != nil && o.manager != "" {
		return fmt.Errorf("--manager: %w", err)
	}
	for i, named := range o.dryRuns {
		if rest, is := strings.CutPrefix(named, "~/"); is { // editors start the command without a shell
			home, err := os.UserHomeDir()
			if err != nil {
				return fmt.Errorf("--dry-runs %s: %w", named, err)
			}
			named = filepath.Join(home, rest)
		}
		if !filepath.IsAbs(named) {
			return fmt.Errorf("--dry-runs %s: the path must be absolute, because the editor starts the server in any folder", named)
		}
		o.dryRuns[i] = filepath.Clean(named)
		if at, err := filepath.EvalSymlinks(named); err == nil {
			o.dryRuns[i] = at
		}
	}
	return nil
}
