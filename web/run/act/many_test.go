package act

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/components/golden"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

func numbered(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("n%03d", i))
	}
	return names
}

// inOrder are the names in the rows of the table, in their order.
func inOrder(t *testing.T, m Model) string {
	t.Helper()
	var names []string
	for _, part := range strings.Split(golden.Render(t, page.Main(m)), `data-name="`)[1:] {
		name, _, _ := strings.Cut(part, `"`)
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

func of(name string) func(func(page.Call) bool) func(page.Call) bool {
	return func(what func(page.Call) bool) func(page.Call) bool {
		return func(c page.Call) bool { return what(c) && strings.HasPrefix(c.Path, pathOf(name)+"/") }
	}
}

// The order is decided when all dry runs have responses. It doesn't change while the reader looks, or sends.
func TestTheWorstIsFirst(t *testing.T) {
	m := pageOf(t, "act=scale&replicas=5", "a", "b", "c", "d", "e")
	m.Targets[1].Object = parsed(t, deployment("b", "7", 5, 5))
	m.Targets[2].Object = parsed(t, strings.Replace(deployment("c", "7", 3, 3), `"manager":"ada"`, `"manager":"argocd-controller"`, 1))
	m.Targets[3].Object = parsed(t, strings.Replace(deployment("d", "7", 3, 3), `"f:replicas"`, `"f:paused"`, 1))
	if got := inOrder(t, m); got != "c a e d b" {
		t.Errorf("without dry runs: %s", got)
	}
	b := begun(t, m)
	if got := inOrder(t, b.m); got != "c a e d b" {
		t.Errorf("taking over moves rows: %s", got)
	}
	b.answer(review, 201, allowed)
	b.answer(of("d")(dry), 422, refusal(422, "Invalid"))
	if got := inOrder(t, b.m); got != "c a e d b" {
		t.Errorf("a response moves rows: %s", got)
	}
	for _, name := range []string{"a", "c", "e"} {
		b.answer(of(name)(dry), 200, scaled)
	}
	if got := inOrder(t, b.m); got != "d c a e b" {
		t.Errorf("after all dry runs: %s", got)
	}
	if got := b.m.tally(b.m.items()); got != "5 objects, the worst first: 1 refused or impossible, 1 with a field that somebody probably writes again, 2 with a field that somebody loses, 1 with nothing to do." {
		t.Errorf("%s", got)
	}
	b.do(doSend)
	b.answer(of("e")(write), 403, refusal(403, "Forbidden"))
	if got := inOrder(t, b.m); got != "d c a e b" {
		t.Errorf("a result moves rows: %s", got)
	}
}

func TestEachRequestIsForTheVersionOfItsDryRun(t *testing.T) {
	b := ready(t, "act=restart&only-if=uid", "a", "b")
	b.do(doSend)
	for _, name := range []string{"a", "b"} {
		sent := b.answer(func(c page.Call) bool { return write(c) && strings.HasPrefix(c.Path, pathOf(name)+"?") }, 409, refusal(409, "Conflict"))
		if !strings.Contains(string(sent.Body), `"resourceVersion":"7","uid":"u-`+name+`"`) {
			t.Errorf("%s", sent.Body)
		}
	}
	b.answer(func(c page.Call) bool { return get(c) && c.Path == pathOf("a") }, 200, deployment("a", "8", 4, 4))
	html := golden.Render(t, page.Main(b.m))
	for _, want := range []string{"The object had changed since its dry run, so the API server refused the request (409). It wrote nothing.", `data-path=".spec.replicas"`} {
		if !strings.Contains(html, want) {
			t.Errorf("%q is missing", want)
		}
	}
	again := b.answer(dry, 200, deployment("a", "8", 4, 4))
	if !strings.Contains(string(again.Body), `"resourceVersion":"8"`) {
		t.Errorf("the new plan is for another version: %s", again.Body)
	}
}

func TestDryRunsAreCanceledAndContinued(t *testing.T) {
	b := begun(t, pageOf(t, "act=scale&replicas=5", numbered(20)...))
	b.answer(review, 201, allowed)
	b.answer(dry, 200, scaled)
	if got := b.m.sum(); got != "1 of 20 dry runs done." {
		t.Errorf("%q", got)
	}
	if len(b.under) != mostUnder || !strings.Contains(golden.Render(t, page.Main(b.m)), `data-do="cancel"`) {
		t.Errorf("%d are under way", len(b.under))
	}
	b.do(doCancel)
	for range mostUnder {
		b.answer(dry, 200, scaled)
	}
	if got := b.m.sum(); got != "9 of 20 dry runs done. The others were canceled." || len(b.under) > 0 {
		t.Errorf("%q: %s", got, b.open())
	}
	html := golden.Render(t, page.Main(b.m))
	for _, want := range []string{"Scale 9 of 20", "Try the other 11", "not tried"} {
		if !strings.Contains(html, want) {
			t.Errorf("%q is missing", want)
		}
	}
	b.do(doRest)
	for range 11 {
		b.answer(dry, 200, scaled)
	}
	if b.m.button() != "Scale all 20" || b.m.sum() != "" || b.m.unready() != "" {
		t.Errorf("%q, %q, %q", b.m.button(), b.m.sum(), b.m.unready())
	}
}

// Again means only what failed, after a new dry run.
func TestOnlyWhatFailedIsDoneAgain(t *testing.T) {
	names := numbered(4)
	b := ready(t, "act=scale&replicas=5", names...)
	b.do(doSend)
	b.answer(of("n000")(write), 200, scaled)
	b.answer(of("n001")(write), 500, refusal(500, "InternalError"))
	b.answer(of("n002")(write), 0, "")
	b.answer(of("n003")(write), 200, scaled)
	if html := golden.Render(t, page.Main(b.m)); !strings.Contains(html, "Plan the 2 that failed again") {
		t.Error("what failed can’t be done again")
	}
	b.do(doAgain)
	for _, name := range []string{"n001", "n002"} {
		b.answer(func(c page.Call) bool { return get(c) && c.Path == pathOf(name) }, 200, deployment(name, "9", 3, 3))
		b.answer(lists("horizontalpodautoscalers"), 200, listed())
		b.answer(of(name)(dry), 200, scaled)
	}
	if b.m.button() != "Scale 2 of 4" || b.m.unready() != "" || slices.ContainsFunc(b.under, write) {
		t.Fatalf("%q, %q: %s", b.m.button(), b.m.unready(), b.open())
	}
	b.do(doSend)
	for range 2 {
		if sent := b.answer(write, 200, scaled); !strings.Contains(string(sent.Body), `"resourceVersion":"9"`) {
			t.Errorf("%s: %s", sent.Path, sent.Body)
		}
	}
	if slices.ContainsFunc(b.under, write) {
		t.Errorf("what was done is done again: %s", b.open())
	}
}

// Missing permissions and --read-only are in the table before anything is sent.
func TestRightsAreInTheTable(t *testing.T) {
	m := pageOf(t, "act=scale&replicas=5", numbered(12)...)
	for i := range 10 {
		m.Targets[i].Path.Namespace = "other"
	}
	b := begun(t, m)
	in := func(namespace string) func(page.Call) bool {
		return func(c page.Call) bool { return review(c) && strings.Contains(string(c.Body), `"`+namespace+`"`) }
	}
	b.answer(in("other"), 201, denied)
	b.answer(in("shop"), 201, allowed)
	tried := 0
	for slices.ContainsFunc(b.under, dry) {
		tried++
		b.answer(dry, 200, scaled)
	}
	if tried > 8 {
		t.Errorf("%d dry runs, although 10 are known to be refused", tried)
	}
	html := golden.Render(t, page.Main(b.m))
	if n := strings.Count(html, "Not allowed. You don’t have permission to patch deployments/scale"); n != 10 || b.m.button() != "Scale 2 of 12" || b.m.unready() != "" {
		t.Errorf("%d rows say it; %q, %q", n, b.m.button(), b.m.unready())
	}
	b.do(doSend)
	if n := len(slices.DeleteFunc(slices.Clone(b.under), func(c page.Call) bool { return !write(c) })); n != 2 {
		t.Errorf("%d are sent", n)
	}
	m.Shell.ReadOnly = true
	readOnly := begun(t, m)
	if n := strings.Count(golden.Render(t, page.Main(readOnly.m)), "Nothing is sent. Fieldmark was started with --read-only."); n != 12 {
		t.Errorf("%d rows say that Fieldmark only reads", n)
	}
}

// 500 objects are one table with 500 rows, with few requests at a time, and without scripts, too.
func TestFiveHundredObjects(t *testing.T) {
	if testing.Short() {
		t.Skip("the work is the same on each platform")
	}
	m := pageOf(t, "act=scale&replicas=5", numbered(web.MostActedOn)...)
	static := golden.Render(t, page.Main(m))
	if n := strings.Count(static, `<tr id="acted-`); n != web.MostActedOn || !strings.Contains(static, "without dry runs") || strings.Count(static, "curl -X PATCH") < web.MostActedOn {
		t.Errorf("%d rows without scripts", n)
	}
	b := begun(t, m)
	b.answer(review, 201, allowed)
	for range web.MostActedOn {
		if len(b.under) > mostUnder {
			t.Fatalf("%d are under way", len(b.under))
		}
		b.answer(dry, 200, scaled)
	}
	b.do(doSend)
	for range web.MostActedOn {
		b.answer(write, 200, scaled)
	}
	if b.m.jobCount(Accepted) != web.MostActedOn || b.m.busy() {
		t.Errorf("%d are accepted", b.m.jobCount(Accepted))
	}
	reads := 0
	for range 10 {
		b.pass(1e9)
		for slices.ContainsFunc(b.under, get) {
			reads++
			b.answer(get, 200, deployment("x", "10", 5, 3))
		}
	}
	if reads > web.MostActedOn {
		t.Errorf("%d reads in ten seconds", reads)
	}
	if strings.Contains(golden.Render(t, page.Main(b.m)), "curl -X") {
		t.Error("each paint writes all requests")
	}
}

// The response to a deletion tells whether the object is gone.
func TestManyAreDeleted(t *testing.T) {
	m := pageOf(t, "", "a", "b")
	m.Query = ParseQuery(url.Values{web.ActName: {"delete"}, web.ActPath: {pathOf("a"), pathOf("b")}})
	for i := range m.Targets {
		m.Targets[i].Type.Verbs = append(m.Targets[i].Type.Verbs, "delete")
	}
	b := begun(t, m)
	b.answer(review, 201, allowed)
	for range 2 {
		if tried := b.answer(dry, 200, success); !strings.HasPrefix(string(tried.Body), `{"dryRun":["All"],`) {
			t.Errorf("the dry run deletes: %s", tried.Body)
		}
	}
	b.do(doSend)
	b.answer(write, 200, success)
	sent := b.answer(write, 200, strings.Replace(deployment("b", "8", 3, 3), `"uid"`, `"finalizers":["x"],"deletionTimestamp":"2026-11-21T12:00:00Z","uid"`, 1))
	if got := states(b.m); got != "done accepted" || strings.Contains(string(sent.Body), "dryRun") || !strings.Contains(string(sent.Body), `"resourceVersion":"7"`) {
		t.Errorf("%s: %s", got, sent.Body)
	}
	one := pageOf(t, "", "a")
	one.Targets[0].Type.Verbs = append(one.Targets[0].Type.Verbs, "delete")
	for _, l := range one.links() {
		if l.Text == "Delete" {
			t.Error("a single object has a page of its own for that")
		}
	}
}

// A value is hidden behind a change of the plan only if it is the same field, or inside of it.
func TestInside(t *testing.T) {
	for _, c := range []struct {
		path, of string
		want     bool
	}{
		{".data.a", ".data.a", true}, {".data.a.b", ".data.a", true}, {`.spec.c[name="x"].image`, ".spec.c", true}, {".data.ab", ".data.a", false}, {".data", ".data.a", false},
	} {
		if got := inside(c.path, c.of); got != c.want {
			t.Errorf("%s inside %s: %v", c.path, c.of, got)
		}
	}
}

// The button of an act that destroys warns.
func TestTheButtonOfADeletionWarns(t *testing.T) {
	for query, danger := range map[string]bool{"act=delete": true, "act=label&pairs=a%3Db": false} {
		m := pageOf(t, query, "web", "api")
		for i := range m.Targets {
			m.Targets[i].Type.Verbs = append(slices.Clone(m.Targets[i].Type.Verbs), "delete")
		}
		html := golden.Render(t, page.Main(m))
		if strings.Contains(html, `class="button danger"`) != danger || strings.Contains(html, `class="button primary"`) == danger {
			t.Errorf("%s: %s", query, html)
		}
	}
}
