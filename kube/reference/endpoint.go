package reference

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

// ServiceLabel is the label of EndpointSlices with the name of their Service.
const ServiceLabel = "kubernetes.io/service-name"

// Endpoint is one address of a Service.
type Endpoint struct {
	Address     string       `json:"address"`
	Ready       bool         `json:"ready"`
	Serving     bool         `json:"serving"`
	Terminating bool         `json:"terminating,omitempty"`
	Service     string       `json:"service,omitempty"`
	Ports       []string     `json:"ports,omitempty"` // name and number, or the number alone
	Node        string       `json:"node,omitempty"`
	Zone        string       `json:"zone,omitempty"`
	Kind        string       `json:"kind,omitempty"` // of the target
	Target      string       `json:"target,omitempty"`
	Path        apipath.Path `json:"-"` // of the target, if it is a pod
}

// Endpoints reads a list of EndpointSlices. Endpoints that aren't ready come first. Of several addresses of an endpoint, all are returned.
// more tells whether the list has more slices.
func Endpoints(body []byte) (all []Endpoint, more bool, err error) {
	var list struct {
		Metadata struct {
			Continue string `json:"continue"`
		} `json:"metadata"`
		Items []struct {
			Metadata struct {
				Namespace string            `json:"namespace"`
				Labels    map[string]string `json:"labels"`
			} `json:"metadata"`
			Endpoints []struct {
				Addresses  []string `json:"addresses"`
				Conditions struct {
					Ready       *bool `json:"ready"`
					Serving     *bool `json:"serving"`
					Terminating *bool `json:"terminating"`
				} `json:"conditions"`
				NodeName  string `json:"nodeName"`
				Zone      string `json:"zone"`
				TargetRef struct {
					Kind string `json:"kind"`
					Name string `json:"name"`
				} `json:"targetRef"`
			} `json:"endpoints"`
			Ports []slicePort `json:"ports"`
		} `json:"items"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, false, fmt.Errorf("reading the list of EndpointSlices: %w", err)
	}
	for _, slice := range list.Items {
		ports := portTexts(slice.Ports)
		for _, e := range slice.Endpoints {
			ready := e.Conditions.Ready == nil || *e.Conditions.Ready // the API says: unknown counts as ready
			serving := ready
			if e.Conditions.Serving != nil {
				serving = *e.Conditions.Serving
			}
			one := Endpoint{
				Ready: ready, Serving: serving, Terminating: e.Conditions.Terminating != nil && *e.Conditions.Terminating,
				Service: slice.Metadata.Labels[ServiceLabel], Ports: ports, Node: e.NodeName, Zone: e.Zone, Kind: e.TargetRef.Kind, Target: e.TargetRef.Name,
			}
			if one.Kind == "Pod" && canBeName(one.Target) && canBeName(slice.Metadata.Namespace) {
				one.Path = apipath.Object("", "v1", slice.Metadata.Namespace, "pods", one.Target)
			}
			for _, one.Address = range e.Addresses {
				all = append(all, one)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Endpoint) int { return a.rank() - b.rank() })
	return all, list.Metadata.Continue != "", nil
}

// slicePort is a port of an EndpointSlice. One without a number stands for all ports.
type slicePort struct {
	Name string `json:"name"`
	Port *int   `json:"port"`
}

func portTexts(ports []slicePort) (all []string) {
	for _, p := range ports {
		if p.Port != nil {
			all = append(all, strings.TrimSpace(p.Name+" "+strconv.Itoa(*p.Port)))
		}
	}
	return all
}

// State says in words how the endpoint is.
func (e Endpoint) State() string {
	switch {
	case e.Terminating && e.Serving:
		return "terminating, still serving"
	case e.Terminating:
		return "terminating"
	case e.Ready:
		return "ready"
	case e.Serving:
		return "serving, not ready"
	default:
		return "not ready"
	}
}

func (e Endpoint) rank() int {
	if e.Ready {
		return 1
	}
	return 0
}
