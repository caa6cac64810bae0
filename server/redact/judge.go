package redact

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/object"
)

// judge decides which values of trees are credentials. It goes through each tree once, and below is what the nodes around a node say:
//
//	value ──▶ name       the field's name: in managedFields, a name can contain a value
//	      ──▶ mapping    the kind of the object, and the name of each field
//	      ──▶ list       flags and the items after them, in commands
//	      ──▶ a scalar   hidden as a whole (hide); otherwise, a string is read as a text of its own (scrub)
//
// It only marks nodes (changed, clean). The writers of JSON and YAML put the clean texts in place.
type judge struct {
	depth   int      // texts within texts
	nested  bool     // it judges a text within an object, not what a request is about
	columns []string // of a Table: a watch tells them once
}

// below is what a value is in.
type below struct {
	secret  bool         // something named like a credential
	place   object.Place // of a Secret, in which other rules hold
	command string       // the words of a container's command, for a list of them
	root    bool
}

const (
	maxTexts  = 4   // texts within texts
	mostCells = 512 // columns of a Table
)

func (j *judge) all(trees []*node) {
	for _, n := range trees {
		j.value(n, below{root: !j.nested})
	}
}

func (j *judge) value(n *node, in below) {
	if n.key != nil {
		j.name(n.key, in)
	}
	switch n.kind {
	case mapping:
		j.mapping(n, in)
	case list:
		j.judgeItems(n, in)
	case str, other:
		if in.secret || in.place.Whole() || n.kind == str && in.place.Hides(n.text, n.cut) {
			n.hide()
		} else if n.kind == str {
			j.scrub(n)
		}
	}
}

// scrub takes credentials out of a text that isn't one as a whole.
func (j *judge) scrub(n *node) {
	if clean := scrub(n.text, n.cut, j.depth+1); clean != n.text {
		n.changed, n.clean = true, clean
	}
}

// name judges the name of a field: in managedFields values are names, v:"…".
func (j *judge) name(key *node, in below) {
	if mark := strings.IndexByte(key.text, ':'); mark == 1 && (key.text[0] == 'v' || key.text[0] == 'k') {
		if in.secret && key.text[0] == 'v' {
			key.changed, key.clean = true, "v:"+Mark
			return
		}
		if clean := scrub(key.text[2:], key.cut, j.depth+1); clean != key.text[2:] {
			key.changed, key.clean = true, key.text[:2]+clean
		}
		return
	}
	if clean := shapes(key.text, key.cut); clean != key.text {
		key.changed, key.clean = true, clean
	}
}

// mapping judges the fields of an object. The first case that fits decides. The name of a credential (is) hides a scalar or a list.
// It hides a mapping only if it also ends like one (ends). For example, in auth: {…}, each field is judged by its own name.
func (j *judge) mapping(n *node, in below) {
	hidden := hidesValues(n)
	if in.place == object.Open && j.isSecret(n, in) {
		in.place = object.Doubt
	}
	command := commandOf(n)
	if j.columnsOf(n); len(j.columns) > 0 {
		j.cells(n)
	}
	for _, kid := range n.kids {
		name := kid.name()
		next := below{command: command, place: in.place.Below(name)}
		is, ends := judgeName(strings.TrimPrefix(name, "f:"))
		switch {
		case in.place == object.Open && name == "stringData":
			next.place = object.Doubt.Below(name) // only Secrets have it
		case next.place.Whole():
		case hidden && slices.Contains(pairValues, name):
			next.secret = true
		case kid.kind == other && plural(name) && !in.secret: // a count
		case kid.kind == str && strings.EqualFold(name, "auth"), kid.kind == str && name == "_auth":
			next.secret = !slices.Contains(authModes, strings.ToLower(kid.text))
		case kid.kind == str || kid.kind == other:
			next.secret = is || in.secret && !staysBelow(name)
		default:
			next.secret = ends || is && kid.kind == list || in.secret && !about(name)
		}
		if name == "binaryData" {
			j.binary(kid)
		}
		j.value(kid, next)
	}
}

// authModes are values of a field "auth" that say how, not with what.
var authModes = []string{
	"basic", "bearer", "oidc", "oauth", "oauth2", "ldap", "saml", "enabled", "disabled", "required", "optional", "anonymous", "mtls", "tls", "jwt", "token", "kerberos", "password", "native", "external",
}

func about(name string) bool {
	words := wordsOf(name)
	return len(words) > 0 && slices.Contains(aboutWords, words[len(words)-1])
}

// staysBelow tells whether a field may be read in an object named like a credential.
func staysBelow(name string) bool {
	small := strings.ToLower(name)
	return (about(name) || slices.Contains(plainBelow, small) || strings.HasPrefix(name, "$")) && !Names(name)
}

// Fields of an object that is a name and its value: a variable, a header, a setting, a change in a JSON Patch.
var (
	pairNames  = []string{"name", "Name", "key", "Key", "header", "variable", "property", "field", "path", "from"}
	pairValues = []string{"value", "Value", "val", "values", "content", "default", "defaultValue", "text", "string", "stringValue"}
)

// hidesValues tells whether an object names its value as a credential, or may do so in a part that is missing.
func hidesValues(n *node) bool {
	named, patch := false, n.field("op") != nil && n.field("path") != nil
	for _, kid := range n.kids {
		if !slices.Contains(pairNames, kid.name()) {
			continue
		}
		named = true
		switch {
		case kid.cut:
			return true
		case kid.kind != str:
		case patch && kid.name() == "path" && patches(kid.text), !patch && (Names(kid.text) || strings.EqualFold(kid.text, "auth")):
			return true
		}
	}
	return !named && n.cut
}

// patches tells whether a JSON Patch may set a credential: at a path named so, or to something whose name isn't in the path.
func patches(path string) bool {
	words := strings.Split(path, "/")
	for i, word := range words {
		words[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(word)
	}
	last := len(words) - 1
	for last > 0 && (words[last] == "-" || strings.Trim(words[last], "0123456789") == "") {
		last--
	}
	if last < len(words)-1 && slices.Contains([]string{"args", "command"}, words[last]) {
		return true
	}
	return words[last] == "value" || Names(words[last]) || strings.Contains(path, "/stringData")
}

const secretKind = "Secret"

// isSecret tells whether an object is a Secret within another, or may be. If a cut removed the kind, an object may be one. The root of a body is an
// exception, because package wiretap withholds the bodies of requests about Secrets.
func (j *judge) isSecret(n *node, in below) bool {
	kind := n.field("kind")
	if kind == nil || kind.cut {
		return kind != nil && strings.HasPrefix(secretKind, kind.text) || n.cut && !in.root && (j.nested || n.field("apiVersion") != nil)
	}
	return object.Holds("", kind.text)
}

// commandOf are the words of a container's command, which say what its flags mean.
func commandOf(n *node) string {
	var words []string
	for _, name := range []string{"command", "args"} {
		if f := n.field(name); f != nil {
			for _, kid := range f.kids {
				words = append(words, kid.text)
			}
		}
	}
	return strings.Join(words, " ")
}

// judgeItems judges items, among them those that a flag before them names.
func (j *judge) judgeItems(n *node, in below) {
	name := n.name()
	command := name == "command" || name == "args"
	for i, kid := range n.kids {
		next := below{secret: in.secret, place: in.place.Below(strconv.Itoa(i))}
		if i > 0 && kid.kind == str && namesNext(n.kids[i-1], kid, command) {
			next.secret = true
		}
		j.value(kid, next)
	}
	if command && in.command != "" {
		j.letters(n, in.command)
	}
}

func namesNext(before, next *node, command bool) bool {
	if before.kind != str || nextFlag.MatchString(next.text) {
		return false
	}
	flag := strings.TrimLeft(before.text, "-")
	if strings.ContainsAny(flag, "= \t\n") || flag == before.text && !command {
		return false
	}
	return Names(flag)
}

// letters judges the flags of a letter of programs that take a password so: mysql -p…
func (j *judge) letters(n *node, command string) {
	which := lettersOf(command)
	for i, kid := range n.kids {
		flag := kid.text
		switch {
		case kid.kind != str || kid.changed || len(flag) < 2 || flag[0] != '-' || strings.IndexByte(which, flag[1]) < 0:
		case len(flag) > 2:
			kid.changed, kid.clean = true, flag[:2]+Mark
		case i+1 < len(n.kids):
			n.kids[i+1].hide()
		}
	}
}

// columnsOf notes the columns of a Table.
func (j *judge) columnsOf(n *node) {
	defined := n.field("columnDefinitions")
	if defined == nil || len(defined.kids) == 0 {
		return
	}
	j.columns = nil
	for _, column := range defined.kids[:min(len(defined.kids), mostCells)] {
		name := ""
		if f := column.field("name"); f != nil {
			name = f.text
		}
		j.columns = append(j.columns, name)
	}
}

// cells hides those of a Table's row whose column is named like a credential.
func (j *judge) cells(n *node) {
	cells := n.field("cells")
	if cells == nil {
		return
	}
	for i, cell := range cells.kids {
		if i < len(j.columns) && Names(j.columns[i]) && (cell.kind != other || !plural(j.columns[i])) {
			cell.hide()
		}
	}
}

// binary hides values that are no text when decoded: a keystore can't be told from a picture.
func (j *judge) binary(n *node) {
	for _, kid := range n.kids {
		if _, readable := fromBase64(kid.text, kid.cut); kid.kind == str && !readable {
			kid.hide()
		}
	}
}

// scrub takes credentials out of a text, and out of what is written in it: JSON, YAML, base64 of them. A text that is JSON as a whole
// is only read as JSON. Base64 of a text with credentials is hidden as a whole. All other texts are also read as plain text, YAML too.
func scrub(s string, cut bool, depth int) string {
	if len(s) < 4 {
		return s
	}
	if depth > maxTexts {
		return Mark // nobody writes that but to hide something
	}
	if looksLikeJSON(s) {
		if clean, err := scrubJSON(s, cut, &judge{depth: depth, nested: true}); err == nil {
			return clean
		}
	}
	if decoded, is := fromBase64(s, cut); is && len(s) >= 16 && scrub(decoded, cut, depth+1) != decoded {
		return Mark
	}
	if strings.Contains(s, "\n") && strings.Contains(s, ":") {
		if clean, err := scrubYAML(s, cut, &judge{depth: depth, nested: true}); err == nil {
			s = clean
		}
	}
	return redactText(unfolded(userInfo(embedded(s, cut, depth), cut), depth), cut)
}

// Pieces of a text that are written in another way: as in a URL, and in quotes with backslashes.
var (
	percented = regexp.MustCompile(`[\w.~+!*()/:@$=;-]*(?:%[0-9A-Fa-f]{2}|=[\w.~!*()/:@$;-]*\+)[\w.~%+!*()/:@$=;-]*`)
	literal   = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"`)
)

// unfolded takes credentials out of these pieces: the address of a request, the values of a structured log.
func unfolded(s string, depth int) string {
	if strings.Contains(s, `\`) {
		s = literal.ReplaceAllStringFunc(s, func(piece string) string {
			text, err := strconv.Unquote(piece)
			if err != nil && json.Unmarshal([]byte(piece), &text) != nil {
				return piece
			}
			return scrubbed(piece, text, depth, quote)
		})
	}
	if !strings.ContainsAny(s, "%+") {
		return s
	}
	return percented.ReplaceAllStringFunc(s, func(piece string) string {
		text, err := url.QueryUnescape(piece)
		if err != nil {
			return piece
		}
		return scrubbed(piece, text, depth, url.QueryEscape)
	})
}

// scrubbed is a piece of a text without credentials. write writes again what the piece says.
func scrubbed(piece, says string, depth int, write func(string) string) string {
	if clean := scrub(says, false, depth+1); clean != says {
		return write(clean)
	}
	return piece
}

// mostEmbedded is how many times JSON is looked for in a text.
const mostEmbedded = 64

// embedded takes credentials out of objects of JSON that stand within a text, as they do in logs.
func embedded(s string, cut bool, depth int) string {
	var out strings.Builder
	done, at := 0, 0
	for range mostEmbedded {
		found := strings.Index(s[at:], `{"`)
		if found < 0 {
			break
		}
		at += found
		r := reader{text: s[at:], cut: cut}
		n, err := r.value(0)
		if err != nil {
			at++
			continue
		}
		(&judge{depth: depth, nested: true}).all([]*node{n})
		out.WriteString(s[done:at] + writeJSON(s[at:at+n.to], []*node{n}))
		at += n.to
		done = at
	}
	return out.String() + s[done:]
}

func looksLikeJSON(s string) bool {
	s = strings.TrimLeft(s, " \t\r\n")
	return s != "" && (s[0] == '{' || s[0] == '[' || s[0] == '"')
}

func scrubJSON(s string, cut bool, j *judge) (string, error) {
	trees, err := readJSON(s, cut)
	if err != nil {
		return "", err
	}
	j.all(trees)
	return writeJSON(s, trees), nil
}
