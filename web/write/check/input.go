package check

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Limits of the input. A single document has its own limit, source.MaxText.
const (
	MostFiles     = 5000
	MostBytes     = 30_000_000 // of all files
	MostDocuments = 2000
)

// How many files and places that were not read are named. The others are counted.
const (
	mostNamed = 10
	mostWrong = 100
)

// mostRead is the length in bytes of the documents whose values are kept. They need many times the memory of their text, so later documents are read
// again when they are needed.
const mostRead = 1 << 20

// Endings are the endings of files that are read, the same as with kubectl.
const Endings = ".yaml .yml .json"

// Pasted is the file name of a pasted text. Tools use this name for their standard input.
const Pasted = "-"

// input is the files or the text to check, and what has been read of them.
type input struct {
	coming int     // files that have not arrived yet
	passed int     // files that were skipped because of their names
	given  []given // files that have arrived, in their order
	unread []wrong // files that could not be read
	wrong  []wrong // errors in the files that were read
	root   string  // the folder that has all files
	pieces []piece // to be read
	docs   []*doc
	kept   int // length of the documents that were read
	rules  []check.Rule
	ruled  int // number of rules from the input
}

// given is a file, or the pasted text.
type given struct{ name, text string }

// wrong is a place that could not be read, and why.
type wrong struct{ where, words string }

// piece is a part of a file that is to be read.
type piece struct {
	file string
	source.Piece
}

// expect starts over with files that the reader chose. Their contents arrive later; see load.
func (m Model) expect(c page.Choosing) (page.Page, []page.Cmd) {
	m.clear()
	in := &m.live.input
	in.coming, in.passed = c.Files, c.Passed
	if c.Why != "" {
		in.unread = append(in.unread, wrong{words: c.Why})
	}
	if c.Files > 0 {
		return m, nil
	}
	in.unread = append(in.unread, wrong{words: "No file name ends with .yaml, .yml or .json."})
	return m, []page.Cmd{page.Announce{Words: "No file to check"}}
}

// load takes in a file that has arrived.
func (m Model) load(f page.Loaded) (page.Page, []page.Cmd) {
	in := &m.live.input
	if in.coming == 0 {
		return m, nil // of an earlier choice
	}
	in.coming--
	switch {
	case f.Body == nil && f.Size > source.MaxText:
		in.unread = append(in.unread, wrong{f.Name, "The file has " + components.Bytes(f.Size) + ", more than 3 MB."})
	case f.Body == nil:
		in.unread = append(in.unread, wrong{f.Name, "The browser couldn’t read the file, or all files together have more than " + components.Bytes(MostBytes) + "."})
	default:
		in.addText(f.Name, string(f.Body))
	}
	return m.worked()
}

// paste starts over with a pasted text.
func (m Model) paste(text string) {
	m.clear()
	if strings.TrimSpace(text) != "" {
		m.live.input.addText(Pasted, text)
	}
}

// clear removes the former input and its findings.
func (m Model) clear() {
	l := m.live
	*l = live{awake: l.awake, now: l.now, pasted: l.pasted, seq: l.seq, schemas: l.schemas, view: page.Scrolled{Height: l.view.Height}, over: l.over, of: m.Options, plan: planOf(m.Options)}
	l.input.rules, _ = check.BuiltIn()
}

// addText takes in a text. Rules are read at once, manifests piece by piece (read).
func (in *input) addText(file, text string) {
	text = source.Decoded(text)
	in.given = append(in.given, given{file, text})
	if len(in.given) == 1 {
		in.root = path.Dir(file)
	}
	if file != Pasted {
		in.root = shared(in.root, file)
	}
	if path.Base(file) == check.RulesFile {
		in.rule(file, text)
		return
	}
	if !utf8.ValidString(text) {
		in.wrong = append(in.wrong, wrong{file, "The file isn’t UTF-8 text. UTF-16 needs a byte order mark."})
		return
	}
	for _, p := range source.Pieces(0, text) {
		if !p.Blank() {
			in.pieces = append(in.pieces, piece{file, p})
		}
	}
}

// shared is the innermost folder around a folder that also has a file; "." if there is none. Names can be long, so each is read once.
func shared(folder, file string) string {
	same := 0
	for same < len(folder) && same < len(file) && folder[same] == file[same] {
		same++
	}
	if same == len(folder) && strings.HasPrefix(file[same:], "/") {
		return folder
	}
	return cmp.Or(folder[:max(strings.LastIndexByte(folder[:same], '/'), 0)], ".")
}

// rule reads rules for expected findings.
func (in *input) rule(file, text string) {
	rules, err := check.ParseRules(file, text)
	in.rules, in.ruled = append(in.rules, rules...), in.ruled+len(rules)
	if err == nil {
		return
	}
	all := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		all = joined.Unwrap()
	}
	for _, err := range all {
		if one, ok := errors.AsType[*check.RuleError](err); ok {
			in.wrong = append(in.wrong, wrong{fmt.Sprintf("%s:%d", one.File, one.Line), one.Words})
		}
	}
}

// readNextPiece reads the next piece.
func (m Model) readNextPiece() {
	in := &m.live.input
	p := in.pieces[0]
	in.pieces = in.pieces[1:]
	text := p.Parse()
	for _, problem := range text.Problems {
		if problem.Document < 0 && problem.Severity == source.Error {
			in.wrong = append(in.wrong, wrong{fmt.Sprintf("%s:%d", p.file, problem.Start.Line), problem.Message})
		}
	}
	for i, d := range text.Documents {
		switch {
		case d.APIVersion == check.APIVersion:
			in.rule(p.file, strings.Repeat("\n", d.Start.Line-1)+strings.TrimLeft(d.Text, "\r\n"))
		case len(in.docs) == MostDocuments:
			in.pieces = nil
			in.wrong = append(in.wrong, wrong{fmt.Sprintf("%s:%d", p.file, d.Start.Line), fmt.Sprintf("Fieldmark checks only the first %d documents.", MostDocuments)})
			return
		default:
			one := check.Document{File: p.file, Source: d}
			for _, p := range text.Problems {
				if p.Document == i {
					one.Problems = append(one.Problems, p)
				}
			}
			inquiry := m.inquire(one)
			if in.kept += len(d.Text); in.kept > mostRead {
				inquiry.Document.Source = d.Unread()
			}
			in.docs = append(in.docs, &doc{place: len(in.docs), Inquiry: inquiry})
		}
	}
}

// alone is a document's text as the body of a request. The text of a list item is indented and may have no type, so it is written again.
func alone(d source.Document) string {
	if !d.Listed() {
		return d.Text
	}
	if d = d.Read(); d.Root == nil {
		return d.Text
	}
	text, err := manifest.YAML(d.Fields())
	if err != nil {
		return d.Text // doesn't happen: a parsed document can be written
	}
	return string(text)
}

// isRead tells whether the whole input has been read.
func (in *input) isRead() bool { return in.coming == 0 && len(in.pieces) == 0 }

// from is the input as arguments of the command line.
func (in *input) from() string {
	switch {
	case len(in.given) == 0 || in.given[0].name == Pasted:
		return "-f -"
	case len(in.given) == 1:
		return "-f " + quoted(unzipped(in.given[0].name))
	}
	return "-R -f " + quoted(cmp.Or(unzipped(in.root), "."))
}

// unzipped is a file's name after its archive is unpacked into a folder of the same name.
func unzipped(name string) string {
	before, after, _ := strings.Cut(name+"/", ".zip/")
	return strings.TrimSuffix(path.Join(before, after), "/")
}

// quoted is a word, quoted for a shell if needed.
func quoted(word string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_./:@%+,", r)
	}
	if strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
