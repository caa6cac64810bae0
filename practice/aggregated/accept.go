package aggregated

import (
	"mime"
	"strconv"
	"strings"
)

// acceptsJSON tells whether a client takes plain JSON, by what its Accept fields
// say. A Table or another form of JSON (as=…) is not plain. A client that says
// nothing takes anything.
func acceptsJSON(accept []string) bool {
	said := false
	for clause := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		if clause = strings.TrimSpace(clause); clause == "" {
			continue
		}
		said = true
		if plainJSON(clause) {
			return true
		}
	}
	return !said
}

func plainJSON(clause string) bool {
	media, params, err := mime.ParseMediaType(clause)
	if err != nil || params["as"] != "" {
		return false
	}
	if q, given := params["q"]; given {
		if weight, err := strconv.ParseFloat(q, 64); err != nil || weight <= 0 {
			return false
		}
	}
	switch media {
	case "application/json", "application/*", "*/*":
		return true
	}
	return false
}
