package source

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// kind is the type of a scalar.
type kind int

const (
	isString kind = iota
	isNull
	isBool
	isNumber
	isNone // a number that JSON can't represent
)

var (
	decimal = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
	date    = regexp.MustCompile(`^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ]|$)`)
	base64s = strings.NewReplacer("\n", "", "\r", "", " ", "")
)

// scalar reads a scalar by the rules of YAML 1.1, like API servers, and warns if the result may be unexpected.
func (r *reader) scalar(n *yaml.Node) any {
	value, kind := r.resolve(n)
	plain := n.Style&^yaml.TaggedStyle == 0
	switch {
	case kind == isNone:
		r.at(Error, n, n.Value+" is a number that JSON, and so the Kubernetes API, can't represent.")
		return nil
	case kind == isBool && plain && !strings.EqualFold(n.Value, strconv.FormatBool(value == true)):
		r.at(Warning, n, n.Value+" is read as "+strconv.FormatBool(value == true)+", not as text. For text, put it in quotes.")
	case kind == isNumber && plain && octal.MatchString(n.Value):
		r.at(Warning, n, fmt.Sprintf("%s is read as an octal number, %v.", n.Value, value))
	}
	return value
}

var octal = regexp.MustCompile(`^[-+]?0[0-7]+$`)

// resolve returns the value and the type of a scalar.
func (r *reader) resolve(n *yaml.Node) (any, kind) {
	if r.isText(n) {
		return n.Value, isString
	}
	return resolve(n)
}

// isText tells whether a scalar has only the tag !, which makes it text. The YAML parser doesn't report this tag.
func (r *reader) isText(n *yaml.Node) bool {
	if n.Style != 0 {
		return false
	}
	at := r.offset(n)
	if n.Anchor == "" || !strings.HasPrefix(r.text.text[at:], "&") {
		return strings.HasPrefix(r.text.text[at:], "!")
	}
	is, known := r.tagged[n] // many aliases may ask
	if !known {
		at = r.text.skip(at + tokenLength(r.text.text[at:]))
		is = strings.HasPrefix(r.text.text[at:], "!")
		r.tagged[n] = is
	}
	return is
}

// resolve returns the value of a scalar, by its tag and text: nil, a bool, a json.Number or a string.
func resolve(n *yaml.Node) (any, kind) {
	tag := ""
	switch {
	case n.Style&yaml.TaggedStyle != 0:
		tag = n.ShortTag()
	case n.Style != 0:
		return n.Value, isString
	}
	switch tag {
	case "", "!!bool", "!!int", "!!float", "!!null", "!!timestamp":
	case "!!binary":
		if data, err := base64.StdEncoding.DecodeString(base64s.Replace(n.Value)); err == nil {
			return strings.ToValidUTF8(string(data), "\ufffd"), isString
		}
		return n.Value, isString
	default:
		return n.Value, isString
	}
	value, kind := plainValue(n.Value)
	if i, whole := value.(json.Number); tag == "!!float" && whole {
		if f, err := i.Float64(); err == nil {
			return floatNumber(f)
		}
	}
	return value, kind
}

// plainValue returns the value of a text without quotes.
func plainValue(text string) (any, kind) {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return nil, isNull
	case "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return true, isBool
	case "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return false, isBool
	case ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF":
		return nil, isNone
	}
	if text[0] == '.' {
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return floatNumber(f)
		}
		return text, isString
	}
	if !strings.ContainsRune("+-0123456789", rune(text[0])) || date.MatchString(text) {
		return text, isString
	}
	return number(text)
}

func number(text string) (any, kind) {
	digits := strings.ReplaceAll(text, "_", "")
	if i, err := strconv.ParseInt(digits, 0, 64); err == nil {
		return json.Number(strconv.FormatInt(i, 10)), isNumber
	}
	if u, err := strconv.ParseUint(digits, 0, 64); err == nil {
		return json.Number(strconv.FormatUint(u, 10)), isNumber
	}
	if decimal.MatchString(digits) {
		if f, err := strconv.ParseFloat(digits, 64); err == nil {
			return floatNumber(f)
		}
	}
	return text, isString
}

// floatNumber writes a number as JSON does.
func floatNumber(f float64) (any, kind) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return nil, isNone
	}
	text, err := json.Marshal(f)
	if err != nil {
		return nil, isNone
	}
	return json.Number(text), isNumber
}
