package request

import (
	"encoding/base64"
	"errors"
	"net/url"
	"regexp"
	"strings"
)

// Found is a request that somebody's text tells of.
type Found struct {
	Request Request
	Server  string   // the address that it goes to, as far as the text says
	Left    []string // what was left out of it, and why, in words
}

// maxText is how long a text may be.
const maxText = 4 << 20

var (
	errNothing = errors.New("there is no request in this text: it takes a command line for curl, kubectl … --raw, what kubectl logs with -v=6 and above, or METHOD /path")
	errLong    = errors.New("this text is too long")
)

// Parse reads the requests out of a text: a command line for curl or for kubectl … --raw, lines that kubectl logs (-v=6 and above, of
// old and of new versions), or a request written as it goes over the wire. Credentials are left out.
func Parse(text string) ([]Found, error) {
	if len(text) > maxText {
		return nil, errLong
	}
	text = strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\ufeff")
	if found := parseLog(text); len(found) > 0 {
		return found, nil
	}
	if f, ok := parseCommand(text); ok {
		return []Found{f}, nil
	}
	if f, ok := parseWire(text); ok {
		return []Found{f}, nil
	}
	return nil, errNothing
}

// prompt is what may stand before a command that was copied with it.
var prompt = regexp.MustCompile(`^\s*(?:[$#%>]\s+)?`)

// parseCommand reads a command line.
func parseCommand(text string) (Found, bool) {
	all, input := split(text[len(prompt.FindString(text)):])
	for {
		at := indexOf(all, pipe)
		first := all
		if at >= 0 {
			first = all[:at]
		}
		if f, ok := readCommand(first, input); ok || at < 0 {
			return f, ok
		}
		input = output(first, input)
		all = all[at+1:]
	}
}

func readCommand(words []string, input *string) (Found, bool) {
	for len(words) > 0 && strings.Contains(words[0], "=") && !strings.ContainsAny(words[0], "/:") {
		words = words[1:] // a variable, set for the command
	}
	if len(words) == 0 {
		return Found{}, false
	}
	name := words[0][strings.LastIndexAny(words[0], `/\`)+1:]
	switch strings.TrimSuffix(name, ".exe") {
	case "curl":
		return readCurl(words[1:], input)
	case "kubectl":
		return readKubectl(words[1:], input)
	}
	return Found{}, false
}

// output is what the first commands of a pipeline write, where that can be told without running them.
func output(words []string, input *string) *string {
	switch {
	case len(words) >= 2 && (words[0] == "echo" || words[0] == "printf"):
		text := strings.Join(words[1:], " ")
		if words[0] == "printf" {
			text = strings.TrimPrefix(text, "%s ")
		} else {
			text += "\n"
		}
		return &text
	case len(words) == 2 && words[0] == "base64" && input != nil:
		if decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(*input)); err == nil {
			text := string(decoded)
			return &text
		}
	case len(words) == 1 && words[0] == "cat":
		return input
	}
	return nil
}

func indexOf(all []string, word string) int {
	for i, w := range all {
		if w == word {
			return i
		}
	}
	return -1
}

// readKubectl reads kubectl get, create, replace and delete with --raw.
func readKubectl(words []string, input *string) (Found, bool) {
	methods := map[string]string{"get": "GET", "create": "POST", "replace": "PUT", "delete": "DELETE"}
	method, target, file := "", "", ""
	for i := 0; i < len(words); i++ {
		name, value, with := strings.Cut(words[i], "=")
		next := func() string {
			if !with && i+1 < len(words) {
				i++
				value = words[i]
			}
			return value
		}
		switch {
		case name == "--raw":
			target = next()
		case name == "-f" || name == "--filename":
			file = next()
		case method == "":
			method = methods[name]
		}
	}
	if method == "" || target == "" {
		return Found{}, false
	}
	f := Found{}
	if !f.address(target) {
		return Found{}, false
	}
	f.Request.Method = method
	switch {
	case file == "-" && input != nil:
		f.Request.Body = []byte(strings.TrimSuffix(*input, "\n"))
		f.Request = f.Request.With("Content-Type", "application/json")
	case file != "":
		f.leave("The body is in the file " + file + ", which this page can’t read: paste it into the body.")
	}
	return f, true
}

// wireLine begins a request as it goes over the wire.
var wireLine = regexp.MustCompile(`^\s*(?i:(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS))[ \t]+(https?://\S+|/\S*)(?:[ \t]+HTTP/[\d.]+)?[ \t]*$`)

// bare is an address without anything around it.
var bare = regexp.MustCompile(`^\s*(?:https?:/)?/\S*\s*$`)

// parseWire reads a request as it goes over the wire, or its first line alone, or a bare address.
func parseWire(text string) (Found, bool) {
	first, rest, _ := strings.Cut(strings.TrimLeft(text, " \t\n"), "\n")
	f := Found{}
	begins := wireLine.FindStringSubmatch(first)
	switch {
	case begins == nil && bare.MatchString(first) && strings.TrimSpace(rest) == "":
		ok := f.address(strings.TrimSpace(first))
		f.Request.Method = "GET"
		return f, ok
	case begins == nil || !f.address(begins[2]):
		return Found{}, false
	}
	f.Request.Method = strings.ToUpper(begins[1])
	head, body, _ := strings.Cut(rest, "\n\n")
	if strings.HasPrefix(rest, "\n") {
		head, body = "", rest[1:]
	}
	f.fields(strings.Split(head, "\n"))
	if body != "" {
		f.Request.Body = []byte(body)
	}
	return f, true
}

// fields takes lines of a head in.
func (f *Found) fields(lines []string) {
	for _, line := range lines {
		if name, value, ok := strings.Cut(line, ":"); ok {
			f.field(strings.TrimSpace(name), strings.TrimSpace(value))
		}
	}
}

func (f *Found) field(name, value string) {
	switch {
	case !isToken(name):
	case strings.EqualFold(name, "authorization"), strings.EqualFold(name, "cookie"):
		f.leave(name + " was left out: Fieldmark brings its own credentials.")
	case strings.EqualFold(name, "host") && f.Server == "":
		f.Server = value
	case Carried(name):
		f.Request.Header = append(f.Request.Header, Header{name, value})
	}
}

func (f *Found) leave(words string) {
	for _, had := range f.Left {
		if had == words {
			return
		}
	}
	f.Left = append(f.Left, words)
}

// address takes in where a request goes: a whole address, or its path alone. What stands before the API's own path, as with
// Fieldmark's proxy, belongs to the server.
func (f *Found) address(text string) bool {
	if !strings.HasPrefix(text, "/") && !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" && !strings.HasPrefix(u.Path, "/") || u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	if u.User != nil {
		f.leave("User and password were left out of the address: Fieldmark brings its own credentials.")
	}
	server, path := below(u.EscapedPath())
	if u.Host != "" {
		server = u.Scheme + "://" + u.Host + server
	}
	f.Server = server
	f.Request = New("", path+"?"+u.RawQuery)
	return true
}

// prefixes are what servers that stand for several API servers put before the path of one: Fieldmark, and Rancher.
var prefixes = regexp.MustCompile(`^(?:/k8s)?/clusters/[^/]+`)

func below(path string) (server, rest string) {
	server = prefixes.FindString(path)
	rest = path[len(server):]
	if rest == "" {
		rest = "/"
	}
	return server, rest
}
