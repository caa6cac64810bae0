package act

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/patch"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/words"
)

const (
	revisionOption = "revision"
	revisionsRead  = "revisions"
	causeMark      = "kubernetes.io/change-cause"        // the annotation that says why there is a revision
	revisionMark   = "deployment.kubernetes.io/revision" // the annotation of a ReplicaSet with its revision
	templateHash   = "pod-template-hash"                 // the label that the controller adds to the template of a ReplicaSet
)

// revision is a former version of an object's pod template.
type revision struct {
	n        int64
	made     time.Time // when the revision was first rolled out
	cause    string    // why, if somebody annotated it
	template map[string]any
	patch    map[string]any // as the ControllerRevision has it; nil for a ReplicaSet
}

// rollback writes the pod template of a revision into the object, as kubectl rollout undo does (pkg/polymorphichelpers/rollback.go). The annotations of
// the object stay.
func rollback() Act {
	return Act{
		Name: "rollback", Title: "Roll back", Hint: "Writes the pod template of an earlier revision into the object.",
		options: func(s Subject, found Found) []Option {
			all := s.revisions(found)
			o := Option{Name: revisionOption, Label: "Revision", Shape: Choice}
			for i, r := range all {
				label := fmt.Sprintf("revision %d", r.n)
				if i == 0 {
					label += " (the current one)"
				}
				o.Choices = append(o.Choices, Value{Value: strconv.FormatInt(r.n, 10), Label: label, Hint: r.words(s.Now)})
			}
			if len(all) > 1 {
				o.Default = o.Choices[1].Value
			}
			return []Option{o, conditionOption()}
		},
		reads: func(s Subject) []Read {
			p := apipath.Collection("apps", "v1", s.Path.Namespace, "controllerrevisions")
			if s.Path.Resource == "deployments" {
				p = apipath.Collection("apps", "v1", s.Path.Namespace, "replicasets")
			}
			return []Read{{Name: revisionsRead, What: "the revisions of the object", Path: p, Required: true}}
		},
		plan: planRollback,
		idle: func(s Subject) string {
			switch {
			case s.paused():
				return pausedRollback
			case stringField(fields(s.Object.Fields, "metadata", "annotations"), revisionMark) == "1":
				return noRevision
			}
			return ""
		},
	}
}

// Why an object can't be rolled back.
const (
	noRevision     = "The object has no earlier revision."
	pausedRollback = "The rollout is paused. Resume it before you roll back."
)

// mostImages is how many images of a revision are named.
const mostImages = 3

// words say what a reader knows a revision by: its images, when it was made, and why.
func (r revision) words(now time.Time) string {
	var images []string
	for _, c := range containersOf(r.template) {
		images = append(images, c.image)
	}
	if more := len(images) - mostImages; more > 0 {
		images = append(images[:mostImages], words.Count(int64(more), "more image", "more images"))
	}
	said := []string{strings.Join(images, ", ")}
	if !r.made.IsZero() {
		said = append(said, "first rolled out "+table.Age(r.made, now)+" ago")
	}
	if r.cause != "" {
		said = append(said, "cause: "+r.cause)
	}
	return strings.Join(slices.DeleteFunc(said, func(text string) bool { return text == "" }), " · ")
}

func planRollback(p *planner) {
	all := p.revisions(p.found)
	i := slices.IndexFunc(all, func(r revision) bool { return strconv.FormatInt(r.n, 10) == p.chose(revisionOption) })
	switch {
	case len(all) < 2:
		p.Nothing = noRevision
	case p.paused():
		p.Nothing = pausedRollback
	case i < 0:
		p.wrong(revisionOption, "The object has no such revision any more.")
	case asJSON(all[i].template) == asJSON(fields(p.Object.Fields, "spec", "template")):
		p.Nothing = fmt.Sprintf("The pod template is that of revision %d already.", all[i].n)
	default:
		p.rollBackTo(all[i])
	}
}

func (p *planner) rollBackTo(r revision) {
	p.touch(with(p.Object.Fields, r.template, "spec", "template"), p.manager(""))
	step := Step{
		Title: fmt.Sprintf("Roll back to revision %d", r.n), Path: p.Path, Answer: TheObject, Goal: p.rollout(),
		Why: "The request replaces the whole pod template. The controller then makes a new revision of it.",
	}
	if r.patch != nil {
		step.Request = p.patches(patch.StrategicType, "", r.patch)
	} else {
		step.Request = p.edits(p.pinned(), patch.Operation{Op: "replace", Path: "/spec/template", Value: value(r.template)})
	}
	p.Steps = []Step{step}
	p.strategyNote()
	p.addNote(Info, "Only the pod template is rolled back. ConfigMaps, Secrets and the number of replicas stay as they are.")
}

// revisions are the revisions of an object, the newest first.
func (s Subject) revisions(found Found) (all []revision) {
	for _, o := range found[revisionsRead].Objects {
		if !slices.ContainsFunc(o.OwnerReferences(), func(owner object.OwnerReference) bool { return owner.Controller && owner.UID == s.Object.Meta("uid") }) {
			continue
		}
		if r, ok := revisionOf(o); ok {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b revision) int { return cmp.Compare(b.n, a.n) })
	return all
}

// revisionOf reads a ReplicaSet of a Deployment, or a ControllerRevision.
func revisionOf(o object.Object) (revision, bool) {
	if template := fields(o.Fields, "spec", "template"); template != nil {
		n, err := strconv.ParseInt(stringField(fields(o.Fields, "metadata", "annotations"), revisionMark), 10, 64)
		return revision{n: n, made: o.Created(), cause: causeOf(o), template: with(template, nil, "metadata", "labels", templateHash)}, err == nil
	}
	data := fields(o.Fields, "data")
	template := fields(data, "spec", "template")
	n, err := json.Number(asJSON(o.Fields["revision"])).Int64()
	if template == nil || err != nil {
		return revision{}, false
	}
	return revision{n: n, made: o.Created(), cause: causeOf(o), template: with(template, nil, "$patch"), patch: data}, true
}

func causeOf(o object.Object) string {
	return stringField(fields(o.Fields, "metadata", "annotations"), causeMark)
}
