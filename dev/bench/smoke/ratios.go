package smoke

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/dev/bench/figures"
)

// Kept is what is recorded of one figure.
type Kept struct {
	Ratio float64 `json:"ratio"` // to the figure's reference
	// Noise is how far the ratio of a single pass was from Ratio at most, as a part of Ratio.
	Noise float64 `json:"noise"`
}

// Record is the committed record: the ratios of a build that was as fast as it should be.
type Record struct {
	Measured string          `json:"measured"` // date
	Version  string          `json:"version"`  // of Fieldmark
	Cores    int             `json:"cores"`
	Passes   int             `json:"passes"`
	Figures  map[string]Kept `json:"figures"`
}

//go:embed ratios.json
var recorded []byte

// parseRecord reads a record.
func parseRecord(text []byte) (r Record, err error) {
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("reading the recorded ratios: %w", err)
	}
	return r, nil
}

// text writes a record, as parseRecord reads it.
func (r Record) text() ([]byte, error) {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the ratios: %w", err)
	}
	return append(text, '\n'), nil
}

// tolerated is by which part a ratio may be larger than the recorded one.
const tolerated = 0.2

// bound is the ratio from which a figure counts as slower: 20 % more than recorded, or as much as the noise of single passes.
func (k Kept) bound() float64 { return k.Ratio * (1 + max(tolerated, k.Noise)) }

// slower are the names of the figures whose ratios are above their bounds. The ratios of a figure are those of all its measurements, and
// the least of them counts: what disturbs a measurement makes it slower, and never faster than the code.
func (r Record) slower(found map[string][]float64) (names []string) {
	for name, ratios := range found {
		if kept, known := r.Figures[name]; known && slices.Min(ratios) > kept.bound() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// unlike are the names of figures that only one of the record and a measurement has.
func (r Record) unlike(found map[string][]float64) (names []string) {
	for name := range found {
		if _, known := r.Figures[name]; !known {
			names = append(names, name)
		}
	}
	for name := range r.Figures {
		if _, measured := found[name]; !measured {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// verdict is what a person reads about a figure that became slower.
func (r Record) verdict(name string, ratios []float64) string {
	kept := r.Figures[name]
	return fmt.Sprintf("%s became %.0f %% slower: %.2f times its reference, and %.2f times when it was recorded (%s). Measured %d times.",
		name, 100*(slices.Min(ratios)/kept.Ratio-1), slices.Min(ratios), kept.Ratio, r.Version, len(ratios))
}

// table is what a person reads about all figures.
func (r Record) table(found map[string][]float64) string {
	var b strings.Builder
	for _, name := range sortedNames(found) {
		kept := r.Figures[name]
		fmt.Fprintf(&b, "%-42s %5.2f, recorded %5.2f, slower from %5.2f on\n", name, slices.Min(found[name]), kept.Ratio, kept.bound())
	}
	return b.String()
}

func sortedNames(found map[string][]float64) []string {
	var names []string
	for name := range found {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// recordOf makes a record of the ratios of several passes.
func recordOf(found map[string][]float64) map[string]Kept {
	kept := map[string]Kept{}
	for name, ratios := range found {
		middle := figures.Middle(ratios)
		far := 0.0
		for _, one := range ratios {
			far = max(far, math.Abs(one/middle-1))
		}
		kept[name] = Kept{Ratio: rounded(middle), Noise: rounded(far)}
	}
	return kept
}

// rounded has three digits after the point.
func rounded(x float64) float64 { return math.Round(1000*x) / 1000 }
