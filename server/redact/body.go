package redact

import (
	"mime"
	"net/url"
	"strings"
	"unicode/utf8"
)

// Body takes credentials out of a body, or of the beginning of one that is cut. Where it can't be read as what its media type says, it
// is withheld, and withheld says why.
func Body(body []byte, mediaType string, cut bool) (clean []byte, redacted bool, withheld string) {
	if len(body) == 0 {
		return nil, false, ""
	}
	read, why := readerOf(mediaType)
	if why != "" {
		return nil, false, why
	}
	s := string(body)
	if cut {
		s = string(whole(body))
	}
	if !utf8.ValidString(s) {
		return nil, false, "the body isn’t text in UTF-8"
	}
	shown, err := read(s, cut)
	if err != nil {
		return nil, false, err.Error()
	}
	if shown == s {
		return body[:len(s)], false, ""
	}
	return []byte(shown), true, ""
}

// readerOf chooses how a body is read; why: it can't be.
func readerOf(mediaType string) (read func(s string, cut bool) (string, error), why string) {
	name, parameters, err := mime.ParseMediaType(mediaType)
	switch {
	case mediaType == "":
		return nil, "the body has no Content-Type"
	case err != nil:
		return nil, "the Content-Type of the body can’t be read"
	}
	if set := strings.ToLower(parameters["charset"]); set != "" && set != "utf-8" && set != "us-ascii" {
		return nil, "the body isn’t text in UTF-8"
	}
	switch {
	case name == "application/json" || strings.HasSuffix(name, "+json"):
		return bodyJSON, ""
	case name == "application/yaml" || name == "application/x-yaml" || name == "text/yaml" || strings.HasSuffix(name, "+yaml"):
		return bodyYAML, ""
	case name == "application/x-www-form-urlencoded":
		return bodyForm, ""
	case name == "text/plain" || name == "application/openmetrics-text":
		return bodyText, ""
	case strings.Contains(name, "protobuf") || strings.Contains(name, "cbor"):
		return nil, "the body is binary, so Fieldmark can’t find credentials in it"
	}
	return nil, "Fieldmark can’t find credentials in a body of this type"
}

func bodyJSON(s string, cut bool) (string, error) { return scrubJSON(s, cut, &judge{}) }

// bodyYAML reads JSON as well: clients send it by that name.
func bodyYAML(s string, cut bool) (string, error) {
	if looksLikeJSON(s) {
		if clean, err := bodyJSON(s, cut); err == nil {
			return clean, nil
		}
	}
	return scrubYAML(s, cut, &judge{})
}

func bodyText(s string, cut bool) (string, error) { return scrub(s, cut, 0), nil }

func bodyForm(s string, cut bool) (string, error) { return query(s, nil, cut), nil }

// Text takes credentials out of a text that has no known form: the value of a header, a warning.
func Text(s string) string { return scrub(s, false, 0) }

// Query takes credentials out of a query or a form. hidden names further parameters whose values go; nil: none.
func Query(raw string, hidden func(name string) bool) string { return query(raw, hidden, false) }

func query(raw string, hidden func(name string) bool, cut bool) string {
	if at := strings.LastIndexByte(raw, '%'); cut && at >= 0 && at > len(raw)-3 {
		raw = raw[:at]
	}
	if !cut && harmless(raw, hidden) {
		return raw
	}
	if _, err := url.ParseQuery(raw); err != nil {
		return Mark
	}
	var out strings.Builder
	parts := strings.Split(raw, "&")
	for i, part := range parts {
		if i > 0 {
			out.WriteByte('&')
		}
		escapedName, escaped, valued := strings.Cut(part, "=")
		name, _ := url.QueryUnescape(escapedName)
		value, _ := url.QueryUnescape(escaped)
		if shown := shapes(name, false); shown != name {
			escapedName = url.QueryEscape(shown)
		}
		switch clean := scrub(value, cut && i == len(parts)-1, 0); {
		case !valued:
		case Names(name) && !saysNothing(value) || hidden != nil && hidden(name) && value != "":
			escaped = url.QueryEscape(Mark)
		case clean != value:
			escaped = url.QueryEscape(clean)
		}
		out.WriteString(escapedName)
		if valued {
			out.WriteString("=" + escaped)
		}
	}
	return out.String()
}

// harmless tells at once of most queries that no credential is in them.
func harmless(s string, hidden func(name string) bool) bool {
	if !unsuspicious(s) {
		return false
	}
	for s != "" {
		part := s
		if at := strings.IndexByte(s, '&'); at >= 0 {
			part, s = s[:at], s[at+1:]
		} else {
			s = ""
		}
		if name, _, _ := strings.Cut(part, "="); Names(name) || hidden != nil && hidden(name) {
			return false
		}
	}
	return true
}

// unsuspicious tells of a piece of a URL that nothing in it is escaped, or long and of letters and digits.
func unsuspicious(s string) bool {
	run, digits := 0, false
	for i := range len(s) {
		switch c := s[i]; {
		case c == '%' || c == '+' || c == ':' || c == '@' || c == ';':
			return false
		case c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_':
			digits = digits || c >= '0' && c <= '9'
			if run++; run > 40 || digits && run >= 12 {
				return false
			}
		default:
			run, digits = 0, false
		}
	}
	return true
}

// Path takes credentials out of a path. Of one that isn't the API's own, or from its part after from on, what follows a name of a
// credential goes as well, and whatever looks random.
func Path(escaped string, from int) string {
	if from < 0 && unsuspicious(escaped) && !strings.Contains(escaped, "=") {
		return escaped
	}
	segments := strings.Split(escaped, "/")
	changed := false
	before := ""
	for i, segment := range segments {
		name, err := url.PathUnescape(segment)
		foreign := from >= 0 && i >= from
		clean := name
		switch {
		case unsuspicious(segment) && !strings.Contains(segment, "="):
		case foreign || strings.Contains(name, "="):
			clean = Text(name)
		default:
			clean = shapes(name, false) // the name of an object says what its author likes: password:reader
		}
		if err != nil || foreign && (Names(before) && name != "" || random(name)) {
			clean = Mark
		}
		if clean != name {
			segments[i] = url.PathEscape(clean)
			changed = true
		}
		before = name
	}
	if !changed {
		return escaped
	}
	return strings.Join(segments, "/")
}

// random tells whether a word may be a secret by how it is mixed: long, with digits and letters on either side of each other.
func random(word string) bool {
	if len(word) < 20 {
		return false
	}
	changes := 0
	for i := 1; i < len(word); i++ {
		if class(word[i]) != class(word[i-1]) {
			changes++
		}
	}
	return changes*4 >= len(word)
}

func class(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return 1
	case c >= 'A' && c <= 'Z':
		return 2
	case c >= 'a' && c <= 'z':
		return 3
	}
	return 4
}
