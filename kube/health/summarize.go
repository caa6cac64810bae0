package health

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/condition"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/words"
)

// Bounds of what a Report lists.
const (
	mostWorkloads = 20
	mostWarnings  = 8
	mostWrites    = 12
	mostContested = 6
	mostOddNodes  = 12
	mostOdd       = 20
	mostLeaving   = 12
	mostRefs      = 3
)

// Summarize makes a Report of lists. Add the lists that couldn't be read to its gaps. The catalog tells the paths of the objects that
// Events are about.
func Summarize(lists []List, catalog discovery.Catalog, now time.Time) Report {
	r := Report{Read: now}
	for _, l := range lists {
		if l.Rest != 0 {
			r.Gaps = append(r.Gaps, Gap{Resource: l.Source.Type.FullName(), Rest: l.Rest})
		}
		if l.Untold {
			r.Gaps = append(r.Gaps, Gap{Resource: l.Source.Type.FullName(), Why: feature.Tables.Lacking()})
			continue
		}
		r.Types = append(r.Types, l.Source.Type.FullName())
	}
	events := eventsOf(lists)
	r.workloads(lists, events)
	r.custom(lists)
	r.namespaces(lists)
	r.warnings(events, catalog)
	r.writes(lists, now)
	r.contested(lists, now)
	r.nodes(lists)
	return r
}

func eventsOf(lists []List) []Event {
	var all []Event
	for _, l := range lists {
		all = append(all, l.Events...)
	}
	slices.SortStableFunc(all, func(a, b Event) int { return b.Last.Compare(a.Last) })
	return all
}

func (r *Report) warnings(events []Event, catalog discovery.Catalog) {
	groups := map[[2]string]*Warning{}
	objects := map[[2]string]map[Ref]bool{}
	var order []*Warning
	for _, e := range events { // the newest first
		key := [2]string{e.Reason, e.About.Kind}
		w := groups[key]
		if w == nil {
			w = &Warning{Reason: e.Reason, Kind: e.About.Kind, About: e.about(catalog), Message: e.Message, Last: e.Last}
			groups[key], objects[key] = w, map[Ref]bool{}
			order = append(order, w)
		}
		w.Count += e.Count
		objects[key][e.About] = true
		w.Objects = len(objects[key])
	}
	r.Warned = len(events)
	for _, w := range order[:min(len(order), mostWarnings)] {
		r.Warnings = append(r.Warnings, *w)
	}
}

// about is the object of an Event, with its path.
func (e Event) about(catalog discovery.Catalog) Ref {
	ref := e.About
	if t, ok := catalog.Kind(e.Group, e.Version, ref.Kind); ok && ref.Name != "" && t.Namespaced == (ref.Namespace != "") {
		ref.Path = apipath.Object(t.Group, t.Version, ref.Namespace, t.Resource, ref.Name).String()
	}
	return ref
}

func (r *Report) custom(lists []List) {
	for _, l := range lists {
		if !isCustom(l.Source.Type) {
			continue
		}
		for _, item := range l.Items {
			if item.State.Verdict != condition.Untold {
				r.Custom.Judged++
			}
			if item.State.Verdict > condition.Fine {
				r.Custom.Odd = append(r.Custom.Odd, Odd{Ref: l.ref(item.Meta), State: item.State})
			}
		}
	}
	slices.SortStableFunc(r.Custom.Odd, func(a, b Odd) int {
		return cmp.Or(cmp.Compare(b.Verdict, a.Verdict), strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name))
	})
	if r.Custom.More = max(0, len(r.Custom.Odd)-mostOdd); r.Custom.More > 0 {
		r.Custom.Odd = r.Custom.Odd[:mostOdd]
	}
}

func (r *Report) namespaces(lists []List) {
	n := &r.Namespaces
	for _, l := range lists {
		if l.Source.Type.Resource != "namespaces" || l.Source.Type.Group != "" {
			continue
		}
		n.Known, n.Count = true, len(l.Items)
		for _, item := range l.Items {
			if item.Meta.DeletionTimestamp == nil {
				continue
			}
			leaving := Leaving{Ref: l.ref(item.Meta), Since: *item.Meta.DeletionTimestamp}
			if item.State.Verdict == condition.Ill {
				leaving.Why = item.State.Message
			}
			n.Leaving = append(n.Leaving, leaving)
		}
	}
	slices.SortStableFunc(n.Leaving, func(a, b Leaving) int { return a.Since.Compare(b.Since) })
	if n.More = max(0, len(n.Leaving)-mostLeaving); n.More > 0 {
		n.Leaving = n.Leaving[:mostLeaving]
	}
}

func (r *Report) nodes(lists []List) {
	for _, l := range lists {
		if l.Source.Type.Resource != "nodes" || l.Source.Type.Group != "" || l.Untold {
			continue
		}
		r.Nodes.Known, r.Nodes.Count = true, len(l.Items)
		for _, item := range l.Items {
			status := item.Cells["status"]
			if status == "Ready" {
				r.Nodes.Ready++
			} else if len(r.Nodes.Odd) < mostOddNodes {
				r.Nodes.Odd = append(r.Nodes.Odd, OddNode{Ref: l.ref(item.Meta), Status: status})
			}
			if v := item.Cells["version"]; v != "" && !slices.Contains(r.Nodes.Versions, v) {
				r.Nodes.Versions = append(r.Nodes.Versions, v)
			}
		}
		slices.Sort(r.Nodes.Versions)
	}
}

// pod is what a Table says about a pod, with the workload that it belongs to.
type pod struct {
	ref    Ref
	status string
	owner  Ref // without its path
}

// podsOf are the pods that aren't ready.
func podsOf(lists []List) []pod {
	var pods []pod
	for _, l := range lists {
		if l.Source.Type.Resource != "pods" || l.Source.Type.Group != "" || l.Untold {
			continue
		}
		for _, item := range l.Items {
			status := item.Cells["status"]
			have, want, _ := share(item.Cells["ready"])
			over := status == "Completed" || status == "Succeeded"
			if item.Meta.DeletionTimestamp != nil || over || status == "Running" && have >= want {
				continue
			}
			if status == "Running" {
				status = "Running, but not ready"
			}
			pods = append(pods, pod{ref: l.ref(item.Meta), status: status, owner: workloadOf(item.Meta)})
		}
	}
	return pods
}

// workloadOf is what a pod belongs to. A ReplicaSet of a Deployment has the Deployment's name, a hyphen, and the hash that its pods have
// as a label. So no request is needed to find the Deployment.
func workloadOf(m Meta) Ref {
	for _, o := range m.OwnerReferences {
		if !o.Controller {
			continue
		}
		if hash := m.Labels["pod-template-hash"]; o.Kind == "ReplicaSet" && hash != "" {
			if name, ok := strings.CutSuffix(o.Name, "-"+hash); ok {
				return Ref{Kind: "Deployment", Namespace: m.Namespace, Name: name}
			}
		}
		return Ref{Kind: o.Kind, Namespace: m.Namespace, Name: o.Name}
	}
	return Ref{}
}

// share reads a cell such as 1/3.
func share(cell string) (have, want int, ok bool) {
	a, b, ok := strings.Cut(cell, "/")
	if !ok {
		return 0, 0, false
	}
	have, err1 := strconv.Atoi(a)
	want, err2 := strconv.Atoi(b)
	return have, want, err1 == nil && err2 == nil
}

// readiness is how many of a workload's pods are ready; ok is false for types that are no workloads.
func readiness(resource string, cells map[string]string) (have, want int, ok bool) {
	switch resource {
	case "deployments.apps", "statefulsets.apps":
		return share(cells["ready"])
	case "daemonsets.apps":
		have, err1 := strconv.Atoi(cells["ready"])
		want, err2 := strconv.Atoi(cells["desired"])
		return have, want, err1 == nil && err2 == nil
	case "jobs.batch":
		have, want, ok = share(cells["completions"])
		if cells["status"] != "Failed" {
			have = want // a job that is running does what it should
		}
		return have, want, ok
	default:
		return 0, 0, false
	}
}

func (r *Report) workloads(lists []List, events []Event) {
	pods := podsOf(lists)
	told := map[Ref]bool{}
	for _, l := range lists {
		for _, item := range l.Items {
			have, want, ok := readiness(l.Source.Type.FullName(), item.Cells)
			switch {
			case !ok:
				continue
			case have >= want:
				r.Ready++
				continue
			}
			w := Workload{Ref: l.ref(item.Meta), Ready: strconv.Itoa(have) + " of " + strconv.Itoa(want)}
			me := Ref{Kind: w.Kind, Namespace: w.Namespace, Name: w.Name}
			told[me] = true
			w.Why = whyNot(me, pods)
			if item.Cells["status"] == "Failed" {
				w.Why = append([]string{"the job failed"}, w.Why...)
			}
			w.Said = said(me, events)
			r.Workloads = append(r.Workloads, w)
		}
	}
	for _, p := range pods { // of no workload, or of one that isn't listed as not ready
		if told[p.owner] {
			continue
		}
		r.Workloads = append(r.Workloads, Workload{Ref: p.ref, Ready: "no", Why: []string{p.status}, Said: said(Ref{Kind: "Pod", Namespace: p.ref.Namespace, Name: p.ref.Name}, events)})
	}
	slices.SortStableFunc(r.Workloads, func(a, b Workload) int {
		return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name))
	})
	if len(r.Workloads) > mostWorkloads {
		r.More = len(r.Workloads) - mostWorkloads
		r.Workloads = r.Workloads[:mostWorkloads]
	}
}

// whyNot counts the pods of a workload by their states: "2 pods CrashLoopBackOff".
func whyNot(of Ref, pods []pod) []string {
	var states []string
	counts := map[string]int{}
	for _, p := range pods {
		if p.owner != of {
			continue
		}
		if counts[p.status] == 0 {
			states = append(states, p.status)
		}
		counts[p.status]++
	}
	for i, s := range states {
		states[i] = words.Count(int64(counts[s]), "pod", "pods") + " " + s
	}
	return states
}

// said is the newest warning about a workload, or about what it made. Their names begin with the workload's name and a hyphen.
func said(of Ref, events []Event) string {
	for _, e := range events { // the newest first
		if e.About.Namespace != of.Namespace {
			continue
		}
		own := e.About.Name == of.Name && e.About.Kind == of.Kind
		made := (e.About.Kind == "Pod" || e.About.Kind == "ReplicaSet") && strings.HasPrefix(e.About.Name, of.Name+"-") && of.Kind != "Pod"
		if own || made {
			return e.Reason + ": " + e.Message
		}
	}
	return ""
}
