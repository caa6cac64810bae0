// Command compatibility tests Fieldmark against API servers of several versions, and writes docs/compatibility.md.
//
//	compatibility 1.31 1.33 1.37   test these versions, and write the table with their results and those of earlier runs of others
//	compatibility -lesson upgrades 1.31   check only the recorded responses of this lesson; all other results stay
//	compatibility -write           write the table again, from results.json
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"time"
)

// Where the results and the table are, from the root of the repository.
const (
	resultsFile = "dev/compatibility/results.json"
	tableFile   = "docs/compatibility.md"
)

var minorVersion = regexp.MustCompile(`^1\.\d{2}$`)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := updateTable(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "compatibility:", err)
		os.Exit(1)
	}
}

func updateTable(ctx context.Context) error {
	root := flag.String("root", ".", "the repository's folder")
	write := flag.Bool("write", false, "write the table from the results")
	only := flag.String("lesson", "", "check only the recorded responses of this lesson, and keep the other results")
	flag.Parse()
	all, err := readResults(filepath.Join(*root, resultsFile))
	if err != nil {
		return err
	}
	if !*write {
		if err := testAll(ctx, *root, flag.Args(), all, *only); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(*root, tableFile), []byte(all.document()), 0o600); err != nil {
		return fmt.Errorf("writing the table: %w", err)
	}
	return all.failures(flag.Args())
}

// testAll tests versions one after the other, and keeps each result as soon as it is known.
func testAll(ctx context.Context, root string, versions []string, all results, only string) error {
	if len(versions) == 0 {
		return errors.New("name the versions to test, such as 1.31")
	}
	for _, minor := range versions {
		if !minorVersion.MatchString(minor) {
			return fmt.Errorf("%q is no minor version, such as 1.31", minor)
		}
	}
	for _, minor := range versions {
		fmt.Printf("\n──── Kubernetes %s\n", minor)
		one := all[minor]
		var err error
		if only != "" {
			err = testLesson(ctx, root, minor, only, &one)
		} else {
			one, err = test(ctx, root, minor)
			one.Date = time.Now().UTC().Format(time.DateOnly)
		}
		if err != nil {
			return fmt.Errorf("testing Kubernetes %s: %w", minor, err)
		}
		all[minor] = one
		one.printCounts(os.Stdout)
		text, err := json.MarshalIndent(all, "", "  ")
		if err != nil {
			return fmt.Errorf("writing the results: %w", err)
		}
		if err := os.WriteFile(filepath.Join(root, resultsFile), append(text, '\n'), 0o600); err != nil {
			return fmt.Errorf("writing the results: %w", err)
		}
	}
	return nil
}
