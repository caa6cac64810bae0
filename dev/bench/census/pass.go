package census

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// pass is one pass over the cluster, as a page starts it.
type pass struct {
	objects, types    int
	first, whole      time.Duration // until the first finding, and until the end
	before, most      int64         // bytes of resident memory before, and at most
	fieldmark, server float64       // processor seconds
	quiet, busy       []float64     // milliseconds of another page: before the pass, and during it
}

// verb is the verb managers.
type verb struct {
	took   []float64 // milliseconds
	memory float64   // kilobytes at most
}

const (
	managersPage = "/c/" + lab.ContextName + "/-/managers"
	otherPage    = "/c/" + lab.ContextName + "/apis/apps/v1/namespaces/shop/deployments"
	passes       = 3
	looks        = 20 * time.Millisecond // between two looks at the memory
	asks         = 200 * time.Millisecond
	quietReads   = 300 // of the other page
	verbRounds   = 3
)

// sheet is what is read of the page's model.
type sheet struct {
	Phase string `json:"phase"`
	Types []struct {
		Name    string `json:"name"`
		Objects int    `json:"objects"`
		Why     string `json:"why"`
	} `json:"types"`
	Findings []json.RawMessage `json:"findings"`
}

// measurePasses lets a page read the cluster, first alone and then while somebody reads another page.
func measurePasses(ctx context.Context, l *lab.Lab, r *results) (err error) {
	for range passes {
		one, err := runPass(ctx, l)
		if err != nil {
			return err
		}
		lab.Say(fmt.Sprintf("a pass took %.1f s, with the first finding after %.2f s", one.whole.Seconds(), one.first.Seconds()))
		r.alone = append(r.alone, one)
	}
	var quiet []float64
	for range quietReads {
		took, err := readOther(ctx, l)
		if err != nil {
			return err
		}
		quiet = append(quiet, took)
	}
	reading, stop := context.WithCancel(ctx)
	read := make(chan []float64)
	go func() {
		var busy []float64
		for reading.Err() == nil {
			if took, err := readOther(reading, l); err == nil {
				busy = append(busy, took)
			}
		}
		read <- busy
	}()
	r.beside, err = runPass(ctx, l)
	stop()
	r.beside.quiet, r.beside.busy = quiet, <-read
	return err
}

// readOther times another page, and pauses as a group of readers would.
func readOther(ctx context.Context, l *lab.Lab) (took float64, err error) {
	begun := time.Now()
	if _, _, err := l.Fieldmark.Send(ctx, http.MethodGet, otherPage, nil, false); err != nil {
		return 0, err
	}
	took = figures.MS(time.Since(begun))
	return took, lab.Pause(ctx, looks)
}

// runPass starts a pass, and waits for its end.
func runPass(ctx context.Context, l *lab.Lab) (p pass, err error) {
	pid, server := l.PIDOf("fieldmark"), l.APIServer()
	p.before = lab.Resident(pid)
	p.most = p.before
	used, usedServer, begun := lab.CPU(pid), lab.CPU(server), time.Now()
	if err := l.Fieldmark.Submit(ctx, managersPage, url.Values{"act": {"start"}}); err != nil {
		return p, err
	}
	for asked := time.Now(); ; {
		if err := lab.Pause(ctx, looks); err != nil {
			return p, err
		}
		p.most = max(p.most, lab.Resident(pid))
		if p.first > 0 && time.Since(asked) < asks { // until the first finding, each look counts
			continue
		}
		asked = time.Now()
		s, err := readSheet(ctx, l)
		if err != nil {
			return p, err
		}
		if p.first == 0 && len(s.Findings) > 0 {
			p.first = time.Since(begun)
		}
		if s.Phase == "reading" {
			continue
		}
		p.whole, p.fieldmark, p.server = time.Since(begun), lab.CPU(pid)-used, lab.CPU(server)-usedServer
		var why []string
		for _, t := range s.Types {
			if p.objects += t.Objects; t.Why != "" {
				why = append(why, t.Name+": "+t.Why)
			}
		}
		if p.types = len(s.Types); s.Phase != "done" || p.objects < l.Plan.Large {
			return p, fmt.Errorf("the pass has read %d objects: %s %s", p.objects, s.Phase, strings.Join(why, "; "))
		}
		return p, nil
	}
}

func readSheet(ctx context.Context, l *lab.Lab) (s sheet, err error) {
	if err := l.Fieldmark.Read(ctx, managersPage, "application/vnd.fieldmark.pass+json", &s); err != nil {
		return s, err
	}
	if s.Phase == "" {
		return s, errors.New("there is no census")
	}
	return s, nil
}

// measureVerb runs the verb managers.
func measureVerb(ctx context.Context, l *lab.Lab, r *results) error {
	for range verbRounds {
		took, memory, err := l.Once(ctx, "fieldmark", "managers", "-o", "json")
		if err != nil {
			return err
		}
		r.verb.took, r.verb.memory = append(r.verb.took, took), max(r.verb.memory, memory)
	}
	return nil
}

func writePasses(b *strings.Builder, r results) {
	one := r.alone[0]
	fmt.Fprintf(b, "A page reads them and all other objects, %d of %d types, beside the API server. Medians of %d passes with the range beside them; one more pass while\n"+
		"somebody reads another page again and again. Memory is resident, in megabytes (2²⁰).\n\n| | the pass | beside a reader | goal |\n|---|---|---|---|\n",
		one.objects, one.types, len(r.alone))
	line := func(what, digits, goal string, of func(pass) float64) {
		var all []float64
		for _, p := range r.alone {
			all = append(all, of(p))
		}
		fmt.Fprintf(b, "| %s | %s | "+digits+" | %s |\n", what, figures.Spread(digits, all), of(r.beside), goal)
	}
	line("seconds until all is read", "%.1f", "≤ 60", func(p pass) float64 { return p.whole.Seconds() })
	line("seconds until the first finding", "%.2f", "≤ 1", func(p pass) float64 { return p.first.Seconds() })
	line("most memory of Fieldmark", "%.0f", "≤ 100", func(p pass) float64 { return float64(p.most) / (1 << 20) })
	line("— more than before the pass", "%.0f", "", func(p pass) float64 { return float64(p.most-p.before) / (1 << 20) })
	line("processor seconds of Fieldmark", "%.1f", "", func(p pass) float64 { return p.fieldmark })
	line("processor seconds of the API server", "%.1f", "", func(p pass) float64 { return p.server })
	fmt.Fprintf(b, "\n`fieldmark managers` reads the same in %s s, and takes %.0f MB at most.\n\n", seconds(r.verb.took), r.verb.memory/1024)
	quiet, busy := r.beside.quiet, r.beside.busy
	fmt.Fprintf(b, "The other page, a list of Deployments: median **%.1f** ms and p99 **%.1f** ms before the pass (%d times), **%.1f** ms and **%.1f** ms during the pass (%d times;\n"+
		"goal: p99 no more than 10 %% longer).\n\n", figures.Middle(quiet), figures.Quantile(quiet, 0.99), len(quiet), figures.Middle(busy), figures.Quantile(busy, 0.99), len(busy))
}

func seconds(all []float64) string {
	var scaled []float64
	for _, ms := range all {
		scaled = append(scaled, ms/1000)
	}
	return figures.Fine(scaled)
}
