package timeline

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/object"
)

// texts are so many versions of a real Deployment in which a field goes back and forth, as JSON.
func texts(t testing.TB, count int) [][]byte {
	t.Helper()
	data, err := os.ReadFile("../ownership/testdata/scaled.json")
	if err != nil {
		t.Fatal(err)
	}
	o := parsed(t, string(data))
	var all [][]byte
	for i := range count {
		metadata := o.Fields["metadata"].(map[string]any)
		metadata["resourceVersion"] = fmt.Sprint(1000 + i)
		metadata["generation"] = json.Number(fmt.Sprint(i))
		o.Fields["spec"].(map[string]any)["revisionHistoryLimit"] = json.Number(fmt.Sprint(5 + i%2))
		entry := metadata["managedFields"].([]any)[0].(map[string]any)
		entry["time"] = start.Add(time.Duration(i) * 10 * time.Millisecond).Format(time.RFC3339)
		text, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text)
	}
	return all
}

// BenchmarkVersion is what one version costs: read, compared with the one before, and kept.
func BenchmarkVersion(b *testing.B) {
	all := texts(b, 200)
	r := NewRecording(Limits{Versions: 1000, Bytes: 24 << 20})
	for i := 0; b.Loop(); i++ {
		text := all[i%len(all)]
		r.AddText(parsed(b, string(text)), text, start)
	}
}

// TestTheTextIsTheVersion: a version is the same whether its text is at hand or written anew, and does not change with the
// message that it was cut out of.
func TestTheTextIsTheVersion(t *testing.T) {
	with, without := NewRecording(plenty), NewRecording(plenty)
	for i, text := range texts(t, 10) {
		o := parsed(t, string(text))
		without.Add(o, start.Add(time.Duration(i)*time.Second))
		with.AddText(o, text, start.Add(time.Duration(i)*time.Second))
		clear(text)
	}
	if a, b := string(with.Write(Origin{})), string(without.Write(Origin{})); a != b || with.Bytes() != without.Bytes() {
		t.Errorf("%d bytes, %d without the text:\n%s\n%s", with.Bytes(), without.Bytes(), a, b)
	}
	secret := []byte(`{"apiVersion":"v1","kind":"Secret","data":{"password":"aHVudGVyMg=="},"metadata":{"uid":"u","resourceVersion":"1"}}`)
	r := NewRecording(plenty)
	o, err := object.Parse(secret)
	if err != nil {
		t.Fatal(err)
	}
	if r.AddText(o, secret, start); r.Versions()[0].Object().Fields["data"].(map[string]any)["password"] == "aHVudGVyMg==" {
		t.Error("the value of a secret is kept")
	}
}
