package act

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/assist"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/patch"
)

// Names of options and of reads.
const (
	replicasOption = "replicas"
	scalersRead    = "scalers"
	definitionRead = "definition"
)

// many is a number of replicas that may be a mistake.
const many = 1000

// syncPeriod is how often the controller of autoscalers looks, unless its flag --horizontal-pod-autoscaler-sync-period says otherwise.
const syncPeriod = 15 * time.Second

// scale writes the subresource scale, as kubectl scale does (pkg/scale/scale.go, ScaleSimple).
func scale() Act {
	return Act{
		Name: "scale", Title: "Scale", Hint: "Changes the number of replicas.",
		options: func(s Subject, found Found) []Option {
			now, _ := s.replicas(found)
			return []Option{
				{Name: replicasOption, Label: "Replicas", Shape: Number, Default: strconv.FormatInt(now, 10)},
				conditionOption(),
			}
		},
		reads: func(s Subject) []Read {
			all := []Read{{
				Name: scalersRead, What: "the autoscalers of the namespace",
				Path: apipath.Collection("autoscaling", "v2", s.Path.Namespace, "horizontalpodautoscalers"),
			}}
			if s.custom() {
				all = append(all, Read{
					Name: definitionRead, What: "the definition of the type",
					Path: apipath.Object("apiextensions.k8s.io", "v1", "", "customresourcedefinitions", s.Type.Resource+"."+s.Type.Group),
				})
			}
			return all
		},
		plan: planScale,
	}
}

func planScale(p *planner) {
	n, err := strconv.ParseInt(p.chose(replicasOption), 10, 64)
	now, known := p.replicas(p.found)
	switch {
	case err != nil:
		p.wrong(replicasOption, "The number of replicas must be a whole number.")
	case n < 0:
		p.wrong(replicasOption, "The number of replicas can’t be negative.")
	case n > math.MaxInt32:
		p.wrong(replicasOption, fmt.Sprintf("The number of replicas can’t be larger than %d.", math.MaxInt32))
	case known && n == now:
		p.Nothing = fmt.Sprintf("The object wants %d replicas already.", n)
	default:
		p.scaleTo(n, now)
	}
}

func (p *planner) scaleTo(n, now int64) {
	field := p.replicasField(p.found)
	by := p.manager("scale")
	after := with(p.Object.Fields, jsonNumber(n), field...)
	path := "." + strings.Join(field, ".")
	p.touch(after, by)
	predicted := object.Object{Fields: owned(after, p.Object.Fields, path, field, by, p.Now)}
	p.Steps = []Step{{
		Title: fmt.Sprintf("Scale from %d to %d replicas", now, n),
		Why:   "The request changes only the number of replicas. It needs no permission to change anything else in the object.",
		Path:  p.Path, Answer: TheScale, After: &predicted,
		Request: p.patches(patch.MergeType, "scale", map[string]any{"spec": map[string]any{"replicas": n}}),
		Goal:    Goal{Kind: Replicas, Path: p.Path, Want: n},
	}}
	p.scalers(n)
	if n == 0 {
		p.addNote(Warn, "With 0 replicas, no Pod runs.")
	}
	if n >= many {
		p.addNote(Warn, fmt.Sprintf("%d replicas are many. Make sure that the number isn’t a mistake.", n))
	}
	if yes(fields(p.Object.Fields, "spec"), "paused") {
		p.addNote(Info, "The rollout is paused. A Deployment still scales while it is paused.")
	}
}

// scalers says what the autoscalers of the object do to a number of replicas. They follow reconcileAutoscaler in Kubernetes'
// pkg/controller/podautoscaler/horizontal.go.
func (p *planner) scalers(n int64) {
	got, asked := p.found[scalersRead]
	if !asked || got.No != nil || got.More {
		p.addNote(Info, "Fieldmark couldn’t read all autoscalers of the namespace. If one of them scales this object, it writes its own number.")
	}
	for _, s := range assist.ScalersOf(got.bodies(), p.Object.APIVersion(), p.Object.Kind(), p.Path.Name) {
		_, limit, outside := s.Limit(n)
		switch {
		case n == 0 && s.Min > 0:
			p.addNote(Warn, s.Words()+" scales this object. With 0 replicas it stops scaling, until somebody scales to 1 or more.")
		case outside:
			p.addNote(Warn, fmt.Sprintf("%s scales this object, and doesn’t allow %d replicas. It writes %d within about %s.", s.Words(), n, limit, syncPeriod))
		default:
			p.addNote(Warn, fmt.Sprintf("%s scales this object. It writes its own number within about %s, if its metrics call for another one.", s.Words(), syncPeriod))
		}
	}
}

// custom tells whether a CustomResourceDefinition defines the type.
func (s Subject) custom() bool { return !discovery.BuiltIn(s.Type.Group) }

// replicasField is the field with the number of replicas. The definition of a custom resource says which field it is.
func (s Subject) replicasField(found Found) []string {
	usual := []string{"spec", "replicas"}
	for _, o := range found[definitionRead].Objects {
		versions, _ := fields(o.Fields, "spec")["versions"].([]any)
		for _, v := range versions {
			version, _ := v.(map[string]any)
			path := stringField(fields(version, "subresources", "scale"), "specReplicasPath")
			if stringField(version, "name") == s.Type.Version && path != "" {
				return strings.Split(strings.TrimPrefix(path, "."), ".")
			}
		}
	}
	return usual
}

// replicas is the number of replicas that the object wants; ok is false if the object doesn't say.
func (s Subject) replicas(found Found) (n int64, ok bool) {
	field := s.replicasField(found)
	last := len(field) - 1
	return number(fields(s.Object.Fields, field[:last]...), field[last])
}

// owned is an object after an update through a subresource took one field from all its managers. So does ScaleHandler.ToParent in
// apimachinery's pkg/util/managedfields/scalehandler.go.
func owned(after, before map[string]any, path string, field []string, by ownership.Manager, now time.Time) map[string]any {
	blame := ownership.Parse(before).On(manifest.Tree(before), nil)
	for _, c := range blame.Claimed(path) {
		if !c.Same(by) {
			after = assist.Left(after, c.Manager, []string{path}, nil)
		}
	}
	entries, _ := fields(after, "metadata")["managedFields"].([]any)
	has := func(e any) bool {
		fields, _ := e.(map[string]any)
		return by.Same(ownership.Manager{
			Name: stringField(fields, "manager"), Operation: stringField(fields, "operation"), Subresource: stringField(fields, "subresource"), APIVersion: stringField(fields, "apiVersion"),
		})
	}
	if slices.ContainsFunc(entries, has) {
		return after
	}
	claim := map[string]any{}
	for i := len(field) - 1; i >= 0; i-- {
		claim = map[string]any{"f:" + field[i]: claim}
	}
	entry := map[string]any{
		"manager": by.Name, "operation": by.Operation, "subresource": by.Subresource, "apiVersion": by.APIVersion,
		"fieldsType": "FieldsV1", "fieldsV1": claim, "time": now.UTC().Format(time.RFC3339),
	}
	return with(after, append(slices.Clone(entries), entry), "metadata", "managedFields")
}
