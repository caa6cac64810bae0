package promises

import "testing"

func testPatch(t *testing.T, p *parity) {
	pl := p.twins(t, "patch")
	pl.prepare(t, step{args: "create -f -", in: fruit})
	pl.prepare(t, step{args: "create -f -", in: idle})
	pl.prepare(t, step{args: "create -f -", in: `{"apiVersion": "shop.example.com/v1", "kind": "Promotion", "metadata": {"name": "sale"}, "spec": {"discountPercent": 20}}`})
	pl.same(t, []step{
		{args: `patch configmap fruit --type=json -p [{"op":"test","path":"/data/colour","value":"green"},{"op":"add","path":"/metadata/labels","value":{"example.com/a":"1"}},{"op":"replace","path":"/metadata/labels/example.com~1a","value":"2"}]`, says: "patched"},
		{args: `patch configmap fruit --type=json -p [{"op":"test","path":"/data/colour","value":"red"}]`, code: 1, says: "the server rejected our request"},
		{args: `patch configmap fruit --type=json -p [{"op":"remove","path":"/data/none"}]`, code: 1, says: "the server rejected our request"},
		{args: `patch configmap fruit --type=merge -p {"data":{"colour":null,"size":"1"}} -o yaml`, says: "size:", differ: made},
		{args: `patch configmap fruit --type=merge -p {"data":{"size":"1"}}`, says: "patched (no change)"},
		{args: `patch deployment idle -p {"spec":{"template":{"spec":{"containers":[{"name":"two","image":"example.com/two:2"}]}}}}`, says: "patched"},
		{args: `patch deployment idle --type=strategic -p {"spec":{"template":{"spec":{"containers":[{"name":"one","$patch":"delete"}]}}}}`, says: "patched"},
		{args: "get deployment idle -o jsonpath={.spec.template.spec.containers[*].image}", says: "example.com/two:2"},
		{args: `patch deployment idle --subresource=scale --type=merge -p {"spec":{"replicas":0}}`, says: "patched"},
		{args: `patch promotion sale --type=merge -p {"spec":{"discountPercent":30}}`, says: "patched"},
		{args: `patch promotion sale --subresource=status --type=merge -p {"status":{"redemptions":3}} -o yaml`, says: "redemptions: 3", differ: made},
		{args: `patch promotion sale --type=strategic -p {"spec":{"discountPercent":40}}`, code: 1, says: "is not supported by shop.example.com/v1"},
		{args: `patch promotion sale --type=merge -p {"spec":{"discountPercent":"forty"}}`, code: 1, says: "must be of type integer"},
		{args: `patch configmap none --type=merge -p {}`, code: 1, says: "(NotFound)"},
		{args: "get promotion sale -o yaml --show-managed-fields", says: "discountPercent: 30", differ: made},
	})
}

func testChange(t *testing.T, p *parity) {
	pl := p.twins(t, "change")
	pl.prepare(t, step{args: "create -f -", in: fruit})
	pl.prepare(t, step{args: "create -f -", in: idle})
	pl.same(t, []step{
		{args: "label configmap fruit taste=sour", says: "labeled"},
		{args: "label configmap fruit taste=sweet", code: 1, says: "--overwrite is false"},
		{args: "label configmap fruit taste=sweet --overwrite --resource-version=1", code: 1, says: "(Conflict)"},
		{args: "label configmap fruit taste=sweet --overwrite", says: "labeled"},
		{args: "label configmap fruit --list", says: "taste=sweet"},
		{args: "annotate configmap fruit note=½", says: "annotated"},
		{args: "annotate configmap fruit note-", says: "annotated"},
		{args: "get configmap fruit -o yaml --show-managed-fields", says: "manager: kubectl-label", differ: made},
		{args: "replace -f -", in: redFruit, says: "replaced"},
		{args: "replace --force -f -", in: blueFruit, says: "replaced"},
		{args: "scale deployment idle --current-replicas=9 --replicas=1", code: 1, says: "Expected replicas to be 9, was 0"},
		{args: "scale deployment idle --replicas=2", says: "scaled"},
		{args: "get deployment idle -o jsonpath={.spec.replicas}", says: "2"},
		{args: "set image deployment/idle one=example.com/one:3", says: "image updated"},
		{args: "set env deployment/idle WORD=sesame", says: "env updated"},
		{args: "rollout restart deployment/idle", says: "restarted"},
		{args: "rollout pause deployment/idle", says: "paused"},
		{args: "rollout pause deployment/idle", code: 1, says: "already paused"},
		{args: "rollout resume deployment/idle", says: "resumed"},
		{args: "autoscale deployment idle --max=3 --cpu=80%", says: "autoscaled"},
	})
}

func testDelete(t *testing.T, p *parity) {
	pl := p.twins(t, "delete")
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		pl.prepare(t, step{args: "create configmap " + name})
	}
	pl.prepare(t, step{args: "label configmap b c kind=soft"})
	pl.prepare(t, step{args: "run lonely --image=example.com/one:1"})
	pl.same(t, []step{
		{args: "delete configmap a", says: `configmap "a" deleted`},
		{args: "delete configmap a", code: 1, says: "(NotFound)"},
		{args: "delete configmap a --ignore-not-found"},
		{args: "delete configmaps -l kind=soft -o name", says: "configmap/c"},
		{args: "delete -f - --wait=false", in: `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "d"}}`, says: "deleted"},
		{args: "delete pod lonely --grace-period=0 --force", says: "Immediate deletion does not wait"},
		{args: "get configmaps -o name", says: "configmap/e"},
		{args: "delete configmaps --all", says: `configmap "e" deleted`},
	})
}
