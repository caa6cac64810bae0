package describe

import (
	"strconv"
	"strings"
)

// podWaits says what a pod waits for.
func (s Subject) podWaits(d *Description, p pod) {
	switch p.Status.Phase {
	case "Succeeded":
		d.wait(Good, "It has finished without an error, and waits for nothing.", "")
		return
	case "Failed":
		words := "It has failed, and doesn’t start again."
		if p.Status.Reason != "" {
			words = "It has failed (" + p.Status.Reason + "), and doesn’t start again."
		}
		d.wait(Bad, words, p.Status.Message)
		return
	}
	if p.Spec.Node == "" {
		s.nodeWaits(d, p)
	}
	s.claimWaits(d, p)
	if p.Spec.Node != "" {
		s.containerWaits(d, p)
		gateWaits(d, p)
	}
	switch ready := p.condition("Ready"); {
	case len(d.Waits) > 0 || !s.Object.Deleted().IsZero():
	case ready.Status == "True":
		d.wait(Good, "It is ready, and waits for nothing.", "")
	case ready.Reason != "" || ready.Message != "":
		d.wait(Warn, "It isn’t ready. The condition Ready says why.", strings.Trim(ready.Reason+": "+ready.Message, ": "))
	default:
		d.wait(Busy, "It waits for its kubelet, which has reported no state yet.", "")
	}
}

// nodeWaits says what a pod without a node waits for.
func (s Subject) nodeWaits(d *Description, p pod) {
	scheduled := p.condition("PodScheduled")
	switch {
	case len(p.Spec.Gates) > 0:
		var names []string
		for _, g := range p.Spec.Gates {
			names = append(names, g.Name)
		}
		d.wait(Busy, "It waits until somebody removes its scheduling gates: "+join(names)+".", "")
	case scheduled.Status == "False":
		d.wait(Warn, "It waits for a node. The scheduler found none.", scheduled.Message)
	default:
		d.wait(Busy, "It waits for a node. The scheduler "+p.Spec.Scheduler+" has said nothing about it yet.", "")
	}
}

// claimWaits says which claims of a pod aren't bound.
func (s Subject) claimWaits(d *Description, p pod) {
	for _, name := range p.claims() {
		claim, exists := s.Found.Claims[name]
		link := Text{Text: "Describe the claim", Path: s.namespaced("persistentvolumeclaims", name)}
		switch {
		case exists && claim.Phase == "Lost":
			d.waitFor(Bad, "It waits for the claim "+name+", which has lost its volume.", "", link)
		case exists && claim.Phase != "Bound":
			d.waitFor(Warn, "It waits for the claim "+name+", which isn’t bound. Its phase is "+claim.Phase+".", "", link)
		case !exists && (s.heard(askClaim+name) || s.heard(askClaims) && !s.Found.More[askClaims]):
			d.waitFor(Bad, "It waits for the claim "+name+", which doesn’t exist.", "", Text{})
		}
	}
}

// containerWaits says what the containers of a pod wait for. The containers after an init container wait for it, which is said once.
func (s Subject) containerWaits(d *Description, p pod) {
	inits, done := 0, 0
	for _, u := range p.uses() {
		if u.kind != "init" {
			continue
		}
		inits++
		if u.status != nil && u.status.State.Terminated != nil && u.status.State.Terminated.Code == 0 {
			done++
		}
	}
	for _, u := range p.uses() {
		if u.kind == "ephemeral" {
			continue
		}
		if u.kind == "init" && u.status != nil && u.status.State.Running != nil {
			d.wait(Busy, "It waits for the init container "+u.Name+" to finish: "+strconv.Itoa(done)+" of "+strconv.Itoa(inits)+" are done.", "")
			return
		}
		before := len(d.Waits)
		s.waitOf(d, u)
		if u.kind == "init" && len(d.Waits) > before {
			return
		}
	}
}

// part is how events name a container.
func (u use) part() string {
	switch u.kind {
	case "init", "sidecar":
		return "spec.initContainers{" + u.Name + "}"
	case "ephemeral":
		return "spec.ephemeralContainers{" + u.Name + "}"
	}
	return "spec.containers{" + u.Name + "}"
}

// waitOf says what one container waits for.
func (s Subject) waitOf(d *Description, u use) {
	if u.status == nil {
		return
	}
	switch now := u.status.State; {
	case now.Waiting != nil:
		s.waitFor(d, u, now.Waiting.Reason, now.Waiting.Message)
	case now.Running != nil && u.status.Started != nil && !*u.status.Started && u.Startup != nil:
		d.wait(Busy, "The container "+u.Name+" waits for its startup probe: "+u.Startup.Words()+".", s.quote(u.part(), "Unhealthy"))
	case now.Running != nil && !u.status.Ready && u.Readiness != nil && u.kind != "init":
		d.wait(Warn, "The container "+u.Name+" waits for its readiness probe: "+u.Readiness.Words()+".", s.quote(u.part(), "Unhealthy"))
	case now.Terminated != nil && (u.kind != "init" || now.Terminated.Code != 0):
		t := now.Terminated
		d.wait(Warn, "The container "+u.Name+" has ended"+s.ago(t.Finished)+" with "+ExitWords(t.Code, t.Signal, t.Reason)+".", t.Message)
	}
}

// waitFor says what a container in the state Waiting waits for.
func (s Subject) waitFor(d *Description, u use, reason, message string) {
	name := "The container " + u.Name
	switch reason {
	case "ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "RegistryUnavailable", "ImageInspectError":
		words := name + " waits for its image " + u.Image + " (" + reason + ")."
		if e, ok := s.newest(u.part(), "Failed", "InspectFailed", "ErrImageNeverPull"); ok {
			words = name + " waits for its image " + u.Image + " (" + reason + "). The kubelet first reported that " + s.Age(e.First) + " ago."
		}
		d.wait(Bad, words, message)
	case "CrashLoopBackOff":
		words := name + " waits before its next start, because it ends again and again."
		if last := u.status.Last.Terminated; last != nil {
			words += " Its last run ended" + s.ago(last.Finished) + " with " + ExitWords(last.Code, last.Signal, last.Reason) + "."
		}
		d.wait(Bad, words, message)
	case "CreateContainerConfigError", "CreateContainerError", "RunContainerError", "PreCreateHookError", "PreStartHookError", "PostStartHookError":
		d.wait(Bad, name+" can’t be started ("+reason+"). The kubelet tries again.", message)
	case "PodInitializing":
		if u.kind == "" && message == "" && s.initsDone() {
			d.wait(Busy, name+" waits for the kubelet to start it. All init containers are done.", "")
		}
	case "ContainerCreating":
		quoted := s.quote("", "FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox", "NetworkNotReady", "FailedMapVolume")
		tone := Busy
		if quoted != "" {
			tone = Warn
		}
		if message != "" {
			quoted = message
		}
		d.wait(tone, name+" waits for the kubelet to create it: volumes, network, image.", quoted)
	case "":
		d.wait(Busy, name+" waits. Its status gives no reason.", message)
	default:
		d.wait(waitTone(reason), name+" waits ("+reason+").", message)
	}
}

// initsDone tells whether all init containers of a pod have finished.
func (s Subject) initsDone() bool {
	for _, u := range parse[pod](s.Object).uses() {
		if u.kind == "init" && (u.status == nil || u.status.State.Terminated == nil) {
			return false
		}
	}
	return true
}

// gateWaits says which readiness gates aren't True.
func gateWaits(d *Description, p pod) {
	for _, g := range p.Spec.ReadinessGates {
		if c := p.condition(g.Type); c.Status != "True" {
			d.wait(Warn, "It waits for its readiness gate "+g.Type+": another controller sets this condition.", c.Message)
		}
	}
}
