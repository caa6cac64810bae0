package static

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// fonts are the built files that the stylesheet names. Without them (a build that skipped the step)
// the pages fall back to the system's own fonts.
var fonts = []string{"inter.woff2", "jetbrains-mono.woff2"}

// sheets in the order in which they join into one stylesheet: what all pages have, then the wings of package web. Sheets after
// narrow.css say themselves what narrow windows change.
var sheets = []string{
	"tokens.css", "base.css", "components.css",
	"frame/shell.css", "frame/page.css", "frame/signin.css",
	"read/overview.css", "read/health.css", "read/doors.css", "read/object.css", "read/views.css", "read/whoami.css",
	"write/apply.css", "write/check.css", "write/dryrun.css", "write/explain.css",
	"run/act.css", "run/describe.css", "run/logs.css", "run/shell.css", "run/usage.css",
	"survey/contention.css", "narrow.css",
	"learn/picture.css", "learn/guide.css", "learn/lesson.css", "learn/task.css", "learn/exam.css", "learn/cases.css", "learn/handout.css",
	"lab/chunks.css", "lab/representations.css", "lab/request.css", "lab/requests.css", "lab/versions.css", "lab/watch.css", "lab/compare.css", "survey/census.css", "survey/managers.css", "survey/migrate.css", "survey/search.css", "survey/whocan.css",
	"frame/overlay.css", "small.css", "print.css",
}

func (a *Assets) addStylesheet(files fs.FS) error {
	replace, err := a.addFonts(files)
	if err != nil {
		return err
	}
	all, err := joined(files, sheets)
	if err != nil {
		return err
	}
	tokens, err := joined(files, []string{"tokens.css"})
	if err != nil {
		return err
	}
	a.tokens = tokens
	gallery, err := fs.ReadFile(files, "css/gallery.css")
	if err != nil {
		return fmt.Errorf("the gallery's stylesheet: %w", err)
	}
	a.gallery = a.addText("gallery.css", "text/css; charset=utf-8", gallery)
	a.stylesheet = a.addText("fieldmark.css", "text/css; charset=utf-8", []byte(replace.Replace(all)))
	return nil
}

// joined are sheets in one text.
func joined(files fs.FS, names []string) (string, error) {
	var all strings.Builder
	for _, name := range names {
		content, err := fs.ReadFile(files, "css/"+name)
		if err != nil {
			return "", fmt.Errorf("the stylesheet %s: %w", name, err)
		}
		all.Write(content)
	}
	return all.String(), nil
}

// addFonts returns what puts the fonts' URLs in the place of their names.
func (a *Assets) addFonts(files fs.FS) (*strings.Replacer, error) {
	var pairs []string
	for _, name := range fonts {
		content, err := fs.ReadFile(files, "dist/fonts/"+name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("the font %s: %w", name, err)
		}
		url := a.addFile(name, shortHash(content), plainFile("font/woff2", content))
		a.fonts = append(a.fonts, url)
		pairs = append(pairs, Prefix+"fonts/"+name, a.below+url)
	}
	return strings.NewReplacer(pairs...), nil
}
