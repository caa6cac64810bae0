package condition

import (
	"strconv"
	"strings"
)

// Remaining is a resource of which objects are left in a namespace that is being deleted.
type Remaining struct {
	Group, Resource string
	Objects         int
}

// RemainingIn reads the message of a namespace's condition NamespaceContentRemaining: which objects its deletion still waits for. The namespace controller
// writes it as "Some resources are remaining: configmaps. has 1 resource instances, pods.metrics.k8s.io has 2 resource instances"
// (pkg/controller/namespace/deletion/status_condition_utils.go). Of another text, nothing is read.
func RemainingIn(message string) []Remaining {
	_, list, found := strings.Cut(message, "Some resources are remaining: ")
	if !found {
		return nil
	}
	var all []Remaining
	for part := range strings.SplitSeq(list, ", ") {
		name, count, found := strings.Cut(part, " has ")
		n, err := strconv.Atoi(strings.TrimSuffix(count, " resource instances"))
		resource, group, dotted := strings.Cut(name, ".")
		if found && err == nil && dotted && resource != "" {
			all = append(all, Remaining{Group: group, Resource: resource, Objects: n})
		}
	}
	return all
}
