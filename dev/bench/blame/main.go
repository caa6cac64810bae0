// Blame measures the time to find the owners of each line of an object, which it reads from its standard input. It runs natively, and as
// WebAssembly in a browser. It prints one line of JSON. Times are in milliseconds.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

type figures struct {
	Lines    int       `json:"lines"`
	Managers int       `json:"managers"`
	Bytes    int       `json:"bytes"`
	First    float64   `json:"first"`
	Blame    []float64 `json:"blame"`
	Whole    []float64 `json:"whole"`
}

// times is the number of measurements.
const times = 50

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		fail(err)
	}
	f := figures{Bytes: len(text)}
	for range times {
		began := time.Now()
		o, document := parseObject(text)
		read := time.Now()
		blame := ownership.Parse(o.Fields).On(document.Root, nil)
		done := time.Now()
		f.Lines, f.Managers = len(document.Lines), len(blame.Record.Entries)
		f.Blame, f.Whole = append(f.Blame, millis(done.Sub(read))), append(f.Whole, millis(done.Sub(began)))
	}
	f.First = f.Blame[0]
	if err := json.NewEncoder(os.Stdout).Encode(f); err != nil {
		fail(err)
	}
}

// parseObject reads the object, and writes it out line by line.
func parseObject(text []byte) (object.Object, manifest.Document) {
	o, err := object.Parse(text)
	if err != nil {
		fail(err)
	}
	document, err := manifest.YAMLDocument(o.WithoutManagedFields().Fields)
	if err != nil {
		fail(err)
	}
	return o, document
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func fail(err error) {
	fmt.Fprintln(os.Stderr, "blame:", err)
	os.Exit(1)
}
