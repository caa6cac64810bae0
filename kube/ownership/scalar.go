package ownership

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v4/value"
)

// scalarOf converts a decoded value to a type of structured-merge-diff: string, bool, int64, float64 or nil. Whole numbers stay exact if a
// server can store them exactly. For maps and lists, it returns false.
func scalarOf(v any) (any, bool) {
	switch v := v.(type) {
	case nil, string, bool:
		return v, true
	case json.Number:
		return numberOf(v.String())
	default:
		return nil, false
	}
}

func numberOf(text string) (any, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, false
	}
	if f == math.Trunc(f) && math.Abs(f) < exact {
		return int64(f), true
	}
	return f, true
}

// exact is the limit up to which floating point represents whole numbers exactly.
const exact = 1 << 53

// mayBeRounded tells whether a server that reads the number as floating point may round it.
func mayBeRounded(scalar any) bool {
	switch n := scalar.(type) {
	case int64:
		return n >= exact || n <= -exact
	case float64:
		return math.Abs(n) >= exact
	default:
		return false
	}
}

// token writes a scalar as text. Two scalars have the same token if they are equal.
func token(scalar any) string {
	switch v := scalar.(type) {
	case string:
		return "s" + v
	case bool:
		return "b" + strconv.FormatBool(v)
	case int64:
		return "n" + strconv.FormatInt(v, 10)
	case float64:
		return "n" + strconv.FormatFloat(v, 'g', -1, 64)
	default:
		return "0"
	}
}

// roughToken is token with numbers rounded to floating point.
func roughToken(scalar any) string {
	if n, ok := scalar.(int64); ok {
		return token(float64(n))
	}
	return token(scalar)
}

// tokens writes the fields of an item's key as text.
func tokens(fields value.FieldList, spell func(any) string) string {
	var b strings.Builder
	for _, f := range fields {
		for _, part := range []string{f.Name, spell(f.Value.Unstructured())} {
			b.WriteString(strconv.Itoa(len(part)))
			b.WriteByte(':')
			b.WriteString(part)
		}
	}
	return b.String()
}

// maxPath is the longest path that is written, in bytes. Real paths have a few hundred bytes at most.
const maxPath = 2048

// cutText cuts a text after maxPath bytes.
func cutText(text string) string {
	if len(text) <= maxPath {
		return text
	}
	return strings.ToValidUTF8(text[:maxPath], "") + "…"
}

// spell writes a path. The steps are in reverse order.
func spell(reversed []string) string {
	var b strings.Builder
	for i := len(reversed) - 1; i >= 0 && b.Len() <= maxPath; i-- {
		b.WriteString(reversed[i])
	}
	return cutText(b.String())
}
