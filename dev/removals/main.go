// Command removals makes the table of API versions that Kubernetes drops, from the source of a release: kube/removal/lifecycle.tsv.
//
//	removals           write the table of the release that practice/go.mod requires
//	removals -check    say whether the table is what this command makes of that release
//
// Kubernetes writes the life of each type beside it, in zz_generated.prerelease-lifecycle.go. Types that are no longer in the source stand in
// kube/removal/older.tsv, by hand.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := writeTable(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "removals:", err)
		os.Exit(1)
	}
}

func writeTable(ctx context.Context) error {
	root := flag.String("root", ".", "the repository's folder")
	check := flag.Bool("check", false, "change nothing, and fail if the table would change")
	flag.Parse()
	text, err := table(ctx, filepath.Join(*root, "practice"))
	if err != nil {
		return err
	}
	file := filepath.Join(*root, "kube", "removal", "lifecycle.tsv")
	if !*check {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return fmt.Errorf("writing the table: %w", err)
		}
		return nil
	}
	there, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("reading the table: %w", err)
	}
	if !bytes.Equal(there, text) {
		return errors.New("kube/removal/lifecycle.tsv isn't what the release's source says; run `make removals` and commit the file")
	}
	return nil
}
