package usage

import (
	"encoding/json"
	"fmt"
	"time"
)

// Bounds are the requests and the limits of a container, or the sums of a pod. For a node, Limit is what it has for pods. Zero is none.
type Bounds struct {
	Request Amount `json:"requests"`
	Limit   Amount `json:"limits"`
}

// Planned is one container of a pod, with what it may use and what it does.
type Planned struct {
	Name   string `json:"name"`
	Bounds Bounds `json:"resources"`
	// State is running, or why the container doesn't run, in the words of its status; empty: unknown.
	State string `json:"state,omitempty"`
	// Killed tells that its last run was ended because it used more memory than its limit.
	Killed bool `json:"killed,omitempty"`
}

// Running is the State of a container that runs.
const Running = "running"

// Subject is a pod or a node: what it may use, and whether it runs.
type Subject struct {
	Namespace  string    `json:"namespace,omitempty"`
	Name       string    `json:"name"`
	Node       string    `json:"node,omitempty"`  // of a pod
	Phase      string    `json:"phase,omitempty"` // of a pod
	Started    time.Time `json:"started,omitzero"`
	Bounds     Bounds    `json:"bounds"` // of a pod, the sum of its containers: no sum if one of them has none
	Containers []Planned `json:"containers,omitempty"`
}

// document is a Pod or a Node in JSON.
type document struct {
	Metadata struct {
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		NodeName       string      `json:"nodeName"`
		Containers     []container `json:"containers"`
		InitContainers []container `json:"initContainers"`
	} `json:"spec"`
	Status struct {
		Phase       string            `json:"phase"`
		StartTime   time.Time         `json:"startTime"`
		Allocatable Amount            `json:"allocatable"`
		Containers  []containerStatus `json:"containerStatuses"`
		Init        []containerStatus `json:"initContainerStatuses"`
	} `json:"status"`
}

type container struct {
	Name          string `json:"name"`
	Resources     Bounds `json:"resources"`
	RestartPolicy string `json:"restartPolicy"`
}

type containerStatus struct {
	Name  string `json:"name"`
	State struct {
		Running    *struct{} `json:"running"`
		Waiting    *reason   `json:"waiting"`
		Terminated *reason   `json:"terminated"`
	} `json:"state"`
	Last struct {
		Terminated *reason `json:"terminated"`
	} `json:"lastState"`
}

type reason struct {
	Reason string `json:"reason"`
}

func (s containerStatus) stateText() string {
	switch {
	case s.State.Running != nil:
		return Running
	case s.State.Waiting != nil:
		return s.State.Waiting.Reason
	case s.State.Terminated != nil:
		return s.State.Terminated.Reason
	}
	return ""
}

func (d document) subject() Subject {
	s := Subject{
		Namespace: d.Metadata.Namespace, Name: d.Metadata.Name, Node: d.Spec.NodeName, Phase: d.Status.Phase, Started: d.Status.StartTime,
		Bounds: Bounds{Limit: d.Status.Allocatable},
	}
	for _, c := range d.Spec.InitContainers {
		if c.RestartPolicy == "Always" { // it runs beside the others
			s.Containers = append(s.Containers, planned(c, d.Status.Init))
		}
	}
	for _, c := range d.Spec.Containers {
		s.Containers = append(s.Containers, planned(c, d.Status.Containers))
	}
	if len(s.Containers) > 0 {
		s.Bounds = sum(s.Containers)
	}
	return s
}

func planned(c container, all []containerStatus) Planned {
	p := Planned{Name: c.Name, Bounds: c.Resources}
	for _, s := range all {
		if s.Name == c.Name {
			p.State, p.Killed = s.stateText(), s.Last.Terminated != nil && s.Last.Terminated.Reason == "OOMKilled"
		}
	}
	return p
}

// sum adds the bounds of containers. A pod in which one container has no limit has none.
func sum(all []Planned) Bounds {
	total := Bounds{}
	endlessCPU, endlessMemory := false, false
	for _, c := range all {
		total.Request, total.Limit = total.Request.Plus(c.Bounds.Request), total.Limit.Plus(c.Bounds.Limit)
		endlessCPU, endlessMemory = endlessCPU || c.Bounds.Limit.CPU == 0, endlessMemory || c.Bounds.Limit.Memory == 0
	}
	if endlessCPU {
		total.Limit.CPU = 0
	}
	if endlessMemory {
		total.Limit.Memory = 0
	}
	return total
}

// ParseSubject reads a Pod or a Node.
func ParseSubject(data []byte) (Subject, error) {
	var d document
	if err := json.Unmarshal(data, &d); err != nil {
		return Subject{}, fmt.Errorf("reading requests and limits: %w", err)
	}
	return d.subject(), nil
}

// ParseSubjects reads a list of Pods or Nodes, and the continue token of the next chunk; it is empty after the last.
func ParseSubjects(data []byte) (all []Subject, next string, err error) {
	var list struct {
		Metadata struct {
			Continue string `json:"continue"`
		} `json:"metadata"`
		Items []document `json:"items"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, "", fmt.Errorf("reading requests and limits: %w", err)
	}
	for _, d := range list.Items {
		all = append(all, d.subject())
	}
	return all, list.Metadata.Continue, nil
}
