package request

import (
	"net/url"
	"strings"
)

// curling is a command line for curl that is being read.
type curling struct {
	Found
	input   *string
	method  string
	address string
	head    []string
	data    []string
	length  int // of the data
	json    bool
	get     bool // the data is added to the query
	only    bool // a HEAD request
	upload  bool
}

// takes are the options of curl that have a value and don't change the request.
const takes = " -A -c -C -D -e -K -m -o -P -Q -r -t -w -x -y -Y -z --cacert --capath --ciphers --config --connect-timeout --connect-to --cookie-jar --dns-servers " +
	"--dump-header --happy-eyeballs-timeout-ms --interface --limit-rate --max-filesize --max-redirs --max-time --noproxy --output --output-dir --pinnedpubkey " +
	"--proto --proxy --range --referer --resolve --retry --retry-delay --retry-max-time --speed-limit --speed-time --stderr --tls-max --trace --trace-ascii " +
	"--unix-socket --abstract-unix-socket --user-agent --write-out "

// secret are the options with credentials.
const secret = " -u --user -b --cookie -E --cert --key --cert-type --key-type --pass --oauth2-bearer --proxy-user -U --aws-sigv4 --delegation --service-name "

// readCurl reads the words after curl.
func readCurl(words []string, input *string) (Found, bool) {
	c := curling{input: input}
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		switch {
		case word == "--": // only addresses follow
		case strings.HasPrefix(word, "--"):
			words = c.long(word, words)
		case strings.HasPrefix(word, "-") && len(word) > 1:
			words = c.short(word[1:], words)
		case c.address == "":
			c.address = word
		}
	}
	if c.address == "" || !c.Found.readAddress(c.address) {
		return Found{}, false
	}
	c.finish()
	return c.Found, true
}

// short reads a group of one-letter options. If one of them has a value, the rest of the group is the value.
func (c *curling) short(letters string, words []string) []string {
	for i := range len(letters) {
		option := "-" + letters[i:i+1]
		if !c.takesValue(option) {
			c.flag(option)
			continue
		}
		if rest := letters[i+1:]; rest != "" {
			c.option(option, rest)
			return words
		}
		return c.readOptionValue(option, words)
	}
	return words
}

func (c *curling) long(option string, words []string) []string {
	if name, value, with := strings.Cut(option, "="); with && c.takesValue(name) {
		c.option(name, value)
		return words
	}
	if !c.takesValue(option) {
		c.flag(option)
		return words
	}
	return c.readOptionValue(option, words)
}

func (c *curling) readOptionValue(option string, words []string) []string {
	if len(words) == 0 {
		return nil
	}
	c.option(option, words[0])
	return words[1:]
}

// reads are the options that have a value and change the request.
const reads = " -X --request -H --header -d --data --data-raw --data-ascii --data-binary --data-urlencode --json --url --url-query -T --upload-file -F --form "

func (c *curling) takesValue(option string) bool {
	return among(reads, option) || among(takes, option) || among(secret, option)
}

func among(list, word string) bool { return strings.Contains(list, " "+word+" ") }

func (c *curling) flag(option string) {
	switch option {
	case "-G", "--get":
		c.get = true
	case "-I", "--head":
		c.only = true
	}
}

func (c *curling) option(option, value string) {
	switch option {
	case "-X", "--request":
		c.method = value
	case "-H", "--header":
		c.head = append(c.head, value)
	case "--url":
		c.address = value
	case "-d", "--data", "--data-ascii":
		c.readBody(value, true)
	case "--data-raw":
		c.addBodyPart(value)
	case "--data-binary":
		c.readBody(value, false)
	case "--json":
		c.json = true
		c.readBody(value, false)
	case "--data-urlencode":
		name, text, with := strings.Cut(value, "=")
		if !with {
			name, text = "", value
		} else if name != "" {
			name += "="
		}
		c.addBodyPart(name + url.QueryEscape(text))
	case "-T", "--upload-file":
		c.upload = true
		c.readBody("@"+value, false)
	case "-F", "--form", "--url-query":
		c.noteLeftOut("The data of " + option + " was left out.")
	default:
		if among(secret, option) {
			c.noteLeftOut(option + " was left out, because Fieldmark adds its own credentials.")
		}
	}
}

// readBody reads a body, which may be in a file. For some options, curl removes the ends of lines (joined).
func (c *curling) readBody(value string, joined bool) {
	file, isFile := strings.CutPrefix(value, "@")
	switch {
	case isFile && file == "-" && c.input != nil:
		if value = *c.input; joined {
			value = strings.NewReplacer("\n", "", "\r", "").Replace(value)
		}
		c.input = new(string) // it is read only once
	case isFile:
		c.noteLeftOut("The body is in the file " + file + ", which this page can’t read. Paste the file into the body.")
		if c.method == "" && !c.upload {
			c.method = "POST"
		}
		return
	}
	c.addBodyPart(value)
}

// addBodyPart adds a part of the body. Its characters may be escaped, so it can be longer than the command.
func (c *curling) addBodyPart(value string) {
	if c.length += len(value); c.length > maxText {
		c.noteLeftOut("A part of the body was left out, because the body is too long.")
		return
	}
	c.data = append(c.data, value)
}

// finish makes the request that curl would send.
func (c *curling) finish() {
	for _, line := range c.head {
		c.line(line)
	}
	if c.get && len(c.data) > 0 {
		more := New("", "/?"+strings.Join(c.data, "&")).Query
		for name, values := range more {
			if c.Request.Query == nil {
				c.Request.Query = url.Values{}
			}
			c.Request.Query[name] = append(c.Request.Query[name], values...)
		}
		c.unnamed()
		c.data = nil
	}
	body := strings.Join(c.data, "&")
	if c.json {
		body = strings.Join(c.data, "")
	}
	if body != "" {
		c.Request.Body = []byte(body)
	}
	c.mediaTypes()
	c.Request.Method = c.verb()
}

// line reads a header. A header without a value removes a header of curl.
func (c *curling) line(line string) {
	name, value, ok := strings.Cut(line, ":")
	if !ok {
		if name, empty := strings.CutSuffix(line, ";"); empty {
			c.field(name, "")
		}
		return
	}
	if value = strings.TrimSpace(value); value != "" {
		c.field(strings.TrimSpace(name), value)
	}
}

// mediaTypes adds the media types that curl adds by itself.
func (c *curling) mediaTypes() {
	said := func(name string) bool {
		for _, line := range c.head {
			if n, _, _ := strings.Cut(strings.TrimSuffix(line, ";"), ":"); strings.EqualFold(strings.TrimSpace(n), name) {
				return true
			}
		}
		return false
	}
	if c.json && !said("Accept") {
		c.Request = c.Request.With("Accept", "application/json")
	}
	switch {
	case said("Content-Type"):
	case c.json:
		c.Request = c.Request.With("Content-Type", "application/json")
	case len(c.Request.Body) > 0 && !c.upload:
		c.Request = c.Request.With("Content-Type", "application/x-www-form-urlencoded")
	}
}

func (c *curling) verb() string {
	switch {
	case c.method != "":
		return strings.ToUpper(c.method)
	case c.only:
		return "HEAD"
	case c.upload:
		return "PUT"
	case len(c.Request.Body) > 0 || len(c.data) > 0 || c.json:
		return "POST"
	}
	return "GET"
}
