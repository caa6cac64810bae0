package describe

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/usage"
)

type node struct {
	Metadata meta `json:"metadata"`
	Spec     struct {
		Unschedulable bool     `json:"unschedulable"`
		PodCIDRs      []string `json:"podCIDRs"`
		Provider      string   `json:"providerID"`
		Taints        []struct {
			Key    string    `json:"key"`
			Value  string    `json:"value"`
			Effect string    `json:"effect"`
			Added  time.Time `json:"timeAdded"`
		} `json:"taints"`
	} `json:"spec"`
	Status struct {
		Capacity    map[string]string `json:"capacity"`
		Allocatable map[string]string `json:"allocatable"`
		Conditions  []podCondition    `json:"conditions"`
		Addresses   []struct {
			Type    string `json:"type"`
			Address string `json:"address"`
		} `json:"addresses"`
		Info struct {
			Kubelet string `json:"kubeletVersion"`
			Runtime string `json:"containerRuntimeVersion"`
			Image   string `json:"osImage"`
			Kernel  string `json:"kernelVersion"`
			System  string `json:"operatingSystem"`
			Machine string `json:"architecture"`
		} `json:"nodeInfo"`
	} `json:"status"`
}

// leases is the namespace with the leases of kubelets.
const leases = "kube-node-lease"

func nodeRequests(s Subject) []Request {
	lease := pathOf("coordination.k8s.io", preferred(s.Catalog, "coordination.k8s.io", "leases", "v1"), leases, "leases", s.Path.Name)
	return append([]Request{
		s.list(askPods, "the pods of the node", apipath.Collection("", "v1", "", "pods"), mostPods, "fieldSelector", "spec.nodeName="+s.Path.Name),
	}, s.one(askLease, "the lease of the kubelet", lease)...)
}

func describeNode(s Subject) Description {
	n := parse[node](s.Object)
	d := Description{}
	s.nodeFacts(&d, n)
	s.readiness(&d, n)
	if n.Spec.Unschedulable {
		d.wait(Warn, "It is cordoned. The scheduler puts no new pods on it until somebody uncordons it.", "")
	}
	d.Parts = append(d.Parts, s.nodeResources(n), s.taints(n), s.podsOfNode())
	return d
}

func (s Subject) nodeFacts(d *Description, n node) {
	var roles []string
	for key := range n.Metadata.Labels {
		if role, is := strings.CutPrefix(key, "node-role.kubernetes.io/"); is && role != "" {
			roles = append(roles, role)
		}
	}
	slices.Sort(roles)
	d.fact("Roles", Text{Text: join(roles)})
	info := n.Status.Info
	d.fact("Kubelet", Text{Text: info.Kubelet})
	d.fact("System", Text{Text: join(nonEmpty(info.Image, strings.TrimPrefix(info.System+"/"+info.Machine, "/"), info.Kernel))})
	d.fact("Runtime", Text{Text: info.Runtime})
	var addresses []Text
	for _, a := range n.Status.Addresses {
		addresses = append(addresses, Text{Text: a.Type + " " + a.Address})
	}
	d.fact("Addresses", addresses...)
	d.fact("Pod networks", Text{Text: join(n.Spec.PodCIDRs)})
	d.fact("Provider", Text{Text: n.Spec.Provider})
	if s.heard(askLease) {
		text := Text{Text: "no lease", Tone: Warn}
		if !s.Found.Renewed.IsZero() {
			text = Text{Text: s.Age(s.Found.Renewed) + " ago"}
		}
		d.fact("Last sign of its kubelet", text)
	}
}

func nonEmpty(all ...string) []string {
	return slices.DeleteFunc(all, func(t string) bool { return t == "" || t == "/" })
}

// readiness says whether a node is ready, and what else its conditions report.
func (s Subject) readiness(d *Description, n node) {
	known := false
	for _, c := range n.Status.Conditions {
		switch {
		case c.Type == "Ready" && c.Status == "True":
			known = true
			d.wait(Good, "It is ready.", "")
		case c.Type == "Ready" && c.Status == "False":
			known = true
			d.wait(Bad, "It isn’t ready. Its kubelet says why.", c.Message)
		case c.Type == "Ready":
			known = true
			words := "It waits for its kubelet, which has reported nothing for some time."
			if !s.Found.Renewed.IsZero() {
				words = "It waits for its kubelet, whose last sign was" + s.ago(s.Found.Renewed) + "."
			}
			d.wait(Bad, words, c.Message)
		case strings.HasSuffix(c.Type, "Pressure") && c.Status == "True":
			d.wait(Warn, "Its kubelet reports "+c.Type+", and may evict pods.", c.Message)
		case c.Type == "NetworkUnavailable" && c.Status == "True":
			d.wait(Bad, "It waits for its network.", c.Message)
		}
	}
	if !known {
		d.wait(Busy, "It waits for its kubelet, which has reported no state yet.", "")
	}
}

// nodeResources are what a node has, and what its pods requested.
func (s Subject) nodeResources(n node) Part {
	p := Part{ID: "resources", Title: "Resources", Head: []string{"Resource", "Capacity", "For pods", "Requested"}, Needs: []string{askPods}}
	requested := map[string]float64{}
	for _, pod := range s.Found.Pods {
		if pod.Over {
			continue
		}
		for name, n := range pod.Requests {
			requested[name] += n
		}
		requested["pods"]++
	}
	for _, name := range slices.Sorted(maps.Keys(n.Status.Capacity)) {
		whole, ok := usage.Quantity(n.Status.Allocatable[name])
		row := []Cell{line(name), line(readable(name, n.Status.Capacity[name])), line(readable(name, n.Status.Allocatable[name])), nil}
		switch {
		case !s.heard(askPods):
			row[3] = Cell{{Text: "unknown", Soft: true}}
		case s.Found.More[askPods]:
			row[3] = Cell{{Text: "at least " + amount(name, requested[name]), Soft: true}}
		case ok && whole > 0:
			row[3] = line(amount(name, requested[name]) + " (" + strconv.FormatFloat(100*requested[name]/whole, 'f', 0, 64) + " %)")
		default:
			row[3] = line(amount(name, requested[name]))
		}
		p.Rows = append(p.Rows, row)
	}
	return p
}

// readable is a quantity in the unit of its resource; as it is if it can't be read.
func readable(resource, text string) string {
	n, ok := usage.Quantity(text)
	if !ok {
		return text
	}
	return amount(resource, n)
}

func formatted(n float64) string { return strconv.FormatFloat(n, 'f', 3, 64) }

func (s Subject) taints(n node) Part {
	p := Part{ID: "taints", Title: "Taints", Head: []string{"Taint", "Effect", "Since"}, None: "It has no taints."}
	for _, t := range n.Spec.Taints {
		name := t.Key
		if t.Value != "" {
			name += "=" + t.Value
		}
		p.Rows = append(p.Rows, []Cell{line(name), line(t.Effect), line(s.Age(t.Added))})
	}
	return p
}

func (s Subject) podsOfNode() Part {
	p := Part{ID: askPods, Title: "Pods", Head: []string{"Pod", "State", "Restarts", "Age", "CPU requested", "Memory requested"}, Needs: []string{askPods}}
	if s.heard(askPods) {
		p.None = "No pod is on this node."
	}
	p.Rows = s.podRows(s.Found.Pods, func(p Pod) (cells []Cell) {
		for _, name := range []string{"cpu", "memory"} {
			if p.Requests[name] == 0 {
				cells = append(cells, Cell{{Text: "none", Soft: true}})
				continue
			}
			cells = append(cells, line(amount(name, p.Requests[name])))
		}
		return cells
	})
	return p.bounded(s.Found.More[askPods])
}
