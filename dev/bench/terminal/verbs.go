// Package terminal measures the verbs of the command line beside those of kubectl, and the search for owners that they share with the pages.
package terminal

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// The parts of this family.
var (
	Ownership = lab.Of(measureOwnership)
	Check     = lab.Of(measureCheck)
	Blame     = lab.Of(measureBlame)
)

// verbTimes are what programs took in turn, in milliseconds of the clock and kilobytes of memory at most.
type verbTimes struct {
	names  []string
	times  map[string][]float64
	memory map[string]float64
}

// command is a program that is measured.
type command struct {
	name string
	line []string
}

// verbRounds is how often each program is measured for each of the plan's rounds: one run takes little.
const verbRounds = 3

// alternately runs programs one after the other, again and again. A first run of each fills its caches.
func alternately(ctx context.Context, l *lab.Lab, all []command) (verbTimes, error) {
	t := verbTimes{times: map[string][]float64{}, memory: map[string]float64{}}
	for _, c := range all {
		t.names = append(t.names, c.name)
		if _, _, err := l.Once(ctx, c.line...); err != nil {
			return t, fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return t, lab.InTurn(verbRounds*l.Plan.Rounds, len(all), func(way int) error {
		c := all[way]
		took, memory, err := l.Once(ctx, c.line...)
		t.times[c.name] = append(t.times[c.name], took)
		t.memory[c.name] = max(t.memory[c.name], memory)
		return err
	})
}

// ratios compare one program with another, run by run.
func (t verbTimes) ratios(of, to string) []float64 {
	var all []float64
	for i, took := range t.times[of] {
		all = append(all, took/t.times[to][i])
	}
	return all
}

func (t verbTimes) rows(b *strings.Builder) {
	for _, name := range t.names {
		fmt.Fprintf(b, "| `%s` | %s | %.0f | |\n", name, figures.Fine(t.times[name]), t.memory[name]/1024)
	}
}

const (
	checkedSpace     = "bench-checked"
	checkedDocuments = 200
)

// checkTimes are those of check beside kubectl diff, and those of one large object beside a dry run of its apply.
type checkTimes struct {
	verbTimes
	large verbTimes
}

const (
	theCheck      = "fieldmark check"
	theDiff       = "kubectl diff --server-side"
	theLargeCheck = theCheck + " of a large definition"
	theDryRun     = "kubectl apply --server-side --dry-run=server"
)

// measureCheck checks manifests of objects that are there and differ in one field each, as a pipeline would before it applies.
func measureCheck(ctx context.Context, l *lab.Lab) (t checkTimes, err error) {
	if err := l.MakeNamespace(ctx, checkedSpace); err != nil {
		return t, err
	}
	file := filepath.Join(l.Folder, "checked.yaml")
	if err := applied(ctx, l, file, checked("before")); err != nil {
		return t, err
	}
	if err := os.WriteFile(file, []byte(checked("after")), 0o600); err != nil {
		return t, fmt.Errorf("writing manifests: %w", err)
	}
	t.verbTimes, err = alternately(ctx, l, []command{
		{theCheck, []string{"fieldmark", "check", "-f", file, "--manager", "kubectl"}},
		{theDiff, []string{"kubectl", "diff", "--server-side", "-f", file}},
		{theDiff + " --concurrency=6", []string{"kubectl", "diff", "--server-side", "--concurrency=6", "-f", file}},
	})
	if err != nil {
		return t, err
	}
	file = filepath.Join(l.Folder, "definition.json")
	if err := applied(ctx, l, file, definition()); err != nil {
		return t, err
	}
	t.large, err = alternately(ctx, l, []command{
		{theLargeCheck, []string{"fieldmark", "check", "-f", file, "--manager", "kubectl"}},
		{theDryRun, []string{"kubectl", "apply", "--server-side", "--dry-run=server", "-f", file}},
	})
	return t, err
}

// applied writes a file of manifests, and applies it.
func applied(ctx context.Context, l *lab.Lab, file, text string) error {
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return fmt.Errorf("writing manifests: %w", err)
	}
	apply := exec.CommandContext(ctx, filepath.Join(l.Plan.Bin, "kubectl"), "apply", "--server-side", "--kubeconfig", l.Renamed(), "-f", file)
	if said, err := apply.CombinedOutput(); err != nil {
		return fmt.Errorf("applying: %w: %s", err, said)
	}
	return nil
}

// definitionSize is how large a CustomResourceDefinition is made: just below what etcd stores in one request with its managedFields.
const definitionSize = 1_390_000

// definition is a CustomResourceDefinition whose schema has many fields with a description.
func definition() string {
	var fields strings.Builder
	for i := 0; fields.Len() < definitionSize; i++ {
		if i > 0 {
			fields.WriteString(",")
		}
		fmt.Fprintf(&fields, `"group%d":{"type":"object","description":"Says how a part of the thing behaves.","properties":{`, i)
		for j := range 8 {
			fmt.Fprintf(&fields, `"field%d":{"type":"string","description":"Number %d of what can be said about a part of the thing, in words of some length."},`, j, j)
		}
		fields.WriteString(`"last":{"type":"integer"}}}`)
	}
	return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"larges.bench.example.com"},"spec":{"group":"bench.example.com",` +
		`"names":{"kind":"Large","plural":"larges"},"scope":"Namespaced","versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{` +
		`"spec":{"type":"object","properties":{` + fields.String() + `}}}}}}]}}`
}

// checked are manifests: half of them ConfigMaps, the others Deployments, Services and ServiceAccounts.
func checked(value string) string {
	var b strings.Builder
	for i := range checkedDocuments {
		meta := fmt.Sprintf("metadata:\n  name: checked-%d\n  namespace: %s\n  labels: {app: checked-%d}\n  annotations: {bench: %s}\n", i, checkedSpace, i, value)
		switch i % 6 {
		case 0, 1, 2:
			fmt.Fprintf(&b, "---\napiVersion: v1\nkind: ConfigMap\n%sdata:\n  a: b\n  text: |\n    %s\n", meta, strings.Repeat("some text ", 40))
		case 3:
			fmt.Fprintf(&b, "---\napiVersion: apps/v1\nkind: Deployment\n%sspec:\n  replicas: 0\n  selector: {matchLabels: {app: checked-%d}}\n  template:\n    metadata: {labels: {app: checked-%d}}\n"+
				"    spec:\n      containers:\n      - name: app\n        image: registry.example/app:1\n        env:\n        - {name: A, value: a}\n        - {name: B, value: b}\n        ports: [{containerPort: 80}]\n", meta, i, i)
		case 4:
			fmt.Fprintf(&b, "---\napiVersion: v1\nkind: Service\n%sspec:\n  selector: {app: checked-%d}\n  ports: [{port: 80}]\n", meta, i)
		default:
			fmt.Fprintf(&b, "---\napiVersion: v1\nkind: ServiceAccount\n%s", meta)
		}
	}
	return b.String()
}

func (t checkTimes) WriteSection(b *strings.Builder, _ lab.Plan) {
	fmt.Fprintf(b, "%d manifests in one file, of objects that are there and differ in one field each. Milliseconds from start to end, medians of %d runs in turn with the\n"+
		"range beside them, discovery cached; memory is the most of all runs, in megabytes (2²⁰).\n\n| | time | memory | goal |\n|---|---|---|---|\n", checkedDocuments, len(t.times[theCheck]))
	t.rows(b)
	fmt.Fprintf(b, "| check, as a ratio to diff | %s | | ≤ 1.3, and 150 megabytes |\n", figures.Spread("%.2f", t.ratios(theCheck, theDiff)))
	fmt.Fprintf(b, "| check, as a ratio to diff with the same concurrency | %s | | |\n", figures.Spread("%.2f", t.ratios(theCheck, theDiff+" --concurrency=6")))
	t.large.rows(b)
	fmt.Fprintf(b, "| check of a definition of %.1f MB that is there, as a ratio to its dry run | %s | | ≤ 1.5 |\n", float64(definitionSize)/1e6, figures.Spread("%.2f", t.large.ratios(theLargeCheck, theDryRun)))
}

// blameCommand are the times of blame beside kubectl get.
type blameCommand struct{ verbTimes }

const (
	theBlame = "fieldmark blame"
	theGet   = "kubectl get -o yaml"
)

// measureBlame asks for one object that many own.
func measureBlame(ctx context.Context, l *lab.Lab) (t blameCommand, err error) {
	if _, err := owned(ctx, l); err != nil {
		return t, err
	}
	one := []string{"deployment/owned", "-n", ownedSpace}
	t.verbTimes, err = alternately(ctx, l, []command{
		{theBlame, append([]string{"fieldmark", "blame"}, one...)},
		{theGet, append([]string{"kubectl", "get", "-o", "yaml", "--show-managed-fields"}, one...)},
	})
	return t, err
}

func (t blameCommand) WriteSection(b *strings.Builder, _ lab.Plan) {
	fmt.Fprintf(b, "A Deployment that %d managers have applied. Milliseconds from start to end, medians of %d runs in turn with the range beside them, discovery and schema cached;\n"+
		"memory is the most of all runs, in megabytes (2²⁰).\n\n| | time | memory | goal |\n|---|---|---|---|\n", ownedManagers, len(t.times[theBlame]))
	t.rows(b)
	var more []float64
	for i, took := range t.times[theBlame] {
		more = append(more, took-t.times[theGet][i])
	}
	fmt.Fprintf(b, "| how much longer blame takes, run by run | %s | | ≤ 60 |\n", figures.Fine(more))
}
