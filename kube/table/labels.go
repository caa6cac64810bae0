package table

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Labels are an object's labels as one sorted string: key=value, separated by spaces. Most labels are never read, and a map for each row
// would take more memory than everything else.
type Labels string

// labelEscaper removes separators from labels. API servers refuse labels with such characters.
var (
	labelEscaper   = strings.NewReplacer(" ", "%20", "=", "%3D", "%", "%25")
	labelUnescaper = strings.NewReplacer("%20", " ", "%3D", "=", "%25", "%")
)

// LabelsOf writes labels as Labels.
func LabelsOf(labels map[string]string) Labels {
	all := make([]string, 0, len(labels))
	for key, value := range labels {
		all = append(all, labelEscaper.Replace(key)+"="+labelEscaper.Replace(value))
	}
	slices.Sort(all)
	return Labels(strings.Join(all, " "))
}

// All are the keys and values.
func (l Labels) All() iter.Seq2[string, string] {
	return func(yield func(key, value string) bool) {
		if l == "" {
			return
		}
		for label := range strings.SplitSeq(string(l), " ") {
			key, value, _ := strings.Cut(label, "=")
			if strings.Contains(label, "%") {
				key, value = labelUnescaper.Replace(key), labelUnescaper.Replace(value)
			}
			if !yield(key, value) {
				return
			}
		}
	}
}

// Get is the value of a label; empty if there is none.
func (l Labels) Get(key string) string {
	for k, value := range l.All() {
		if k == key {
			return value
		}
	}
	return ""
}

// UnmarshalJSON reads the labels of an object's metadata.
func (l *Labels) UnmarshalJSON(data []byte) error {
	var labels map[string]string
	if err := json.Unmarshal(data, &labels); err != nil {
		return fmt.Errorf("labels: %w", err)
	}
	*l = LabelsOf(labels)
	return nil
}
