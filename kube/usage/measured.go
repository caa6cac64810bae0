package usage

import (
	"encoding/json"
	"fmt"
	"time"
)

// Group is the API group that says what pods and nodes use.
const Group = "metrics.k8s.io"

// Amount is an amount of processors and of memory.
type Amount struct {
	CPU    float64 `json:"cpu"`    // processors
	Memory float64 `json:"memory"` // bytes
}

// Plus is the sum of two amounts.
func (a Amount) Plus(b Amount) Amount { return Amount{a.CPU + b.CPU, a.Memory + b.Memory} }

// UnmarshalJSON reads the quantities of a resource list. Other resources are left out.
func (a *Amount) UnmarshalJSON(data []byte) error {
	var list struct {
		CPU    quantity `json:"cpu"`
		Memory quantity `json:"memory"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return fmt.Errorf("reading quantities: %w", err)
	}
	*a = Amount{float64(list.CPU), float64(list.Memory)}
	return nil
}

// quantity is a quantity in JSON: a text or a number.
type quantity float64

// UnmarshalJSON reads an unknown form as zero, because one strange figure is no reason to show none.
func (q *quantity) UnmarshalJSON(data []byte) error {
	text := string(data)
	if len(text) > 1 && text[0] == '"' {
		text = text[1 : len(text)-1]
	}
	*q = quantity(value(text))
	return nil
}

// Container is what one container of a pod uses.
type Container struct {
	Name  string `json:"name"`
	Usage Amount `json:"usage"`
}

// Measured is what a pod or a node used during a window that ended at a time.
type Measured struct {
	Namespace  string        `json:"namespace,omitempty"`
	Name       string        `json:"name"`
	At         time.Time     `json:"at"`
	Window     time.Duration `json:"window"`
	Usage      Amount        `json:"usage"` // of a pod, the sum of its containers
	Containers []Container   `json:"containers,omitempty"`
}

// metrics is a PodMetrics or a NodeMetrics in JSON.
type metrics struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
	} `json:"metadata"`
	Timestamp  time.Time   `json:"timestamp"`
	Window     string      `json:"window"`
	Usage      Amount      `json:"usage"`
	Containers []Container `json:"containers"`
}

func (m metrics) measured() Measured {
	window, _ := time.ParseDuration(m.Window) // an unknown window is shown as none
	out := Measured{Namespace: m.Metadata.Namespace, Name: m.Metadata.Name, At: m.Timestamp, Window: window, Usage: m.Usage, Containers: m.Containers}
	for _, c := range m.Containers {
		out.Usage = out.Usage.Plus(c.Usage)
	}
	return out
}

// Parse reads one PodMetrics or NodeMetrics.
func Parse(data []byte) (Measured, error) {
	var m metrics
	if err := json.Unmarshal(data, &m); err != nil {
		return Measured{}, fmt.Errorf("reading figures of %s: %w", Group, err)
	}
	if m.Kind != "PodMetrics" && m.Kind != "NodeMetrics" {
		return Measured{}, fmt.Errorf("reading figures of %s: the response is of kind %q", Group, m.Kind)
	}
	return m.measured(), nil
}

// ParseList reads a PodMetricsList or a NodeMetricsList.
func ParseList(data []byte) ([]Measured, error) {
	var list struct {
		Kind  string    `json:"kind"`
		Items []metrics `json:"items"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("reading figures of %s: %w", Group, err)
	}
	if list.Kind != "PodMetricsList" && list.Kind != "NodeMetricsList" {
		return nil, fmt.Errorf("reading figures of %s: the response is of kind %q", Group, list.Kind)
	}
	all := make([]Measured, len(list.Items))
	for i, m := range list.Items {
		all[i] = m.measured()
	}
	return all, nil
}
