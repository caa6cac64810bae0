// Package guide is the verb guide: it exports the field guide as a static site. The program gives it what makes the site, because that is a server's work.
package guide

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"
)

const long = `Write the field guide as a static site into a folder: all lessons with the responses of a real API server, their tasks, the cases, the
glossary, and the handout. The site has no scripts, and its links are relative. So it can be read from a disk, and from any address of any web
server.

export starts a practice cluster, does every lesson on it, and stops it. That takes some minutes. --save keeps the responses in a file, and
--recordings makes the site again from this file, without a cluster.

The folder must be new, empty, or one that export has written before. Then its files are replaced.

The exit code is 0 if the site was written, and 2 after an error.`

const examples = `  # The guide as files
  %[1]s guide export guide

  # For a web server, with a map of the site for search engines
  %[1]s guide export guide --base https://example.com/kubernetes-guide/

  # Record once, and make the site again without a cluster
  %[1]s guide export guide --save responses.json
  %[1]s guide export guide --recordings responses.json`

// Export is what is to be exported, and where.
type Export struct {
	Dir        string
	Recordings string   // a file with recorded responses; empty: they are recorded
	Save       string   // a file for the responses that are recorded; empty: none
	Base       string   // the address of the site, with a slash at its end; empty: it isn't known
	Lessons    []string // ids of the lessons to record; empty: all
	Fieldmark  string   // a running Fieldmark to record from; empty: a new one is started
	Token      string   // of the running Fieldmark
}

// Exporter makes and writes a site. progress receives lines for people.
type Exporter func(ctx context.Context, e Export, progress func(line string)) error

// New makes the command. Its examples call the program by the name called.
func New(called string, export Exporter) *cobra.Command {
	c := &cobra.Command{
		Use:   "guide",
		Short: "Write the field guide as a static site",
		Long:  "Write the field guide as a static site, to be read without Fieldmark.",
		Args:  cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("%q is no verb of %s. The verb is export; see %[2]s --help", args[0], c.CommandPath())
			}
			return fmt.Errorf("name what to do with the guide: %s export FOLDER", c.CommandPath())
		},
	}
	c.AddCommand(newExport(called, export))
	return c
}

func newExport(called string, export Exporter) *cobra.Command {
	var e Export
	c := &cobra.Command{
		Use:     "export FOLDER",
		Short:   "Write the field guide as a static site into a folder",
		Long:    long,
		Example: fmt.Sprintf(examples, called),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := e.check(args); err != nil {
				return err
			}
			if export == nil {
				return errors.New("this program can't make pages, so it can't export the guide")
			}
			return export(c.Context(), e, func(line string) { _, _ = fmt.Fprintln(c.OutOrStdout(), line) })
		},
	}
	f := c.Flags()
	f.StringVar(&e.Recordings, "recordings", "", "a file with recorded responses, written with --save. No cluster is started")
	f.StringVar(&e.Save, "save", "", "write the recorded responses to this file, too")
	f.StringVar(&e.Base, "base", "", "the address at which the site will be, such as https://example.com/guide/. The site gets a sitemap.xml then")
	f.StringSliceVar(&e.Lessons, "lessons", nil, "record only these lessons, separated by commas, by their names in addresses. Other lessons have no page")
	f.StringVar(&e.Fieldmark, "fieldmark", "", "record from a running Fieldmark with this address, in its practice cluster. It needs --fieldmark-token")
	f.StringVar(&e.Token, "fieldmark-token", "", "the launch token of the running Fieldmark")
	return c
}

// check reads the arguments.
func (e *Export) check(args []string) error {
	switch {
	case len(args) == 0:
		return errors.New("name the folder for the guide: fieldmark guide export FOLDER")
	case len(args) > 1:
		return fmt.Errorf("name one folder for the guide, not %d: %s", len(args), strings.Join(args, ", "))
	case e.Recordings != "" && (e.Save != "" || len(e.Lessons) > 0 || e.Fieldmark != ""):
		return errors.New("with --recordings, nothing is recorded. Leave out --save, --lessons and --fieldmark")
	case (e.Fieldmark == "") != (e.Token == ""):
		return errors.New("--fieldmark and --fieldmark-token belong together: give both, or none to start a practice cluster")
	}
	e.Dir = args[0]
	if e.Base == "" {
		return nil
	}
	u, err := url.Parse(e.Base)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("--base must be the address of the site, such as https://example.com/guide/, not %q", e.Base)
	}
	e.Base = strings.TrimSuffix(e.Base, "/") + "/"
	return nil
}
