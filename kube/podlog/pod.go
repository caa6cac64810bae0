package podlog

import (
	"encoding/json"
	"fmt"
	"time"
)

// Pod is what a pod's status says about its logs.
type Pod struct {
	Namespace  string      `json:"namespace"`
	Name       string      `json:"name"`
	UID        string      `json:"uid"`
	Node       string      `json:"node,omitempty"`
	Why        string      `json:"why,omitempty"` // why no node runs it, or why it failed, as the API server says it
	Containers []Container `json:"containers"`    // init containers, then the others, then ephemeral ones
}

// Sort is what a container is for.
type Sort string

// The sorts of containers.
const (
	Init      Sort = "init"
	Regular   Sort = ""
	Ephemeral Sort = "ephemeral"
)

// Container is a container of a pod.
type Container struct {
	Name     string `json:"name"`
	Sort     Sort   `json:"sort,omitempty"`
	Restarts int    `json:"restarts,omitempty"`

	Waiting string    `json:"waiting,omitempty"` // the reason why it doesn't run yet, or not again; empty: it doesn't wait
	Message string    `json:"message,omitempty"` // about Waiting
	Running time.Time `json:"running,omitzero"`  // since when it runs; zero: it doesn't
	Ended   *Exit     `json:"ended,omitempty"`   // how it ended, if it doesn't run again
	Before  *Exit     `json:"before,omitempty"`  // how its run before this one ended
}

// Exit is the end of a container.
type Exit struct {
	Code   int       `json:"code"`
	Signal int       `json:"signal,omitempty"`
	Reason string    `json:"reason,omitempty"`
	At     time.Time `json:"at,omitzero"`
}

// String is the end in words: exit code 1 (Error).
func (e Exit) String() string {
	words := fmt.Sprintf("exit code %d", e.Code)
	if e.Signal != 0 {
		words = fmt.Sprintf("signal %d", e.Signal)
	}
	if e.Reason != "" {
		words += " (" + e.Reason + ")"
	}
	return words
}

// Started tells whether the container has a log: it runs, or it ran before.
func (c Container) Started() bool { return !c.Running.IsZero() || c.Ended != nil || c.Before != nil }

// exit, state, status and pod are the parts of a Pod of the API that a Pod needs.
type exit struct {
	ExitCode   int       `json:"exitCode"`
	Signal     int       `json:"signal"`
	Reason     string    `json:"reason"`
	FinishedAt time.Time `json:"finishedAt"`
}

type state struct {
	Waiting *struct{ Reason, Message string } `json:"waiting"`
	Running *struct {
		StartedAt time.Time `json:"startedAt"`
	} `json:"running"`
	Terminated *exit `json:"terminated"`
}

type status struct {
	Name         string `json:"name"`
	RestartCount int    `json:"restartCount"`
	State        state  `json:"state"`
	LastState    state  `json:"lastState"`
}

type inSpec struct {
	Name string `json:"name"`
}

type pod struct {
	Metadata struct{ Namespace, Name, UID string } `json:"metadata"`
	Spec     struct {
		NodeName            string   `json:"nodeName"`
		InitContainers      []inSpec `json:"initContainers"`
		Containers          []inSpec `json:"containers"`
		EphemeralContainers []inSpec `json:"ephemeralContainers"`
	} `json:"spec"`
	Status struct {
		Message    string `json:"message"`
		Conditions []struct {
			Type, Status, Reason, Message string
		} `json:"conditions"`
		Init      []status `json:"initContainerStatuses"`
		Regular   []status `json:"containerStatuses"`
		Ephemeral []status `json:"ephemeralContainerStatuses"`
	} `json:"status"`
}

// ReadPod reads a Pod of the API.
func ReadPod(text []byte) (Pod, error) {
	var p pod
	if err := json.Unmarshal(text, &p); err != nil {
		return Pod{}, fmt.Errorf("reading a pod: %w", err)
	}
	out := Pod{Namespace: p.Metadata.Namespace, Name: p.Metadata.Name, UID: p.Metadata.UID, Node: p.Spec.NodeName, Why: p.Status.Message}
	for _, c := range p.Status.Conditions {
		if c.Type == "PodScheduled" && c.Status == "False" && p.Spec.NodeName == "" {
			out.Why = c.Reason + ": " + c.Message
		}
	}
	out.addContainers(Init, p.Spec.InitContainers, p.Status.Init)
	out.addContainers(Regular, p.Spec.Containers, p.Status.Regular)
	out.addContainers(Ephemeral, p.Spec.EphemeralContainers, p.Status.Ephemeral)
	return out, nil
}

func (p *Pod) addContainers(sort Sort, containers []inSpec, statuses []status) {
	for _, n := range containers {
		c := Container{Name: n.Name, Sort: sort}
		for _, s := range statuses {
			if s.Name == n.Name {
				c.setStatus(s)
			}
		}
		p.Containers = append(p.Containers, c)
	}
}

func (c *Container) setStatus(s status) {
	c.Restarts, c.Ended, c.Before = s.RestartCount, s.State.Terminated.asExit(), s.LastState.Terminated.asExit()
	if w := s.State.Waiting; w != nil {
		c.Waiting, c.Message = w.Reason, w.Message
	}
	if r := s.State.Running; r != nil {
		c.Running = r.StartedAt
	}
}

func (e *exit) asExit() *Exit {
	if e == nil {
		return nil
	}
	return &Exit{Code: e.ExitCode, Signal: e.Signal, Reason: e.Reason, At: e.FinishedAt}
}
