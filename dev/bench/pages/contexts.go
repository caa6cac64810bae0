package pages

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/fieldmark/fieldmark/dev/bench/browser"
	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// contextsVisit is one visit of the home page, in milliseconds from the start of the navigation, and bytes.
type contextsVisit struct {
	Painted  float64 `json:"painted"` // first contentful paint
	Ready    float64 `json:"ready"`
	Answered float64 `json:"answered"` // the first context that responds is shown so
	Document float64 `json:"document"`
	Memory   float64 `json:"memory"` // of the page's program
}

// contexts are all of them, with the memory of Fieldmark at the end.
type contexts struct {
	visits   []contextsVisit
	resident float64
}

const (
	manyContexts  = 500
	responding    = 25 // each 25th context responds, and each second one of the others never does; nobody listens for the rest
	contextVisits = 5
)

// measureContexts opens the home page of a Fieldmark with many contexts.
func measureContexts(ctx context.Context, l *lab.Lab) (contexts, error) {
	var all contexts
	silent, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0") // it accepts no connection, so requests wait
	if err != nil {
		return all, fmt.Errorf("a server that never responds: %w", err)
	}
	defer func() { _ = silent.Close() }()
	kubeconfig := filepath.Join(l.Folder, "contexts")
	if err := manyOf(l.Renamed(), kubeconfig, silent.Addr().String()); err != nil {
		return all, err
	}
	fieldmark, err := l.StartFieldmarkFor(ctx, kubeconfig)
	if err != nil {
		return all, err
	}
	defer l.StopLast()
	err = browser.Run(ctx, &all.visits, "pages/contexts", fieldmark.Origin, l.Token, strconv.Itoa(contextVisits))
	all.resident = float64(lab.Resident(fieldmark.PID))
	return all, err
}

// manyOf writes a kubeconfig with many contexts, from one with one.
func manyOf(from, to, silent string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return fmt.Errorf("a kubeconfig to make many contexts of: %w", err)
	}
	var k struct {
		APIVersion string           `yaml:"apiVersion"`
		Kind       string           `yaml:"kind"`
		Clusters   []map[string]any `yaml:"clusters"`
		Users      []map[string]any `yaml:"users"`
		Contexts   []map[string]any `yaml:"contexts"`
		Current    string           `yaml:"current-context"`
	}
	if err := yaml.Unmarshal(text, &k); err != nil {
		return fmt.Errorf("a kubeconfig to make many contexts of: %w", err)
	}
	responds, user := k.Clusters[0]["cluster"], k.Users[0]["name"]
	k.Clusters, k.Contexts = nil, nil
	for i := range manyContexts {
		name := fmt.Sprintf("prod-%03d", i)
		of := responds
		switch {
		case i%responding == 0:
		case i%2 == 0:
			of = map[string]any{"server": "https://" + silent}
		default:
			of = map[string]any{"server": "https://127.0.0.1:1"}
		}
		k.Clusters = append(k.Clusters, map[string]any{"name": name, "cluster": of})
		k.Contexts = append(k.Contexts, map[string]any{"name": name, "context": map[string]any{"cluster": name, "user": user}})
		k.Current = name
	}
	if text, err = yaml.Marshal(k); err == nil {
		err = os.WriteFile(to, text, 0o600)
	}
	if err != nil {
		return fmt.Errorf("a kubeconfig with many contexts: %w", err)
	}
	return nil
}

func (c contexts) WriteSection(b *strings.Builder, _ lab.Plan) {
	fmt.Fprintf(b, "The home page with %d contexts in Chromium: each %dth responds, half of the others never do, and the rest refuse the connection. Milliseconds from the start\n"+
		"of the navigation, medians of %d visits with the range beside them. Each visit has a browser with nothing in its cache.\n\n| | | goal |\n|---|---|---|\n", manyContexts, responding, len(c.visits))
	writeLines(b, c.visits, []line[contextsVisit]{
		{"first contentful paint", "", func(v contextsVisit) float64 { return v.Painted }},
		{"**the page's program is ready**", "≤ 500", func(v contextsVisit) float64 { return v.Ready }},
		{"the first context that responds is shown so", "", func(v contextsVisit) float64 { return v.Answered }},
		{"kilobytes of the document", "≤ 300", func(v contextsVisit) float64 { return v.Document / 1000 }},
		{"megabytes (2²⁰) of the program's memory", "", func(v contextsVisit) float64 { return v.Memory / (1 << 20) }},
	})
	fmt.Fprintf(b, "| megabytes (2²⁰) of Fieldmark's own memory after all visits (resident) | %s | ≤ 60 |\n", figures.Spread("%.0f", []float64{c.resident / (1 << 20)}))
}
