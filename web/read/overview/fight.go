package overview

import (
	"fmt"
	"strconv"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/scenario"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Fight is what the page of a practice cluster has on two managers that can be made to fight over a field. It is a
// Scenario, one object of the API: creating it begins the fight, and deleting it ends it and cleans up.
type Fight struct {
	Scenario object.Object      `json:"scenario"` // zero: there is none
	Problem  *components.Notice `json:"problem"`  // why it is not known whether there is one
}

// fightBody is the body of the request that begins the fight.
func fightBody() []byte {
	return scenario.New("fight", `{"actors":[`+
		`{"name":"gitops","gitops":{"namespace":"contest","name":"contested","replicas":3,"everySeconds":6}},`+
		`{"name":"autoscaler","autoscaler":{"namespace":"contest","name":"contested","min":5,"max":7,"everySeconds":6}}]}`)
}

// FightPath is where the Scenario is, or would be.
func FightPath() apipath.Path { return scenario.Named("fight") }

// contested is what is fought over.
func contested() apipath.Path {
	return apipath.Object("apps", "v1", "contest", "deployments", "contested")
}

// stage is how far a fight is.
type stage string

const (
	unknown stage = "unknown"
	absent  stage = "none"
	begins  stage = "begins" // the Scenario is there, what it asks for is not yet
	rages   stage = "rages"
	ends    stage = "ends" // the Scenario is being deleted
)

func (f Fight) stage() stage {
	switch {
	case f.Problem != nil:
		return unknown
	case f.Scenario.Fields == nil:
		return absent
	case !f.Scenario.Deleted().IsZero():
		return ends
	}
	if holds, _ := f.holds(); holds {
		return rages
	}
	return begins
}

// holds tells whether everything is as the Scenario asks for, and if not, why.
func (f Fight) holds() (yes bool, why string) {
	for _, c := range f.Scenario.Conditions() {
		if c.Type == "Holds" {
			return c.Status == "True", c.Message
		}
	}
	return false, ""
}

// fighter is one of the two.
type fighter struct {
	Manager, How, Wants, When string
	Writes                    string // how many so far; empty: none is known of
	Trouble                   string // why the last one was refused
}

func (f Fight) fighters() []fighter {
	two := []fighter{
		{Manager: "gitops", How: "applies its manifest (server-side apply with force)", Wants: "3", When: "every 6 s"},
		{Manager: "autoscaler", How: "updates the scale subresource", Wants: "5 to 7", When: "every 6 s, 3 s after gitops"},
	}
	for i := range two {
		two[i].Writes, two[i].Trouble = f.report(two[i].Manager)
	}
	return two
}

// report is what the Scenario's status says of an actor.
func (f Fight) report(name string) (writes, trouble string) {
	status, _ := f.Scenario.Fields["status"].(map[string]any)
	actors, _ := status["actors"].([]any)
	for _, entry := range actors {
		actor, _ := entry.(map[string]any)
		if actor["name"] != name {
			continue
		}
		trouble, _ = actor["message"].(string)
		return fmt.Sprint(number(actor["created"]) + number(actor["updated"])), trouble
	}
	return "", ""
}

// number reads a number of an object. What is none counts as nothing.
func number(v any) int64 {
	n, err := strconv.ParseInt(fmt.Sprint(v), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// Buttons of the page, by their data-do.
const (
	doStart = "fight/start"
	doStop  = "fight/stop"
)

// act is the button of the fight.
type act struct {
	Words, Do string
	Off       bool   // it can't be used on this page
	Idle      bool   // it has nothing to do just now
	Beside    string // what it does, or why it doesn't
}

func (m Model) act() act {
	a := act{Words: "Start a fight", Do: doStart, Off: m.Shell.ReadOnly || !m.live.awake}
	switch m.Fight.stage() {
	case unknown:
		a.Off, a.Beside = true, "Fieldmark doesn’t know yet whether a fight is running."
	case absent:
		a.Beside = "Creates a Scenario. The Scenario creates the Deployment and starts both managers."
	case begins:
		_, why := m.Fight.holds()
		a.Words, a.Do, a.Beside = "Stop the fight", doStop, "The fight starts soon. "+components.Sentence(why)
	case rages:
		a.Words, a.Do, a.Beside = "Stop the fight", doStop, "Deletes the Scenario, the Deployment and its namespace."
	case ends:
		a.Words, a.Do, a.Idle, a.Beside = "Stop the fight", doStop, true, "Cleaning up: the Deployment and its namespace are being deleted."
	}
	if m.live.asked != "" {
		a.Idle, a.Beside = true, "Fieldmark sent the request to the API server."
	}
	if m.Shell.ReadOnly {
		a.Beside = "Fieldmark was started with --read-only, so it can’t write."
	}
	return a
}

// byKubectl does the same as the button.
func byKubectl() string {
	o, err := object.Parse(fightBody())
	if err != nil {
		panic(err) // it is made of constants
	}
	text, err := manifest.YAML(o.Fields)
	if err != nil {
		panic(err)
	}
	return "kubectl create -f - <<EOF\n" + string(text) + "EOF\n\nkubectl delete scenario fight\n"
}

// watching leads to the Deployment, with the record of who owns which of its fields; empty while there is none.
func (m Model) watching() string {
	if s := m.Fight.stage(); s != begins && s != rages {
		return ""
	}
	return m.page(contested()) + "?managed=1"
}

// start and stop are the requests behind the button.
func (m Model) start() page.Cmd {
	return call.New(m.Shell.Cluster.Slug, "POST", scenario.Path().String(), "application/json", fightBody()).Send(doStart)
}

func (m Model) stop() page.Cmd {
	return call.New(m.Shell.Cluster.Slug, "DELETE", FightPath().String(), "", nil).Send(doStop)
}

// scan leads to the scan that finds fights such as this one.
func (m Model) scan() string { return web.Tool(m.Shell.Cluster.Slug, web.Contention) }
