package redact

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

var (
	errNoYAML  = errors.New("the Content-Type says YAML, but the body isn’t YAML")
	errAliases = errors.New("the aliases in the body expand to too much")
)

// Bounds of what is read of YAML.
const (
	maxNodes   = 100_000
	maxDropped = 512 // lines at once, at the end of a text that is cut
)

// scrubYAML gives a text of YAML without credentials. Where there are none it is as it was, else its layout may be another.
func scrubYAML(s string, cut bool, j *judge) (string, error) {
	documents, s, err := readYAML(s, cut)
	if err != nil {
		return "", err
	}
	touched := false
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	for i, document := range documents {
		g := grower{left: maxNodes, cut: cut && i == len(documents)-1, mayRefer: cut}
		tree := g.grow(document, 0)
		if g.err != nil {
			return "", g.err
		}
		if j.nested && (tree == nil || tree.kind == str || tree.kind == other) {
			return "", errNoYAML // it is a text, as all texts are by the rules of YAML
		}
		if tree != nil {
			j.all([]*node{tree})
			g.hideAnchored()
			touched = g.replaceScalars() || touched
		}
		if err := enc.Encode(document); err != nil {
			return "", errNoYAML
		}
	}
	if touched {
		s = out.String()
	}
	return comments(s, cut), nil
}

// readYAML reads all documents of a text. One that is cut ends in the middle of something: lines at its end are given up until the rest
// can be read, each time twice as many, so that this takes few attempts.
func readYAML(text string, cut bool) (documents []*yaml.Node, read string, err error) {
	for lines := 1; lines <= maxDropped; lines *= 2 {
		documents, err = decodeYAML(text)
		if err == nil || !cut || text == "" {
			return documents, text, err
		}
		for range lines {
			text = text[:strings.LastIndexByte(strings.TrimSuffix(text, "\n"), '\n')+1]
		}
	}
	return nil, "", errNoYAML
}

func decodeYAML(s string) (documents []*yaml.Node, err error) {
	dec := yaml.NewDecoder(strings.NewReader(s))
	for {
		document := new(yaml.Node)
		switch err := dec.Decode(document); {
		case errors.Is(err, io.EOF):
			return documents, nil
		case err != nil:
			return nil, errNoYAML
		}
		documents = append(documents, document)
	}
}

// grower makes a tree of what YAML's reader gives. What an alias stands for is in the tree once for each place.
type grower struct {
	scalars  []written
	anchored []*node
	left     int
	cut      bool // the last value isn't whole
	mayRefer bool // what refers to an anchor may be missing
	err      error
}

// written is a scalar of the tree and where it is written.
type written struct {
	n *node
	y *yaml.Node
}

func (g *grower) grow(y *yaml.Node, depth int) *node {
	n := g.kind(y, depth)
	if n != nil && y.Anchor != "" && g.mayRefer {
		g.anchored = append(g.anchored, n)
	}
	return n
}

// hideAnchored hides what a part of the text that is missing may call a password.
func (g *grower) hideAnchored() {
	for _, n := range g.anchored {
		n.hide()
	}
}

func (g *grower) kind(y *yaml.Node, depth int) *node {
	if g.left--; g.left < 0 || depth > maxDepth {
		g.err = errAliases
		return nil
	}
	switch y.Kind {
	case yaml.DocumentNode:
		if len(y.Content) != 1 {
			return nil
		}
		n := g.grow(y.Content[0], depth+1)
		for last := n; g.cut && last != nil; {
			last.cut = true
			if len(last.kids) == 0 {
				break
			}
			last = last.kids[len(last.kids)-1]
		}
		return n
	case yaml.AliasNode:
		return g.grow(y.Alias, depth+1)
	case yaml.MappingNode:
		return g.mapping(y, depth)
	case yaml.SequenceNode:
		n := &node{kind: list}
		for _, item := range y.Content {
			if kid := g.grow(item, depth+1); kid != nil {
				n.kids = append(n.kids, kid)
			}
		}
		return n
	default:
		return g.scalar(y)
	}
}

func (g *grower) mapping(y *yaml.Node, depth int) *node {
	n := &node{kind: mapping}
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, kid := g.grow(y.Content[i], depth+1), g.grow(y.Content[i+1], depth+1)
		if key == nil || kid == nil {
			continue
		}
		if key.kind == mapping || key.kind == list {
			g.err = errNoYAML // no object of the API has such names
			return nil
		}
		kid.key = key
		n.kids = append(n.kids, kid)
	}
	return n
}

func (g *grower) scalar(y *yaml.Node) *node {
	n := &node{kind: str, text: y.Value}
	switch y.ShortTag() {
	case "!!int", "!!float", "!!bool", "!!null":
		n.kind = other
	}
	g.scalars = append(g.scalars, written{n, y})
	return n
}

// replaceScalars puts what may be shown in the place of what was written, and tells whether that is anything else.
func (g *grower) replaceScalars() (touched bool) {
	for _, one := range g.scalars {
		if one.n.changed && one.y.Value != one.n.clean {
			one.y.Value, one.y.Tag, one.y.Style = one.n.clean, "!!str", one.y.Style&^yaml.TaggedStyle
			touched = true
		}
	}
	return touched
}

// comments takes credentials out of comments, where one often leaves what was tried before. What begins like one in a block of text is
// treated the same way.
func comments(s string, cut bool) string {
	if !strings.Contains(s, "#") {
		return s
	}
	lines := strings.SplitAfter(s, "\n")
	for i := 0; i < len(lines); i++ {
		at := strings.IndexByte(lines[i], '#')
		if at < 0 {
			continue
		}
		end := i + 1 // a block of comments is read as one text
		for whole := strings.TrimSpace(lines[i][:at]) == ""; whole && end < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[end]), "#"); {
			end++
		}
		var words strings.Builder
		for _, line := range lines[i:end] {
			words.WriteString(line[strings.IndexByte(line, '#')+1:])
		}
		last := cut && end == len(lines)
		if clean := redactText(embedded(words.String(), last, 1), last); clean != words.String() {
			lead := lines[i][:at] + "#"
			lines[i] = lead + strings.ReplaceAll(strings.TrimSuffix(clean, "\n"), "\n", "\n"+strings.Repeat(" ", at)+"#") + "\n"
			for k := i + 1; k < end; k++ {
				lines[k] = ""
			}
		}
		i = end - 1
	}
	return strings.Join(lines, "")
}
