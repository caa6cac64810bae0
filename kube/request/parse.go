package request

import (
	"encoding/base64"
	"errors"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Found is a request that was found in a text.
type Found struct {
	Request Request
	Server  string   // the address of the server, as far as the text has it
	Left    []string // sentences that say which parts were left out, and why
}

// maxText is the maximum length of a text, in bytes.
const maxText = 4 << 20

var (
	errNothing = errors.New("the text has no request. Possible are a command line for curl, kubectl … --raw, the log of kubectl with -v=6 or more, or METHOD /path")
	errLong    = errors.New("the text is too long")
)

// Parse finds the requests in a text. The text is a command line for curl or for kubectl … --raw, the log of an old or new kubectl (-v=6
// and more), or a request as HTTP sends it. Credentials are left out.
func Parse(text string) ([]Found, error) { return parse(text, new(int)) }

// parse counts its steps, each of them about one byte that is looked at.
func parse(text string, steps *int) ([]Found, error) {
	if len(text) > maxText {
		return nil, errLong
	}
	text = strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\ufeff")
	if found := parseLog(text, steps); len(found) > 0 {
		return found, nil
	}
	if f, ok := parseCommand(text, steps); ok {
		return []Found{f}, nil
	}
	*steps += 4 * len(text)
	if f, ok := parseWire(text); ok {
		return []Found{f}, nil
	}
	return nil, errNothing
}

// prompt matches a shell's prompt that was copied with the command.
var prompt = regexp.MustCompile(`^\s*(?:[$#%>]\s+)?`)

// parseCommand reads a command line.
func parseCommand(text string, steps *int) (Found, bool) {
	all, input := split(text[len(prompt.FindString(text)):], steps)
	for {
		at := indexOf(all, pipe)
		first := all
		if at >= 0 {
			first = all[:at]
		}
		*steps += 2 * lengths(first)
		if input != nil && !passes(first) {
			*steps += len(*input)
		}
		f, ok := readCommand(first, input)
		if *steps += len(f.Request.Body); ok || at < 0 {
			return f, ok
		}
		input = output(first, input)
		all = all[at+1:]
	}
}

func readCommand(words []string, input *string) (Found, bool) {
	for len(words) > 0 && strings.Contains(words[0], "=") && !strings.ContainsAny(words[0], "/:") {
		words = words[1:] // a variable that is set for the command
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

// output is the output of the first commands of a pipeline, if it is known without running them.
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
	case passes(words):
		return input
	}
	return nil
}

// passes tells whether the output of a command is its input.
func passes(words []string) bool { return len(words) == 1 && words[0] == "cat" }

func lengths(words []string) (n int) {
	for _, w := range words {
		n += len(w) + 1
	}
	return n
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
	if !f.readAddress(target) {
		return Found{}, false
	}
	f.Request.Method = method
	switch {
	case file == "-" && input != nil:
		f.Request.Body = []byte(strings.TrimSuffix(*input, "\n"))
		f.Request = f.Request.With("Content-Type", "application/json")
	case file != "":
		f.noteLeftOut("The body is in the file " + file + ", which this page can’t read. Paste the file into the body.")
	}
	return f, true
}

// wireLine matches the first line of a request as HTTP sends it.
var wireLine = regexp.MustCompile(`^\s*(?i:(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS))[ \t]+(https?://\S+|/\S*)(?:[ \t]+HTTP/[\d.]+)?[ \t]*$`)

// bare matches a text that is only an address.
var bare = regexp.MustCompile(`^\s*(?:https?:/)?/\S*\s*$`)

// parseWire reads a request as HTTP sends it, or only its first line, or only an address.
func parseWire(text string) (Found, bool) {
	first, rest, _ := strings.Cut(strings.TrimLeft(text, " \t\n"), "\n")
	f := Found{}
	begins := wireLine.FindStringSubmatch(first)
	switch {
	case begins == nil && bare.MatchString(first) && strings.TrimSpace(rest) == "":
		ok := f.readAddress(strings.TrimSpace(first))
		f.Request.Method = "GET"
		return f, ok
	case begins == nil || !f.readAddress(begins[2]):
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

// fields reads lines with headers.
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
	case NamesCredential(name), strings.EqualFold(name, "cookie"):
		f.noteLeftOut(name + " was left out, because Fieldmark adds its own credentials.")
	case strings.EqualFold(name, "host") && f.Server == "":
		f.Server = value
	case Carried(name):
		f.Request.Header = append(f.Request.Header, Header{name, value})
	}
}

// mostLeft is how many sentences say what was left out. The last of them says that there is more.
const mostLeft = 50

func (f *Found) noteLeftOut(words string) {
	switch {
	case len(f.Left) == mostLeft || slices.Contains(f.Left, words):
		return
	case len(f.Left) == mostLeft-1:
		words = "More parts were left out."
	}
	f.Left = append(f.Left, words)
}

// readAddress reads the address of a request: a whole address, or only its path. The part before the API's own path, for example of
// Fieldmark's proxy, belongs to the server.
func (f *Found) readAddress(text string) bool {
	if !strings.HasPrefix(text, "/") && !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" && !strings.HasPrefix(u.Path, "/") || u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	if u.User != nil {
		f.noteLeftOut("The user and password in the address were left out, because Fieldmark adds its own credentials.")
	}
	server, path := below(u.EscapedPath())
	if u.Host != "" {
		server = u.Scheme + "://" + u.Host + server
	}
	f.Server = server
	f.Request = New("", path+"?"+u.RawQuery)
	f.unnamed()
	return true
}

// unnamed leaves out the parameters whose names are those of credentials.
func (f *Found) unnamed() {
	for _, name := range slices.Sorted(maps.Keys(f.Request.Query)) {
		if NamesCredential(name) {
			f.Request.Query.Del(name)
			f.noteLeftOut("The parameter " + name + " was left out, because its name is that of a credential.")
		}
	}
}

// prefixes matches the beginning of a path at a server in front of several API servers: Fieldmark and Rancher.
var prefixes = regexp.MustCompile(`^(?:/k8s)?/clusters/[^/]+`)

func below(path string) (server, rest string) {
	server = prefixes.FindString(path)
	rest = path[len(server):]
	if rest == "" {
		rest = "/"
	}
	return server, rest
}
