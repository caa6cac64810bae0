package redact

import (
	"regexp"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/object"
)

// span is a piece of a text that goes.
type span struct{ from, to int }

// redactText takes credentials out of text that has no known form: a log, a message, a command, a file of whatever kind. All that looks for names reads
// the same text, so that no credential that goes takes the name of the next one with it. Step 2 only collects spans, and step 3 replaces them all:
//
//	1  shapes       tokens, keys and passwords that are known by their form; replaced at once
//	2  assignments  name: value, name=value      flags     --name value
//	   pairs        name: N, value: V            programs  mysql -pV
//	3  without      a Mark for each span; spans that overlap get one Mark
func redactText(s string, cut bool) string {
	s = shapes(s, cut)
	var found []span
	if strings.ContainsAny(s, ":=-") {
		sc := scanner{text: s, cut: cut}
		sc.assignments()
		sc.flags()
		found = sc.found
	}
	small := strings.ToLower(s)
	if strings.Contains(small, "value") && (cut || strings.Contains(small, "name") || strings.Contains(small, "key")) {
		found = append(found, pairs(s, cut)...)
	}
	return without(s, append(found, programs(s, small)...))
}

// without gives the text with marks in the place of spans.
func without(s string, spans []span) string {
	if len(spans) == 0 {
		return s
	}
	slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
	var out strings.Builder
	done := 0
	for _, one := range spans {
		if one.to <= done {
			continue
		}
		if one.from >= done {
			out.WriteString(s[done:one.from] + Mark)
		}
		done = one.to
	}
	return out.String() + s[done:]
}

// scanner looks for values that names stand before.
type scanner struct {
	text  string
	cut   bool
	found []span
	line  span // the one that lineEnd looked at last
}

// hide notes a value, unless it says nothing.
func (s *scanner) hide(from, to int, name string) {
	value := s.text[from:to]
	if saysNothing(value) || takenOut.MatchString(value) || plural(name) && strings.Trim(value, "0123456789") == "" {
		return
	}
	s.found = append(s.found, span{from, to})
}

// takenOut is a value of which nothing is left but the name of a scheme. A value with a mark and more may have the rest of a credential.
var takenOut = regexp.MustCompile(`^\s*(?i:bearer|basic|digest|negotiate)\s+` + regexp.QuoteMeta(Mark) + `\s*$`)

// assignments finds name: value and name=value, in the ways of YAML, JSON, INI, shells, URLs and connection strings. It continues where value says
// that the value ends. If a value has names of its own, value returns its beginning, so that these names are read, too.
func (s *scanner) assignments() {
	for at := 0; at < len(s.text); at++ {
		if c := s.text[at]; c != ':' && c != '=' || strings.HasPrefix(s.text[at:], "://") {
			continue
		}
		name, begin, quoted := s.nameBefore(at)
		if name == "" || s.text[at] == ':' && strings.HasSuffix(s.text[:begin], "://") { // a host, or a user: userInfo judges them
			continue
		}
		if !Names(name) && !s.phrase(name, begin) && !s.ofSecret(name) {
			continue
		}
		after := at + 1
		for after < len(s.text) && strings.ContainsRune(":=>", rune(s.text[after])) {
			after++
		}
		if to := s.value(name, begin, after, quoted); to > at {
			at = to - 1
		}
	}
}

// nameBefore is the name that ends before a colon or an equals sign.
func (s *scanner) nameBefore(at int) (name string, begin int, quoted bool) {
	end := at
	for end > 0 && (s.text[end-1] == ' ' || s.text[end-1] == '\t') {
		end--
	}
	for end > 0 && strings.IndexByte("\"'`\\])", s.text[end-1]) >= 0 {
		end--
		quoted = true
	}
	begin = end
	for begin > 0 && isNameByte(s.text[begin-1]) {
		begin--
	}
	return s.text[begin:end], begin, quoted
}

func isNameByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.' || c == '/' || c >= 0x80
}

// ofSecret tells whether a name is that of a Secret's values, in a text that can't be read as YAML: a template.
func (s *scanner) ofSecret(name string) bool {
	return name == "stringData" || name == "data" && object.MayHold([]byte(s.text))
}

// phrase tells whether a word, with the one before it, is a name in prose: API key, connection string.
func (s *scanner) phrase(name string, begin int) bool {
	last := strings.TrimSuffix(strings.ToLower(name), "s")
	if last != "key" && last != "string" && last != "phrase" && last != "code" {
		return false
	}
	if begin == 0 || s.text[begin-1] != ' ' {
		return false
	}
	word := begin - 1
	for word > 0 && isNameByte(s.text[word-1]) {
		word--
	}
	if word > 0 && s.text[word-1] == '=' && s.text[begin+len(name)] == '=' {
		return false // the value of another name: name=token code=403
	}
	return Names(s.text[word:begin-1] + "_" + name)
}

// value notes the value that begins after a separator, and says where it ends. The first case that fits decides:
//
//	password:            the lines below that are indented further, if the name begins its line, and if they aren't a mapping; also after | or >
//	password: "a b"      up to the closing quote
//	password: [a, b]     up to the last bracket
//	password: {a: b}     nothing, because the fields in braces have names of their own
//	see "token" : it     nothing, because the name is a word of a sentence
//	password: a b        the rest of the line, if the name has no quotes, and begins its line or has a blank after its separator
//	x password=a b       one word, or a scheme such as Bearer with the word after it
func (s *scanner) value(name string, begin, after int, quoted bool) int {
	from := after
	for from < len(s.text) && (s.text[from] == ' ' || s.text[from] == '\t') {
		from++
	}
	line := s.lineEnd(from)
	starts := s.startsLine(begin)
	rest := strings.TrimRight(s.text[from:line], " \t\r")
	if starts < 0 && rest == "" && s.ofSecret(name) {
		starts = 0
	}
	switch {
	case starts >= 0 && (rest == "" || blockHead.MatchString(rest)):
		return s.block(name, starts, line, rest != "")
	case rest == "":
		return from
	case quoteAt(s.text[from:]) >= 0:
		to := s.quotedEnd(from)
		s.hide(from+quoteAt(s.text[from:])+1, to, name)
		return to
	case s.isList(from, line):
		to := s.listEnd(from, line)
		s.hide(from+1, to, name)
		return to
	case s.text[from] == '{':
		return from
	case quoted && s.prose(begin, after):
		return from
	case !quoted && (from > after || starts >= 0):
		to := from + len(rest)
		if starts >= 0 {
			to = s.indented(starts, line, to)
		}
		s.hide(from, to, name)
		return to
	}
	to := s.wordEnd(from)
	if next := bareScheme.FindString(s.text[from:line]); len(next) > to-from {
		to = s.wordEnd(from + len(next))
	}
	s.hide(from, to, name)
	return to
}

// bareScheme is the name of a scheme with what separates it from its credential.
var bareScheme = regexp.MustCompile(`^(?i:bearer|basic|digest|negotiate)(?:[ \t]+|\+|%20)`)

// isList tells whether a value is a list in brackets, and no text that begins with one.
func (s *scanner) isList(from, line int) bool {
	if s.text[from] != '[' || strings.HasPrefix(s.text[from:], Mark) {
		return false
	}
	end := s.listEnd(from, line)
	return end == line || moreFollows.MatchString(s.text[end+1:min(len(s.text), end+mostMore)])
}

// listEnd is where a list in brackets ends, before its last bracket, or the end of its line.
func (s *scanner) listEnd(from, line int) int {
	depth := 0
	for at := from; at < line; at++ {
		switch {
		case strings.HasPrefix(s.text[at:], Mark):
			at += len(Mark) - 1
		case s.text[at] == '[':
			depth++
		case s.text[at] == ']':
			if depth--; depth == 0 {
				return at
			}
		}
	}
	return line
}

// prose tells whether a name in quotes is a word of a sentence: volume "token" : secret "x" not found.
func (s *scanner) prose(begin, after int) bool {
	if begin < 3 || after < 2 || s.text[after-2] != ' ' {
		return false
	}
	before := strings.TrimRight(s.text[:begin], `\"'`)
	return len(before) > 1 && before[len(before)-1] == ' ' && isNameByte(before[len(before)-2])
}

// blockHead begins a block of text in YAML.
var blockHead = regexp.MustCompile(`^(?:[!&]\S+\s+)*[|>][-+0-9]{0,2}(?:\s+#.*)?$`)

func (s *scanner) lineEnd(at int) int {
	if at >= s.line.from && at <= s.line.to {
		return s.line.to
	}
	s.line = span{at, len(s.text)}
	if end := strings.IndexByte(s.text[at:], '\n'); end >= 0 {
		s.line.to = at + end
	}
	return s.line.to
}

// mostIndent is how far a name may stand from the beginning of its line.
const mostIndent = 1 << 10

// startsLine tells how far a name is indented that begins its line, but for dashes, quotes and signs of comments; -1: it doesn't.
func (s *scanner) startsLine(begin int) int {
	from := max(0, begin-mostIndent)
	start := from + strings.LastIndexByte(s.text[from:begin], '\n') + 1
	if start == from && from > 0 {
		return -1
	}
	lead := s.text[start:begin]
	if strings.Trim(lead, " \t-?#\"'+/;*") != "" {
		return -1
	}
	return len(lead) - len(strings.TrimLeft(lead, " \t"))
}

// block hides the lines below a name: a block of text, or the value that begins on the next line.
func (s *scanner) block(name string, indent, line int, marked bool) int {
	to := s.indented(indent, line, line)
	if to == line {
		return line
	}
	body := strings.TrimLeft(s.text[line:to], "\r\n \t")
	from := to - len(body)
	if !marked && !s.ofSecret(name) && (strings.HasPrefix(body, "- ") || belowIsMap.MatchString(body)) {
		if _, ends := judgeName(name); !ends || !strings.HasPrefix(body, "- ") || belowIsMap.MatchString(body[2:]) {
			return line // a mapping: its own names are judged
		}
	}
	s.hide(from, to, name)
	return to
}

var belowIsMap = regexp.MustCompile(`^["']?[\w./-]+["']?:(?:\s|$)`)

// indented is where the lines end that are indented further than a name.
func (s *scanner) indented(indent, line, to int) int {
	for line < len(s.text) {
		next := s.lineEnd(line + 1)
		words := s.text[line+1 : next]
		text := strings.TrimLeft(words, " \t")
		if strings.TrimSpace(text) != "" {
			if len(words)-len(text) <= indent {
				break
			}
			to = next
		}
		line = next
	}
	return to
}

// quoteAt is where the quote is that a text begins with, past backslashes; -1: it begins with none.
func quoteAt(s string) int {
	rest := strings.TrimLeft(s, `\`)
	if rest == "" || strings.IndexByte("\"'`", rest[0]) < 0 {
		return -1
	}
	return len(s) - len(rest)
}

// quotedEnd is where a text in quotes ends, before its quote. Quotes inside of it have more backslashes than its own.
func (s *scanner) quotedEnd(from int) int {
	n := quoteAt(s.text[from:])
	quote := s.text[from+n]
	for at := from + n + 1; at < len(s.text); at++ {
		if s.text[at] != quote {
			continue
		}
		back := at
		for back > from+n+1 && s.text[back-1] == '\\' {
			back--
		}
		switch {
		case at-back > n:
		case n == 0 && quote == '\'' && strings.HasPrefix(s.text[at+1:], "'"):
			at++
		default:
			return back
		}
	}
	return len(s.text)
}

// wordEnd is where a value without quotes ends that more may follow on its line.
func (s *scanner) wordEnd(from int) int {
	for at := from; at < len(s.text); at++ {
		if strings.HasPrefix(s.text[at:], Mark) {
			at += len(Mark) - 1
			continue
		}
		switch s.text[at] {
		case ' ', '\t', '\r', '\n', ';', '&', '"', '\'', '`', '<', '\\':
			return at
		case ',', '}', ']', ')', '|':
			if at+1 == len(s.text) || moreFollows.MatchString(s.text[at+1:min(len(s.text), at+mostMore)]) {
				return at
			}
		}
	}
	return len(s.text)
}

// mostMore is how much is looked at after a comma or a bracket.
const mostMore = 64

// moreFollows is what comes after a comma or a bracket that a value doesn't hold itself.
var moreFollows = regexp.MustCompile(`^(?:[\s"'\x60\\,)}\]]|$|[\w.-]+\\*["']?[=:])`)

// flags finds --password value, also as two strings of a list.
func (s *scanner) flags() {
	for at := strings.IndexByte(s.text, '-'); at >= 0 && at < len(s.text); at++ {
		if s.text[at] != '-' || at > 0 && strings.IndexByte(" \t\r\n\"'`[(,=|;&", s.text[at-1]) < 0 {
			continue
		}
		name := at
		for name < len(s.text) && s.text[name] == '-' {
			name++
		}
		end := name
		for end < len(s.text) && isNameByte(s.text[end]) {
			end++
		}
		gap := flagGap.FindString(s.text[end:])
		if gap == "" || !Names(s.text[name:end]) || end+len(gap) == len(s.text) || nextFlag.MatchString(s.text[end+len(gap):]) {
			continue
		}
		s.flagValue(end+len(gap), s.text[name:end])
	}
}

// flagGap stands between a flag and its value: blanks, the end of a line in a shell, or the quotes of two strings.
var (
	flagGap  = regexp.MustCompile(`^(?:(?:[ \t]+|\\\r?\n)+|\\*["']\s*,?\s*)`)
	nextFlag = regexp.MustCompile(`^\\*["']?(?:--[A-Za-z]|-[A-Za-z](?:\s|\\*["']|$)|[|;&)\]])`)
)

func (s *scanner) flagValue(from int, name string) {
	if n := quoteAt(s.text[from:]); n >= 0 {
		s.hide(from+n+1, s.quotedEnd(from), name)
		return
	}
	to := from
	for to < len(s.text) && strings.IndexByte(" \t\r\n\"'`", s.text[to]) < 0 {
		to++
	}
	s.hide(from, to, name)
}

// pair is a name and a value beside each other, where the text as a whole couldn't be read: in either order.
var (
	pairForward  = regexp.MustCompile(`(?i)\b(?:name|key)\\*["']?\s*[:=]\s*\\*["']?([\w./-]+)\\*["']?\s*,?\s*\\*["']?value\\*["']?\s*[:=]\s*()`)
	pairBackward = regexp.MustCompile(`(?i)\bvalue\\*["']?\s*[:=]\s*(` + quotedValue + `|[^\s"'\\,{}\[\]][^\r\n"',}]*?)\\*["']?\s*,?\s*\\*["']?(?:name|key)\\*["']?\s*[:=]\s*\\*["']?([\w./-]+)`)
	valueLast    = regexp.MustCompile(`(?i)\bvalue\\*["']?\s*[:=]\s*\\*["']?([^\r\n"',}]+)$`) // perhaps its name comes after the cut
	pairValue    = regexp.MustCompile(`^(?:` + quotedValue + `|[^\s"'\\,{}][^\r\n"',}]*)`)
)

const quotedValue = `"(?:[^"\\]|\\.)*|\\+"(?:[^"\\]|\\\\\\"|\\\\[^"\\]|\\\\\\\\)*|\\*'[^']*`

func pairs(s string, cut bool) (spans []span) {
	if at := valueLast.FindStringSubmatchIndex(s); cut && at != nil {
		spans = append(spans, span{at[2], at[3]})
	}
	for _, in := range []struct {
		re          *regexp.Regexp
		name, value int
	}{{pairForward, 1, 2}, {pairBackward, 2, 1}} {
		for _, at := range in.re.FindAllStringSubmatchIndex(s, -1) {
			if !Names(s[at[2*in.name]:at[2*in.name+1]]) {
				continue
			}
			from, to := at[2*in.value], at[2*in.value+1]
			if in.re == pairForward { // only here is its end searched: the value of another name may have pairs in it
				to = from + len(pairValue.FindString(s[from:]))
			}
			from += len(s[from:to]) - len(strings.TrimLeft(s[from:to], `\"'`))
			if !saysNothing(s[from:to]) {
				spans = append(spans, span{from, to})
			}
		}
	}
	return spans
}

// commands are programs that take a credential after a letter: how their names begin in a text, what a text that names one can't be without,
// the letters, and where the credential is after each.
var commands = []struct {
	program *regexp.Regexp
	hints   []string
	letters string
	value   *regexp.Regexp
}{
	{
		program(`mysql\w*|mariadb[\w-]*|mongo\w*|sshpass|(?:docker|podman|nerdctl|buildah|skopeo|oras|crane|oc|az|registry|helm\s+registry)\s+login`),
		[]string{"mysql", "mariadb", "mongo", "sshpass", "login"},
		"p", option(`-p[ \t]*`, ``),
	},
	{program(`redis-cli|valkey-cli|keydb-cli`), []string{"-cli"}, "a", option(`-a[ \t]*`, ``)},
	{program(`curl|http|https|xh`), []string{"curl", "http", "xh"}, "uUa", option(`(?:-[uUa]|--user|--proxy-user)[ \t=]*`, `[^\s"'\\:]*:`)},
	{program(`curl`), []string{"curl"}, "b", option(`(?:-b|--oauth2-bearer)[ \t=]*`, ``)},
	{program(`ldap(?:search|modify|add|whoami|passwd|delete)`), []string{"ldap"}, "w", option(`-w[ \t]*`, ``)},
}

// program is a command that begins with one of these names, as far as it goes in its line.
func program(names string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:` + names + `)\b(?:"[^"\n]*"|'[^'\n]*'|[^\n|;])*`)
}

// option is a flag with its value, in quotes or without. What stands before the credential stays.
func option(flag, before string) *regexp.Regexp {
	return regexp.MustCompile(`\s` + flag + `\\*(?:"` + before + `([^"\n]+)|'` + before + `([^'\n]+)|` + before + `([^\s"'\\]+))`)
}

func programs(s, small string) (spans []span) {
	if !strings.Contains(small, " -") {
		return nil
	}
	for _, c := range commands {
		if !hasAny(small, c.hints) {
			continue
		}
		for _, in := range c.program.FindAllStringIndex(s, -1) {
			for _, at := range c.value.FindAllStringSubmatchIndex(s[in[0]:in[1]], -1) {
				for group := 2; group < len(at); group += 2 {
					if from, to := in[0]+at[group], in[0]+at[group+1]; at[group] >= 0 && !saysNothing(s[from:to]) {
						spans = append(spans, span{from, from + len(strings.TrimRight(s[from:to], `\`))})
					}
				}
			}
		}
	}
	return spans
}

// lettersOf are the flags of a letter that a password follows in a command.
func lettersOf(command string) (letters string) {
	for _, c := range commands {
		if c.program.MatchString(command) {
			letters += c.letters
		}
	}
	return letters
}
