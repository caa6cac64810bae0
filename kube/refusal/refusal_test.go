package refusal

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// told is a reading as the table has it: a line for each refusal, and one for each piece of text that is left.
func told(got Reading) string {
	var lines []string
	for _, r := range got.Refusals {
		lines = append(lines, line(r))
	}
	for _, rest := range got.Rest {
		lines = append(lines, fmt.Sprintf("rest %q", rest))
	}
	if got.Binary {
		lines = append(lines, "binary")
	}
	return strings.Join(lines, "\n")
}

func line(r Refusal) string {
	parts := []string{fmt.Sprintf("%s %d", r.Reason, r.Code)}
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+" "+value)
		}
	}
	add("by", string(r.Tool))
	for _, o := range r.Objects {
		parts = append(parts, fmt.Sprintf("on %s/%s %s %s %s/%s", o.Group, o.Version, o.Kind, o.Resource, o.Namespace, o.Name))
	}
	add("as", r.Manager)
	add("from", r.File)
	for _, h := range r.Holdings() {
		parts = append(parts, fmt.Sprintf("with %q %s %s %s %s %v", h.Name, h.Operation, h.Subresource, h.APIVersion, h.Time, h.Paths))
	}
	for _, f := range r.Fields {
		if len(f.Owners) == 0 {
			parts = append(parts, fmt.Sprintf("field %s: %s%s", f.Path, f.Message, map[bool]string{true: " !"}[f.Immutable]))
		}
	}
	if r.Denial != nil {
		parts = append(parts, fmt.Sprintf("denial %+v", *r.Denial))
	}
	if r.Policy != nil {
		parts = append(parts, fmt.Sprintf("policy %+v", *r.Policy))
	}
	if r.Quota != nil {
		parts = append(parts, fmt.Sprintf("quota %+v", *r.Quota))
	}
	if r.Untold != 0 {
		parts = append(parts, fmt.Sprintf("untold %d", r.Untold))
	}
	if r.RetryAfterSeconds != 0 {
		parts = append(parts, fmt.Sprintf("retry %ds", r.RetryAfterSeconds))
	}
	add("accepts", strings.Join(r.Accepts, " "))
	if r.Message != "" {
		parts = append(parts, fmt.Sprintf("says %q", r.Message))
	}
	add("around", r.Around)
	return strings.Join(parts, " | ")
}

func TestRead(t *testing.T) {
	for _, c := range slices.Concat(conflicts, invalids, denials, others) {
		t.Run(c.name, func(t *testing.T) {
			if got := told(reading(c.text)); got != c.want {
				t.Errorf("%s\n\ngot\n%s\n\nwant\n%s", c.text, got, c.want)
			}
		})
	}
}
