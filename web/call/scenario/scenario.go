// Package scenario is about Scenarios, the objects that bring a practice cluster into a state. It has their path and status, and the Scenario
// that compacts etcd.
package scenario

import (
	"encoding/json"
	"fmt"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
)

// APIVersion is the API version of Scenarios.
const APIVersion = "practice.fieldmark.dev/v1alpha1"

// Path is the path of the collection of Scenarios.
func Path() apipath.Path {
	return apipath.Collection("practice.fieldmark.dev", "v1alpha1", "", "scenarios")
}

// Named is the path of a Scenario.
func Named(name string) apipath.Path {
	p := Path()
	return apipath.Object(p.Group, p.Version, "", p.Resource, name)
}

// New is the body of the request that creates a Scenario. The spec is JSON.
func New(name, spec string) []byte {
	return fmt.Appendf(nil, `{"apiVersion":%q,"kind":"Scenario","metadata":{"name":%q},"spec":%s}`, APIVersion, name, spec)
}

// Offered tells whether a cluster has Scenarios. Only practice clusters have them.
func Offered(c discovery.Catalog) bool {
	p := Path()
	_, served := c.Type(p.Group, p.Version, p.Resource)
	return served
}

// Status is how far a Scenario is.
type Status struct {
	Name   string
	Holds  bool   // the cluster is in the Scenario's state
	Failed bool   // the Scenario can't bring the cluster into its state
	Words  string // the message of its condition Holds
}

// Read reads a Scenario. It returns false if the body isn't JSON.
func Read(body []byte) (Status, bool) {
	var o struct {
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
		Status struct {
			Conditions []struct {
				Type    string `json:"type"`
				Status  string `json:"status"`
				Reason  string `json:"reason"`
				Message string `json:"message"`
			} `json:"conditions"`
		} `json:"status"`
	}
	if json.Unmarshal(body, &o) != nil {
		return Status{}, false
	}
	s := Status{Name: o.Metadata.Name}
	for _, c := range o.Status.Conditions {
		if c.Type == "Holds" {
			s.Words, s.Holds, s.Failed = components.Sentence(c.Message), c.Status == "True", c.Reason == "Failed"
		}
	}
	return s, true
}
