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

// Fight is a demonstration on the page of a practice cluster: two managers fight over a field. It is a Scenario, an object of the API. Creating the
// Scenario begins the fight. Deleting the Scenario ends the fight and cleans up.
type Fight struct {
	Scenario object.Object      `json:"scenario"` // zero: it doesn't exist
	Problem  *components.Notice `json:"problem"`  // says why Fieldmark doesn't know whether the Scenario exists
}

// fightBody is the body of the request that begins the fight.
func fightBody() []byte {
	return scenario.New("fight", `{"actors":[`+
		`{"name":"gitops","gitops":{"namespace":"contest","name":"contested","replicas":3,"everySeconds":6}},`+
		`{"name":"autoscaler","autoscaler":{"namespace":"contest","name":"contested","min":5,"max":7,"everySeconds":6}}]}`)
}

// FightPath is the path of the Scenario.
func FightPath() apipath.Path { return scenario.Named("fight") }

// contested is the path of the Deployment with the contested field.
func contested() apipath.Path {
	return apipath.Object("apps", "v1", "contest", "deployments", "contested")
}

// stage is the state of a fight.
type stage string

const (
	unknown stage = "unknown"
	absent  stage = "none"
	begins  stage = "begins" // the Scenario exists, but not yet everything that it creates
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

// holds tells whether everything is as the Scenario's spec says, and if not, why.
func (f Fight) holds() (yes bool, why string) {
	for _, c := range f.Scenario.Conditions() {
		if c.Type == "Holds" {
			return c.Status == "True", c.Message
		}
	}
	return false, ""
}

// fighter is one of the two managers.
type fighter struct {
	Manager, How, Wants, When string
	Writes                    string // how many so far; empty: unknown
	Trouble                   string // says why the last write was refused
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

// report is what the Scenario's status says about an actor.
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

// number reads a number in an object; 0 if the value isn't a number.
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
	Idle      bool   // it has nothing to do at the moment
	Beside    string // what the button does, or why it can't be used
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
		a.Beside = m.Shell.Limit() + " Fieldmark can’t write."
	}
	return a
}

// byKubectl is commands that do the same as the button.
func byKubectl() string {
	o, err := object.Parse(fightBody())
	if err != nil {
		panic(err) // all parts are constants
	}
	text, err := manifest.YAML(o.Fields)
	if err != nil {
		panic(err)
	}
	return "kubectl create -f - <<EOF\n" + string(text) + "EOF\n\nkubectl delete scenario fight\n"
}

// watching is the address of the Deployment with its managedFields; empty if there is no Deployment.
func (m Model) watching() string {
	if s := m.Fight.stage(); s != begins && s != rages {
		return ""
	}
	return m.page(contested()) + "?managed=1"
}

// start and stop are the requests of the button.
func (m Model) start() page.Cmd {
	return call.New(m.Shell.Cluster.Slug, "POST", scenario.Path().String(), "application/json", fightBody()).Send(doStart)
}

func (m Model) stop() page.Cmd {
	return call.New(m.Shell.Cluster.Slug, "DELETE", FightPath().String(), "", nil).Send(doStop)
}

// scan is the address of the page that finds such fights.
func (m Model) scan() string { return web.Tool(m.Shell.Cluster.Slug, web.Contention) }
