package aggregated

import "testing"

func TestOnlyPlainJSONIsSpoken(t *testing.T) {
	for accept, want := range map[string]bool{
		"":                               true,
		"*/*":                            true,
		"application/*":                  true,
		"application/json":               true,
		"application/json;charset=utf-8": true,
		"application/json;q=0.5":         true,
		"application/json;q=0":           false,
		"application/json;as=Table;v=v1;g=meta.k8s.io":                  false,
		"application/json;as=Table;v=v1;g=meta.k8s.io,application/json": true,
		"application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io":  false,
		"application/vnd.kubernetes.protobuf":                           false,
		"application/vnd.kubernetes.protobuf, application/json":         true,
		"application/cbor":                 false,
		"application/yaml":                 false,
		"text/html, application/xhtml+xml": false,
		"application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.x": false,
		"application/json;;;": false,
		" , ,":                true,
	} {
		if got := acceptsJSON([]string{accept}); got != want {
			t.Errorf("%q: %t", accept, got)
		}
	}
	if !acceptsJSON(nil) || !acceptsJSON([]string{"application/cbor", "application/json"}) {
		t.Error("no Accept, or two of them")
	}
}
