package program

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"github.com/fieldmark/fieldmark/cli"
)

var (
	update = flag.Bool("update", false, "write docs/reference")
	manual = flag.String("manual", "", "write the pages of the manual to this folder")
)

// reference is the folder of what is made from the commands, and committed.
const reference = "../../docs/reference"

// edition stands in the pages of the manual. It changes with what the pages promise, not with each build.
var edition = doc.GenManHeader{Section: "1", Source: "Fieldmark", Manual: "Fieldmark", Date: new(time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC))}

// TestReference holds docs/reference to the commands. `make generate` writes it.
func TestReference(t *testing.T) {
	want := map[string]string{}
	for _, c := range described() {
		var markdown bytes.Buffer
		if err := doc.GenMarkdown(c, &markdown); err != nil {
			t.Fatal(err)
		}
		want[filepath.Join(reference, strings.ReplaceAll(c.CommandPath(), " ", "_")+".md")] = markdown.String()
	}
	if *update {
		write(t, want)
	}
	for name, text := range want {
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			t.Errorf("%s isn't what the commands say (%v): run 'make generate', and commit it", name, err)
		}
	}
	names, err := os.ReadDir(reference)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range names {
		if _, ok := want[filepath.Join(reference, e.Name())]; !ok {
			t.Errorf("%s/%s is about no command: remove it", reference, e.Name())
		}
	}
}

// TestManual makes a page of the manual for each command. The build and the release keep them, with -manual.
func TestManual(t *testing.T) {
	pages := map[string]string{}
	for _, c := range described() {
		head, page := edition, bytes.Buffer{}
		called := strings.ReplaceAll(c.CommandPath(), " ", "-")
		head.Title = strings.ToUpper(called)
		if err := doc.GenMan(c, &head, &page); err != nil {
			t.Fatal(err)
		}
		if title := `.TH "` + head.Title + `" "1"`; !strings.Contains(page.String(), title) {
			t.Errorf("the page of %s has no title %s", called, title)
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !strings.Contains(page.String(), "--"+f.Name) {
				t.Errorf("the page of %s doesn't have --%s", called, f.Name)
			}
		})
		pages[filepath.Join(*manual, called+".1")] = page.String()
	}
	if *manual != "" {
		write(t, pages)
	}
}

func write(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// described are the commands with a page of their own: that which serves, and the verbs.
func described() []*cobra.Command {
	verbs := cli.Commands(cli.Program{Called: "fieldmark"})
	verbs.InitDefaultCompletionCmd("complete")
	verbs.DisableAutoGenTag = true
	return append([]*cobra.Command{serving(verbs)}, below(verbs)...)
}

// below are the commands of a command, and theirs.
func below(c *cobra.Command) (all []*cobra.Command) {
	for _, verb := range c.Commands() {
		if verb.Name() == cli.Serve {
			continue // its page is that of the program
		}
		verb.DisableAutoGenTag = true
		verb.InitDefaultHelpFlag()
		all = append(append(all, verb), below(verb)...)
	}
	return all
}

// serving is the command without a verb. Its flags are its own; those of the verbs are on their pages.
func serving(verbs *cobra.Command) *cobra.Command {
	c := Config{env: func(string) string { return "" }}
	serve := &cobra.Command{
		Use:               "fieldmark",
		Short:             "A field guide to the Kubernetes API, in the browser and in the terminal",
		Long:              "Without a verb, or with the verb serve, serve the pages of the field guide for the contexts of your kubeconfig and for the practice cluster, and print the link to open.",
		Run:               func(*cobra.Command, []string) {},
		DisableAutoGenTag: true,
	}
	serve.Flags().AddGoFlagSet(c.flags())
	for _, verb := range verbs.Commands() {
		if verb.Name() == cli.Serve {
			continue // this is its page
		}
		serve.AddCommand(&cobra.Command{Use: verb.Use, Short: verb.Short, Run: serve.Run})
	}
	return serve
}
