package tools

import (
	"strings"
)

// parameters are the JSON schemas of what calls may have.
var parameters = map[string]string{
	"cluster":    `{"type":"string"}`,
	"resource":   `{"type":"string"}`,
	"namespace":  `{"type":"string"}`,
	"name":       `{"type":"string"}`,
	"cursor":     `{"type":"string"}`,
	"limit":      `{"type":"integer"}`,
	"labels":     `{"type":"string","description":"app=web,tier!=db"}`,
	"fields":     `{"type":"string","description":"field selector"}`,
	"all":        `{"type":"boolean","description":"all namespaces"}`,
	"owners":     `{"type":"boolean"}`,
	"field":      `{"type":"string"}`,
	"field_list": `{"type":"array","items":{"type":"string"},"maxItems":20}`,
	"manager":    `{"type":"string","description":"agent/NAME"}`,
	"manifest":   `{"type":"string","description":"YAML or JSON"}`,
	"patch":      `{"type":"string"}`,
	"patch_type": `{"enum":["merge","strategic","json"]}`,
	"details":    `{"type":"boolean"}`,
	"text":       `{"type":"string"}`,
	"seconds":    `{"type":"integer","description":"at most 30"}`,
	"resources":  `{"type":"array","items":{"type":"string"},"maxItems":12}`,
	"verb":       `{"type":"string","description":"change, apply, get, delete …"}`,
	"container":  `{"type":"string"}`,
	"previous":   `{"type":"boolean"}`,
	"topic":      `{"type":"string"}`,
}

// inputs is the schema of a tool's arguments: names of parameters, those with a ! are required.
func inputs(names string) string {
	var properties, required []string
	for word := range strings.FieldsSeq(names) {
		name, needed := strings.CutSuffix(word, "!")
		if needed {
			required = append(required, `"`+name+`"`)
		}
		properties = append(properties, `"`+name+`":`+parameters[name])
	}
	text := `{"type":"object","properties":{` + strings.Join(properties, ",") + `}`
	if len(required) > 0 {
		text += `,"required":[` + strings.Join(required, ",") + `]`
	}
	return text + `,"additionalProperties":false}`
}

// outputs is the schema of a tool's answer. own are members of Fieldmark's own, and data are members of data_from_cluster, as JSON.
func outputs(own, data string) string {
	if own != "" {
		own = "," + own
	}
	if data != "" {
		data = `"properties":{` + data + `}`
	}
	return `{"type":"object","properties":{"says":{}` + own + `,"data_from_cluster":{` + data + `}}}`
}

// lists are members that are lists.
func lists(names ...string) string {
	all := make([]string, 0, len(names))
	for _, name := range names {
		all = append(all, `"`+name+`":{"type":"array"}`)
	}
	return strings.Join(all, ",")
}
