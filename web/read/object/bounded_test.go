package object

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/read/object/fields"
)

// many writes n things, parted by commas.
func many(n int, thing func(i int) string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = thing(i)
	}
	return strings.Join(all, ",")
}

const manyOf, manyKeys = 10_000, 30_000

// large are objects about as large as an API server takes, each so by something else.
var large = map[string]func() string{
	"keys of data": func() string {
		return largeObject("ConfigMap", `"managedFields":[`+entry("m", many(manyKeys, func(i int) string { return fmt.Sprintf(`"f:k%05d":{}`, i) }))+`]`,
			`"data":{`+many(manyKeys, func(i int) string { return fmt.Sprintf(`"k%05d":"v"`, i) })+`}`)
	},
	"keys of data by turns": func() string {
		half := func(odd int) string {
			return entry(fmt.Sprint("m", odd), many(manyOf/2, func(i int) string { return fmt.Sprintf(`"f:k%05d":{}`, 2*i+odd) }))
		}
		return largeObject("ConfigMap", `"managedFields":[`+half(0)+","+half(1)+`]`, `"data":{`+many(manyOf, func(i int) string { return fmt.Sprintf(`"k%05d":"v"`, i) })+`}`)
	},
	"labels": func() string {
		return largeObject("ConfigMap", `"labels":{`+many(manyOf, func(i int) string { return fmt.Sprintf(`"k%05d":"v"`, i) })+`}`, `"data":{}`)
	},
	"managers": func() string {
		return largeObject("ConfigMap", `"managedFields":[`+many(5_000, func(i int) string { return entry(fmt.Sprint("manager-", i), `"f:a":{}`) })+`]`, `"data":{"a":"b"}`)
	},
	"claims of nothing": func() string {
		return largeObject("ConfigMap", `"managedFields":[`+entry("m", many(manyOf, func(i int) string { return fmt.Sprintf(`"f:k%05d":{}`, i) }))+`]`, `"data":{}`)
	},
	"versions": func() string {
		return largeObject("ConfigMap", `"managedFields":[`+many(5_000, func(i int) string {
			return fmt.Sprintf(`{"manager":"m","operation":"Update","apiVersion":"v%d","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}}}`, i)
		})+`]`, `"data":{"a":"b"}`)
	},
	"fields at the top": func() string {
		return largeObject("Odd", `"managedFields":[`+many(10, func(m int) string {
			return fmt.Sprintf(`{"manager":"m%d","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{%s}}`, m, many(manyOf/10, func(i int) string { return fmt.Sprintf(`"f:k%05d":{}`, i) }))
		})+`]`, many(manyOf, func(i int) string { return fmt.Sprintf(`"k%05d":"v"`, i) }))
	},
	"values of a Secret": func() string {
		return largeObject("Secret", `"uid":"u"`, `"data":{`+many(manyOf, func(i int) string { return fmt.Sprintf(`"k%05d":"dg=="`, i) })+`}`)
	},
	"finalizers": func() string {
		return largeObject("ConfigMap", `"deletionTimestamp":"2026-11-21T11:00:00Z","finalizers":[`+many(manyOf, func(i int) string { return fmt.Sprintf(`"example.com/f%d"`, i) })+`]`, `"data":{}`)
	},
	"conditions": func() string {
		return largeObject("Odd", `"uid":"u"`, `"status":{"conditions":[`+many(3_000, func(i int) string { return fmt.Sprintf(`{"type":"C%d","status":"True","reason":"R","message":"m"}`, i) })+`]}`)
	},
	"lines of one text": func() string {
		return largeObject("ConfigMap", `"uid":"u"`, `"data":{"text":"`+strings.Repeat(`a\n`, 100_000)+`"}`)
	},
	"list items": func() string {
		return largeObject("Odd", `"uid":"u"`, `"spec":{"items":[`+many(manyOf, func(i int) string { return fmt.Sprintf(`{"n":"%d"}`, i) })+`]}`)
	},
}

func entry(manager, fields string) string {
	return fmt.Sprintf(`{"manager":%q,"operation":"Update","apiVersion":"v1","time":"2026-11-21T11:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{%s}}}`, manager, fields)
}

func largeObject(kind, metadata, rest string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":%q,"metadata":{"name":"large","namespace":"shop","resourceVersion":"42",%s},%s}`, kind, metadata, rest)
}

// TestPagesOfLargeObjectsAreBounded: besides the object itself, which is embedded, no page of it is large, and each says what it leaves
// out.
func TestPagesOfLargeObjectsAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("the work is the same on each platform")
	}
	const most = 2 << 20
	for name, write := range large {
		t.Run(name, func(t *testing.T) { isBounded(t, write(), most) })
	}
}

func isBounded(t *testing.T, text string, most int) {
	t.Helper()
	m := pageOf(t, "/api/v1/namespaces/shop/configmaps/large", text)
	raw, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if m.Object = raw.Masked(); raw.IsSecret() {
		m.Secrets.Values = raw.SecretValues()
	}
	for _, tab := range []Tab{Fields, YAML, JSON, Timeline} {
		m.Tab, m.Managed = tab, tab == JSON
		var b bytes.Buffer
		if err := page.Main(m).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %.1f MB of %.1f MB", tab, float64(b.Len())/1e6, float64(len(text))/1e6)
		if b.Len() > most {
			t.Errorf("%s: %.1f MB", tab, float64(b.Len())/1e6)
		}
		if !strings.Contains(b.String(), `class="rest"`) && tab == Fields {
			t.Errorf("%s: what is left out is not said", tab)
		}
	}
}

// TestTheLineInFocusIsLaidOut however far down it is.
func TestTheLineInFocusIsLaidOut(t *testing.T) {
	if testing.Short() {
		t.Skip("the work is the same on each platform")
	}
	m := pageOf(t, "/api/v1/namespaces/shop/configmaps/large", large["keys of data"]())
	m.Tab = Fields
	for _, c := range []struct{ field, above, below string }{
		{"", "", "more lines below"},
		{".data.k00003", "", "more lines below"},
		{".data.k15000", "more lines above", "more lines below"},
		{".data.k29999", "more lines above", ""},
	} {
		m.Fields.Reading = fields.Reading{Field: c.field}
		var b bytes.Buffer
		if err := page.Main(m).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		for _, where := range []string{"above", "below"} {
			words := "more lines " + where
			if got := strings.Contains(b.String(), words); got != (c.above == words || c.below == words) {
				t.Errorf("%q: %q is said: %v", c.field, words, got)
			}
		}
		if c.field != "" && !strings.Contains(b.String(), `data-path="`+c.field+`"`) {
			t.Errorf("%q is not laid out", c.field)
		}
	}
	m.Fields.Reading = fields.Reading{Filter: "k29998"}
	if shown := markup(t, page.Main(m)); strings.Contains(shown, "more lines") || strings.Count(shown, "<li id=") != 2 {
		t.Errorf("a filter leaves %d lines", strings.Count(shown, "<li id="))
	}
}
