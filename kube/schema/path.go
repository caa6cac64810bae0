package schema

import (
	"encoding/json"
	"strings"

	"github.com/fieldmark/fieldmark/kube/typed"
)

// Path leads from an object to one of its fields. Its steps are names of fields, keys of maps, and Each.
type Path []string

// Each is the step to all items of a list, or to all values of a map.
const Each = "*"

// maxSteps is the maximum number of steps in a path. Recursive types have paths of any length.
const maxSteps = 64

// ParsePath reads a path as people type it (package typed), also in the notation of String: .spec.containers[*].image,
// .metadata.annotations["example.com/note"]. An item of a list means Each, so the paths of field managers, which name one item, can be read, too.
func ParsePath(text string) (Path, error) {
	steps, err := typed.Steps(text)
	if err != nil {
		return nil, err
	}
	path := Path{}
	for _, s := range steps[:min(len(steps), maxSteps)] {
		if s.Item {
			path = append(path, Each)
		} else {
			path = append(path, s.Name)
		}
	}
	return path, nil
}

// String writes the path.
func (p Path) String() string {
	if len(p) == 0 {
		return "."
	}
	var b strings.Builder
	for _, step := range p {
		switch {
		case step == Each:
			b.WriteString("[*]")
		case step == "" || strings.ContainsAny(step, ".[]\"\\ \t\r\n"):
			b.WriteString("[" + quote(step) + "]")
		default:
			b.WriteString("." + step)
		}
	}
	return b.String()
}

// quote writes a string as JSON, without escapes for HTML.
func quote(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		return `""` // strings always encode
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Parent is the path of the field's parent. The object is its own parent.
func (p Path) Parent() Path {
	if len(p) == 0 {
		return p
	}
	return p[: len(p)-1 : len(p)-1]
}

// To is the path of something below the path.
func (p Path) To(steps ...string) Path {
	return append(p[:len(p):len(p)], steps...)
}

// Within tells whether a path is equal to another one, or below it.
func (p Path) Within(other Path) bool {
	if len(p) < len(other) {
		return false
	}
	for i, step := range other {
		if p[i] != step {
			return false
		}
	}
	return true
}

// Values are the values at a path in a part of an object: none, one, or several if the path has Each.
func Values(value any, path Path) []any {
	values := []any{value}
	for _, step := range path {
		values = Next(values, step)
	}
	return values
}

// Next returns the values one step further on the path.
func Next(values []any, step string) []any {
	var next []any
	for _, value := range values {
		switch value := value.(type) {
		case []any:
			if step == Each {
				next = append(next, value...)
			}
		case map[string]any:
			if one, there := value[step]; there {
				next = append(next, one)
			} else if step == Each {
				next = appendValues(next, value)
			}
		}
	}
	return next
}

func appendValues(to []any, values map[string]any) []any {
	for _, key := range sorted(values) {
		to = append(to, values[key])
	}
	return to
}
