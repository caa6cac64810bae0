package act

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/patch"
)

const (
	containerOption = "container"
	imageOption     = "image"
)

// container is a container of a pod template.
type container struct {
	list, name, image string // list is containers or initContainers
}

// containers are the containers of the object's pod template.
func (s Subject) containers() []container {
	return containersOf(fields(s.Object.Fields, "spec", "template"))
}

// containersOf are the containers of a pod template.
func containersOf(template map[string]any) (all []container) {
	spec := fields(template, "spec")
	for _, list := range []string{"containers", "initContainers"} {
		items, _ := spec[list].([]any)
		for _, item := range items {
			c, _ := item.(map[string]any)
			all = append(all, container{list, stringField(c, "name"), stringField(c, "image")})
		}
	}
	return all
}

// setImage changes the image of a container, as kubectl set image does (pkg/cmd/set/set_image.go).
func setImage() Act {
	return Act{
		Name: "set-image", Title: "Set image", Hint: "Changes the image of a container.",
		options: func(s Subject, _ Found) []Option {
			which := Option{Name: containerOption, Label: "Container", Shape: Choice}
			image := Option{Name: imageOption, Label: "Image", Shape: Text}
			all := s.containers()
			for i, c := range all {
				if i == 0 {
					which.Default = c.name
				}
				if len(all) == 1 {
					image.Default = c.image // of several, the reader could give one the image of another
				}
				which.Choices = append(which.Choices, Value{Value: c.name, Label: c.name + " (" + c.image + ")"})
			}
			return []Option{which, image, conditionOption()}
		},
		plan: planImage,
	}
}

func planImage(p *planner) {
	all, image := p.containers(), p.chose(imageOption)
	i := slices.IndexFunc(all, func(c container) bool { return c.name == p.chose(containerOption) })
	switch {
	case i < 0:
		p.wrong(containerOption, "The object has no such container.")
		return
	case image == "" || strings.ContainsAny(image, " \t"):
		p.wrong(imageOption, "Write the name of an image, without spaces.")
		return
	case all[i].image == image:
		p.Nothing = "The container has this image already."
		return
	}
	c := all[i]
	items, _ := fields(p.Object.Fields, "spec", "template", "spec")[c.list].([]any)
	changed := slices.Clone(items)
	for n, item := range items {
		if fields, is := item.(map[string]any); is && stringField(fields, "name") == c.name {
			changed[n] = with(fields, image, "image")
		}
	}
	p.touch(with(p.Object.Fields, changed, "spec", "template", "spec", c.list), p.manager(""))
	step := Step{
		Title: "Set the image of " + c.name, Why: "The controller replaces all Pods, because the pod template has changed.", Path: p.Path, Answer: TheObject, Goal: p.rollout(),
		Request: p.patches(patch.StrategicType, "", nested([]any{map[string]any{"name": c.name, "image": image}}, "spec", "template", "spec", c.list)),
	}
	if p.paused() {
		step.Goal, step.Why = Goal{Path: p.Path}, "The rollout is paused, so the change replaces no Pod until somebody resumes it."
	}
	p.Steps = []Step{step}
	p.strategyNote()
	if last := image[strings.LastIndex(image, "/")+1:]; !strings.Contains(image, "@") && (!strings.Contains(last, ":") || strings.HasSuffix(last, ":latest")) {
		p.addNote(Warn, "The tag latest can mean another image tomorrow. Name a version or a digest.")
	}
}
