package static

import (
	"strconv"
	"strings"
)

const identity = "identity" // the content coding that changes nothing

// preferred are the content codings that we have, the smallest first: that is the order among those that a client
// likes equally well.
var preferred = []string{"br", "gzip", identity}

// choose picks a form of the file for an Accept-Encoding header (RFC 9110, 12.5.3): the coding that the client likes best
// of those that the file has. Without a header, or when the client takes nothing that we have, it is the plain file.
func (f file) choose(header string) (coding string, opens form) {
	accepted := weights(header)
	best := 0.0
	coding = identity
	for _, c := range preferred {
		if f.forms[c] == nil {
			continue
		}
		if w := weight(accepted, c); w > best {
			coding, best = c, w
		}
	}
	return coding, f.forms[coding]
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
