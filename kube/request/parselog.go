package request

import (
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
)

// logged is the state of a reader of kubectl's log. The body of a request comes before the request.
type logged struct {
	found   []Found
	body    *string
	cut     bool // the log has only a part of the body
	heading bool // headers follow, in the format of older versions
	steps   *int // how many bytes were looked at, for tests
}

var (
	// logHead matches the beginning of a line of the log.
	logHead = regexp.MustCompile(`^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+\s+\d+ [^\s\]]+:\d+\] `)
	// oldLine matches a request in the log of versions before 1.33. With -v=6, the response is in the same line.
	oldLine = regexp.MustCompile(`^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (https?://\S+)( \d{3}\b.* in \d+ milliseconds)?\s*$`)
	// oldField matches a header in the log of versions before 1.33.
	oldField = regexp.MustCompile(`^    ([A-Za-z0-9-]+): (.*)$`)
	// truncated matches the end of a text that kubectl has cut.
	truncated = regexp.MustCompile(`\s*\[truncated \d+ chars\]$`)
	// dumped matches a line of a binary body.
	dumped = regexp.MustCompile(`^[0-9a-f]{8}  ((?:[0-9a-f]{2} {1,2})*[0-9a-f]{2})\s*(?:\|.*)?$`)
)

// parseLog finds the requests in a log of kubectl.
func parseLog(text string, steps *int) []Found {
	l := logged{steps: steps}
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); {
		entry, n := entryAt(lines[i:])
		*steps += 2*len(entry) + n
		i += n
		l.entry(entry)
	}
	return l.found
}

// entryAt is the first entry of a log, without the prefix of klog, and its number of lines. Newer versions write values of several lines
// between < and >.
func entryAt(lines []string) (string, int) {
	first := strings.TrimLeft(lines[0], " \t")
	head := logHead.FindString(first)
	if head == "" {
		first = lines[0]
	}
	first = first[len(head):]
	if !strings.HasSuffix(first, "=<") || head == "" && !strings.HasPrefix(first, `"`) {
		return first, 1
	}
	for n := 1; n < len(lines); n++ {
		if strings.HasPrefix(lines[n], " >") {
			return strings.Join(append([]string{first}, lines[1:n+1]...), "\n"), n + 1
		}
	}
	return strings.Join(append([]string{first}, lines[1:]...), "\n"), len(lines)
}

func (l *logged) entry(entry string) {
	if l.heading {
		if field := oldField.FindStringSubmatch(entry); field != nil && len(l.found) > 0 {
			l.found[len(l.found)-1].field(field[1], field[2])
			return
		}
	}
	l.heading = false
	switch {
	case strings.HasPrefix(entry, `"`):
		l.structured(entry)
	case strings.HasPrefix(entry, "Request Body: "):
		l.hold(strings.TrimPrefix(entry, "Request Body: "))
	case strings.HasPrefix(entry, "Request Headers:"):
		l.heading = true
	case strings.HasPrefix(entry, "curl -v -X"):
		l.curl(entry)
	default:
		if line := oldLine.FindStringSubmatch(entry); line != nil {
			l.request(line[1], line[2], line[3] != "")
		}
	}
}

// hold keeps a body until its request is read.
func (l *logged) hold(body string) {
	at := truncated.FindStringIndex(body)
	if l.cut = at != nil; l.cut {
		body = body[:at[0]]
	}
	body = undumped(strings.TrimSuffix(body, "\n"))
	l.body = &body
}

// undumped reads a hex dump. Other text is returned unchanged.
func undumped(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		match := dumped.FindStringSubmatch(strings.TrimSpace(line))
		if match == nil {
			return text
		}
		bytes, err := hex.DecodeString(strings.ReplaceAll(match[1], " ", ""))
		if err != nil {
			return text
		}
		b.Write(bytes)
	}
	return b.String()
}

// request reads the method and address of a request. With -v=6, they come with the response in the only line of the request. With more,
// that line is about a request that was read already.
func (l *logged) request(method, address string, answered bool) {
	f := Found{}
	if !f.readAddress(address) {
		return
	}
	f.Request.Method = method
	if answered && len(l.found) > 0 {
		last, target := l.found[len(l.found)-1].Request, f.Request.Target()
		*l.steps += len(target)
		if last.Method == method && last.Target() == target {
			return
		}
	}
	l.addRequest(f)
}

func (l *logged) curl(line string) {
	if f, ok := parseCommand(line, l.steps); ok {
		l.addRequest(f)
	}
}

func (l *logged) addRequest(f Found) {
	switch {
	case l.body == nil || *l.body == "":
	case l.cut:
		f.noteLeftOut("kubectl logged only a part of the body, so the body was left out. With -v=10, kubectl logs whole bodies.")
	default:
		f.Request.Body = []byte(*l.body)
	}
	l.body, l.cut = nil, false
	l.found = append(l.found, f)
}

// structured reads an entry in the newer format: a message in quotes, then names and values.
func (l *logged) structured(entry string) {
	message, rest, ok := quotedAt(entry)
	if !ok {
		return
	}
	value := pairs(rest, l.steps)
	switch message {
	case "Request Body":
		l.hold(value["body"])
	case "Request":
		if line := value["curlCommand"]; line != "" {
			l.curl(strings.TrimSpace(line))
			return
		}
		before := len(l.found)
		l.request(value["verb"], value["url"], false)
		if len(l.found) > before {
			l.found[before].fields(strings.Split(value["headers"], "\n"))
		}
	case "Response":
		if value["verb"] != "" {
			l.request(value["verb"], value["url"], true)
		}
	}
}

// pairs reads names and values: name="…", name=word, or name=< with the lines between.
func pairs(text string, steps *int) map[string]string {
	all := map[string]string{}
	defer func() { *steps += len(text) }()
	for {
		from := len(text)
		text = strings.TrimLeft(text, " \n")
		name, rest, ok := strings.Cut(text, "=")
		if !ok || strings.ContainsAny(name, " \n\t\"") {
			return all
		}
		var value string
		switch {
		case strings.HasPrefix(rest, "<\n"):
			value, rest, _ = strings.Cut(rest[2:], "\n >")
			value = strings.ReplaceAll("\n"+value, "\n\t", "\n")[1:]
		case strings.HasPrefix(rest, `"`):
			if value, rest, ok = quotedAt(rest); !ok {
				return all
			}
		default:
			end := strings.IndexAny(rest, " \n")
			if end < 0 {
				end = len(rest)
			}
			value, rest = rest[:end], rest[end:]
		}
		all[name], text = value, rest
		*steps += from - len(text)
	}
}

// quotedAt reads a quoted text at the beginning of a text.
func quotedAt(text string) (value, rest string, ok bool) {
	quoted, err := strconv.QuotedPrefix(text)
	if err != nil {
		return "", "", false
	}
	value, err = strconv.Unquote(quoted)
	return value, text[len(quoted):], err == nil
}
