// Package subpath puts Fieldmark below a path of its host, such as https://tools.example.com/fieldmark. Everything else in Fieldmark uses
// addresses that begin at the root. They are changed in two places only, where they leave Fieldmark and where they come back: in
// package server/subpath, and in the browser's program, package wasm/dom.
package subpath

import "strings"

// Path is the path below which Fieldmark is, such as "/fieldmark"; empty: the root of its host. It has no slash at its end.
type Path string

// places are what comes before a local address in HTML. They can't be in text or in the value of an attribute, where quotes are escaped.
var places = []string{` href="/`, ` src="/`, ` action="/`, ` formaction="/`, ` data-address="/`, ` content="0;url=/`}

// HTML puts the path before each local address in the attributes of a document, or of a part of one. The text must come from templates
// that escape quotes. Beginning with "<html", it also says where the path is, for the scripts.
func (p Path) HTML(text string) string {
	if p == "" {
		return text
	}
	var out strings.Builder
	out.Grow(len(text) + len(text)/16)
	for {
		at, place := findNextAddress(text)
		if at < 0 {
			out.WriteString(text)
			return p.addBaseAttribute(out.String())
		}
		end := at + len(place)
		out.WriteString(text[:end-1])
		if !strings.HasPrefix(text[end:], "/") { // "//" is the beginning of another host
			out.WriteString(string(p))
		}
		out.WriteByte('/')
		text = text[end:]
	}
}

// findNextAddress finds the first place of an address.
func findNextAddress(text string) (at int, place string) {
	at = -1
	for _, one := range places {
		within := text
		if at >= 0 {
			within = text[:at]
		}
		if i := strings.Index(within, one); i >= 0 {
			at, place = i, one
		}
	}
	return at, place
}

// addBaseAttribute says in the root element where Fieldmark is.
func (p Path) addBaseAttribute(document string) string {
	return strings.Replace(document, "<html ", `<html data-base="`+string(p)+`" `, 1)
}

// Address puts the path before a local address. Other addresses stay as they are.
func (p Path) Address(address string) string {
	if !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") {
		return address
	}
	return string(p) + address
}

// Local removes the path from an address; ok is false if the address isn't below the path.
func (p Path) Local(address string) (local string, ok bool) {
	local, ok = strings.CutPrefix(address, string(p))
	switch {
	case !ok:
		return address, false
	case strings.HasPrefix(local, "/"):
		return local, true
	case local == "" || local[0] == '?' || local[0] == '#':
		return "/" + local, true
	}
	return address, false
}
