package export

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/lessons/recording"
	"github.com/fieldmark/fieldmark/server/pages/learn"
	"github.com/fieldmark/fieldmark/static"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/learn/guide"
)

// Options are what a site is made from.
type Options struct {
	Recording recording.Recording
	Base      string // the address at which the site will be, with a slash at its end; empty: it isn't known
	Fieldmark string // the version of this program
}

// Site are the files of a site by their paths, with slashes.
type Site map[string][]byte

// The files that every site has.
const (
	index    = "index.html"
	assets   = "assets/"
	sheet    = assets + static.PlainSheet
	icon     = assets + static.PlainIcon
	sitemap  = "sitemap.xml"
	htmlFile = ".html"
)

// Make makes a site. It fails if a link in it leads nowhere.
func Make(ctx context.Context, o Options) (Site, error) {
	pages, err := learn.PagesApart(o.Recording)
	if err != nil {
		return nil, fmt.Errorf("making the pages of the guide: %w", err)
	}
	files, err := static.Plain()
	if err != nil {
		return nil, fmt.Errorf("making the stylesheet: %w", err)
	}
	s := Site{}
	for name, content := range files {
		s[assets+name] = content
	}
	places := map[string]string{}
	for _, p := range pages {
		places[p.Address] = fileOf(p.Address)
	}
	for _, p := range pages {
		if s[places[p.Address]], err = document(ctx, o, places, p); err != nil {
			return nil, err
		}
	}
	if o.Base != "" {
		s[sitemap] = sitemapOf(o.Base, s.Pages())
	}
	if broken := s.Broken(); len(broken) > 0 {
		return nil, fmt.Errorf("the site would have links that lead nowhere, so nothing was written. The first one: %s", broken[0])
	}
	return s, nil
}

// document is the text of a page.
func document(ctx context.Context, o Options, places map[string]string, p learn.Apart) ([]byte, error) {
	file := places[p.Address]
	var b bytes.Buffer
	if err := view(frame{o: o, file: file, address: p.Address, about: p.About}, p.Page).Render(ctx, &b); err != nil {
		return nil, fmt.Errorf("rendering %s: %w", file, err)
	}
	out, err := still(b.Bytes(), file, places)
	if err != nil {
		return nil, fmt.Errorf("rendering %s: %w", file, err)
	}
	return out, nil
}

// Pages are the paths of the pages, in order.
func (s Site) Pages() (names []string) {
	for name := range s {
		if strings.HasSuffix(name, htmlFile) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Size is how large all files are together, in bytes.
func (s Site) Size() (n int64) {
	for _, content := range s {
		n += int64(len(content))
	}
	return n
}

// fileOf is the file of a page that has this address in Fieldmark.
func fileOf(address string) string {
	at, query, _ := strings.Cut(address, "?")
	values, _ := url.ParseQuery(query) // addresses are our own
	way := values.Get(guide.PathField)
	id := path.Base(at)
	switch {
	case at == web.Learn && way == "":
		return index
	case at == web.Learn:
		return "paths/" + way + htmlFile
	case at == web.Print && way == "":
		return "handout" + htmlFile
	case at == web.Print:
		return "handouts/" + way + htmlFile
	case at == web.Cases, at == web.Glossary:
		return id + htmlFile
	case path.Dir(at) == web.Cases:
		return "cases/" + id + htmlFile
	case path.Dir(at) == web.Learn:
		return "lessons/" + id + htmlFile
	}
	return "tasks/" + path.Base(path.Dir(at)) + htmlFile
}

// relative is the address of a file in a page of the site.
func relative(from, to string) string {
	if path.Dir(from) == path.Dir(to) {
		return path.Base(to)
	}
	return strings.Repeat("../", strings.Count(from, "/")) + to
}

// sitemapOf lists all pages for search engines.
func sitemapOf(base string, pages []string) []byte {
	var b bytes.Buffer
	b.WriteString(xml.Header + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	for _, p := range pages {
		b.WriteString("<url><loc>")
		_ = xml.EscapeText(&b, []byte(canonical(base, p))) // a buffer takes everything
		b.WriteString("</loc></url>\n")
	}
	b.WriteString("</urlset>\n")
	return b.Bytes()
}

// canonical is the address of a page for search engines.
func canonical(base, file string) string {
	if file == index {
		return base
	}
	return base + file
}
