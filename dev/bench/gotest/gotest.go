// Package gotest runs benchmarks and a long test of the project's own, for the report.
package gotest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// The parts of this family.
var (
	Functions  = lab.Of(measureFunctions)
	Continuity = lab.Of(measureContinuity)
)

// functionTimes are what Go's own benchmarks say of single functions, in nanoseconds a call.
type functionTimes struct {
	order           []string
	native, browser map[string]float64
}

var (
	measuredFunctions = []string{"-run", "^$", "-bench", "Blame$|Second$", "./kube/ownership", "./web/read/timeline"}
	functionLine      = regexp.MustCompile(`(?m)^Benchmark(\w+)\S*\s+\d+\s+([\d.]+) ns/op`)
	what              = map[string]string{
		"Blame":  "who owns each of 1,000 lines of 20 managers",
		"Second": "a second of a timeline with 100 changes",
	}
)

// measureFunctions runs benchmarks natively, and as WebAssembly in Node.
func measureFunctions(ctx context.Context, _ *lab.Lab) (t functionTimes, err error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return t, fmt.Errorf("where Go is: %w", err)
	}
	if t.order, t.native, err = benchmarks(ctx, nil); err != nil {
		return t, err
	}
	inNode := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "go_js_wasm_exec")
	_, t.browser, err = benchmarks(ctx, []string{"GOOS=js", "GOARCH=wasm"}, "-exec", inNode)
	return t, err
}

func benchmarks(ctx context.Context, env []string, flags ...string) (order []string, times map[string]float64, err error) {
	command := exec.CommandContext(ctx, "go", append(append([]string{"test"}, flags...), measuredFunctions...)...)
	command.Env, command.Stderr = append(os.Environ(), env...), os.Stderr
	answer, err := command.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("go test -bench: %w\n%s", err, answer)
	}
	times = map[string]float64{}
	for _, found := range functionLine.FindAllStringSubmatch(string(answer), -1) {
		order = append(order, found[1])
		times[found[1]], _ = strconv.ParseFloat(found[2], 64)
	}
	return order, times, nil
}

func (t functionTimes) WriteSection(b *strings.Builder, _ lab.Plan) {
	b.WriteString("Go's own benchmarks, in milliseconds a call.\n\n| function | native | WebAssembly in Node |\n|---|---|---|\n")
	for _, name := range t.order {
		fmt.Fprintf(b, "| %s | **%.1f** | **%.1f** |\n", what[name], t.native[name]/1e6, t.browser[name]/1e6)
	}
}

// continuity is what the long test of continuity went through.
type continuity struct {
	writes string
	pages  [][]string // each: messages, gaps
}

var (
	continuityPage   = regexp.MustCompile(`: (\d+) messages, (\d+) gaps`)
	continuityWrites = regexp.MustCompile(`(\d+) writes`)
)

// measureContinuity runs the long test of continuity, with the race detector. It fails with the test.
func measureContinuity(ctx context.Context, _ *lab.Lab) (c continuity, err error) {
	command := exec.CommandContext(ctx, "dev/scripts/with-practice.sh", "go", "test", "-race", "-count=1", "-run", "TestPracticeContinuity", "-v", "./server/relay")
	command.Env, command.Stderr = append(os.Environ(), "CGO_ENABLED=1", "FIELDMARK_CONTINUITY=long"), os.Stderr
	answer, err := command.Output()
	if err != nil {
		return c, fmt.Errorf("the long test of continuity: %w\n%s", err, answer)
	}
	for _, found := range continuityPage.FindAllStringSubmatch(string(answer), -1) {
		c.pages = append(c.pages, found[1:])
	}
	if found := continuityWrites.FindStringSubmatch(string(answer)); found != nil {
		c.writes = found[1]
	}
	return c, nil
}

func (c continuity) WriteSection(b *strings.Builder, _ lab.Plan) {
	fmt.Fprintf(b, "The long version of `TestPracticeContinuity`, with the race detector: passed. In a minute the test made %s writes, while the line to the\n"+
		"API server broke 100 times, the API server restarted 5 times, and its store forgot old versions 10 times.\n\n"+
		"| page | messages | gaps that the page was told of |\n|---|---|---|\n", c.writes)
	for i, page := range c.pages {
		fmt.Fprintf(b, "| %d | %s | %s |\n", i+1, page[0], page[1])
	}
}
