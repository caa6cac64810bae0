// Package figures computes medians, ranges and quantiles, and writes them as the report has them.
package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

// Quantile is the smallest value that is at least as large as this part of all; zero without any.
func Quantile[T cmp.Ordered](all []T, part float64) (none T) {
	if len(all) == 0 {
		return none
	}
	sorted := slices.Sorted(slices.Values(all))
	at := int(math.Ceil(part*float64(len(sorted)))) - 1
	return sorted[min(max(at, 0), len(sorted)-1)]
}

// Middle is the median.
func Middle[T cmp.Ordered](all []T) T { return Quantile(all, 0.5) }

// MS are the milliseconds of a duration.
func MS(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Median of a figure; the range is that of all.
func Median[T any](all []T, of func(T) float64) string {
	var values []float64
	for _, v := range all {
		values = append(values, of(v))
	}
	return Spread("%.0f", values)
}

// Fine is a median with a tenth, and with the range.
func Fine(all []float64) string { return Spread("%.1f", all) }

// Spread is the median with the range. digits is the format of each.
func Spread(digits string, all []float64) string {
	return fmt.Sprintf("**"+digits+"** ("+digits+"–"+digits+")", Middle(all), slices.Min(all), slices.Max(all))
}

// Quartiles is the median with the quartiles. digits is the format of each.
func Quartiles(digits string, all []float64) string {
	return fmt.Sprintf("**"+digits+"** ("+digits+"–"+digits+")", Middle(all), Quantile(all, 0.25), Quantile(all, 0.75))
}

// Against is a figure, in bold if it misses its goal.
func Against(value, goal float64) string {
	if value > goal {
		return fmt.Sprintf("**%.0f**", value)
	}
	return fmt.Sprintf("%.0f", value)
}
