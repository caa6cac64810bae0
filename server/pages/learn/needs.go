package learn

import (
	"strings"

	"github.com/fieldmark/fieldmark/kube/feature"
	guide "github.com/fieldmark/fieldmark/lessons/lesson"
)

// lessonNeeds are the features that a lesson's requests name.
func lessonNeeds(l guide.Lesson) []feature.Feature {
	const otherwise = "Requests of this lesson that need the feature may get other responses than the lesson says."
	needs := map[string]feature.Feature{
		"sendInitialEvents": feature.StreamingLists.Then(otherwise),
		"application/cbor":  feature.CBOR.Then(otherwise),
		"fieldValidation":   feature.FieldValidation.Then(otherwise),
	}
	var all []feature.Feature
	for _, step := range l.Steps {
		for _, block := range step.Blocks {
			if block.Request == nil {
				continue
			}
			said := block.Request.Target
			for _, h := range block.Request.Header {
				said += "\n" + h.Value
			}
			for word, f := range needs {
				if strings.Contains(said, word) {
					all = append(all, f)
					delete(needs, word)
				}
			}
		}
	}
	return all
}
