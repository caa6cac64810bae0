package export

import (
	"bytes"
	"fmt"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html"
)

// Broken are all links, pictures and stylesheets of the site that lead nowhere, each with its page: to a file or a fragment that doesn't exist, or out of the
// site without a scheme.
func (s Site) Broken() (all []string) {
	ids := map[string]map[string]bool{}
	refs := map[string][]string{}
	for _, name := range s.Pages() {
		ids[name] = map[string]bool{}
		root, err := html.Parse(bytes.NewReader(s[name]))
		if err != nil {
			all = append(all, fmt.Sprintf("%s: %v", name, err))
			continue
		}
		for n := range root.Descendants() {
			for _, a := range n.Attr {
				switch a.Key {
				case "id":
					ids[name][a.Val] = true
				case "href", "src", "srcset", "action", "poster", "data":
					refs[name] = append(refs[name], a.Val)
				}
			}
		}
	}
	for _, name := range s.Pages() {
		for _, ref := range refs[name] {
			if why := s.leadsTo(name, ref, ids); why != "" {
				all = append(all, fmt.Sprintf("%s: %s: %s", name, ref, why))
			}
		}
	}
	return all
}

// leadsTo says why a reference leads nowhere; empty: it leads somewhere, or away from the site.
func (s Site) leadsTo(from, ref string, ids map[string]map[string]bool) string {
	u, err := url.Parse(ref)
	switch {
	case err != nil:
		return "it is no address"
	case u.Scheme == "https", u.Scheme == "http":
		return ""
	case u.Scheme != "" || u.Host != "" || strings.HasPrefix(u.Path, "/") || u.RawQuery != "":
		return "it isn't relative to the site"
	}
	file := from
	if u.Path != "" {
		file = path.Join(path.Dir(from), u.Path)
	}
	if _, ok := s[file]; !ok {
		return "there is no such file"
	}
	if u.Fragment != "" && !ids[file][u.Fragment] {
		return "the page has no such place"
	}
	return ""
}
