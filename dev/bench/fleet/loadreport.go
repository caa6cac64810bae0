package fleet

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
	"github.com/fieldmark/fieldmark/dev/bench/scale"
)

// WriteSection writes what the load needed, and how far the model was off.
func (t *loadTimes) WriteSection(b *strings.Builder, _ lab.Plan) {
	s := t.steady
	fmt.Fprintf(b, "%d people in teams of %d, each with a token of its own, at %d replicas behind a proxy that gives each connection to the next replica. A page of each\n"+
		"person is open, with %d subscriptions. Each person opens another page every %s on average, at random moments, however long earlier ones took. %.0f times\n"+
		"a second an object changes that a team follows. All of this, the API server and etcd share the machine. Measured for %s.\n\n",
		t.people, teamSize, len(s.replicas), t.subscriptions, t.think, t.changes, t.waited)
	if t.design == scale.Verified {
		fmt.Fprintf(b, "People share watches (`--%s`).\n\n", lab.ShareFlag)
	}
	row := func(name string, cells ...any) {
		fmt.Fprintf(b, "| %s |"+strings.Repeat(" %s |", len(cells))+"\n", append([]any{name}, cells...)...)
	}
	b.WriteString("| | number | median | p99 |\n|---|---|---|---|\n")
	row("arrivals: sign in, a page, a socket with its subscriptions", t.callCount(t.signIns), inMS(t.signIns.quantile(0.5)), inMS(t.signIns.quantile(0.99)))
	row("pages, from the moment at which they were due", t.callCount(t.pages), inMS(t.pages.quantile(0.5)), inMS(t.pages.quantile(0.99)))
	row("the same, until they were requested: the machine was that late", t.callCount(t.late), inMS(t.late.quantile(0.5)), inMS(t.late.quantile(0.99)))
	row("events at a socket, since their write was sent", fmt.Sprint(len(t.delays)), inMS(figures.Quantile(t.delays, 0.5)), inMS(figures.Quantile(t.delays, 0.99)))
	fmt.Fprintf(b, "\nOf changes that waited, a socket gets the newest state of the object: %d changes arrived with a later one.\n", t.superseded)
	fmt.Fprintf(b, "\nErrors: **%d** (goal 0): %d people who couldn't arrive, %d pages, %d writes, %d sockets that ended, %d times a subscription that wasn't current, %d changes that didn't arrive.%s\n"+
		"Processor of the program that measures, with the proxy: %.0f %% of a core. The API server ran for %.0f s, and waited %.0f s for a processor: if it waited for\n"+
		"longer than it ran, other programs had the machine, and the pages and the errors say little about Fieldmark.\n\n",
		t.errors(), t.signIns.errors, t.pages.errors, t.writes.errors, t.broken, t.troubles, t.missing, t.reason(), 100*s.generator/s.seconds, s.apiServer.cpu, s.apiServer.waited)
	b.WriteString("| | measured | predicted | off (goal ≤ 25 %) |\n|---|---|---|---|\n")
	for _, one := range t.compared() {
		row(one.name, one.text(one.measured), one.text(one.predicted), fmt.Sprintf("%+.0f %%", one.off()))
	}
	fmt.Fprintf(b, "\nThe prediction is of `dev/bench/scale`, from costs that were measured with %d people on %s.\n", t.costs.People, t.costs.Measured)
}

func (t *loadTimes) callCount(one *tally) string { return fmt.Sprint(len(one.times)) }

// reason is the first error, as a sentence.
func (t *loadTimes) reason() string {
	if t.firstError == nil {
		return ""
	}
	text, _, _ := strings.Cut(t.firstError.Error(), "\n")
	return " The first: `" + text + "`."
}

func inMS(d time.Duration) string { return fmt.Sprintf("%.0f ms", figures.MS(d)) }

// figure is a number that was predicted and measured.
type figure struct {
	name                string
	measured, predicted float64
	text                func(float64) string
}

// off says by how many percent the prediction is off.
func (f figure) off() float64 {
	if f.measured == 0 {
		return math.Inf(1)
	}
	return 100 * (f.predicted/f.measured - 1)
}

// compared are the figures of the model beside those that were measured. The replicas are compared as one, because they have the same load.
func (t *loadTimes) compared() []figure {
	s, p, n := t.steady, t.predicted, float64(len(t.steady.replicas))
	replica := s.replica()
	return []figure{
		{"each replica: processor", replica.cpu / s.seconds / n, p.Replica.Cores, cores},
		{"each replica: memory in use", replica.inUse() / n, p.Replica.Memory, scale.Bytes},
		{"each replica: resident memory, at most", replica.resident / n, p.Replica.Resident, scale.Bytes},
		{"API server: processor", s.apiServer.cpu / s.seconds, p.Server.Cores, cores},
		{"API server: resident memory, at most", s.apiServer.resident, p.Server.Memory, scale.Bytes},
		{"API server: requests a second", s.requests / s.seconds, p.Server.Requests, perSecond},
		{"API server: watches", s.watches - t.unused, p.Server.Watches, perSecond},
	}
}

func cores(n float64) string { return fmt.Sprintf("%.0f %% of a core", 100*n) }

func perSecond(n float64) string { return fmt.Sprintf("%.0f", n) }
