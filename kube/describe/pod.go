package describe

import (
	"slices"
	"strconv"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

// claimsByName is how many claims are read one by one, which needs less than the permission to list claims.
const claimsByName = 3

func podRequests(s Subject) (all []Request) {
	p := parse[pod](s.Object)
	names := p.claims()
	if len(names) > claimsByName {
		return []Request{s.list(askClaims, "the claims", apipath.Collection("", "v1", s.namespace(), "persistentvolumeclaims"), mostOthers, "", "")}
	}
	for _, name := range names {
		all = append(all, s.one(askClaim+name, "the claim "+name, s.namespaced("persistentvolumeclaims", name))...)
	}
	return all
}

func describePod(s Subject) Description {
	p := parse[pod](s.Object)
	d := Description{}
	s.podFacts(&d, p)
	s.podWaits(&d, p)
	d.Parts = append(d.Parts, s.containers(p), s.volumes(p))
	return d
}

func (s Subject) podFacts(d *Description, p pod) {
	d.fact("Phase", Text{Text: p.Status.Phase, Tone: phaseTones[p.Status.Phase]})
	d.fact("Node", Text{Text: p.Spec.Node, Path: pathOf("", "v1", "", "nodes", p.Spec.Node)})
	if p.Spec.Node == "" {
		d.fact("Nominated node", Text{Text: p.Status.Nominated, Path: pathOf("", "v1", "", "nodes", p.Status.Nominated)})
	}
	s.controller(d)
	var ips []Text
	for _, ip := range p.Status.IPs {
		ips = append(ips, Text{Text: ip.IP})
	}
	if len(ips) == 0 {
		ips = []Text{{Text: p.Status.IP}}
	}
	d.fact("IP", ips...)
	d.fact("QoS", Text{Text: p.Status.QoS})
	d.fact("Service account", Text{Text: p.Spec.Account, Path: s.namespaced("serviceaccounts", p.Spec.Account)})
	if p.Spec.Restart != "Always" {
		d.fact("Restart policy", Text{Text: p.Spec.Restart})
	}
	d.fact("Priority class", Text{Text: p.Spec.Priority, Path: pathOf("scheduling.k8s.io", "v1", "", "priorityclasses", p.Spec.Priority)})
	d.fact("Node selector", Text{Text: join(pairs(p.Spec.Selector))})
	var tolerations []Text
	for _, t := range p.Spec.Tolerations {
		if !t.usual() {
			tolerations = append(tolerations, Text{Text: t.words()})
		}
	}
	d.fact("Tolerates", tolerations...)
}

var phaseTones = map[string]Tone{"Running": Good, "Succeeded": Good, "Pending": Busy, "Failed": Bad, "Unknown": Warn}

func pairs(m map[string]string) (all []string) {
	for key, value := range m {
		all = append(all, key+"="+value)
	}
	slices.Sort(all)
	return all
}

// usual tells whether it is one of the two tolerations that admission adds to every pod.
func (t toleration) usual() bool {
	return (t.Key == "node.kubernetes.io/not-ready" || t.Key == "node.kubernetes.io/unreachable") &&
		t.Operator == "Exists" && t.Effect == "NoExecute" && t.Seconds != nil && *t.Seconds == 300
}

func (t toleration) words() string {
	text := t.Key
	switch {
	case t.Key == "":
		text = "every taint"
	case t.Operator != "Exists":
		text += "=" + t.Value
	}
	if t.Effect != "" {
		text += ":" + t.Effect
	}
	if t.Seconds != nil {
		text += " for " + seconds(*t.Seconds)
	}
	return text
}

// use is a container with its status.
type use struct {
	container
	kind   string // "init", "sidecar", "ephemeral", or empty
	status *containerStatus
}

// uses are the containers of a pod, in the order in which they start.
func (p pod) uses() (all []use) {
	add := func(kind string, containers []container, statuses []containerStatus) {
		for _, c := range containers {
			u := use{container: c, kind: kind}
			if kind == "init" && c.Restart == "Always" {
				u.kind = "sidecar"
			}
			if at := slices.IndexFunc(statuses, func(s containerStatus) bool { return s.Name == c.Name }); at >= 0 {
				u.status = &statuses[at]
			}
			all = append(all, u)
		}
	}
	add("init", p.Spec.Init, p.Status.Init)
	add("", p.Spec.Containers, p.Status.Containers)
	add("ephemeral", p.Spec.Ephemeral, p.Status.Ephemeral)
	return all
}

// containers are the containers: state, last run, restarts, probes.
func (s Subject) containers(p pod) Part {
	part := Part{ID: "containers", Title: "Containers", Wide: true, Head: []string{"Container", "State", "Last run", "Restarts", "Probes"}}
	for _, u := range p.uses() {
		name := Cell{{Text: u.Name}, {Text: u.Image, Soft: true}}
		if u.kind != "" {
			name[0].Text += " (" + u.kind + ")"
		}
		part.Rows = append(part.Rows, []Cell{name, s.stateOf(u), s.lastOf(u), s.restartsOf(u), u.probes()})
	}
	return part
}

// stateOf is the state of a container in words.
func (s Subject) stateOf(u use) Cell {
	if u.status == nil {
		return Cell{{Text: "no status yet", Tone: Busy}}
	}
	switch now := u.status.State; {
	case now.Running != nil:
		cell := Cell{{Text: "running", Tone: Good}}
		switch {
		case u.status.Started != nil && !*u.status.Started && u.kind != "ephemeral":
			cell[0] = Text{Text: "running, not started", Tone: Busy}
		case !u.status.Ready && u.kind != "ephemeral" && u.kind != "init":
			cell[0] = Text{Text: "running, not ready", Tone: Warn}
		}
		return append(cell, soft("since", s.Age(now.Running.Started)))
	case now.Waiting != nil:
		cell := Cell{{Text: "waiting: " + now.Waiting.Reason, Tone: waitTone(now.Waiting.Reason)}}
		if now.Waiting.Reason == "" {
			cell[0].Text = "waiting"
		}
		return append(cell, Text{Text: now.Waiting.Message, Soft: true})
	case now.Terminated != nil:
		return s.ended(*now.Terminated)
	}
	return Cell{{Text: "unknown", Tone: Warn}}
}

// lastOf is how the run before ended.
func (s Subject) lastOf(u use) Cell {
	if u.status == nil || u.status.Last.Terminated == nil {
		return Cell{{Text: "none", Soft: true}}
	}
	return s.ended(*u.status.Last.Terminated)
}

// ended is how a run ended: why, the exit code in words, how long it ran, and when it ended.
func (s Subject) ended(t terminated) Cell {
	tone := Bad
	if t.Code == 0 {
		tone = Good
	}
	reason := t.Reason
	if reason == "" {
		reason = "ended"
	}
	cell := Cell{{Text: reason, Tone: tone}, {Text: ExitWords(t.Code, t.Signal, t.Reason)}}
	when := lasted(t.Started, t.Finished)
	if !t.Finished.IsZero() {
		if when != "" {
			when += ", "
		}
		when += "ended" + s.ago(t.Finished)
	}
	return append(cell, Text{Text: when, Soft: true}, Text{Text: t.Message, Soft: true})
}

func (s Subject) restartsOf(u use) Cell {
	if u.status == nil {
		return line("0")
	}
	cell := line(strconv.Itoa(u.status.Restarts))
	if u.status.Restarts > 0 {
		cell[0].Tone = Warn
		if last := u.status.Last.Terminated; last != nil && u.status.State.Running != nil {
			cell = append(cell, soft("last", s.Age(u.status.State.Running.Started)))
		}
	}
	return cell
}

// soft is a text below another, such as "since 5m"; empty without an age.
func soft(word, age string) Text {
	if age == "" {
		return Text{}
	}
	if word == "last" {
		return Text{Text: "last " + age + " ago", Soft: true}
	}
	return Text{Text: word + " " + age, Soft: true}
}

// probes are the probes in words.
func (u use) probes() (cell Cell) {
	for _, p := range []struct {
		name  string
		probe *Probe
	}{{"startup", u.Startup}, {"readiness", u.Readiness}, {"liveness", u.Liveness}} {
		if p.probe != nil {
			cell = append(cell, Text{Text: p.name + ": " + p.probe.Words()})
		}
	}
	if len(cell) == 0 {
		return Cell{{Text: "none", Soft: true}}
	}
	return cell
}

// failing are the reasons for which a container waits after something has failed.
var failing = []string{
	"CrashLoopBackOff", "ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ErrImageNeverPull", "RegistryUnavailable", "ImageInspectError",
	"CreateContainerConfigError", "CreateContainerError", "RunContainerError", "PostStartHookError", "PreCreateHookError", "PreStartHookError",
}

func waitTone(reason string) Tone {
	if slices.Contains(failing, reason) {
		return Bad
	}
	return Busy
}

// Pod is a pod of a list, in short.
type Pod struct {
	Namespace string             `json:"namespace"`
	Name      string             `json:"name"`
	Node      string             `json:"node,omitempty"`
	State     string             `json:"state"` // one word, as kubectl shows it
	Tone      Tone               `json:"tone,omitempty"`
	Why       string             `json:"why,omitempty"` // what its status says about that
	Ready     bool               `json:"ready,omitempty"`
	Restarts  int                `json:"restarts,omitempty"`
	Created   time.Time          `json:"created"`
	Requests  map[string]float64 `json:"requests,omitempty"` // of what it asks its node for
	Claims    []string           `json:"claims,omitempty"`
	Over      bool               `json:"over,omitempty"` // it has ended, and takes nothing of its node
}

// short is the pod in short.
func (p pod) short() Pod {
	short := Pod{
		Namespace: p.Metadata.Namespace, Name: p.Metadata.Name, Node: p.Spec.Node, Created: p.Metadata.Created, Claims: p.claims(),
		State: p.Status.Phase, Tone: phaseTones[p.Status.Phase], Why: p.Status.Message, Requests: p.requests(),
		Over: p.Status.Phase == "Succeeded" || p.Status.Phase == "Failed",
	}
	if p.Status.Reason != "" {
		short.State = p.Status.Reason
	}
	short.Ready = p.condition("Ready").Status == "True"
	for _, u := range p.uses() {
		if u.status == nil || u.kind == "ephemeral" {
			continue
		}
		short.Restarts += u.status.Restarts
		switch now := u.status.State; {
		case short.Over || now.Running != nil || short.Tone == Bad: // of several, the first is shown, as kubectl does
		case now.Waiting != nil && now.Waiting.Reason != "" && now.Waiting.Reason != "PodInitializing":
			short.State, short.Tone, short.Why = now.Waiting.Reason, waitTone(now.Waiting.Reason), now.Waiting.Message
		case now.Terminated != nil && now.Terminated.Code != 0:
			short.State, short.Tone, short.Why = now.Terminated.Reason, Bad, ExitWords(now.Terminated.Code, now.Terminated.Signal, now.Terminated.Reason)
		}
		if end := u.status.State.Terminated; short.Over && end != nil && end.Code != 0 {
			short.Why = u.Name + ": " + ExitWords(end.Code, end.Signal, end.Reason)
		}
	}
	if scheduled := p.condition("PodScheduled"); scheduled.Status == "False" {
		short.State, short.Why = scheduled.Reason, scheduled.Message
	}
	if !short.Ready && short.State == "Running" {
		short.State, short.Tone = "Running, not ready", Warn
	}
	if !p.Metadata.Deleted.IsZero() {
		short.State, short.Tone = "Terminating", Busy
	}
	return short
}

func (p pod) condition(kind string) podCondition {
	for _, c := range p.Status.Conditions {
		if c.Type == kind {
			return c
		}
	}
	return podCondition{}
}

// podRows are pods as rows: name, state, restarts, age, and further cells.
func (s Subject) podRows(pods []Pod, further func(Pod) []Cell) (rows [][]Cell) {
	for _, p := range pods {
		name := p.Name
		if p.Namespace != s.namespace() {
			name = p.Namespace + "/" + name
		}
		state := Cell{{Text: p.State, Tone: p.Tone}}
		if p.Tone != Good {
			state = append(state, Text{Text: p.Why, Soft: true})
		}
		row := []Cell{linked(name, pathOf("", "v1", p.Namespace, "pods", p.Name)), state, line(strconv.Itoa(p.Restarts)), line(s.Age(p.Created))}
		if further != nil {
			row = append(row, further(p)...)
		}
		rows = append(rows, row)
	}
	return rows
}

// onNode is the node of a pod.
func onNode(p Pod) []Cell {
	if p.Node == "" {
		return []Cell{{{Text: "none", Soft: true}}}
	}
	return []Cell{linked(p.Node, pathOf("", "v1", "", "nodes", p.Node))}
}
