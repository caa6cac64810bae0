package ownership

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

func TestClaimsOfAnotherVersionAreSaidWhereTheyMayBe(t *testing.T) {
	const hpa = `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"till","managedFields":[{"manager":"legacy","operation":"Apply","apiVersion":"autoscaling/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:maxReplicas":{},"f:targetCPUUtilizationPercentage":{}}}}]},"spec":{"maxReplicas":5,"minReplicas":1,"metrics":[{"type":"Resource"}]}}`
	const thing = `{"apiVersion":"x.example.com/v2","kind":"Thing","metadata":{"name":"a","labels":{"a":"b"},"managedFields":[{"manager":"legacy","operation":"Apply","apiVersion":"x.example.com/v1","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{"f:gone":{}}},"f:spec":{"f:in":{"f:hue":{}},"f:size":{}}}}]},"spec":{"in":{"color":"red"},"size":1,"weight":2}}`
	const half = `{"apiVersion":"x.example.com/v2","kind":"Thing","metadata":{"name":"a","managedFields":[{"manager":"legacy","operation":"Apply","apiVersion":"x.example.com/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:ref":{}}}},{"manager":"other","operation":"Apply","apiVersion":"x.example.com/v2","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:ref":{"f:name":{}}}}}]},"spec":{"ref":{"kind":"A","name":"b"}}}`
	for object, want := range map[string][]string{
		half:  {".spec.ref.kind elsewhere"},
		hpa:   {".spec.metrics renamed", `.spec.metrics[0] renamed`, `.spec.metrics[0].type renamed`},
		thing: {".spec.in.color elsewhere"},
	} {
		d := json.NewDecoder(strings.NewReader(object))
		d.UseNumber()
		var o map[string]any
		if err := d.Decode(&o); err != nil {
			t.Fatal(err)
		}
		record := Parse(o)
		delete(o["metadata"].(map[string]any), "managedFields")
		b := record.On(manifest.Tree(o), nil)
		var got []string
		var visit func(n *manifest.Node)
		visit = func(n *manifest.Node) {
			for _, c := range b.Unplaced(n) {
				got = append(got, b.Path(n)+" "+string(c.Why))
				if !c.OtherVersion || len(b.Owners(n)) > 0 {
					t.Errorf("%s: %+v, owned by %v", b.Path(n), c, b.Owners(n))
				}
			}
			for _, child := range n.Children {
				visit(child)
			}
		}
		visit(b.Root)
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
