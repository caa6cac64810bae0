package lesson

import "testing"

func TestCommands(t *testing.T) {
	accept := Header{"Accept", "application/json"}
	for _, c := range []struct {
		request Request
		text    string
		said    bool // something has to be said of it
	}{
		{request: Request{Method: "GET", Target: "/version", Kubectl: "kubectl version", Header: []Header{accept}}, text: "kubectl version"},
		{request: Request{Method: "GET", Target: "/api/v1/pods?limit=3", Header: []Header{accept}}, text: "kubectl get --raw '/api/v1/pods?limit=3'"},
		{request: Request{Method: "GET", Target: "/api/v1/pods", As: "viewer", Header: []Header{accept}}, text: "kubectl --context=practice-viewer get --raw /api/v1/pods"},
		{request: Request{Method: "GET", Target: "/api/v1/namespaces/a/pods", Header: []Header{{"Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"}}}, text: "kubectl get pods -n a '--chunk-size=0'", said: true},
		{request: Request{Method: "GET", Target: "/api/v1/pods", Header: []Header{{"Accept", "application/vnd.kubernetes.protobuf"}}}},
		{request: Request{Method: "GET", Target: "/api/v1/pods", Header: []Header{accept, {"Accept-Encoding", "gzip"}}}},
		{request: Request{Method: "POST", Target: "/api/v1/namespaces/a/pods", Header: []Header{accept, {"Content-Type", "text/plain"}}, Body: "{}"}},
		{request: Request{Method: "DELETE", Target: "/api/v1/namespaces/a/pods", Header: []Header{accept}}},
		{request: Request{Method: "DELETE", Target: "/api/v1/namespaces/a/pods/b?propagationPolicy=Orphan", Header: []Header{accept}}, text: "kubectl delete pods b -n a '--wait=false' '--cascade=orphan'"},
		{request: Request{Method: "GET", Target: "/api/v1/pods", Header: []Header{{"Accept", "application/json;as=Table;g=meta.k8s.io;v=v1beta1"}}}},
		{request: Request{Method: "GET", Target: "/x", As: "viewer", Kubectl: "cat <<'END' | kubectl apply -f -\nkind: kubectl x\nEND\nkubectl get x"}, text: "cat <<'END' | kubectl --context=practice-viewer apply -f -\nkind: kubectl x\nEND\nkubectl --context=practice-viewer get x"},
		{request: post(`{"apiVersion": "v1", "kind": "Pod"}`, "application/json", ""), text: "kubectl create -f - -o json --show-managed-fields -n a <<'EOF'\n{\"apiVersion\": \"v1\", \"kind\": \"Pod\"}\nEOF", said: true},
		{request: post("kind: Pod\napiVersion: v1", "application/yaml", "?fieldManager=ada"), text: "kubectl create -f - -o json --show-managed-fields -n a '--field-manager=ada' <<'EOF'\nkind: Pod\napiVersion: v1\nEOF"},
		{request: post(`{"metadata": {"name": "x"}}`, "application/json", "")},
		{request: post("kind: PodList\napiVersion: v1", "application/yaml", "")},
		{request: post("kind: Pod\napiVersion: v1\n---\nkind: Pod\napiVersion: v1", "application/yaml", "")},
		{request: post("kind: Pod\napiVersion: v1", "application/cbor", "")},
		{request: post("kind: Pod\napiVersion: v1", "application/yaml", "?dryRun=true")},
		{request: Request{Method: "GET", Target: "/api", NoKubectl: "It <em>asks</em> for more.", Header: []Header{accept}}},
		{request: Request{Method: "POST", Target: "/api/v1/namespaces/a/pods/b/binding", Body: "kind: Binding\napiVersion: v1", Header: []Header{accept, {"Content-Type", "application/yaml"}}}},
		{request: Request{Method: "OPTIONS", Target: "/api", Header: []Header{accept}}},
	} {
		text, note := c.request.Commands("practice-viewer")
		if text != c.text || (note != "") != (c.said || c.text == "") {
			t.Errorf("%s %s: %q, and of it is said %q", c.request.Method, c.request.Target, text, note)
		}
	}
}

func post(body, media, query string) Request {
	return Request{Method: "POST", Target: "/api/v1/namespaces/a/pods" + query, Body: body, Header: []Header{{"Accept", "application/json"}, {"Content-Type", media}}}
}
