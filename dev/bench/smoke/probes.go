package smoke

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/browser"
	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

const listPath = lab.PodsPath + "?limit=500"

// probes are all, in the order in which they are measured.
var probes = []probe{
	{[]string{"a small GET through Fieldmark", "processor of a small GET"}, through("/api/v1/namespaces/shop", "")},
	{[]string{"a list of 500 through Fieldmark", "processor of a list of 500"}, through(listPath, lab.AsTable)},
	{[]string{"a page of 500 rows", "processor of a page of 500 rows"}, page},
	{[]string{"the first row in Chromium", "the first key in Chromium", "a later key in Chromium"}, pressed},
}

// span is the time for one probe without a browser, and warm how many requests of each way come before it.
const (
	span = 7 * time.Second
	warm = 20
)

// through compares a request through Fieldmark with the same through kubectl proxy: the median time, and the processor time of the programs.
func through(path, accept string) func(context.Context, *lab.Lab) ([]float64, error) {
	return func(ctx context.Context, l *lab.Lab) ([]float64, error) {
		request := func(t lab.Target) func() error {
			return func() error {
				_, _, err := t.Send(ctx, http.MethodGet, t.Prefix+path, nil, false, "Accept", accept)
				return err
			}
		}
		var used [2]float64
		times, err := inTurn(func() { used = [2]float64{lab.CPU(l.Fieldmark.PID), lab.CPU(l.Proxy.PID)} }, request(l.Fieldmark), request(l.Proxy))
		if err != nil {
			return nil, err
		}
		ours, theirs := lab.CPU(l.Fieldmark.PID)-used[0], lab.CPU(l.Proxy.PID)-used[1]
		return []float64{over(times[0], times[1]), ours / theirs}, nil
	}
}

// page compares a page of 500 rows with the API server's Table for it, and its processor time with that of a fixed piece of work.
func page(ctx context.Context, l *lab.Lab) ([]float64, error) {
	var used, worked float64
	ours := func() error {
		_, _, err := l.Fieldmark.Send(ctx, http.MethodGet, "/c/"+lab.ContextName+lab.PodsPath, nil, false, "Accept", "text/html")
		return err
	}
	bare := func() error {
		_, _, err := l.Bare.Send(ctx, http.MethodGet, l.Bare.Prefix+listPath, nil, false, "Accept", lab.AsTable)
		return err
	}
	fixed := func() error {
		before := lab.Own()
		err := work()
		worked += lab.Own() - before
		return err
	}
	times, err := inTurn(func() { used, worked = lab.CPU(l.Fieldmark.PID), 0 }, ours, bare, fixed)
	if err != nil {
		return nil, err
	}
	return []float64{over(times[0], times[1]), (lab.CPU(l.Fieldmark.PID) - used) / worked}, nil
}

// inTurn does one thing after the other, again and again, and returns how long each took. After the first of them, which warm up, it calls begin.
func inTurn(begin func(), things ...func() error) ([][]time.Duration, error) {
	times := make([][]time.Duration, len(things))
	var start time.Time
	for n := 0; n <= warm || time.Since(start) < span; n++ {
		if n == warm {
			begin()
			start = time.Now()
		}
		for i := range things {
			which := (n + i) % len(things)
			before := time.Now()
			if err := things[which](); err != nil {
				return nil, err
			}
			if took := time.Since(before); n >= warm {
				times[which] = append(times[which], took)
			}
		}
	}
	return times, nil
}

// over is the ratio of two medians.
func over(ours, theirs []time.Duration) float64 {
	return figures.Middle(ours).Seconds() / figures.Middle(theirs).Seconds()
}

// fixedRow is a row of the fixed work.
type fixedRow struct {
	Name, State string
	Cells       []int
}

var fixedPage = template.Must(template.New("").Parse(`<table>{{range .}}<tr><td>{{.Name}}<td>{{.State}}{{range .Cells}}<td>{{.}}{{end}}{{end}}</table>`))

// work is a fixed piece of work: JSON is written and read, and becomes HTML, as for a page, but none of it is code of Fieldmark.
func work() error {
	rows := make([]fixedRow, 500)
	for i := range rows {
		rows[i] = fixedRow{"pods-" + strconv.Itoa(i), "Running <" + strconv.Itoa(i%7) + ">", []int{i, i * i, i % 13}}
	}
	text, err := json.Marshal(rows)
	if err != nil {
		return fmt.Errorf("the fixed work: %w", err)
	}
	var read []fixedRow
	if err := json.Unmarshal(text, &read); err != nil {
		return fmt.Errorf("the fixed work: %w", err)
	}
	var b bytes.Buffer
	if err := fixedPage.Execute(&b, read); err != nil {
		return fmt.Errorf("the fixed work: %w", err)
	}
	if sum := sha256.Sum256(b.Bytes()); sum == [32]byte{} {
		return errors.New("the fixed work has no sum")
	}
	return nil
}

// visitRounds are visits of each page; the first isn't counted.
const visitRounds = 7

// pressed compares the collection's page in Chromium with a fixed page: its first row, the first key that moves the focus, and later keys.
func pressed(ctx context.Context, l *lab.Lab) ([]float64, error) {
	type visit struct{ Row, First, Key float64 } // milliseconds
	var visits struct{ Ours, Fixed []visit }
	if err := browser.Run(ctx, &visits, "smoke/smoke", l.Fieldmark.Origin, l.Token, "/c/"+lab.ContextName+lab.PodsPath, strconv.Itoa(visitRounds)); err != nil {
		return nil, err
	}
	ratio := func(of func(visit) float64) float64 {
		var ours, fixed []float64
		for i := range visits.Ours {
			ours, fixed = append(ours, of(visits.Ours[i])), append(fixed, of(visits.Fixed[i]))
		}
		return figures.Middle(ours) / figures.Middle(fixed)
	}
	return []float64{
		ratio(func(v visit) float64 { return v.Row }), ratio(func(v visit) float64 { return v.First }), ratio(func(v visit) float64 { return v.Key }),
	}, nil
}
