package act

import (
	"strconv"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/patch"
)

const (
	nameOption = "name"
	// byHand is the annotation of a Job that somebody has made from a CronJob.
	byHand = "cronjob.kubernetes.io/instantiate"
	// longestStem is how much of a CronJob's name a Job's name has. The name of a Job has at most 63 characters, because it becomes a label.
	longestStem = 44
)

// triggers tells whether the type is CronJobs.
func triggers(t discovery.Type) bool {
	return t.Group == "batch" && t.Resource == "cronjobs" && t.Can("patch")
}

// trigger creates a Job from a CronJob, as kubectl create job --from does (pkg/cmd/create/create_job.go, createJobWithCronJob). The CronJob owns the Job,
// but isn't its controller, so it doesn't count it.
func trigger() Act {
	return Act{
		Name: "trigger", Title: "Trigger", Hint: "Creates a Job from the template of the CronJob now.",
		options: func(s Subject, _ Found) []Option {
			stem := s.Path.Name
			return []Option{{
				Name: nameOption, Label: "Name of the Job", Shape: Text, Default: stem[:min(len(stem), longestStem)] + "-manual-" + strconv.FormatInt(s.Now.Unix(), 36),
			}}
		},
		plan: func(p *planner) {
			name := p.chose(nameOption)
			if why := apipath.Unfit(name); why != "" || name == "" {
				p.wrong(nameOption, "The name isn’t possible.")
				return
			}
			template := fields(p.Object.Fields, "spec", "jobTemplate")
			metadata := map[string]any{
				"name": name, "namespace": p.Path.Namespace,
				"annotations": with(fields(template, "metadata", "annotations"), "manual", byHand),
				"ownerReferences": []any{map[string]any{
					"apiVersion": p.Object.APIVersion(), "kind": p.Object.Kind(), "name": p.Path.Name, "uid": p.Object.Meta("uid"),
				}},
			}
			if labels := fields(template, "metadata", "labels"); labels != nil {
				metadata["labels"] = labels
			}
			job := map[string]any{"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": template["spec"]}
			at := apipath.Collection("batch", "v1", p.Path.Namespace, "jobs")
			p.Steps = []Step{{
				Title: "Create the Job " + name, Path: at, Answer: ANewObject, Request: p.sends("POST", "", patch.PlainJSON, job),
				Why:  "The Job belongs to the CronJob, and is deleted with it. The CronJob doesn’t count it for its concurrency policy or its history.",
				Goal: Goal{Kind: Finished, Path: apipath.Object("batch", "v1", p.Path.Namespace, "jobs", name)},
			}}
			if yes(fields(p.Object.Fields, "spec"), "suspend") {
				p.addNote(Info, "The CronJob is suspended. A Job that you create runs all the same.")
			}
		},
	}
}
