package chart

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// always are the kinds that every release has.
var always = []string{"ConfigMap", "Deployment", "NetworkPolicy", "Pod", "PodDisruptionBudget", "Secret", "Service", "Service", "ServiceAccount"}

// files are the files of values in the chart, with the kinds that each adds or leaves out.
var files = map[string]struct{ adds, lacks []string }{
	"default":       {},
	"ingress":       {adds: []string{"Ingress"}},
	"httproute":     {adds: []string{"HTTPRoute"}},
	"hpa":           {adds: []string{"HorizontalPodAutoscaler"}},
	"impersonation": {adds: []string{"ClusterRole", "ClusterRoleBinding"}},
	"everything": {
		adds:  []string{"ClusterRole", "ClusterRoleBinding", "ConfigMap", "HTTPRoute", "HorizontalPodAutoscaler", "Ingress", "ServiceMonitor"},
		lacks: []string{"Secret"},
	},
}

func TestLint(t *testing.T) {
	needs(t)
	for file := range files {
		if said, err := helm(t, "lint", "--strict", folder, "--values", values(file)); err != nil {
			t.Errorf("%s: %s", file, said)
		}
	}
}

func TestWhatIsRendered(t *testing.T) {
	needs(t)
	for file, c := range files {
		all := render(t, "team", file)
		var kinds []string
		for _, o := range all {
			kinds = append(kinds, o.GetKind())
			if clusterWide := strings.HasPrefix(o.GetKind(), "Cluster"); !clusterWide && o.GetNamespace() != "team" && o.GetName() != release+"-clusters" {
				t.Errorf("%s: %s %s is in the namespace %q", file, o.GetKind(), o.GetName(), o.GetNamespace())
			}
		}
		want := append(slices.Clone(always), c.adds...)
		for _, kind := range c.lacks {
			want = slices.Delete(want, slices.Index(want, kind), slices.Index(want, kind)+1)
		}
		slices.Sort(kinds)
		slices.Sort(want)
		if !slices.Equal(kinds, want) {
			t.Errorf("%s renders %v, not %v", file, kinds, want)
		}
	}
}

// TestReplicasBelongToTheAutoscaler: a chart that renders them takes them back at each upgrade.
func TestReplicasBelongToTheAutoscaler(t *testing.T) {
	needs(t)
	for file, autoscaled := range map[string]bool{"default": false, "hpa": true, "everything": true} {
		_, has, err := unstructured.NestedFieldNoCopy(render(t, "team", file)["Deployment/"+name].Object, "spec", "replicas")
		if err != nil || has == autoscaled {
			t.Errorf("%s: the Deployment has a number of replicas: %v (%v)", file, has, err)
		}
	}
}

// TestThePodHasNoRights: the account's token is in the pod only if Fieldmark impersonates people, and then for named groups.
func TestThePodHasNoRights(t *testing.T) {
	needs(t)
	for file, impersonates := range map[string]bool{"default": false, "hpa": false, "ingress": false, "impersonation": true, "everything": true} {
		all := render(t, "team", file)
		deployment := all["Deployment/"+name]
		if at[bool](t, deployment, "spec.template.spec.automountServiceAccountToken") {
			t.Errorf("%s: the token of the account is mounted", file)
		}
		tokens := 0
		for _, v := range at[[]any](t, deployment, "spec.template.spec.volumes") {
			sources, _, _ := unstructured.NestedSlice(v.(map[string]any), "projected", "sources")
			for _, s := range sources {
				if _, ok := s.(map[string]any)["serviceAccountToken"]; ok {
					tokens++
				}
			}
		}
		if want := map[bool]int{true: 1}[impersonates]; tokens != want {
			t.Errorf("%s: %d volumes have a token, not %d", file, tokens, want)
		}
		for id, o := range all {
			if o.GetKind() == "ClusterRole" {
				holdRole(t, id, o)
			}
		}
	}
}

func holdRole(t *testing.T, id string, o unstructured.Unstructured) {
	t.Helper()
	for _, r := range at[[]any](t, o, "rules") {
		rule := r.(map[string]any)
		if verbs := rule["verbs"].([]any); len(verbs) != 1 || verbs[0] != "impersonate" {
			t.Errorf("%s allows %v", id, verbs)
		}
		resource := rule["resources"].([]any)
		if names, _ := rule["resourceNames"].([]any); len(resource) != 1 || resource[0] == "groups" && len(names) == 0 {
			t.Errorf("%s allows to impersonate %v with the names %v", id, resource, names)
		}
	}
}

// TestOneAddress: browsers, the Ingress and the HTTPRoute have the same host and path, which come from publicURL.
func TestOneAddress(t *testing.T) {
	needs(t)
	rule := at[[]any](t, render(t, "team", "ingress")["Ingress/"+name], "spec.rules")[0].(map[string]any)
	paths, _, _ := unstructured.NestedSlice(rule, "http", "paths")
	if path := paths[0].(map[string]any)["path"]; rule["host"] != "tools.example.com" || path != "/fieldmark" {
		t.Errorf("the Ingress has %v%v", rule["host"], path)
	}
	route := render(t, "team", "httproute")["HTTPRoute/"+name]
	if hosts := at[[]any](t, route, "spec.hostnames"); len(hosts) != 1 || hosts[0] != "fieldmark.example.com" {
		t.Errorf("the HTTPRoute has the hosts %v", hosts)
	}
}

var refused = map[string]struct {
	sets []string
	says string // the place of the value, as Helm names it
}{
	"no address":                   {[]string{"publicURL="}, "/publicURL"},
	"an address without TLS":       {[]string{"publicURL=http://fieldmark.example.com"}, "/publicURL"},
	"an address with a query":      {[]string{"publicURL=https://fieldmark.example.com/?a=b"}, "/publicURL"},
	"an address with an odd path":  {[]string{"publicURL=https://fieldmark.example.com/a%2Fb"}, "/publicURL"},
	"a slash at the end":           {[]string{"publicURL=https://fieldmark.example.com/"}, "/publicURL"},
	"a value that doesn't exist":   {[]string{"replicaCount=3"}, "replicaCount"},
	"a setting that doesn't exist": {[]string{"config.allowToken=true"}, "allowToken"},
	"the address twice":            {[]string{"config.publicURL=https://a.example.com"}, "publicURL"},
	"an issuer without TLS":        {[]string{"config.issuers.a.url=http://a", "config.issuers.a.clientID=x"}, "/config/issuers/a/url"},
	"an issuer without a client":   {[]string{"config.issuers.a.url=https://a.example.com"}, "clientID"},
	"what to send":                 {[]string{"config.issuers.a.url=https://a.example.com", "config.issuers.a.clientID=x", "config.issuers.a.send=all"}, "/config/issuers/a/send"},
	"a time without a unit":        {[]string{"config.sessions.idle=8"}, "/config/sessions/idle"},
	"a negative bound":             {[]string{"config.quotas.person.sockets=-1"}, "/config/quotas/person/sockets"},
	"no number":                    {[]string{"replicas=many"}, "/replicas"},
	"a digest that is none":        {[]string{"image.digest=latest"}, "/image/digest"},
	"a certificate without a key":  {[]string{"tls.certFile=/var/run/secrets/fieldmark/tls.crt"}, "/tls"},
	"a proxy's CA without names":   {[]string{"config.trustedProxies.caFile=/var/run/secrets/fieldmark/proxy-ca.crt"}, "/config/trustedProxies"},
	"a port that is none":          {[]string{"service.port=70000"}, "/service/port"},
	"impersonation of nobody":      {[]string{"impersonation.enabled=true"}, "/impersonation/groups"},
	"impersonation of the masters": {[]string{"impersonation.enabled=true", "impersonation.groups={system:masters}"}, "/impersonation/groups/0"},
	"impersonation elsewhere":      {[]string{"impersonation.enabled=true", "impersonation.groups={a}", "config.inCluster=null"}, "inCluster"},
	"a route to no Gateway":        {[]string{"httpRoute.enabled=true"}, "/httpRoute/parentRefs"},
	"a file from nowhere":          {[]string{"files.a.key=b"}, "/files/a"},
	"a file from two places":       {[]string{"files.a.key=b", "files.a.secret=c", "files.a.configMap=d"}, "/files/a"},
	"a file over the keys":         {[]string{"files.session-keys.key=b", "files.session-keys.secret=c"}, "session-keys"},
}

func TestTheSchemaRefuses(t *testing.T) {
	needs(t)
	for _, what := range slices.Sorted(maps.Keys(refused)) {
		c := refused[what]
		args := []string{"template", release, folder, "--values", values("default")}
		for _, set := range c.sets {
			args = append(args, "--set", set)
		}
		switch said, err := helm(t, args...); {
		case err == nil:
			t.Errorf("%s is accepted", what)
		case !strings.Contains(said, "schema") || !strings.Contains(said, c.says):
			t.Errorf("%s: Helm doesn't name %s: %s", what, c.says, said)
		}
	}
}

// TestTLSEndsInThePod: then Fieldmark gets the files, and the Service says that it speaks TLS.
func TestTLSEndsInThePod(t *testing.T) {
	needs(t)
	const cert, key = "/var/run/secrets/fieldmark/tls.crt", "/var/run/secrets/fieldmark/tls.key"
	for protocol, sets := range map[string][]string{"http": nil, "https": {"--set", "tls.certFile=" + cert + ",tls.keyFile=" + key}} {
		all := render(t, "team", "default", sets...)
		args := container(t, all["Deployment/"+name])["args"].([]any)
		if got := slices.Contains(args, any("--tls-cert="+cert)) && slices.Contains(args, any("--tls-key="+key)); got != (protocol == "https") {
			t.Errorf("%s: the arguments are %v", protocol, args)
		}
		port := at[[]any](t, all["Service/"+name], "spec.ports")[0].(map[string]any)
		if port["appProtocol"] != protocol {
			t.Errorf("the Service says %v, not %s", port["appProtocol"], protocol)
		}
	}
}

// TestThePodHasTimeToDrain: the pod has more time to stop than the drain takes.
func TestThePodHasTimeToDrain(t *testing.T) {
	needs(t)
	for drain, grace := range map[string]float64{"0": 20, "45": 65} {
		deployment := render(t, "team", "default", "--set", "drainSeconds="+drain)["Deployment/"+name]
		args := container(t, deployment)["args"].([]any)
		if got := at[float64](t, deployment, "spec.template.spec.terminationGracePeriodSeconds"); got != grace || !slices.Contains(args, any("--drain="+drain+"s")) {
			t.Errorf("to drain for %s s, it has %v s and %v", drain, got, args)
		}
	}
}

// container is Fieldmark's container of the Deployment.
func container(t *testing.T, deployment unstructured.Unstructured) map[string]any {
	t.Helper()
	return at[[]any](t, deployment, "spec.template.spec.containers")[0].(map[string]any)
}
