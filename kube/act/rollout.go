package act

import (
	"fmt"

	"github.com/fieldmark/fieldmark/kube/object"
)

// rollout follows kubectl rollout status (pkg/polymorphichelpers/rollout_status.go).
func rollout(o object.Object) Progress {
	spec, stat := fields(o.Fields, "spec"), fields(o.Fields, "status")
	count := func(name string) int64 { n, _ := number(stat, name); return n }
	wanted, has := number(spec, "replicas")
	if !has {
		wanted = 1
	}
	updated, available, total := count("updatedReplicas"), count("availableReplicas"), count("replicas")
	switch o.Kind() {
	case "DaemonSet":
		wanted, updated, available = count("desiredNumberScheduled"), count("updatedNumberScheduled"), count("numberAvailable")
		total = updated
	case "StatefulSet":
		available, total = count("readyReplicas"), updated
		if stringField(stat, "updateRevision") == stringField(stat, "currentRevision") {
			updated, total = wanted, wanted
		}
		kept := min(partition(spec), wanted) // Pods that stay as they are
		wanted, available = wanted-kept, available-kept
	}
	seen, _ := number(stat, "observedGeneration") // absent until the controller has seen the object at all
	newest, _ := number(fields(o.Fields, "metadata"), "generation")
	switch {
	case seen < newest:
		return Progress{Words: "The controller hasn’t seen the change yet.", Of: wanted}
	case stringField(fields(spec, "updateStrategy"), "type") == "OnDelete":
		return Progress{Reached: true, Words: "The controller replaces a Pod only after somebody has deleted it."}
	case overdue(o):
		return Progress{Failed: true, Words: "The rollout has made no progress for longer than its deadline allows.", At: updated, Of: wanted}
	case updated < wanted:
		return Progress{Words: fmt.Sprintf("%d of %d Pods are new.", updated, wanted), At: updated, Of: wanted}
	case total > updated:
		return Progress{Words: fmt.Sprintf("%d old Pods still have to stop.", total-updated), At: updated, Of: wanted}
	case available < wanted:
		available = max(0, available)
		return Progress{Words: fmt.Sprintf("%d of %d new Pods are available.", available, wanted), At: available, Of: wanted}
	}
	return Progress{Reached: true, Words: fmt.Sprintf("All %d Pods are new and available.", wanted), At: wanted, Of: wanted}
}

// partition is the ordinal of the first Pod that a StatefulSet updates; 0: it updates all.
func partition(spec map[string]any) int64 {
	n, _ := number(fields(spec, "updateStrategy", "rollingUpdate"), "partition")
	return n
}

// overdue tells whether a Deployment's rollout has exceeded its deadline.
func overdue(o object.Object) bool {
	for _, c := range o.Conditions() {
		if c.Type == "Progressing" && c.Reason == "ProgressDeadlineExceeded" {
			return true
		}
	}
	return false
}

// finished says how far a Job is.
func finished(o object.Object) Progress {
	for _, c := range o.Conditions() {
		switch {
		case c.Type == "Complete" && c.Status == "True":
			return Progress{Reached: true, Words: "The Job is complete."}
		case c.Type == "Failed" && c.Status == "True":
			return Progress{Failed: true, Words: "The Job has failed: " + c.Reason + "."}
		}
	}
	return Progress{Words: "The Job is running."}
}
