// Package usage reads what pods and nodes use, from metrics.k8s.io, and what they may use: requests, limits, and what a node has.
//
// Figures are float64 in base units: processors (0.25 is a quarter of one), and bytes. Zero is no figure where that is possible, such as a limit.
package usage

import (
	"math"
	"strconv"
	"strings"
)

// factors are the suffixes of quantities.
var factors = map[string]float64{
	"n": 1e-9, "u": 1e-6, "m": 1e-3, "": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18,
	"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40, "Pi": 1 << 50, "Ei": 1 << 60,
}

// longest bounds the text of a quantity. The API server writes none that is longer.
const longest = 64

// Quantity reads a quantity, such as 250m, 1.5, 128Mi or 1e3. The result is finite; ok is false for any other text.
func Quantity(text string) (value float64, ok bool) {
	if text == "" || len(text) > longest {
		return 0, false
	}
	end := strings.LastIndexAny(text, "0123456789.") + 1
	number, suffix := text[:end], text[end:]
	factor, known := factors[suffix]
	if !known || !decimal(number) {
		return 0, false
	}
	n, err := strconv.ParseFloat(number, 64)
	if value = n * factor; err != nil || math.IsInf(value, 0) {
		return 0, false
	}
	return value, true
}

// decimal tells whether a number has only digits, signs, a point and an exponent. ParseFloat reads more: hexadecimal digits, and words.
func decimal(number string) bool {
	return number != "" && strings.Trim(number, "0123456789+-.eE") == ""
}

// value is a quantity, or zero if it can't be read.
func value(text string) float64 {
	v, _ := Quantity(text)
	return v
}

// CPU writes processors as kubectl top does: in thousandths, rounded up.
func CPU(processors float64) string {
	return strconv.FormatFloat(math.Ceil(round(processors*1000)), 'f', 0, 64) + "m"
}

// Memory writes bytes as kubectl top does: in mebibytes, rounded down.
func Memory(bytes float64) string {
	return strconv.FormatFloat(math.Floor(bytes/(1<<20)), 'f', 0, 64) + "Mi"
}

// round removes what a float64 has after the ninth decimal: 0.25 processors are 250 thousandths, and not a little more.
func round(f float64) float64 { return math.Round(f*1e6) / 1e6 }
