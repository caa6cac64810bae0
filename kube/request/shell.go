package request

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/fieldmark/fieldmark/kube/plain"
)

// Quote quotes a word for a shell, if necessary.
func Quote(s string) string {
	if s != "" && !strings.ContainsFunc(s, unsafe) {
		return s
	}
	if utf8.ValidString(s) && plain.Hides(s) {
		return "$'" + plain.Replaced(strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s), codeInShell) + "'"
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// codeInShell is a character that isn't printable, between $' and '.
func codeInShell(r rune) string {
	if r > 0xffff {
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// Named is a resource type and a name as words of a kubectl command. A name that begins with - doesn't become an option.
func Named(resource, name string) string {
	if strings.HasPrefix(name, "-") {
		return Quote(resource + "/" + name)
	}
	return Quote(resource) + " " + Quote(name)
}

func unsafe(c rune) bool {
	return ('a' > c || c > 'z') && ('A' > c || c > 'Z') && ('0' > c || c > '9') && !strings.ContainsRune("-_./:,@%+", c)
}

// command joins the words of a command, and quotes them where necessary.
func command(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Quote(w)
	}
	return strings.Join(quoted, " ")
}

// fed is a command with a body on its standard input: as a here-document, or as base64 if the body can't be pasted into a terminal.
func fed(line string, body []byte) string {
	if len(body) == 0 {
		return line + " </dev/null"
	}
	if !pastable(string(body)) {
		return "printf %s " + Quote(base64.StdEncoding.EncodeToString(body)) + " | base64 -d | " + line
	}
	text := strings.TrimSuffix(string(body), "\n")
	end := "EOF"
	for n := 1; strings.Contains("\n"+text+"\n", "\n"+end+"\n"); n++ {
		end = fmt.Sprintf("EOF%d", n)
	}
	return line + " <<'" + end + "'\n" + text + "\n" + end
}

// words splits a command line like a shell, up to the end of the command: quotes, escapes, continued lines, pipes and here-documents. It
// expands nothing.
type words struct {
	text string
	at   int
	word strings.Builder
	open bool // a word has begun
	all  []string
	// doc is the here-document or here-string. ends are the end marks of here-documents whose lines follow.
	doc  *string
	ends []string

	steps *int // how many bytes were looked at, for tests
}

// pipe is between the commands of a pipeline. No word of a command line can be equal to it.
const pipe = "\x00|"

// split returns the words of the first command line in a text, and its standard input.
func split(text string, steps *int) (all []string, input *string) {
	w := &words{text: text, steps: steps}
	for w.at < len(w.text) && w.step() {
	}
	w.endWord()
	return w.all, w.doc
}

// step reads the next character; false: the command has ended.
func (w *words) step() bool {
	defer func(from int) { *w.steps += w.at - from + 1 }(w.at)
	c := w.text[w.at]
	rest := w.text[w.at:]
	switch {
	case strings.HasPrefix(rest, "\\\n"), strings.HasPrefix(rest, "\\\r\n"):
		w.at += strings.IndexByte(rest, '\n') + 1
	case c == '\\':
		w.escaped()
	case c == '\'':
		w.single()
	case c == '"':
		w.double()
	case strings.HasPrefix(rest, "$'"):
		w.ansi()
	case c == ' ' || c == '\t' || c == '\r':
		w.endWord()
		w.at++
	case strings.HasPrefix(rest, "<<"):
		w.here()
	case c == '\n':
		w.endWord()
		w.at++
		return !w.document() && len(w.all) == 0
	case c == '|' && !strings.HasPrefix(rest, "||"):
		w.endWord()
		w.all = append(w.all, pipe)
		w.at++
	case c == ';' || c == '|' || c == '&':
		return c == '&' && w.stray()
	case c == '<' || c == '>':
		w.redirect()
	default:
		w.put(1)
	}
	return true
}

// stray keeps an ampersand in a word, because people paste addresses without quotes.
func (w *words) stray() bool {
	if !w.open || strings.HasPrefix(w.text[w.at:], "&&") || w.at+1 == len(w.text) || strings.ContainsRune(" \t\r\n", rune(w.text[w.at+1])) {
		return false
	}
	w.put(1)
	return true
}

func (w *words) put(n int) {
	w.word.WriteString(w.text[w.at : w.at+n])
	w.at += n
	w.open = true
}

func (w *words) endWord() {
	if w.open {
		w.all = append(w.all, strings.ReplaceAll(w.word.String(), "\x00", "")) // no shell keeps NUL characters
	}
	w.word.Reset()
	w.open = false
}

func (w *words) escaped() {
	w.at++
	w.open = true
	if w.at < len(w.text) {
		_, n := utf8.DecodeRuneInString(w.text[w.at:])
		w.put(n)
	}
}

func (w *words) single() {
	w.at++
	w.open = true
	n := strings.IndexByte(w.text[w.at:], '\'')
	if n < 0 {
		n = len(w.text) - w.at
	}
	w.put(n)
	w.at = min(w.at+1, len(w.text))
}

func (w *words) double() {
	w.at++
	w.open = true
	for w.at < len(w.text) {
		switch c := w.text[w.at]; {
		case c == '"':
			w.at++
			return
		case c == '\\' && w.at+1 < len(w.text):
			w.inDouble()
		default:
			w.put(1)
		}
	}
}

// inDouble reads a backslash in double quotes. Before most characters, it is an ordinary character.
func (w *words) inDouble() {
	switch w.text[w.at+1] {
	case '\n':
		w.at += 2
	case '$', '`', '"', '\\':
		w.at++
		w.put(1)
	default:
		w.put(2)
	}
}

// ansi reads $'…'. Browsers use it when they copy a text with quotes.
func (w *words) ansi() {
	w.at += 2
	w.open = true
	for w.at < len(w.text) && w.text[w.at] != '\'' {
		if w.text[w.at] == '\\' && w.at+1 < len(w.text) {
			w.ansiEscape()
			continue
		}
		w.put(1)
	}
	w.at = min(w.at+1, len(w.text))
}

func (w *words) ansiEscape() {
	c := w.text[w.at+1]
	w.at += 2
	if at := strings.IndexByte(`abefnrtv`, c); at >= 0 {
		w.word.WriteByte("\a\b\x1b\f\n\r\t\v"[at])
		return
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	if digits == 0 {
		w.word.WriteByte(c)
		return
	}
	var code rune
	for ; digits > 0 && w.at < len(w.text); digits-- {
		d := strings.IndexByte("0123456789abcdef", w.text[w.at]|0x20)
		if d < 0 {
			break
		}
		code = code<<4 | rune(d)
		w.at++
	}
	if c == 'x' {
		w.word.WriteByte(byte(code))
		return
	}
	w.word.WriteRune(code)
}

// here reads << and <<<. The next word is not a word of the command: it defines the input.
func (w *words) here() {
	w.endWord()
	isString := strings.HasPrefix(w.text[w.at:], "<<<")
	w.at += 2
	switch {
	case isString:
		w.at++
	case strings.HasPrefix(w.text[w.at:], "-"):
		w.at++
	}
	if word, ok := w.operand(); ok && isString {
		word += "\n"
		w.doc = &word
	} else if ok {
		w.ends = append(w.ends, word)
	}
}

// operand reads the word after an operator.
func (w *words) operand() (string, bool) {
	for w.at < len(w.text) && (w.text[w.at] == ' ' || w.text[w.at] == '\t') {
		w.at++
	}
	before := len(w.all)
	for w.at < len(w.text) && !strings.ContainsRune(" \t\r\n|;<>", rune(w.text[w.at])) && w.step() {
	}
	w.endWord()
	if len(w.all) == before {
		return "", false
	}
	word := w.all[before]
	w.all = w.all[:before]
	return word, true
}

// redirect removes a redirection, and the number before it.
func (w *words) redirect() {
	if n := w.word.String(); n == "1" || n == "2" {
		w.word.Reset()
		w.open = false
	}
	w.endWord()
	w.at++
	if w.at < len(w.text) && (w.text[w.at] == '>' || w.text[w.at] == '&') {
		w.at++
	}
	w.operand()
}

// document reads the lines of the first here-document that has none yet.
func (w *words) document() bool {
	if len(w.ends) == 0 {
		return false
	}
	var b strings.Builder
	for w.at < len(w.text) {
		line, _, found := strings.Cut(w.text[w.at:], "\n")
		w.at += len(line)
		if found {
			w.at++
		}
		if strings.TrimSuffix(strings.TrimLeft(line, "\t"), "\r") == w.ends[0] {
			break
		}
		b.WriteString(line + "\n")
	}
	text := b.String()
	w.doc = &text
	return true
}
