package table

import (
	"strconv"
	"strings"
	"time"
)

// Age writes the time from created to now as the API server's own printers do: the two largest units if the larger one is small,
// otherwise only the larger one. A zero time has no known age.
func Age(created, now time.Time) string {
	if created.IsZero() {
		return "<unknown>"
	}
	return Duration(now.Sub(created))
}

// ageStep says how durations below a limit are written: in whole units, with the next smaller unit
// after them if it is not zero.
type ageStep struct {
	below       time.Duration
	unit        time.Duration
	suffix      string
	minor       time.Duration
	minorSuffix string
}

const (
	day  = 24 * time.Hour
	year = 365 * day
)

var ageSteps = []ageStep{
	{below: 2 * time.Minute, unit: time.Second, suffix: "s"},
	{below: 10 * time.Minute, unit: time.Minute, suffix: "m", minor: time.Second, minorSuffix: "s"},
	{below: 3 * time.Hour, unit: time.Minute, suffix: "m"},
	{below: 8 * time.Hour, unit: time.Hour, suffix: "h", minor: time.Minute, minorSuffix: "m"},
	{below: 2 * day, unit: time.Hour, suffix: "h"},
	{below: 8 * day, unit: day, suffix: "d", minor: time.Hour, minorSuffix: "h"},
	{below: 2 * year, unit: day, suffix: "d"},
	{below: 8 * year, unit: year, suffix: "y", minor: day, minorSuffix: "d"},
}

// Invalid is what API servers print for a date that lies in the future, and for a text that isn't a date.
const Invalid = "<invalid>"

// Duration writes a length of time; see Age. If a clock is a moment ahead of ours, the result is 0s. If it is further ahead, the result
// is invalid.
func Duration(d time.Duration) string {
	if d < -time.Second {
		return Invalid
	}
	if d < 0 {
		return "0s"
	}
	for _, s := range ageSteps {
		if d < s.below {
			return s.word(d)
		}
	}
	return strconv.Itoa(int(d/year)) + "y"
}

func (s ageStep) word(d time.Duration) string {
	text := strconv.Itoa(int(d/s.unit)) + s.suffix
	if s.minor == 0 {
		return text
	}
	if rest := int(d % s.unit / s.minor); rest > 0 {
		text += strconv.Itoa(rest) + s.minorSuffix
	}
	return text
}

var ageUnits = map[byte]time.Duration{
	's': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': day, 'y': year,
}

// ParseAge reads the text of Duration. For any other text, ok is false.
func ParseAge(text string) (d time.Duration, ok bool) {
	for text != "" {
		digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
		if digits == 0 || digits == len(text) {
			return 0, false
		}
		n, err := strconv.Atoi(text[:digits])
		unit, known := ageUnits[text[digits]]
		if err != nil || !known {
			return 0, false
		}
		d += time.Duration(n) * unit
		text, ok = text[digits+1:], true
	}
	return d, ok
}

// Moment reads a time as the API writes it: 2026-11-21T12:00:00Z.
func Moment(text string) (at time.Time, ok bool) {
	if len(text) < len("2006-01-02T15:04:05Z") || text[4] != '-' {
		return time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339, text)
	return at, err == nil
}

// Since writes how long ago a time was, or in how long it will be.
func Since(at, now time.Time) string {
	if ahead := at.Sub(now); ahead > time.Second {
		return "in " + Duration(ahead)
	}
	return Duration(now.Sub(at))
}
