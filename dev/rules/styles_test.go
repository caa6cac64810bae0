package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A stylesheet has no namespaces: `.who { overflow: hidden }` of one page clips each element that somebody else calls "who". So each selector
// begins with a name, and a name has one home: one component, or one page, whose markup alone has that class, and one stylesheet that alone styles
// it. Below its name, a home calls its parts what it likes. docs/decisions/0092-homes-of-classes.md has the reasons.

// vocabulary are the names that all markup may use, because their look is the same on all pages. A page that changes the look of one does so
// below a name of its own.
var vocabulary = strings.Fields(`
	soft mono visually-hidden
	button quiet tone tone-good tone-busy tone-warn tone-bad tag
	page-head title-line toolbar lab-form field foot band banner part-note cards card columns lab
	scroll grid code http notice notice-warn quoted actions facts tabs with-why path manager swatch values to rest reach wire-line
	menu menu-list caret spring backdrop only-program without-program
	dry-run options plan change-rows rows-of body-editor parameters meaning gridded watch-lanes refs explain`)

// adapting are stylesheets that change what others say, for windows and paper; the gallery shows components of all homes.
var adapting = strings.Fields("narrow.css small.css print.css gallery.css")

func TestEachClassHasOneHome(t *testing.T) {
	written, styled := classHomes(t), nameSheets(t)
	for _, name := range slices.Sorted(maps.Keys(styled)) {
		element, class, _ := strings.Cut(name, ".")
		if sheets := slices.Sorted(maps.Keys(styled[name])); len(sheets) > 1 {
			t.Errorf("%s: selectors of %s begin with it. Begin those that adapt it with a name of their own page, or give one of the two another name",
				name, strings.Join(sheets, " and "))
		}
		if homes := homesOf(written[class], element); len(homes) > 1 && !slices.Contains(vocabulary, class) {
			t.Errorf("%s: selectors begin with it, and markup of %s has it: the rules of one match the elements of the other. "+
				"Begin the selectors with a name that only one of them has", name, strings.Join(homes, " and "))
		}
	}
	for _, name := range vocabulary {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(styled)), func(s string) bool { return strings.HasSuffix(s, "."+name) }) {
			t.Errorf(".%s may be used everywhere, but no selector begins with it: take it out of the list", name)
		}
	}
}

// nameSheets returns the names with which selectors begin, each after its element if the selector has one ("a.why", ".grid"), and which stylesheets
// have such selectors.
func nameSheets(t *testing.T) map[string]map[string]bool {
	t.Helper()
	all := map[string]map[string]bool{}
	for _, file := range files(t, "static/css/*.css") {
		sheet := strings.TrimPrefix(file, "static/css/")
		if slices.Contains(adapting, sheet) {
			continue
		}
		for _, selector := range selectors(string(read(t, file))) {
			for _, name := range firstNames(selector) {
				note(all, name, sheet)
			}
		}
	}
	return all
}

// homesOf are the homes that have a class on such an element, or on any if element is empty.
func homesOf(written map[string]bool, element string) []string {
	all := map[string]bool{}
	for _, where := range slices.Collect(maps.Keys(written)) {
		on, home, _ := strings.Cut(where, " ")
		if element == "" || on == "" || on == element {
			all[home] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

func note(all map[string]map[string]bool, name, where string) {
	if all[name] == nil {
		all[name] = map[string]bool{}
	}
	all[name][where] = true
}

var cssComment = regexp.MustCompile(`(?s)/\*.*?\*/`)

// selectors are the complex selectors of a stylesheet, nested ones with what they are in.
func selectors(css string) []string {
	var all []string
	nested(cssComment.ReplaceAllString(css, ""), nil, func(s string) { all = append(all, s) })
	return all
}

// nested calls each with the selectors of a block, and of the blocks in it. around are the selectors that the block is in.
func nested(block string, around []string, each func(string)) {
	depth, start, from := 0, 0, 0
	var prelude string
	for i := range len(block) {
		switch block[i] {
		case ';':
			if depth == 0 {
				start = i + 1
			}
		case '{':
			if depth++; depth == 1 {
				prelude, from = strings.TrimSpace(block[start:i]), i+1
			}
		case '}':
			if depth--; depth == 0 {
				ruleset(prelude, block[from:i], around, each)
				start = i + 1
			}
		}
	}
}

func ruleset(prelude, block string, around []string, each func(string)) {
	switch {
	case strings.HasPrefix(prelude, "@keyframes"), strings.HasPrefix(prelude, "@font-face"), strings.HasPrefix(prelude, "@page"):
	case strings.HasPrefix(prelude, "@"):
		nested(block, around, each)
	default:
		var all []string
		for _, s := range apart(prelude, ",") {
			if around == nil {
				all = append(all, s)
			}
			for _, outer := range around {
				if strings.Contains(s, "&") {
					all = append(all, strings.ReplaceAll(s, "&", outer))
				} else {
					all = append(all, outer+" "+s)
				}
			}
		}
		for _, s := range all {
			each(s)
		}
		nested(block, all, each)
	}
}

// apart splits text at characters that are in no brackets.
func apart(text, at string) []string {
	var all []string
	depth, from := 0, 0
	for i := range len(text) {
		switch {
		case strings.IndexByte("([", text[i]) >= 0:
			depth++
		case strings.IndexByte(")]", text[i]) >= 0:
			depth--
		case depth == 0 && strings.IndexByte(at, text[i]) >= 0:
			all, from = append(all, strings.TrimSpace(text[from:i])), i+1
		}
	}
	all = append(all, strings.TrimSpace(text[from:]))
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

var (
	has    = regexp.MustCompile(`:has\(([^()]*(?:\([^()]*\)[^()]*)*)\)`)
	not    = regexp.MustCompile(`:not\([^()]*(?:\([^()]*\)[^()]*)*\)`) // what an element isn't
	either = regexp.MustCompile(`^(\w*):(?:is|where)\(([^()]*)\)`)
	named  = regexp.MustCompile(`^(\w*)[^.#]*?([.#])([\w-]+)`)
	class  = regexp.MustCompile(`\.([\w-]+)`)
)

// firstNames are the names with which a selector begins: the first class in it, or several in :is(). An id is enough: no two elements have it. A
// selector that only matches around an element of one home, :has(.lesson-page), begins with the name of that.
func firstNames(selector string) []string {
	for _, compound := range apart(selector, " >+~") {
		compound = not.ReplaceAllString(compound, "")
		for _, inside := range has.FindAllStringSubmatch(compound, -1) {
			for _, c := range class.FindAllStringSubmatch(inside[1], -1) {
				if !slices.Contains(vocabulary, c[1]) {
					return []string{"." + c[1]}
				}
			}
		}
		compound = has.ReplaceAllString(compound, "")
		if group := either.FindStringSubmatch(compound); group != nil {
			var all []string
			for _, s := range apart(group[2], ",") {
				all = append(all, firstNames(group[1]+s)...)
			}
			return all
		}
		if found := named.FindStringSubmatch(compound); found != nil {
			if found[2] == "#" {
				return nil
			}
			return []string{found[1] + "." + found[3]}
		}
	}
	return nil
}

var (
	classText  = regexp.MustCompile(`<(\w+)[^<]*?\bclass="([^"]*)"`)
	classCode  = regexp.MustCompile(`<(\w+)[^<]*?\bclass=\{([^}]*)\}`)
	codeString = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)
)

// classHomes returns whose markup has which class, and on which element: "td components/grid". A home is a file of package components, or the folder of a page.
func classHomes(t *testing.T) map[string]map[string]bool {
	t.Helper()
	all := map[string]map[string]bool{}
	for _, file := range files(t, "components/*.templ", "web/*.templ", "components/*.go", "web/*.go") {
		if strings.HasSuffix(file, "_templ.go") || strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "components/specimen/") {
			continue
		}
		home := filepath.Dir(file)
		if home == "components" {
			home = strings.TrimSuffix(file, filepath.Ext(file))
		}
		for class, elements := range classesOf(t, file) {
			for element := range elements {
				note(all, class, element+" "+home)
			}
		}
	}
	return all
}

// classesOf are the classes that a file writes, and on which elements: in attributes, and in what functions named after classes return.
func classesOf(t *testing.T, file string) map[string]map[string]bool {
	t.Helper()
	all := map[string]map[string]bool{}
	if strings.HasSuffix(file, ".go") {
		classLiterals(t, file, all)
		return all
	}
	text := string(read(t, file))
	for _, m := range classText.FindAllStringSubmatch(text, -1) {
		for c := range strings.FieldsSeq(m[2]) {
			note(all, c, m[1])
		}
	}
	for _, m := range classCode.FindAllStringSubmatch(text, -1) {
		for _, s := range codeString.FindAllStringSubmatch(m[2], -1) {
			for c := range strings.FieldsSeq(s[1]) {
				note(all, c, m[1])
			}
		}
	}
	return all
}

func classLiterals(t *testing.T, file string, all map[string]map[string]bool) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, read(t, file), 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || !strings.HasSuffix(strings.ToLower(f.Name.Name), "class") {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil {
					for c := range strings.FieldsSeq(s) {
						note(all, c, "")
					}
				}
			}
			return true
		})
	}
}
