package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// writer writes a tree as YAML. The indentation has the structure of a document, so the writer knows the line of each node. How other texts than words are
// quoted, the library says.
type writer struct {
	quoted
	lines  []Line
	places []Place
}

// layOut writes a tree line by line.
func layOut(root *Node) (Document, error) {
	if !fits(root.Value) {
		return Document{}, ErrTooLong
	}
	q, err := quote(root)
	if err != nil {
		return Document{}, err
	}
	w := writer{quoted: q}
	w.begin(0)
	if len(root.Children) == 0 {
		w.note(root)
	}
	w.node(root, "", 0)
	return Document{Root: root, Lines: w.lines, Places: w.places}, nil
}

// begin begins a line with an indentation.
func (w *writer) begin(indent int) {
	w.lines = append(w.lines, nil)
	w.places = append(w.places, Place{})
	w.add(Plain, strings.Repeat(" ", indent))
}

// add adds a piece to the last line. Punctuation continues the punctuation before it.
func (w *writer) add(c Class, text string) {
	line := &w.lines[len(w.lines)-1]
	switch last := len(*line) - 1; {
	case text == "":
	case c == Plain && last >= 0 && (*line)[last].Class == Plain:
		(*line)[last].Text += text
	default:
		*line = append(*line, Token{Class: c, Text: text})
	}
}

// note notes that a node begins in the last line.
func (w *writer) note(n *Node) {
	here := &w.places[len(w.places)-1]
	if here.Outer == nil {
		here.Outer = n
	}
	here.Inner, here.Continued = n, false
}

// node writes the value of a node after what its line has already, with space between. Further lines have this indentation.
func (w *writer) node(n *Node, space string, indent int) {
	switch v := n.Value.(type) {
	case map[string]any:
		w.children(n, space, indent, "{}", w.field)
	case []any:
		w.children(n, space, indent, "[]", w.item)
	default:
		w.add(Plain, space)
		w.scalar(n, v, max(indent, 2))
	}
}

func (w *writer) children(n *Node, space string, indent int, none string, write func(*Node, int)) {
	w.add(Plain, space)
	if len(n.Children) == 0 {
		w.add(Plain, none)
	}
	for i, child := range n.Children {
		if i > 0 {
			w.begin(indent)
		}
		w.note(child)
		write(child, indent)
	}
}

func (w *writer) item(n *Node, indent int) {
	w.add(Plain, "-")
	w.node(n, " ", indent+2)
}

// field writes a field. A list below it has the same indentation.
func (w *writer) field(n *Node, indent int) {
	below := indent + 2
	if _, list := n.Value.([]any); list {
		below = indent
	}
	switch key, long := w.keys[n.Key]; {
	case long:
		w.add(Plain, "? ")
		w.block(n, Key, key, indent+2)
		w.begin(indent)
		w.places[len(w.places)-1] = Place{Inner: n, Continued: true}
		w.add(Plain, ":")
		w.node(n, " ", indent+2)
	case len(n.Children) == 0:
		w.add(Key, w.short(n.Key))
		w.add(Plain, ":")
		w.node(n, " ", indent+2)
	default:
		w.add(Key, w.short(n.Key))
		w.add(Plain, ":")
		w.begin(below)
		w.node(n, "", below)
	}
}

func (w *writer) scalar(n *Node, value any, indent int) {
	switch v := value.(type) {
	case json.Number:
		w.add(Number, v.String())
	case bool:
		w.add(Word, strconv.FormatBool(v))
	case nil:
		w.add(Word, "null")
	default:
		text := fmt.Sprint(v)
		if lines, ok := w.texts[text]; ok {
			w.block(n, String, lines, indent)
			return
		}
		w.add(String, text)
	}
}

// block writes a text of several lines, or one that is quoted. Only the first line of a key is marked.
func (w *writer) block(n *Node, c Class, lines []string, indent int) {
	w.add(c, lines[0])
	if c == Key {
		c = Plain
	}
	for _, line := range lines[1:] {
		if line != "" {
			line = strings.Repeat(" ", indent-2) + line
		}
		w.lines = append(w.lines, Line{{Class: c, Text: line}})
		w.places = append(w.places, Place{Inner: n, Continued: true})
	}
}

// quoted has all texts of a document that aren't words, as the library writes them: their lines, of which all but the first are indented by two spaces.
type quoted struct {
	texts map[string][]string
	keys  map[string][]string // keys that are too long for a line with their value
	brief map[string]string   // all others
}

func (q *quoted) short(key string) string {
	if text, ok := q.brief[key]; ok {
		return text
	}
	return key
}

// quote asks the library about all texts of a tree at once, because each question costs it a large buffer.
func quote(root *Node) (quoted, error) {
	var texts, keys []string
	q := quoted{map[string][]string{}, map[string][]string{}, map[string]string{}}
	q.gather(root, &texts, &keys)
	err := ask(texts, func(t string) (key, value *yaml.Node) { return stringNode("t"), stringNode(t) }, func(text string, lines []string) {
		lines[0] = strings.TrimPrefix(lines[0], "t: ")
		q.texts[text] = lines
	})
	if err != nil {
		return quoted{}, err
	}
	one := scalar("", "1")
	return q, ask(keys, func(k string) (key, value *yaml.Node) { return stringNode(k), one }, func(key string, lines []string) {
		if last := len(lines) - 1; last > 0 {
			lines[0] = strings.TrimPrefix(lines[0], "? ")
			q.keys[key] = lines[:last]
			return
		}
		q.brief[key] = strings.TrimSuffix(lines[0], ": 1")
	})
}

// gather gathers the texts and the keys that aren't words, and quotes those that only look like numbers or times.
func (q *quoted) gather(n *Node, texts, keys *[]string) {
	if n.Parent != nil && n.Index < 0 && !isWord(n.Key) {
		*keys = append(*keys, n.Key)
	}
	switch v := n.Value.(type) {
	case map[string]any, []any, json.Number, bool, nil:
	default:
		text := fmt.Sprint(v)
		if word := quotedWord(text); word != "" {
			q.texts[text] = []string{word}
		} else if !isWord(text) {
			*texts = append(*texts, text)
		}
	}
	for _, child := range n.Children {
		q.gather(child, texts, keys)
	}
}

// ask has the library write a field for each text, and tells the lines of each. A field begins where no line is indented, unless it has its value in a line
// of its own, after a colon.
func ask(texts []string, field func(string) (key, value *yaml.Node), tell func(text string, lines []string)) error {
	if len(texts) == 0 {
		return nil
	}
	all := &yaml.Node{Kind: yaml.MappingNode}
	slices.Sort(texts)
	texts = slices.Compact(texts)
	for _, text := range texts {
		key, value := field(text)
		all.Content = append(all.Content, key, value)
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(all); err != nil {
		return fmt.Errorf("writing YAML: %w", err)
	}
	if err := e.Close(); err != nil {
		return fmt.Errorf("writing YAML: %w", err)
	}
	lines := strings.Split(strings.TrimSuffix(string(escaped(b.Bytes())), "\n"), "\n")
	for _, text := range texts {
		end := 1
		for end < len(lines) && (lines[end] == "" || lines[end][0] == ' ' || lines[end] == ": 1") {
			end++
		}
		tell(text, lines[:end])
		lines = lines[end:]
	}
	return nil
}

// longestWord is how long a word is at most, in bytes. Longer keys need a line of their own.
const longestWord = 100

// isWord tells whether YAML writes a text as it is, and in one line: words with single spaces between them, paths, flags of commands, and quantities.
func isWord(text string) bool {
	if text == "" || len(text) > longestWord {
		return false
	}
	rest := text
	switch c := text[0]; {
	case isDigit(c):
		return isQuantity(text)
	case c == '/':
	case strings.HasPrefix(text, "--") && len(text) > 2 && isLetter(text[2]):
		rest = text[2:]
	case !isLetter(c):
		return false
	}
	for i := 1; i < len(rest); i++ {
		c := rest[i]
		plain := isLetter(c) || isDigit(c) || strings.IndexByte("._/-=", c) >= 0
		inside := (c == ':' || c == ' ') && i < len(rest)-1 && (isLetter(rest[i+1]) || isDigit(rest[i+1]) || c == ':' && rest[i+1] != ' ')
		if !plain && !inside {
			return false
		}
	}
	switch strings.ToLower(text) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		return false
	}
	return true
}

// isQuantity tells whether a text is a number with a unit, such as 100m or 64Mi, which YAML doesn't take for a number.
func isQuantity(text string) bool {
	unit := strings.TrimLeft(text, "0123456789")
	return len(unit) < len(text) && slices.Contains(units, unit)
}

var units = []string{"m", "Ki", "Mi", "Gi", "Ti", "s", "h"}

// quotedWord is a text that YAML would take for a number or a time, as the library writes it. It is empty for all other texts.
func quotedWord(text string) string {
	if len(text) > longestWord || strings.Trim(text, "0123456789") != "" && !isTime(text) {
		return ""
	}
	return `"` + text + `"`
}

// isTime tells whether a text is a time as API servers write it.
func isTime(text string) bool {
	const form = "2006-01-02T15:04:05Z"
	if len(text) != len(form) || text[len(text)-1] != 'Z' {
		return false
	}
	_, err := time.Parse(form, text)
	return err == nil
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
