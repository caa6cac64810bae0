package object

import (
	"encoding/json"
	"testing"
)

func TestEncoded(t *testing.T) {
	for text, want := range map[string]string{
		`{"apiVersion":"v1","kind":"Secret","data":{"a":"eA==","b":"eQ=="},"stringData":{"a":"old","c":"x"}}`: `{"apiVersion":"v1","data":{"a":"b2xk","b":"eQ==","c":"eA=="},"kind":"Secret"}`,
		`{"apiVersion":"v1","kind":"Secret","stringData":{"a":1}}`:                                            `{"apiVersion":"v1","data":{},"kind":"Secret"}`,
		`{"apiVersion":"v1","kind":"Secret","data":{"a":"eA=="}}`:                                             `{"apiVersion":"v1","data":{"a":"eA=="},"kind":"Secret"}`,
		`{"apiVersion":"x/v1","kind":"Secret","stringData":{"a":"b"}}`:                                        `{"apiVersion":"x/v1","kind":"Secret","stringData":{"a":"b"}}`,
	} {
		o, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(o.Encoded().Fields)
		if again, _ := json.Marshal(o.Fields); err != nil || string(got) != want || len(again) != len(text) {
			t.Errorf("%s: %v %s", text, err, got)
		}
	}
	if Unencoded(".data.a") != ".stringData.a" || Unencoded(".spec.data.a") != ".spec.data.a" {
		t.Error("another path")
	}
}
