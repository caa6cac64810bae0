package promises

import (
	"fmt"
	"strings"
)

// definition is a CustomResourceDefinition with a field for each rule of merging: structs with defaults, granular and atomic maps, lists with one key
// and with two, a set with a default, an atomic list, preserved fields, null, and quantities. Version v2 lacks a field of v1 and has one more.
func definition(group string) string {
	version := func(name string, storage bool, own string) string {
		return fmt.Sprintf(`
  - name: %s
    served: true
    storage: %t
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
%s`, name, storage, indent(fields+own, "              "))
	}
	return fmt.Sprintf(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: randoms.%[1]s}
spec:
  group: %[1]s
  scope: Namespaced
  names: {kind: Random, plural: randoms}
  versions:%s%s`, group, version("v1", true, "old: {type: string}\n"), version("v2", false, "new: {type: string}\n"))
}

const fields = `text: {type: string}
count: {type: integer}
flag: {type: boolean, default: true}
size: {x-kubernetes-int-or-string: true}
maybe: {type: string, nullable: true}
struct:
  type: object
  properties:
    a: {type: string}
    b: {type: string, default: made}
    inner:
      type: object
      properties: {c: {type: integer, default: 1}, d: {type: string}}
free: {type: object, x-kubernetes-preserve-unknown-fields: true}
marks: {type: object, additionalProperties: {type: string}}
sealed: {type: object, x-kubernetes-map-type: atomic, additionalProperties: {type: string}}
items:
  type: array
  x-kubernetes-list-type: map
  x-kubernetes-list-map-keys: [name]
  items:
    type: object
    required: [name]
    properties: {name: {type: string}, value: {type: string}, made: {type: string, default: d}}
ports:
  type: array
  x-kubernetes-list-type: map
  x-kubernetes-list-map-keys: [port, protocol]
  items:
    type: object
    required: [port]
    properties: {port: {type: integer}, protocol: {type: string, default: TCP}, note: {type: string}}
tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
order: {type: array, items: {type: string}}
`

func indent(text, by string) string {
	return by + strings.TrimSuffix(strings.ReplaceAll(text, "\n", "\n"+by), by)
}
