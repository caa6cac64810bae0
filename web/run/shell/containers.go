package shell

import (
	"cmp"
	"strings"

	"github.com/fieldmark/fieldmark/kube/object"
)

// role is what a container is for.
type role string

// The roles.
const (
	plain     role = ""
	initial   role = "init container"
	ephemeral role = "debug container"
)

// container is a container of a pod, with its state as the pod's status has it.
type container struct {
	Name, Image string
	Role        role
	Running     bool
	State       string // in a few words; it may have text of the cluster
	TTY, Stdin  bool   // what attach can connect with
	Restarts    int
	Exit        int // the exit code of its last end; -1: it hasn't ended, or the status doesn't say how
	Ports       []port
}

// port is a port that a container names.
type port struct {
	Name     string
	Number   int
	Protocol string
}

// containersOf are the containers of a pod: its own first, then debug containers, then init containers.
func containersOf(pod object.Object) (all []container) {
	spec, status := members(pod.Fields["spec"]), members(pod.Fields["status"])
	for _, group := range []struct {
		role             role
		listed, reported string
	}{{plain, "containers", "containerStatuses"}, {ephemeral, "ephemeralContainers", "ephemeralContainerStatuses"}, {initial, "initContainers", "initContainerStatuses"}} {
		states := map[string]map[string]any{}
		for _, s := range items(status[group.reported]) {
			states[word(s["name"])] = s
		}
		for _, c := range items(spec[group.listed]) {
			one := container{Name: word(c["name"]), Image: word(c["image"]), Role: group.role, TTY: c["tty"] == true, Stdin: c["stdin"] == true, Ports: portsOf(c)}
			reported := states[one.Name]
			one.Running, one.State = stateOf(members(reported["state"]))
			one.Restarts, one.Exit = number(reported["restartCount"]), exitOf(reported)
			all = append(all, one)
		}
	}
	return all
}

// stateOf reads a state of a container.
func stateOf(state map[string]any) (running bool, words string) {
	if state["running"] != nil {
		return true, "running"
	}
	for _, name := range []string{"waiting", "terminated"} {
		if state[name] != nil {
			return false, strings.TrimSuffix(name+": "+word(members(state[name])["reason"]), ": ")
		}
	}
	return false, "not started yet"
}

// exitOf is the exit code of the last end in a container's status; -1: there is none.
func exitOf(reported map[string]any) int {
	for _, state := range []string{"state", "lastState"} {
		if end := members(members(reported[state])["terminated"]); end["exitCode"] != nil {
			return number(end["exitCode"])
		}
	}
	return -1
}

func portsOf(c map[string]any) (all []port) {
	for _, p := range items(c["ports"]) {
		all = append(all, port{Name: word(p["name"]), Number: number(p["containerPort"]), Protocol: cmp.Or(word(p["protocol"]), "TCP")})
	}
	return all
}

// pickContainer is the container with this name. If there is none, or the name is empty, it is the first one that runs, or the first of all.
func pickContainer(all []container, name string) (container, bool) {
	for _, c := range all {
		if c.Name == name {
			return c, true
		}
	}
	for _, c := range all {
		if c.Running {
			return c, true
		}
	}
	if len(all) == 0 {
		return container{}, false
	}
	return all[0], true
}
