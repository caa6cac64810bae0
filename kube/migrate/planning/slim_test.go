package planning

import (
	"encoding/json"
	"testing"
)

func TestSlimObjects(t *testing.T) {
	for raw, want := range map[string]string{
		`{"kind":"A","metadata":{"name":"a","managedFields":[{"manager":"m","fieldsV1":{"f:data":{"f:a":{}}}},{"fieldsV1":{},"time":"t"}],"labels":{"a":"b"}},"x":[1]}`: `{"kind":"A","metadata":{"name":"a","managedFields":[{"manager":"m","fieldsV1":{}},{"fieldsV1":{},"time":"t"}],"labels":{"a":"b"}},"x":[1]}`,
		`{"metadata":{"managedFields":[{"fieldsV1":{"f:metadata":{"f:annotations":{"f:kubectl.kubernetes.io/last-applied-configuration":{}}}}}]}}`:                      "",
		`{"metadata":{"name":"a"}}`: "",
		`{}`:                        "",
		// What API servers don't send stays as it is.
		`{"metadata":{"managedFields":7}}`:                   "",
		`{"metadata":{"managedFields":[7,{"fieldsV1":{}}]}}`: "",
		`{"metadata":7}`: "",
		`{"metadata":{"managedFields":[{"fieldsV1":{"a":1}}]`:  "",
		`{"metadata":{"managedFields":[{"fieldsV1":{"a":1}}]}`: "",
		`7`: "", ``: "",
	} {
		if want == "" {
			want = raw
		}
		if got := string(slim([]byte("before"), []byte(raw))); got != "before"+want {
			t.Errorf("%s: got %s", raw, got)
		}
	}
}

// FuzzSlim shows that nothing but fieldsV1 is left out of JSON.
func FuzzSlim(f *testing.F) {
	f.Add([]byte(`{"metadata":{"name":"a","managedFields":[{"manager":"m","fieldsV1":{"f:data":{"f:a":{}}}}]}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var before map[string]any
		if json.Unmarshal(raw, &before) != nil {
			return
		}
		var after map[string]any
		if err := json.Unmarshal(slim(nil, raw), &after); err != nil || len(after) != len(before) {
			t.Errorf("%q: %v, %v", raw, after, err)
		}
	})
}
