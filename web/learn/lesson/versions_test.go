package lesson

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/components/golden"
	"github.com/fieldmark/fieldmark/components/specimen"
	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

var update = flag.Bool("update", false, "write the golden files again")

// newIn134 is a lesson about something that is new in 1.34, with a step that needs 1.36.
func newIn134(t *testing.T) Model {
	t.Helper()
	newer, older := release.Range{Since: 34}, release.Range{Until: 33}
	fine, refused := says(t, "status = 200"), says(t, "status = 422")
	m := practice(t)
	m.Lesson = lesson.Lesson{
		ID: "new", Title: "New", Summary: "You know.", Minutes: 5, Takeaways: []lesson.Takeaway{{HTML: "Send it.", Range: newer}, {HTML: "Read it."}},
		Steps: []lesson.Step{
			{ID: "one", Title: "One", Blocks: []lesson.Block{
				{Predict: &lesson.Predict{Question: "What?", Of: "list", Choices: []lesson.Choice{
					{Text: "200", Right: true, If: &fine, Because: "It is new.", Range: newer},
					{Text: "422", If: &refused, Because: "No longer.", Range: newer},
					{Text: "422", Right: true, If: &refused, Because: "It is unknown.", Range: older},
					{Text: "200", If: &fine, Because: "Not yet.", Range: older},
				}}},
				{Request: &lesson.Request{Name: "list", Method: "GET", Target: "/api/v1/nodes"}},
				{Check: &lesson.Check{Of: "list", Statements: []lesson.Statement{says(t, "since=1.34 status = 200"), says(t, "until=1.33 status = 422"), says(t, "type = application/json")}}},
				{Notes: &lesson.Notes{Of: "list", Notes: []lesson.Note{{At: fine.Subject, Text: "It is there.", Range: newer}}}},
				{HTML: "<p>The server sends it.</p>", Range: newer},
				{HTML: "<p>The server refuses it.</p>", Differs: true, Range: older},
			}},
			{ID: "two", Title: "Two", Range: release.Range{Since: 36}, Blocks: []lesson.Block{
				{HTML: "<p>In " + lesson.Placeholder("namespace") + "</p>"},
				{Request: &lesson.Request{Name: "made", Method: "POST", Target: "/api/v1/namespaces/{{namespace}}/pods", Body: "{}"}},
				{Check: &lesson.Check{Of: "made", Statements: []lesson.Statement{says(t, "status = 201")}}},
			}},
		},
	}
	return m
}

// on is the page of that lesson for a server.
func on(t *testing.T, v release.Version) Model {
	t.Helper()
	m := newIn134(t)
	m.Version, m.Lesson = v, m.Lesson.On(v)
	return m
}

func TestVersionsGolden(t *testing.T) {
	var all []specimen.Specimen
	for name, v := range map[string]release.Version{"holds": 37, "differs": 33, "unknown": 0} {
		m := on(t, v)
		all = append(all, specimen.Specimen{Name: name, Shown: page.Main(m)})
		p := begin(t, m, "")
		p.do("turn 0")
		all = append(all, specimen.Specimen{Name: name + "-live", Shown: page.Main(p.m)})
	}
	p := begin(t, on(t, 33), "")
	p.do("turn 1")
	all = append(all, specimen.Specimen{Name: "impossible", Shown: page.Main(p.m)})
	golden.Check(t, *update, all)
}

// nodesListed is the response to the lesson's request.
func nodesListed(code int) any { return answer("lesson/0.1", code, `{"kind":"List","items":[]}`) }

func TestWhatHoldsOnTheReadersServer(t *testing.T) {
	const newer, older = "The server sends it.", "The server refuses it."
	for v, c := range map[release.Version]struct {
		code      int
		right     int // the choice
		says, not []string
		left      int
	}{
		37: {200, 0, []string{"Correct.", "It is new.", newer, "Check passed", "It is there."}, []string{older, "Kubernetes 1.34", "On your server", "It is unknown."}, 1},
		34: {200, 0, []string{"Correct.", newer, "is for Kubernetes 1.36 and later. Your server has 1.34"}, []string{older, "On your server"}, 0},
		33: {422, 0, []string{"Correct.", "It is unknown.", "On your server (Kubernetes 1.33)", older, "Kubernetes 1.34 and later", newer, "Check passed"}, []string{"It is new.", "It is there."}, 0},
	} {
		t.Run(v.String(), func(t *testing.T) {
			p := begin(t, on(t, v), "")
			if v == 37 {
				p.do(doBegin, namespaceMade)
			}
			p.do("turn 0", fmt.Sprintf("guess 0.0 %d", c.right), "send-request 0.1", nodesListed(c.code))
			p.says(c.says...)
			p.silent(c.not...)
			if !p.m.passed(0) || p.m.left() != c.left {
				t.Errorf("passed: %v, left: %d", p.m.passed(0), p.m.left())
			}
		})
	}
}

// A learner whose server can't do a step finishes the lesson without it, and nothing is created for it.
func TestAStepThatIsImpossibleIsPassed(t *testing.T) {
	p := begin(t, on(t, 33), "")
	if p.m.needsNamespace() {
		t.Error("a namespace is created for a step that can't be done")
	}
	p.do("turn 0", "guess 0.0 0", "send-request 0.1", nodesListed(422), "turn 1")
	p.says("This step is for Kubernetes 1.36 and later. Your server has 1.33, so the page only shows the step.", "This request is for 1.36 and later")
	if strings.Contains(p.html(), "send-1.1") || p.m.stepState(1) != "" || p.m.stepState(0) != "passed" {
		t.Errorf("the request can be sent, or the steps are %q and %q", p.m.stepState(0), p.m.stepState(1))
	}
	p.took()
	p.do("turn 2")
	p.says("The lesson’s namespace is being deleted")
	if !p.m.mine().Done {
		t.Error("the lesson isn't done")
	}
}

// Without a version nobody knows which choice is right, so nothing with versions is asked or checked.
func TestAServerOfAnUnknownVersion(t *testing.T) {
	p := begin(t, on(t, 0), "")
	p.do("turn 0", "send-request 0.1", nodesListed(200))
	p.says("Kubernetes 1.34 and later", "Kubernetes 1.33 and earlier", "The server sends it.", "The server refuses it.", "Check passed", "Kubernetes 1.34 and later: It is there.")
	p.silent("On your server", `data-do="guess`)
	if !p.m.passed(0) || p.m.left() != 0 {
		t.Errorf("passed: %v, left: %d", p.m.passed(0), p.m.left())
	}
}

// Progress is stored by place, so an attempt continues where it was.
func TestPlacesAreTheSameOnAllVersions(t *testing.T) {
	for v := range (release.Range{Since: 30, Until: 37}).All() {
		m := on(t, v)
		for s, step := range newIn134(t).Lesson.Steps {
			if len(m.Lesson.Steps) != 2 || len(m.Lesson.Steps[s].Blocks) != len(step.Blocks) {
				t.Errorf("on %s, step %d has %d blocks", v, s, len(m.Lesson.Steps[s].Blocks))
			}
		}
	}
}

// A response is compared with those of other versions. On a server of the same version, there is nothing to compare.
func TestRecordedResponses(t *testing.T) {
	const one, empty, same = "Recorded from Kubernetes 1.31.", `{"kind":"List","items":[]}`, "is the same as that of 1.31."
	for name, c := range map[string]struct {
		version   release.Version
		response  string
		says, not []string
	}{
		"another version":  {37, `{"kind":"List","items":[{}]}`, []string{one, "Your server has 1.37.", "The responses differ in the status", "<code>422</code>, your server: <code>200</code>", "only Kubernetes 1.31: ", "only your server: "}, []string{same}},
		"unknown version":  {0, `{"kind":"List","items":[1]}`, []string{one, "The version of your server is unknown."}, []string{same}},
		"the same version": {31, empty, nil, []string{"Recorded from", same}},
	} {
		t.Run(name, func(t *testing.T) {
			m := newIn134(t)
			recording := lesson.Block{Recorded: &lesson.Recorded{Of: "list", Version: 31, Status: 422, Header: []lesson.Header{{Name: "Content-Type", Value: "application/json"}}, Body: empty}}
			m.Lesson.Steps = []lesson.Step{{ID: "one", Title: "One", Blocks: []lesson.Block{m.Lesson.Steps[0].Blocks[1], recording}}}
			m.Version, m.Lesson = c.version, m.Lesson.On(c.version)
			p := begin(t, m, "")
			p.do("turn 0")
			p.silent("your server: ")
			p.do("send-request 0.0", answer("lesson/0.0", 200, c.response))
			p.says(c.says...)
			p.silent(c.not...)
		})
	}
}

// Readers without scripts read the recording itself.
func TestRecordedResponsesOnPaper(t *testing.T) {
	m := newIn134(t)
	m.Lesson.Steps[0].Blocks = append(m.Lesson.Steps[0].Blocks, lesson.Block{Recorded: &lesson.Recorded{Of: "list", Version: 31, Status: 404, Body: "404 page not found"}})
	m.Version = 37
	p := &player{t: t, m: m}
	if html := p.html(); !strings.Contains(html, "Recorded from Kubernetes 1.31. Your server has 1.37.") || !strings.Contains(html, "404 page not found") {
		t.Error("the recording isn't shown")
	}
}
