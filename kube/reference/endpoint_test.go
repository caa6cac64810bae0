package reference

import "testing"

func TestEndpoints(t *testing.T) {
	all, more, err := Endpoints([]byte(`{"kind":"EndpointSliceList","metadata":{"continue":"x"},"items":[{"metadata":{"namespace":"shop"},"endpoints":[
		{"addresses":["10.0.0.1","10.0.0.2"],"conditions":{"ready":true,"serving":true,"terminating":false},"nodeName":"n1","targetRef":{"kind":"Pod","name":"web-1"}},
		{"addresses":["10.0.0.3"],"conditions":{"ready":false,"serving":true,"terminating":true},"targetRef":{"kind":"Pod","name":"../x"}},
		{"addresses":["10.0.0.4"],"conditions":{}}]}]}`))
	if err != nil || !more || len(all) != 4 {
		t.Fatalf("%v %v %+v", err, more, all)
	}
	if e := all[0]; e.Address != "10.0.0.3" || e.Ready || !e.Serving || !e.Terminating || e.Path.Name != "" {
		t.Errorf("%+v", e)
	}
	if e := all[1]; e.Path.String() != "/api/v1/namespaces/shop/pods/web-1" || !e.Ready || e.Node != "n1" {
		t.Errorf("%+v", e)
	}
	if e := all[3]; !e.Ready || !e.Serving || e.Terminating {
		t.Errorf("without conditions: %+v", e)
	}
	if _, _, err := Endpoints([]byte(`[]`)); err == nil {
		t.Error("a list of nothing is read")
	}
}
