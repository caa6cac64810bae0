// Package canary has documents with a secret in every place that can have one. Packages that show, keep or record objects use these
// documents in tests, and search their output for the secrets. Only tests import it.
package canary

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strings"
)

// Song is part of every secret; found anywhere, it has escaped.
const Song = "c4n4ryTweets"

// Plain is part of what stands beside the secrets and isn't one.
const Plain = "not-secret"

// Coded is a secret as Secrets have it.
var Coded = base64.StdEncoding.EncodeToString([]byte(Song))

// Document is a response of an API server with secrets in it.
type Document struct {
	Name string
	Path string // where it comes from
	JSON string
	// Vague says that the document alone doesn't tell that there are secrets in it: only its path does.
	Vague bool
}

// Escapes tells whether the song is in a text: as it is, in base64 wherever it stands in a group of three bytes, in hexadecimal.
func Escapes(text string) bool {
	if strings.Contains(text, Song) || strings.Contains(text, hex.EncodeToString([]byte(Song))) {
		return true
	}
	for shift := range 3 {
		coded := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + Song + "xyz"))
		if strings.Contains(text, coded[4:len(coded)-8]) {
			return true
		}
	}
	return strings.Contains(strings.ReplaceAll(text, " ", ""), hex.EncodeToString([]byte(Song[:5])))
}

const (
	secrets = "/api/v1/namespaces/shop/secrets"
	bundles = "/apis/example.org/v1/bundles" // a type that hands out other objects
)

// Documents are all of them.
func Documents() []Document {
	all := single()
	all = append(all, annotated()...)
	all = append(all, inside()...)
	all = append(all, lists()...)
	all = append(all, tables()...)
	all = append(all, events()...)
	return append(all, tokens()...)
}

const (
	named  = `"metadata":{"name":"` + Plain + `","namespace":"shop","uid":"u","resourceVersion":"7"}`
	secret = `"apiVersion":"v1","kind":"Secret"`
)

// data are the values of a Secret.
func data() string { return `"data":{"password":"` + Coded + `","odd":"` + Song + `"}` }

func single() []Document {
	object := func(rest string) string { return `{` + secret + `,` + named + `,` + rest + `}` }
	return []Document{
		{Name: "data", Path: secrets + "/s", JSON: object(data())},
		{Name: "stringData", Path: secrets + "/s", JSON: object(`"stringData":{"password":"` + Song + `"}`)},
		{Name: "data before the kind", Path: secrets + "/s", JSON: `{"apiVersion":"v1",` + data() + `,"kind":"Secret",` + named + `}`},
		{Name: "data without a kind", Path: secrets + "/s", Vague: true, JSON: `{` + named + `,` + data() + `}`},
		{Name: "data of another name for the kind", Path: secrets + "/s", Vague: true, JSON: `{"apiVersion":"v1","kind":"Odd",` + named + `,` + data() + `}`},
		{Name: "data is one text", Path: secrets + "/s", JSON: object(`"data":"` + Song + `"`)},
		{Name: "data is a list", Path: secrets + "/s", JSON: object(`"data":["` + Song + `"]`)},
		{Name: "data within data", Path: secrets + "/s", JSON: object(`"data":{"a":{"b":["` + Song + `",{"c":"` + Coded + `"}]}}`)},
		{Name: "a name with escapes", Path: secrets + "/s", JSON: object(`"d\u0061ta":{"p\"w":"` + Song + `"}`)},
		{Name: "a Secret at another path", Path: bundles + "/b", JSON: object(data())},
		{Name: "a Secret of no version", Path: bundles + "/b", JSON: `{"kind":"Secret",` + named + `,` + data() + `}`},
	}
}

// annotations are copies of values in annotations.
func annotations() map[string]string {
	manifest := `{` + secret + `,` + data() + `}`
	return map[string]string{
		"kubectl.kubernetes.io/last-applied-configuration": manifest,
		"example.org/last-applied-configuration":           Song,
		"example.org/copy":                                 `{"stringData":{"password":"` + Song + `"}}`,
		"example.org/copy-of-copy":                         quoted(map[string]any{"copy": manifest}),
		"example.org/yaml":                                 "stringData:\n  password: " + Song + "\n",
		"example.org/value":                                Coded,
		"example.org/packed":                               base64.StdEncoding.EncodeToString([]byte(manifest)),
		"note":                                             Plain,
	}
}

// annotatedMeta is the metadata of an object with such annotations.
func annotatedMeta() string {
	return `"metadata":{"name":"` + Plain + `","namespace":"shop","uid":"u","resourceVersion":"7","annotations":` + quoted(annotations()) + `}`
}

func annotated() []Document {
	odd := `{` + secret + `,"metadata":{"name":"` + Plain + `","annotations":%},"data":{}}`
	return []Document{
		{Name: "annotations", Path: secrets + "/s", JSON: `{` + secret + `,` + annotatedMeta() + `}`},
		{Name: "annotations are one text", Path: secrets + "/s", JSON: strings.Replace(odd, "%", quoted(annotations()["example.org/copy"]), 1)},
		{Name: "metadata alone", Path: secrets + "/s", JSON: `{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadata",` + annotatedMeta() + `}`},
	}
}

// inside are other objects with a Secret in a field, or in a text.
func inside() []Document {
	whole := `{` + secret + `,` + named + `,` + data() + `}`
	yaml := "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\nstringData:\n  password: " + Song + "\n"
	other := func(kind, rest string) string {
		return `{"apiVersion":"example.org/v1","kind":"` + kind + `",` + named + `,` + rest + `}`
	}
	configMap := func(text string) string {
		return `{"apiVersion":"v1","kind":"ConfigMap",` + named + `,"data":{"note":"` + Plain + `","manifest":` + quoted(text) + `}}`
	}
	return []Document{
		{Name: "a Secret in a field", Path: bundles + "/b", JSON: other("Bundle", `"spec":{"manifest":`+whole+`,"note":"`+Plain+`"}`)},
		{Name: "a Secret in a list of a field", Path: bundles + "/b", JSON: other("Bundle", `"spec":{"manifests":[{"kind":"ConfigMap","data":{"a":"b"}},`+whole+`]}`)},
		{Name: "a text with a Secret as YAML", Path: bundles + "/b", JSON: configMap(yaml)},
		{Name: "a text with a Secret as JSON", Path: bundles + "/b", JSON: configMap(whole)},
		{Name: "a text with several manifests", Path: bundles + "/b", JSON: configMap("kind: ConfigMap\n---\n" + yaml)},
		{Name: "applied last, with a Secret", Path: bundles + "/b", JSON: `{"apiVersion":"example.org/v1","kind":"Bundle","metadata":{"name":"` + Plain + `","annotations":{"kubectl.kubernetes.io/last-applied-configuration":` + quoted(other("Bundle", `"spec":`+whole)) + `}}}`},
	}
}

func lists() []Document {
	item, whole := `{`+annotatedMeta()+`,`+data()+`}`, `{`+secret+`,`+annotatedMeta()+`,`+data()+`}`
	of := func(apiVersion, kind, items string) string {
		return `{"apiVersion":"` + apiVersion + `","kind":"` + kind + `","metadata":{"resourceVersion":"9"},"items":[` + items + `]}`
	}
	other := `{"apiVersion":"v1","kind":"ConfigMap",` + named + `,"data":{"note":"` + Plain + `"}}`
	return []Document{
		{Name: "SecretList", Path: secrets, JSON: of("v1", "SecretList", item+","+item)},
		{Name: "SecretList that says so last", Path: secrets, Vague: true, JSON: `{"items":[` + item + `],"metadata":{},"apiVersion":"v1","kind":"List"}`},
		{Name: "SecretList at another path", Path: bundles, JSON: of("v1", "SecretList", item)},
		{Name: "List of several kinds", Path: bundles, JSON: of("v1", "List", other+","+whole)},
		{Name: "List in a List", Path: bundles, JSON: of("v1", "List", of("v1", "List", other+","+whole)+","+of("v1", "SecretList", item))},
		{Name: "List of metadata alone", Path: secrets, JSON: of("meta.k8s.io/v1", "PartialObjectMetadataList", `{`+annotatedMeta()+`}`)},
	}
}

// table is a Table with one row of an object.
func table(object string) string {
	return `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"9"},"columnDefinitions":[{"name":"Name","type":"string"}],` +
		`"rows":[{"cells":["` + Plain + `"],"object":` + object + `}]}`
}

func tables() []Document {
	partial := `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1",` + annotatedMeta() + `}`
	whole := `{` + secret + `,` + annotatedMeta() + `,` + data() + `}`
	return []Document{
		{Name: "Table", Path: secrets, JSON: table(partial)},
		{Name: "Table with whole objects", Path: secrets, JSON: table(whole)},
		{Name: "Table with whole objects at another path", Path: bundles, JSON: table(whole)},
		{Name: "Table with objects of no kind", Path: secrets, Vague: true, JSON: table(`{` + annotatedMeta() + `,` + data() + `}`)},
	}
}

func events() []Document {
	whole := `{` + secret + `,` + annotatedMeta() + `,` + data() + `}`
	event := func(kind, object string) string { return `{"type":"` + kind + `","object":` + object + `}` }
	return []Document{
		{Name: "event", Path: secrets + "?watch=1", JSON: event("ADDED", whole)},
		{Name: "event at another path", Path: bundles + "?watch=1", JSON: event("DELETED", whole)},
		{Name: "event of a Table", Path: secrets + "?watch=1", JSON: event("MODIFIED", table(whole))},
		{Name: "event of no kind", Path: secrets + "?watch=1", Vague: true, JSON: event("ADDED", `{`+annotatedMeta()+`,`+data()+`}`)},
	}
}

func tokens() []Document {
	return []Document{
		{Name: "TokenRequest", Path: "/api/v1/namespaces/shop/serviceaccounts/s/token", JSON: `{"kind":"TokenRequest","apiVersion":"authentication.k8s.io/v1",` + named + `,"status":{"token":"` + Song + `"}}`},
		{Name: "TokenReview", Path: "/apis/authentication.k8s.io/v1/tokenreviews", JSON: `{"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1",` + named + `,"spec":{"token":"` + Song + `"},"status":{}}`},
	}
}

func quoted(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // it is made of texts
	}
	return string(text)
}
