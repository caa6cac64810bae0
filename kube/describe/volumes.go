package describe

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/usage"
)

// source is where a volume of a pod comes from: its kind, and its fields.
func source(v map[string]json.RawMessage) (name, kind string, fields map[string]any) {
	_ = json.Unmarshal(v["name"], &name) // without a name, it is empty
	for _, key := range slices.Sorted(maps.Keys(v)) {
		if key != "name" {
			_ = json.Unmarshal(v[key], &fields) // a source without fields has none
			return name, key, fields
		}
	}
	return name, "emptyDir", nil
}

// claims are the names of the claims that a pod mounts. That of a generic ephemeral volume has the names of the pod and of the volume.
func (p pod) claims() (names []string) {
	for _, v := range p.Spec.Volumes {
		if name := p.claimOf(v); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (p pod) claimOf(v map[string]json.RawMessage) string {
	name, kind, fields := source(v)
	switch kind {
	case "persistentVolumeClaim":
		return text(fields, "claimName")
	case "ephemeral":
		return p.Metadata.Name + "-" + name
	}
	return ""
}

func text(fields map[string]any, key string) string { t, _ := fields[key].(string); return t }

// volumes are the volumes of a pod, with their claims, and where they are mounted.
func (s Subject) volumes(p pod) Part {
	part := Part{ID: "volumes", Title: "Volumes", Head: []string{"Volume", "Source", "Mounted at"}}
	for _, v := range p.Spec.Volumes {
		name, kind, fields := source(v)
		cell := s.sourceCell(kind, fields)
		if claim := p.claimOf(v); claim != "" {
			cell = s.claimCell(claim)
			for _, id := range []string{askClaim + claim, askClaims} {
				if s.lacks([]string{id}) {
					part.Needs = append(part.Needs, id)
				}
			}
		}
		part.Rows = append(part.Rows, []Cell{line(name), cell, p.mounts(name)})
	}
	return part
}

// claimCell is a claim with what is known of it.
func (s Subject) claimCell(name string) Cell {
	cell := Cell{{Text: "claim " + name, Path: s.namespaced("persistentvolumeclaims", name)}}
	c, exists := s.Found.Claims[name]
	switch {
	case exists:
		text := Text{Text: c.Phase, Tone: claimTones[c.Phase]}
		if about := join(slices.DeleteFunc([]string{c.Capacity, c.Class}, func(t string) bool { return t == "" })); about != "" {
			text.Text += ", " + about
		}
		cell = append(cell, text)
		if c.Volume != "" {
			cell = append(cell, Text{Text: "volume " + c.Volume, Path: pathOf("", "v1", "", "persistentvolumes", c.Volume)})
		}
	case s.heard(askClaim+name) || s.heard(askClaims) && !s.Found.More[askClaims]:
		cell = append(cell, Text{Text: "doesn’t exist", Tone: Bad})
	}
	return cell
}

var claimTones = map[string]Tone{"Bound": Good, "Pending": Busy, "Lost": Bad}

// sourceCell says what a volume that isn't a claim has.
func (s Subject) sourceCell(kind string, f map[string]any) Cell {
	optional := ""
	if f["optional"] == true {
		optional = ", optional"
	}
	switch kind {
	case "configMap":
		return linked("ConfigMap "+text(f, "name")+optional, s.namespaced("configmaps", text(f, "name")))
	case "secret":
		return linked("Secret "+text(f, "secretName")+optional, s.namespaced("secrets", text(f, "secretName")))
	case "emptyDir":
		words := "emptyDir"
		if text(f, "medium") == "Memory" {
			words += " in memory"
		}
		if limit := text(f, "sizeLimit"); limit != "" {
			words += ", at most " + limit
		}
		return line(words)
	case "hostPath":
		return line("path of the node: " + text(f, "path"))
	case "nfs":
		return line("NFS " + text(f, "server") + ":" + text(f, "path"))
	case "csi":
		return line("CSI driver " + text(f, "driver"))
	case "image":
		return line("image " + text(f, "reference"))
	case "projected":
		return line("projected: " + join(projected(f)))
	}
	return line(kind)
}

// projected are the sources of a projected volume.
func projected(f map[string]any) (all []string) {
	sources, _ := f["sources"].([]any)
	for _, entry := range sources {
		fields, _ := entry.(map[string]any)
		for _, kind := range slices.Sorted(maps.Keys(fields)) {
			inner, _ := fields[kind].(map[string]any)
			switch name := text(inner, "name"); {
			case kind == "serviceAccountToken":
				all = append(all, "token of the service account")
			case name != "":
				all = append(all, kind+" "+name)
			default:
				all = append(all, kind)
			}
		}
	}
	return all
}

// mounts says where a volume is mounted. A place that all of several containers have is said once.
func (p pod) mounts(volume string) (cell Cell) {
	uses, at := p.uses(), map[string]int{}
	for _, u := range uses {
		for _, m := range u.Mounts {
			if m.Name != volume {
				continue
			}
			words := m.Path
			if m.ReadOnly {
				words += " (read only)"
			}
			at[words]++
			cell = append(cell, Text{Text: u.Name + ": " + words})
		}
	}
	for words, n := range at {
		if len(at) == 1 && n == len(uses) && n > 1 {
			return line("all containers: " + words)
		}
	}
	if cell == nil {
		return Cell{{Text: "not mounted", Soft: true}}
	}
	return cell
}

// requests are what a pod asks its node for, as the scheduler counts it: the sum of the containers, or the most that an init container needs.
func (p pod) requests() map[string]float64 {
	sum, most := map[string]float64{}, map[string]float64{}
	for _, c := range p.Spec.Init {
		for name, amount := range quantities(c.Resources.Requests) {
			if c.Restart == "Always" {
				sum[name] += amount
				most[name] = max(most[name], sum[name])
				continue
			}
			most[name] = max(most[name], sum[name]+amount)
		}
	}
	for _, c := range p.Spec.Containers {
		for name, amount := range quantities(c.Resources.Requests) {
			sum[name] += amount
		}
	}
	for name, amount := range most {
		sum[name] = max(sum[name], amount)
	}
	maps.Copy(sum, quantities(p.Spec.Resources.Requests))
	for name, amount := range quantities(p.Spec.Overhead) {
		sum[name] += amount
	}
	return sum
}

func quantities(m map[string]string) map[string]float64 {
	all := map[string]float64{}
	for name, text := range m {
		if amount, ok := usage.Quantity(text); ok {
			all[name] = amount
		}
	}
	return all
}

// amount writes an amount of a resource.
func amount(resource string, n float64) string {
	switch {
	case resource == "cpu":
		return usage.CPU(n)
	case resource == "memory" || resource == "ephemeral-storage" || strings.HasPrefix(resource, "hugepages-"):
		return usage.Memory(n)
	}
	return strings.TrimSuffix(strings.TrimRight(formatted(n), "0"), ".")
}
