// Package smoke tells in a minute and a half whether something of Fieldmark became much slower. Each figure is a ratio to a reference that is measured
// in turn with it, so a slow machine makes both slower:
//
//	requests through Fieldmark ──▶ the same through kubectl proxy
//	a page of 500 rows         ──▶ the API server's own Table of 500 rows, and a fixed piece of work in Go
//	a page in Chromium         ──▶ a fixed page, with a fixed piece of work in a worker
//
// The ratios are compared with those of ratios.json. What looks slower is measured again before it counts.
package smoke

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// Pods is the size of the collection.
const Pods = 500

// file is where the recorded ratios stand.
const file = "dev/bench/smoke/ratios.json"

// passes are those of which a record is made.
const passes = 5

// probe measures some figures together.
type probe struct {
	names   []string
	measure func(ctx context.Context, l *lab.Lab) ([]float64, error) // as many as names
}

// Check measures all figures, and what looks slower once more. It is an error if something became slower.
func Check(ctx context.Context, l *lab.Lab) error {
	record, err := parseRecord(recorded)
	if err != nil {
		return err
	}
	found := map[string][]float64{}
	if err := pass(ctx, l, found, probes); err != nil {
		return err
	}
	if odd := record.unlike(found); len(odd) > 0 {
		return fmt.Errorf("%s has other figures than this program (%s); record them with -write", file, strings.Join(odd, ", "))
	}
	if doubtful := record.slower(found); len(doubtful) > 0 {
		lab.Say("looks slower, so it is measured again: " + strings.Join(doubtful, ", "))
		if err := pass(ctx, l, found, probesOf(doubtful)); err != nil {
			return err
		}
	}
	fmt.Fprint(os.Stderr, record.table(found))
	if record.Cores != runtime.NumCPU() {
		lab.Say(fmt.Sprintf("the ratios were recorded with %d cores, and this machine has %d: they may differ for that reason", record.Cores, runtime.NumCPU()))
	}
	var slower []error
	for _, name := range record.slower(found) {
		slower = append(slower, errors.New(record.verdict(name, found[name])))
	}
	if len(slower) == 0 {
		lab.Say("nothing became 20 % slower, or slower than its noise")
	}
	return errors.Join(slower...)
}

// Write measures all figures several times, and records their ratios after each pass. So a run that is interrupted leaves a record of fewer passes.
func Write(ctx context.Context, l *lab.Lab) error {
	found := map[string][]float64{}
	for n := range passes {
		lab.Say(fmt.Sprintf("pass %d of %d", n+1, passes))
		if err := pass(ctx, l, found, probes); err != nil {
			return err
		}
		record := Record{Measured: time.Now().UTC().Format(time.DateOnly), Version: l.Build, Cores: runtime.NumCPU(), Passes: n + 1, Figures: recordOf(found)}
		if err := record.writeTo(file); err != nil {
			return err
		}
		fmt.Fprint(os.Stderr, record.table(found))
	}
	lab.Say("written: " + file)
	return nil
}

// writeTo writes a record to a file.
func (r Record) writeTo(file string) error {
	text, err := r.text()
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, text, 0o644); err != nil { //nolint:gosec // a record is for everybody
		return fmt.Errorf("writing the ratios: %w", err)
	}
	return nil
}

// pass measures with each probe once, and adds the ratios to those that were found.
func pass(ctx context.Context, l *lab.Lab, found map[string][]float64, all []probe) error {
	for _, p := range all {
		ratios, err := p.measure(ctx, l)
		if err != nil {
			return fmt.Errorf("%s: %w", p.names[0], err)
		}
		for i, name := range p.names {
			found[name] = append(found[name], ratios[i])
		}
	}
	return nil
}

// probesOf are the probes that measure these figures.
func probesOf(names []string) (chosen []probe) {
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	for _, p := range probes {
		for _, name := range p.names {
			if wanted[name] {
				chosen = append(chosen, p)
				break
			}
		}
	}
	return chosen
}
