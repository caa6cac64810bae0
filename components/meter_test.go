package components

import (
	"fmt"
	"testing"
)

func TestMeters(t *testing.T) {
	written := func(f float64) string { return fmt.Sprint(f) }
	for name, c := range map[string]struct {
		used, request, limit float64
		want                 *Meter
	}{
		"neither":       {1, 0, 0, nil},
		"request":       {1, 4, 0, &Meter{Used: 0.25, Words: "1 in use, 4 requested, no limit"}},
		"above request": {5, 4, 0, &Meter{Used: 1, Tone: Warn, Words: "5 in use, 4 requested, no limit"}},
		"limit":         {1, 0, 4, &Meter{Used: 0.25, Words: "1 in use, limit 4"}},
		"both":          {1, 2, 4, &Meter{Used: 0.25, Mark: 0.5, Words: "1 in use, 2 requested, limit 4"}},
		"near limit":    {3.6, 2, 4, &Meter{Used: 0.9, Mark: 0.5, Tone: Bad, Words: "3.6 in use, 2 requested, limit 4"}},
		"above limit":   {8, 2, 4, &Meter{Used: 1, Mark: 0.5, Tone: Bad, Words: "8 in use, 2 requested, limit 4"}},
	} {
		got := NewMeter(c.used, c.request, c.limit, "limit", written)
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
