// Package manifest writes objects as YAML and JSON text for people, line by line. Each piece of a line is marked with its kind, so that
// pages can color it.
package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/fieldmark/fieldmark/kube/plain"
)

// ErrTooLong means that the text of a document would be too long to read.
var ErrTooLong = errors.New("the text of the document would be longer than 32 MB")

const maxText = 32 << 20

// fits estimates the length of a document with its indentation, and tells whether it can be written.
func fits(value any) bool {
	left := maxText
	return spend(value, 1, &left)
}

func spend(value any, depth int, left *int) bool {
	*left -= 2*depth + 2
	switch v := value.(type) {
	case map[string]any:
		for key, child := range v {
			if *left -= len(key); !spend(child, depth+1, left) {
				return false
			}
		}
	case []any:
		for _, child := range v {
			if !spend(child, depth+1, left) {
				return false
			}
		}
	case string:
		*left -= len(v) + 2*depth*strings.Count(v, "\n")
	}
	return *left >= 0
}

// YAML writes a decoded JSON value (maps, slices, strings, json.Number, bool, nil) like kubectl: with sorted keys, an indentation of two
// spaces, list items that are not indented, and long texts as literal blocks. Characters that nobody sees are escaped, because people copy the text.
func YAML(value any) ([]byte, error) {
	return encode(Tree(value))
}

func encode(root *Node) ([]byte, error) {
	document, err := layOut(root)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for _, line := range document.Lines {
		for _, t := range line {
			b.WriteString(t.Text)
		}
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}

// escaped escapes the characters that nobody sees. All of them are in texts in double quotes (stringNode), so the value is the same.
func escaped(text []byte) []byte {
	if !plain.Hides(string(text)) {
		return text
	}
	return []byte(plain.Replaced(string(text), func(r rune) string {
		switch {
		case r == '\n' || r == '\t':
			return string(r)
		case r > 0xffff:
			return fmt.Sprintf(`\U%08X`, r)
		}
		return fmt.Sprintf(`\u%04X`, r)
	}))
}

// JSON writes a decoded JSON value with an indentation of two spaces. It escapes no more characters than it must.
func JSON(value any) ([]byte, error) {
	if !fits(value) {
		return nil, ErrTooLong
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return nil, fmt.Errorf("writing JSON: %w", err)
	}
	return b.Bytes(), nil
}

func scalar(tag, text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: text}
}

// ambiguous matches strings that must be quoted. YAML 1.2 reads them as strings without quotes, but readers of YAML 1.1, such as that of
// Kubernetes, don't.
var ambiguous = regexp.MustCompile(`^(?i:y|n|yes|no|on|off|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?|[-+]?0b?[0-7_]+|[-+]?[0-9][0-9_]*(\.[0-9_]*)?|=|<<)$`)

// breaks are the characters that YAML 1.1 reads as line breaks, besides the newline.
const breaks = "\r\u0085\u2028\u2029\ufeff"

// tabbed matches text of several lines that begins with a tab. In a literal block, the tab would be read as indentation.
var tabbed = regexp.MustCompile(`^[\n ]*\t(?s:.*)\n`)

func stringNode(text string) *yaml.Node {
	n := scalar("!!str", text)
	if ambiguous.MatchString(text) || strings.ContainsAny(text, breaks) || tabbed.MatchString(text) || plain.Hides(text) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}
