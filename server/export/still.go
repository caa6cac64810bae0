package export

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/fieldmark/fieldmark/web/learn/guide"
)

// still makes a document of the product one that works without it. What can only be pressed or filled in goes away, and links lead to other files. A link to a
// page that isn't among them becomes its text.
func still(document []byte, file string, places map[string]string) ([]byte, error) {
	root, err := html.Parse(bytes.NewReader(document))
	if err != nil {
		return nil, fmt.Errorf("parsing the document: %w", err)
	}
	s := stiller{file: file, places: places}
	s.children(root)
	var out bytes.Buffer
	if err := html.Render(&out, root); err != nil {
		return nil, fmt.Errorf("writing the document: %w", err)
	}
	return out.Bytes(), nil
}

type stiller struct {
	file   string
	places map[string]string
}

// pressed are the elements that do nothing without scripts or a server.
var pressed = []atom.Atom{atom.Script, atom.Button, atom.Form, atom.Input, atom.Select, atom.Textarea, atom.Template}

// children makes the nodes inside of a node still. An element that is empty afterwards, and wasn't before, goes away, too.
func (s stiller) children(n *html.Node) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		switch {
		case c.Type != html.ElementNode:
		case slices.Contains(pressed, c.DataAtom):
			n.RemoveChild(c)
		default:
			was := blank(c)
			s.attributes(c)
			s.children(c)
			if !was && blank(c) && c.DataAtom != atom.Body {
				n.RemoveChild(c)
			}
		}
		c = next
	}
}

// blank tells whether nothing of a node can be seen.
func blank(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" || c.Type == html.ElementNode {
			return false
		}
	}
	return true
}

// attributes drops what only scripts read, and sends links elsewhere.
func (s stiller) attributes(n *html.Node) {
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool {
		return slices.Contains([]string{"data-do", "data-copy", "data-hold", "data-block", "data-path"}, a.Key)
	})
	at := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "href" })
	if n.Data != "a" || at < 0 {
		return
	}
	href, internal, ok := s.link(n.Attr[at].Val)
	switch {
	case ok:
		n.Attr[at].Val = href
		if internal {
			n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "target" || a.Key == "rel" })
		}
	default:
		unlink(n)
	}
}

// link is where a link of the product leads in the site; false: nowhere.
func (s stiller) link(address string) (href string, internal, ok bool) {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return "", false, false
	case u.Scheme != "":
		return address, false, u.Scheme == "https" || u.Scheme == "http"
	case u.Path == "":
		return address, true, u.Fragment != ""
	}
	key := u.Path
	if way := u.Query().Get(guide.PathField); way != "" {
		key += "?" + url.Values{guide.PathField: {way}}.Encode()
	}
	to, ok := s.places[key]
	if !ok {
		return "", false, false
	}
	fragment := ""
	if u.Fragment != "" {
		fragment = "#" + u.EscapedFragment()
	}
	if to == s.file && fragment != "" {
		return fragment, true, true
	}
	return relative(s.file, to) + fragment, true, true
}

// unlink makes a link its text. In a drawing, it becomes a group.
func unlink(n *html.Node) {
	name := "span"
	if n.Namespace == "svg" {
		name = "g"
	}
	n.Data, n.DataAtom = name, atom.Lookup([]byte(name))
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool {
		return slices.Contains([]string{"href", "target", "rel", "aria-label", "tabindex"}, a.Key)
	})
}
