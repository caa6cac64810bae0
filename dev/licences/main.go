// Licences writes the licences of everything that a program of ours contains: Go itself, Go modules, and npm packages. Most licences ask
// that their text comes with the program.
//
//	go run ./dev/licences [-C FOLDER] [-npm package.json] PLATFORM:PACKAGE…
//
// Each argument is a program that is built, such as linux/amd64:./server or js/wasm:./wasm/read. It fails if something has no licence.
package main

import (
	"bufio"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
)

// part is something that a program contains.
type part struct {
	name    string // with its version
	folders []string
}

func main() {
	folder := flag.String("C", ".", "`folder` of the Go module")
	npm := flag.String("npm", "", "`package.json` whose dependencies pages load; they are in node_modules beside it")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := writeLicenses(ctx, *folder, *npm, flag.Args(), os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

// writeLicenses writes the licences of all parts of these builds.
func writeLicenses(ctx context.Context, folder, npm string, builds []string, out io.Writer) error {
	var parts []part
	modules, err := goModules(ctx, folder, builds)
	if err != nil {
		return err
	}
	parts = append(parts, modules...)
	if npm != "" {
		packages, err := npmPackages(npm)
		if err != nil {
			return err
		}
		parts = append(parts, packages...)
	}
	texts, err := collect(parts)
	if err != nil {
		return err
	}
	return writeTexts(out, texts)
}

// licence is a text, and everything that has it.
type licence struct {
	text string
	of   []string
}

// collect reads the licences of all parts. Parts with the same text share it.
func collect(parts []part) ([]licence, error) {
	byText := map[string]*licence{}
	for _, p := range parts {
		texts, err := textsOf(p.folders)
		if err != nil {
			return nil, err
		}
		if len(texts) == 0 {
			return nil, fmt.Errorf("%s has no licence: without one, nobody may pass it on", p.name)
		}
		for _, text := range texts {
			if byText[text] == nil {
				byText[text] = &licence{text: text}
			}
			byText[text].of = append(byText[text].of, p.name)
		}
	}
	var all []licence
	for _, l := range byText {
		slices.Sort(l.of)
		l.of = slices.Compact(l.of)
		all = append(all, *l)
	}
	slices.SortFunc(all, func(a, b licence) int { return cmp.Or(slices.Compare(a.of, b.of), cmp.Compare(a.text, b.text)) })
	return all, nil
}

const rule = "================================================================================"

func writeTexts(out io.Writer, all []licence) error {
	b := bufio.NewWriter(out)
	fmt.Fprintln(b, "This program contains the work of others. These are their licences.")
	for _, l := range all {
		fmt.Fprintf(b, "\n%s\n%s\n%s\n\n%s\n", rule, strings.Join(l.of, "\n"), rule, l.text)
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("writing the licences: %w", err)
	}
	return nil
}
