package describe

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/reference"
)

type service struct {
	Metadata meta `json:"metadata"`
	Spec     struct {
		Type       string            `json:"type"`
		ClusterIPs []string          `json:"clusterIPs"`
		External   []string          `json:"externalIPs"`
		Name       string            `json:"externalName"`
		Selector   map[string]string `json:"selector"`
		Affinity   string            `json:"sessionAffinity"`
		Traffic    string            `json:"externalTrafficPolicy"`
		Internal   string            `json:"internalTrafficPolicy"`
		Class      string            `json:"loadBalancerClass"`
		Unready    bool              `json:"publishNotReadyAddresses"`
		Ports      []struct {
			Name     string      `json:"name"`
			Protocol string      `json:"protocol"`
			Port     int         `json:"port"`
			Target   intOrString `json:"targetPort"`
			Node     int         `json:"nodePort"`
		} `json:"ports"`
	} `json:"spec"`
	Status struct {
		LoadBalancer struct {
			Ingress []address `json:"ingress"`
		} `json:"loadBalancer"`
	} `json:"status"`
}

func endpointTone(e reference.Endpoint) Tone {
	switch {
	case e.Terminating:
		return Busy
	case e.Ready:
		return Good
	}
	return Warn
}

// readyOf is how many endpoints are ready. One that is terminating gets no new connections.
func readyOf(all []reference.Endpoint) (n int) {
	for _, e := range all {
		if e.Ready && !e.Terminating {
			n++
		}
	}
	return n
}

// slicesOf is the request for the EndpointSlices of Services.
func (s Subject) slicesOf(services ...string) []Request {
	selector := reference.Selector{{Key: reference.ServiceLabel, Operator: "In", Values: services}}
	version := preferred(s.Catalog, "discovery.k8s.io", "endpointslices", "v1")
	return []Request{s.list(askSlices, "the endpoint slices", apipath.Collection("discovery.k8s.io", version, s.namespace(), "endpointslices"), mostOthers, "labelSelector", selector.String())}
}

func serviceRequests(s Subject) []Request {
	if parse[service](s.Object).Spec.Type == "ExternalName" {
		return nil
	}
	return append(s.slicesOf(s.Path.Name), s.selectedPods()...)
}

func describeService(s Subject) Description {
	v := parse[service](s.Object)
	d := Description{}
	s.serviceFacts(&d, v)
	s.serviceWaits(&d, v)
	ports := Part{ID: "ports", Title: "Ports", Head: []string{"Port", "Target port", "Node port"}}
	for _, p := range v.Spec.Ports {
		name := strconv.Itoa(p.Port) + "/" + p.Protocol
		if p.Name != "" {
			name = p.Name + " " + name
		}
		ports.Rows = append(ports.Rows, []Cell{line(name), line(p.Target.text()), nodePort(p.Node)})
	}
	d.Parts = append(d.Parts, s.endpoints(v), s.unlisted(), ports)
	return d
}

func nodePort(n int) Cell {
	if n == 0 {
		return Cell{{Text: "none", Soft: true}}
	}
	return line(strconv.Itoa(n))
}

func (s Subject) serviceFacts(d *Description, v service) {
	d.fact("Type", Text{Text: v.Spec.Type})
	d.fact("External name", Text{Text: v.Spec.Name})
	d.fact("Cluster IP", Text{Text: join(v.Spec.ClusterIPs)})
	d.fact("External IPs", Text{Text: join(v.Spec.External)})
	d.fact("Load balancer", Text{Text: join(addresses(v.Status.LoadBalancer.Ingress))})
	d.fact("Load balancer class", Text{Text: v.Spec.Class})
	if len(v.Spec.Selector) > 0 {
		pods := s.list("", "", apipath.Collection("", "v1", s.namespace(), "pods"), 0, "labelSelector", strings.Join(pairs(v.Spec.Selector), ",")).Path
		d.fact("Selector", Text{Text: join(pairs(v.Spec.Selector)), Path: pods})
	}
	if v.Spec.Affinity != "None" {
		d.fact("Session affinity", Text{Text: v.Spec.Affinity})
	}
	if v.Spec.Traffic == "Local" {
		d.fact("External traffic", Text{Text: "only to pods on the same node"})
	}
	if v.Spec.Internal == "Local" {
		d.fact("Internal traffic", Text{Text: "only to pods on the same node"})
	}
	if v.Spec.Unready {
		d.fact("Publishes", Text{Text: "also addresses that aren’t ready"})
	}
}

func addresses(all []address) (texts []string) {
	for _, a := range all {
		texts = append(texts, nonEmpty(a.IP, a.Hostname)...)
	}
	return texts
}

// serviceWaits says what a Service waits for.
func (s Subject) serviceWaits(d *Description, v service) {
	if v.Spec.Type == "ExternalName" {
		d.wait(Good, "It is an alias in DNS for "+v.Spec.Name+", and has no endpoints.", "")
		return
	}
	if v.Spec.Type == "LoadBalancer" && len(v.Status.LoadBalancer.Ingress) == 0 {
		d.wait(Warn, "It waits for an address from a controller for load balancers.", s.quote("", "SyncLoadBalancerFailed", "AllocationFailed"))
	}
	served, pods := readyOf(s.Found.Slices), 0
	for _, p := range s.Found.Pods {
		if !p.Over {
			pods++
		}
	}
	switch {
	case !s.heard(askSlices):
	case served > 0:
		d.wait(Good, "It sends requests to "+times(served, "ready endpoint.", "ready endpoints."), "")
	case len(v.Spec.Selector) == 0:
		d.wait(Warn, "It has no selector and no ready endpoint. It waits until somebody creates EndpointSlices for it.", "")
	case s.heard(askPods) && pods == 0 && !s.Found.More[askPods]:
		d.wait(Bad, "It waits for pods. Its selector selects none.", "")
	case s.heard(askPods):
		d.wait(Bad, "It waits for a ready endpoint. Its selector selects "+times(pods, "pod.", "pods."), "")
	default:
		d.wait(Bad, "It waits for a ready endpoint.", "")
	}
	s.podsThatWait(d)
}

// endpoints are the addresses of a Service, with the pods behind them.
func (s Subject) endpoints(v service) Part {
	p := Part{ID: "endpoints", Title: "Endpoints", Head: []string{"Address", "State", "Ports", "Target", "Node"}, Needs: []string{askSlices}}
	if s.heard(askSlices) {
		p.None = "It has no endpoints."
	}
	if v.Spec.Type == "ExternalName" {
		return Part{}
	}
	for _, e := range s.Found.Slices {
		target := Cell{{Text: join(nonEmpty(e.Kind + " " + e.Target))}}
		if e.Kind == "" {
			target = Cell{{Text: "none", Soft: true}}
		}
		if e.Kind == "Pod" {
			target = linked(e.Target, s.namespaced("pods", e.Target))
			if at := slices.IndexFunc(s.Found.Pods, func(p Pod) bool { return p.Name == e.Target }); at >= 0 {
				target = append(target, Text{Text: s.Found.Pods[at].State, Tone: s.Found.Pods[at].Tone})
			}
		}
		place := linked(e.Node, pathOf("", "v1", "", "nodes", e.Node))
		if e.Zone != "" {
			place = append(place, Text{Text: "zone " + e.Zone, Soft: true})
		}
		p.Rows = append(p.Rows, []Cell{line(e.Address), {{Text: e.State(), Tone: endpointTone(e)}}, line(join(e.Ports)), target, place})
	}
	return p.bounded(s.Found.More[askSlices])
}

// unlisted are the pods that the selector selects, and that are no endpoint.
func (s Subject) unlisted() Part {
	p := Part{ID: askPods, Title: "Selected pods without an endpoint", Head: []string{"Pod", "State", "Restarts", "Age", "Node"}, Needs: []string{askPods}}
	if !s.heard(askSlices) {
		p.Title = "Selected pods"
	}
	others := slices.DeleteFunc(slices.Clone(s.Found.Pods), func(p Pod) bool {
		return slices.ContainsFunc(s.Found.Slices, func(e reference.Endpoint) bool { return e.Kind == "Pod" && e.Target == p.Name })
	})
	p.Rows = s.podRows(others, onNode)
	return p.bounded(s.Found.More[askPods])
}
