// Package inputs has files as people pass them to kubectl, and what kubectl makes of each. Tests compare each reader of manifests with kubectl: check,
// blame, explain, the pages and the preview.
package inputs

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
)

// Input is a file.
type Input struct {
	Text    string
	Applied string // the names of the ConfigMaps and namespaces that kubectl applies
	Refuses bool   // kubectl refuses the file
	Says    string // what must be said, also where kubectl says nothing
	// Namespaced tells that kubectl refuses the file because of --namespace=default.
	Namespaced bool
}

const (
	oneManifest   = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: input-a}\n"
	otherManifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: input-b}\n"
	oneJSON       = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"input-a"}}`
	otherJSON     = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"input-b"}}`
)

// wide is a text in UTF-16.
func wide(text string, order binary.AppendByteOrder) string {
	var all []byte
	for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
		all = order.AppendUint16(all, unit)
	}
	return string(all)
}

// All are the files, by their names.
func All() map[string]Input {
	return map[string]Input{
		"YAML":                     {Text: oneManifest + "---\n" + otherManifest, Applied: "input-a input-b"},
		"mark of UTF-8":            {Text: "\ufeff" + oneManifest, Applied: "input-a"},
		"UTF-16":                   {Text: wide(oneManifest+"---\n"+otherManifest, binary.LittleEndian), Applied: "input-a input-b"},
		"UTF-16 big endian":        {Text: wide(oneManifest, binary.BigEndian), Applied: "input-a"},
		"JSON a line each":         {Text: oneJSON + "\n" + otherJSON + "\n", Applied: "input-a input-b"},
		"JSON in one line":         {Text: oneJSON + otherJSON, Applied: "input-a input-b"},
		"JSON separated":           {Text: oneJSON + "\n---\n" + otherJSON, Applied: "input-a input-b"},
		"JSON then YAML":           {Text: oneJSON + "\n" + otherManifest, Applied: "input-a input-b"},
		"YAML then JSON":           {Text: oneManifest + otherJSON, Refuses: true},
		"dots":                     {Text: oneManifest + "...\n" + otherManifest, Applied: "input-a", Says: "kubectl ignores everything"},
		"dots and a separator":     {Text: oneManifest + "...\n---\n" + otherManifest, Applied: "input-a input-b"},
		"directive":                {Text: "%YAML 1.1\n---\n" + oneManifest, Refuses: true, Says: "directive such as %YAML"},
		"beside the separator":     {Text: "--- " + oneJSON + "\n", Refuses: true, Says: "in the same line as ---"},
		"tag beside the separator": {Text: oneManifest + "--- !!map\n" + otherManifest, Refuses: true, Says: "in the same line as ---"},
		"four dashes":              {Text: oneManifest + "----\n" + otherManifest, Refuses: true, Says: "in the same line as ---"},
		"comment beside it":        {Text: oneManifest + "--- # the other\n" + otherManifest, Applied: "input-a input-b"},
		"another namespace":        {Text: strings.Replace(oneManifest, "}", ", namespace: shop}", 1), Refuses: true, Says: "--namespace=default", Namespaced: true},
		"namespace of a namespace": {Text: "apiVersion: v1\nkind: Namespace\nmetadata: {name: input-a, namespace: shop}\n", Applied: "input-a"},
	}
}
