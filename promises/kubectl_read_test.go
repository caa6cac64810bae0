package promises

import (
	"strings"
	"testing"
)

func testGet(t *testing.T, p *parity) {
	p.shared.same(t, []step{
		{args: "get configmaps", says: "banana", differ: []rule{ages}},
		{args: "get deployments,services,pods -o wide", says: "example.com/web:1", differ: []rule{ages}},
		{args: "get configmaps -o yaml", says: "bent: ½"},
		{args: "get configmaps -o yaml --show-managed-fields", says: "manager: kubectl-client-side-apply"},
		{args: "get deployment web -o json", says: `"readyReplicas": 2`},
		{args: "get deployment web -o yaml --subresource=scale", says: "kind: Scale"},
		{args: "get secret hidden -o jsonpath={.data.word}", says: "c2VzYW1l"},
		{args: "get configmaps -o name", says: "configmap/elder"},
		{args: "get configmaps -o custom-columns=NAME:.metadata.name,COLOUR:.data.colour", says: "yellow"},
		{args: "get configmaps --sort-by={.metadata.name} --show-labels --show-kind", says: "tier=a", differ: []rule{ages}},
		{args: "get configmaps --server-print=false", says: "cherry", differ: []rule{ages}},
		{args: "get configmaps --no-headers -l tier=a", says: "apple", differ: []rule{ages}},
		{args: "get configmaps -o name -l tier,tier!=a", says: "cherry"},
		{args: "get pods --field-selector status.phase=Pending", says: "nowhere", differ: []rule{ages}},
		{args: "get configmaps -A -l parity=" + p.run, says: "{ns}", differ: []rule{ages}},
		{args: "get configmaps --chunk-size=2 -v=6", says: "&limit=2", differ: []rule{ages, requests, server, pages}},
		{args: "get promotions", says: "20", differ: []rule{ages}},
		{args: "get promotions sale -o wide", says: "PRODUCTS", differ: []rule{ages}},
		{args: "get promo/sale -o yaml", says: "redemptions: 7"},
		{args: "get nodes -o wide", says: "Ready", differ: []rule{ages}},
		{args: "get all", says: "replicaset.apps/web-", differ: []rule{ages}},
		{args: "get componentstatuses etcd-0", says: "Warning: v1 ComponentStatus is deprecated"},
		{args: "get configmaps -l tier=none", says: "No resources found in {ns} namespace."},
		{args: "get configmap none --ignore-not-found"},
		{args: "get clusterrole system:node -o yaml", says: "name: system:node"},
		{args: "get role two+two:=&?#½@{ns} -o yaml", says: "name: two+two"},
		{args: "get role tea;pot -o yaml", says: "name: tea;pot"},
		{args: `get role back\slash -o yaml`, says: `name: back\slash`},
		{args: "get role two{nl}lines -o yaml", says: "name: |-\n    two\n    lines"},
		{args: "get role a?b#c -o yaml", says: "name: a?b#c"},
		{args: "get role --field-selector metadata.name=tea;pot -o name", says: "role.rbac.authorization.k8s.io/tea;pot"},
		{args: "get role .. -o yaml", code: 1, says: "'..'"},
		{args: "get role a%2fb -o yaml", code: 1, says: "may not contain '%'"},
	})
}

func testDescribe(t *testing.T, p *parity) {
	node := strings.Fields(p.must(t, p.direct, "", step{args: "get nodes -o name"}))[0]
	p.shared.same(t, []step{
		{args: "describe pod one", says: "Scheduled", differ: []rule{ages}},
		{args: "describe pod nowhere", says: "FailedScheduling", differ: []rule{ages}},
		{args: "describe " + node, says: "Allocated resources", differ: []rule{ages}},
		{args: "describe deployment web", says: "ScalingReplicaSet", differ: []rule{ages}},
		{args: "describe configmaps", says: "bent: ½"},
		{args: "describe promotion sale", says: "Discount Percent:  20"},
		{args: "events --for pod/one", says: "Scheduled", differ: []rule{ages}},
	})
}

func testDiscovery(t *testing.T, p *parity) {
	p.shared.same(t, []step{
		{args: "explain deployments", says: "GROUP:      apps"},
		{args: "explain deployment.spec.template.spec.containers", says: "imagePullPolicy"},
		{args: "explain pods --recursive", says: "ephemeralContainers"},
		{args: "explain promotions", says: "A reduction of prices for a while."},
		{args: "explain promotions.spec --recursive", says: "discountPercent"},
		{args: "explain promotions --output plaintext-openapiv2", says: "A reduction of prices for a while."},
		{args: "explain pods.nothing", code: 1, says: `field "nothing" does not exist`},
		{args: "explain nothing", code: 1, says: "nothing"},
		{args: "api-resources", says: "promo"},
		{args: "api-resources -o wide --sort-by=name", says: "deletecollection"},
		{args: "api-resources --namespaced=false --api-group=shop.example.com", says: "regions"},
		{args: "api-versions", says: "shop.example.com/v1"},
		{args: "version", says: "Server Version: v1."},
		{args: "version -o yaml", says: "serverVersion:"},
		{args: "cluster-info", says: "is running at", differ: []rule{server}},
	})
}

func testRaw(t *testing.T, p *parity) {
	const configmaps = "/api/v1/namespaces/{ns}/configmaps"
	p.shared.same(t, []step{
		{args: "get --raw " + configmaps, says: `"kind":"ConfigMapList"`, differ: []rule{listVersions}},
		{args: "get --raw " + configmaps + "?labelSelector=tier%3Da%2Ctier%21%3Db&limit=1", says: `"continue"`, differ: []rule{listVersions}},
		{args: "get --raw " + configmaps + "/banana", says: "bent"},
		{args: "get --raw " + configmaps + "/none", code: 1, says: "(NotFound)"},
		{args: "get --raw /api", says: "APIVersions"},
		{args: "get --raw /apis/apps/v1", says: "deployments/scale"},
		{args: "get --raw /openapi/v3/apis/shop.example.com/v1", says: "A reduction of prices for a while."},
		{args: "get --raw /version", says: `"gitVersion"`},
		{args: "get --raw /readyz?verbose", says: "readyz check passed"},
		{args: "get --raw /nothing", code: 1, says: "could not find the requested resource"},
		{args: "get --raw /api/v1/namespaces/{ns}/services/web/proxy/", code: 1, says: "Error from server"},
	})
	p.twins(t, "raw").same(t, []step{
		{args: "create --raw " + configmaps + " -f -", in: fruit, says: "fruit", differ: made},
		{args: "create --raw " + configmaps + " -f -", in: fruit, code: 1, says: "(AlreadyExists)"},
		{args: "replace --raw " + configmaps + "/fruit -f -", in: strings.Replace(fruit, "green", "red", 1), says: "red", differ: made},
		{args: "delete --raw " + configmaps + "/fruit", says: "Success", differ: made},
	})
}

func testErrors(t *testing.T, p *parity) {
	p.shared.same(t, []step{
		{args: "get configmap none", code: 1, says: "(NotFound)"},
		{args: "get nothings", code: 1, says: "the server doesn't have a resource type"},
		{args: "get configmaps -l a=b=c", code: 1, says: "(BadRequest)"},
		{args: "get pods --field-selector spec.nothing=1", code: 1, says: "field label not supported"},
		{args: "get configmaps none -o yaml", code: 1, says: "(NotFound)"},
		{args: "get nodes --viewer-has-no-such-flag", code: 1, says: "unknown flag"},
		{args: "get secrets", viewer: true, code: 1, says: "(Forbidden)"},
		{args: "get pods -A", viewer: true, code: 1, says: "at the cluster scope"},
		{args: "delete configmap apple", viewer: true, code: 1, says: "cannot delete resource"},
		{args: "get namespaces --field-selector metadata.name={ns}", viewer: true, says: "Active", differ: []rule{ages}},
		{args: "create -f -", in: strings.Replace(fruit, "fruit", "apple", 1), code: 1, says: "(AlreadyExists)"},
		{args: "create -f -", in: strings.Replace(fruit, "fruit", "No Name", 1), code: 1, says: "a lowercase RFC 1123 subdomain"},
		{args: "create -f -", in: strings.Replace(fruit, `"data"`, `"dada"`, 1), code: 1, says: `unknown field "dada"`},
		{args: "create -f -", in: strings.Replace(fruit, "ConfigMap", "NoMap", 1), code: 1, says: "no matches for kind"},
		{
			args: "create -f -", in: `{"apiVersion": "shop.example.com/v1", "kind": "Promotion", "metadata": {"name": "x"}, "spec": {"discountPercent": 91}}`,
			code: 1, says: "less than or equal to 90",
		},
		{args: "replace -f -", in: strings.Replace(fruit, `"name": "fruit"`, `"name": "apple", "resourceVersion": "1"`, 1), code: 1, says: "(Conflict)"},
	})
}
