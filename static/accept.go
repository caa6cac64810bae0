package static

import (
	"slices"
	"strconv"
	"strings"
)

const identity = "identity" // the content coding that changes nothing

// preferred are the content codings of files, the smallest first.
var preferred = []string{"br", "gzip"}

// choose picks a form of the file for an Accept-Encoding header.
func (f file) choose(header string) (coding string, opens form) {
	coding = Coding(header, slices.DeleteFunc(slices.Clone(preferred), func(c string) bool { return f.forms[c] == nil })...)
	if coding == "" {
		coding = identity
	}
	return coding, f.forms[coding]
}

// Coding is the content coding that a client likes best, by its Accept-Encoding header (RFC 9110, 12.5.3). If it likes several of those that
// there are equally well, it is the first of them. It is empty without a header, if the client accepts none of them, and if it prefers none.
func Coding(header string, there ...string) string {
	accepted := weights(header)
	chosen, best := "", 0.0
	for _, c := range there {
		if w := weight(accepted, c); w > best {
			chosen, best = c, w
		}
	}
	if weight(accepted, identity) > best {
		return ""
	}
	return chosen
}

// weight is how much a client prefers a coding, from 0 (not accepted) to 1. The plain file counts as accepted if no other
// coding is.
func weight(accepted map[string]float64, coding string) float64 {
	if w, ok := accepted[coding]; ok {
		return w
	}
	if coding == identity {
		return leastWeight
	}
	return accepted["*"]
}

// leastWeight is less than any weight that a header can give.
const leastWeight = 0.0001

// weights reads an Accept-Encoding header. What can't be read counts as not accepted.
func weights(header string) map[string]float64 {
	accepted := map[string]float64{}
	for item := range strings.SplitSeq(header, ",") {
		coding, parameters, _ := strings.Cut(item, ";")
		coding = strings.ToLower(strings.TrimSpace(coding))
		if coding == "x-gzip" {
			coding = "gzip"
		}
		accepted[coding] = quality(parameters)
	}
	return accepted
}

// quality reads the weight among a coding's parameters: 1 if there is none, 0 if it is not a number between 0 and 1.
func quality(parameters string) float64 {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err == nil && q > 0 && q <= 1 {
			return q
		}
		return 0
	}
	return 1
}
