// Package schematest checks the output of verbs against their JSON schemas. Only tests import it.
package schematest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Valid checks a document against a schema of docs/schemas, such as check.v1.json. It also fails for fields that the schema doesn't name, because
// all fields must be documented.
func Valid(t testing.TB, schema string, document []byte) {
	t.Helper()
	folder, err := above()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "docs", "schemas", schema))
	if err != nil {
		t.Fatal(err)
	}
	var plain any
	if err := json.Unmarshal(text, &plain); err != nil {
		t.Fatal(err)
	}
	closed(plain)
	valid(t, plain, document)
}

// closed makes a schema forbid fields that it doesn't name.
func closed(schema any) {
	switch s := schema.(type) {
	case map[string]any:
		for _, inner := range s {
			closed(inner)
		}
		if _, names := s["properties"].(map[string]any); names && s["type"] == "object" && s["additionalProperties"] == nil {
			s["additionalProperties"] = false
		}
	case []any:
		for _, inner := range s {
			closed(inner)
		}
	}
}

// official is OASIS's schema of SARIF 2.1.0. It comes from the module of gosec, a linter that dev/tools requires.
var official = sync.OnceValues(func() ([]byte, error) {
	folder, err := above()
	if err != nil {
		return nil, err
	}
	command := exec.Command("go", "mod", "download", "-json", "github.com/securego/gosec/v2")
	command.Dir = filepath.Join(folder, "dev", "tools")
	said, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("downloading the module: %w", err)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(said, &module); err != nil {
		return nil, fmt.Errorf("finding the module: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(module.Dir, "report", "sarif", "testdata", "sarif-schema-2.1.0.json"))
	if err != nil {
		return nil, fmt.Errorf("reading the module: %w", err)
	}
	return text, nil
})

// SARIF checks a document against the official schema of SARIF 2.1.0.
func SARIF(t testing.TB, document []byte) {
	t.Helper()
	text, err := official()
	if err != nil {
		t.Fatalf("the schema of SARIF: %v", err)
	}
	var schema any
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	valid(t, schema, document)
}

func valid(t testing.TB, schema any, document []byte) {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("schema.json", schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		t.Fatalf("%v\n%s", err, document)
	}
	if err := compiled.Validate(instance); err != nil {
		t.Errorf("%#v\n%.5000s", err, document)
	}
}

// above is the folder with the go.mod of the test.
func above() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("finding the module: %w", err)
	}
	for {
		if _, missing := os.Stat(filepath.Join(folder, "go.mod")); missing == nil {
			return folder, nil
		}
		if filepath.Dir(folder) == folder {
			return "", errors.New("no folder above has a go.mod")
		}
		folder = filepath.Dir(folder)
	}
}
