// Package scale computes what a shared Fieldmark and its API servers need for many people, from what single things cost.
//
//	costs.json ── measured with a few hundred people ──▶ Costs ──┐
//	                                                             ├──▶ Need: replicas, memory, processors, watches, requests a second, limits
//	docs/scale.md ◀── Tables ◀── Load: people, clusters, design ─┘
//
// The program that measures is dev/bench. It also compares Need with what it sees with 2,000 people. The costs are never fitted to that run.
package scale

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

// Cost is what one thing costs: once, or for each second that it lasts. Memory stays in use as long as the thing exists.
type Cost struct {
	ReplicaCPU    float64 `json:"replicaCPU"`    // seconds of a core
	ReplicaMemory float64 `json:"replicaMemory"` // bytes in use: heap after a garbage collection, and stacks
	APICPU        float64 `json:"apiCPU"`        // seconds of a core of the API server
	APIMemory     float64 `json:"apiMemory"`     // bytes, resident
	APIRequests   float64 `json:"apiRequests"`
}

// Costs are what all things cost. Names that end in Second are costs for each second.
type Costs struct {
	Measured string `json:"measured"` // date
	Machine  string `json:"machine"`
	Version  string `json:"version"` // of Fieldmark
	People   int    `json:"people"`  // with how many people the costs were measured

	Replica       Cost `json:"replica"` // one that nobody uses, and an API server that nobody asks
	ReplicaSecond Cost `json:"replicaSecond"`
	SignIn        Cost `json:"signIn"`
	FirstPage     Cost `json:"firstPage"` // the first page of a person at a replica
	Page          Cost `json:"page"`      // any later one
	Socket        Cost `json:"socket"`    // of one page
	SocketSecond  Cost `json:"socketSecond"`
	Watch         Cost `json:"watch"`     // a subscription with a watch of its own
	Reopening     Cost `json:"reopening"` // of a watch, which happens every WatchSeconds
	Tab           Cost `json:"tab"`       // a subscription for which the person has a watch already, in another tab
	TabSecond     Cost `json:"tabSecond"`
	Event         Cost `json:"event"`  // a change that a watch of its own brings to a page
	Write         Cost `json:"write"`  // a change that somebody makes and nobody follows
	Check         Cost `json:"check"`  // whether a person may still follow what others follow
	Shared        Cost `json:"shared"` // a subscription for which another person has a watch
	Cluster       Cost `json:"cluster"`
	ClusterPerson Cost `json:"clusterPerson"` // a cluster in the memory of one person's session

	// SharedBy says how Shared and Check were found: by a Fieldmark that shares, or from a tab and a review.
	SharedBy string `json:"sharedBy"`
	// Other is the memory of a replica that is neither in use nor garbage: its program, and what Go keeps beside the heap. In bytes.
	Other float64 `json:"other"`
}

//go:embed costs.json
var measured []byte

// Measured are the costs that were measured last.
func Measured() (Costs, error) { return Parse(measured) }

// Parse reads costs.
func Parse(text []byte) (Costs, error) {
	var c Costs
	if err := json.Unmarshal(text, &c); err != nil {
		return c, fmt.Errorf("reading the costs: %w", err)
	}
	return c, nil
}

// Text writes costs, as Parse reads them.
func (c Costs) Text() ([]byte, error) {
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the costs: %w", err)
	}
	return append(text, '\n'), nil
}
