package promises

import (
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// told is where actors do what ConfigMaps tell them.
const told = "told"

// saysOf waits until the data of a ConfigMap have these values. An error may say more.
func (p *program) saysOf(t *testing.T, name string, want map[string]string) {
	t.Helper()
	eventually(t, fmt.Sprintf("%s says %v", name, want), func() error {
		object, err := p.client(t, admin).CoreV1().ConfigMaps(told).Get(t.Context(), name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		for key, value := range want {
			got := object.Data[key]
			if longer := (key == "log" || key == "error") && value != "" && strings.Contains(got, value); got != value && !longer {
				return fmt.Errorf("%v", object.Data)
			}
		}
		return nil
	})
}

// refused waits until an actor says why it doesn't act.
func (p *program) refused(t *testing.T, scenario, name, why string) {
	t.Helper()
	eventually(t, name+" says why", func() error {
		if got := p.actor(t, scenario, name); !strings.Contains(fmt.Sprint(got["message"]), why) {
			return fmt.Errorf("%v", got)
		}
		return nil
	})
}

// tell makes a ConfigMap with one value, or changes it.
func (p *program) tell(t *testing.T, name, key, value string) {
	t.Helper()
	object := fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: %s}\ndata: {%s: %q}\n", name, told, key, value)
	p.mustKubectl(t, object, "apply", "--server-side", "--force-conflicts", "--filename=-")
}

func (p *program) order(t *testing.T, name string) {
	t.Helper()
	p.mustKubectl(t, fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: %s, labels: {kind: order}}\n", name, told), "create", "--filename=-")
}

func TestAReporterReportsWhatItIsToldToList(t *testing.T) {
	p := sharedCluster(t)
	p.apply(t, "reports", "{faults: [{name: pod, fill: {namespace: told, count: 2}}], actors: [{name: one, reporter: {namespace: told, name: stock, everySeconds: 1}}]}")
	p.holds(t, "reports")
	p.refused(t, "reports", "one", `"stock" not found`)
	list, err := p.client(t, admin).CoreV1().Pods(told).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p.mustKubectl(t, "", "delete", "pod", "pod-00001", "--namespace="+told)
	const pods = "/api/v1/namespaces/told/pods"
	p.tell(t, "stock", "request", pods+"?limit=500&resourceVersion="+list.ResourceVersion)
	p.saysOf(t, "stock-report", map[string]string{"pods": "pod-00001,pod-00002", "error": ""})
	p.tell(t, "stock", "request", pods+"?resourceVersion=999999999999")
	p.saysOf(t, "stock-report", map[string]string{"pods": "pod-00001,pod-00002", "error": "Too large resource version"})
	p.tell(t, "stock", "request", "/api/v1/namespaces/shop/pods")
	p.refused(t, "reports", "one", errElsewhere)
	p.tell(t, "stock", "request", pods+"?limit=500")
	p.saysOf(t, "stock-report", map[string]string{"pods": "pod-00002", "error": ""})
	p.remove(t, "reports")
	p.mustBeGone(t, told)
}

// errElsewhere is a part of what a reporter says of a request that it doesn't send.
const errElsewhere = "must be a list of the pods in this namespace"

func TestFollowersContinueFromAVersion(t *testing.T) {
	p := sharedCluster(t)
	p.apply(t, "followers", `{actors: [
	  {name: lists, follower: {namespace: told, name: lists, everySeconds: 1}},
	  {name: watches, follower: {namespace: told, name: watches, watch: true, everySeconds: 1}}]}`)
	p.holds(t, "followers")
	p.order(t, "order-1")
	for _, name := range []string{"lists", "watches"} {
		p.tell(t, name, "resourceVersion", "999999999999")
	}
	p.saysOf(t, "lists-state", map[string]string{"orders": "", "log": "Too large resource version"})
	p.saysOf(t, "watches-state", map[string]string{"orders": "", "log": ""})
	for _, name := range []string{"lists", "watches"} {
		p.tell(t, name, "resourceVersion", "")
	}
	for _, name := range []string{"lists-state", "watches-state"} {
		p.saysOf(t, name, map[string]string{"orders": "order-1", "log": ""})
	}
	p.order(t, "order-2")
	p.mustKubectl(t, "", "delete", "configmap", "order-1", "--namespace="+told)
	for _, name := range []string{"lists-state", "watches-state"} {
		p.saysOf(t, name, map[string]string{"orders": "order-2", "log": ""})
	}
	p.remove(t, "followers")
	p.mustBeGone(t, told)
}

func TestAWriterMayDoWhatItsAccountMay(t *testing.T) {
	p := sharedCluster(t)
	p.apply(t, "writes", "{actors: [{name: one, writer: {namespace: told, name: settings, key: limit, value: five, everySeconds: 1, manager: node-fetch, serviceAccount: export}}]}")
	p.holds(t, "writes")
	const in = "--namespace=" + told
	p.tell(t, "settings", "limit", "twenty")
	p.refused(t, "writes", "one", `"export" not found`)
	p.mustKubectl(t, "", "create", "serviceaccount", "export", in)
	p.refused(t, "writes", "one", `User "system:serviceaccount:told:export" cannot patch`)
	p.mustKubectl(t, "", "create", "role", "patch", "--verb=patch", "--resource=configmaps", in)
	p.mustKubectl(t, "", "create", "rolebinding", "patch", "--role=patch", "--serviceaccount=told:export", in)
	p.saysOf(t, "settings", map[string]string{"limit": "five"})
	p.writes(t, "/api/v1/namespaces/told/configmaps/settings", "node-fetch", metav1.ManagedFieldsOperationUpdate, "", `"f:limit"`)
	p.tell(t, "settings", "limit", "twenty")
	p.saysOf(t, "settings", map[string]string{"limit": "five"})
	p.mustKubectl(t, "", "delete", "rolebinding", "patch", in)
	p.refused(t, "writes", "one", "cannot patch")
	p.tell(t, "settings", "limit", "twenty")
	time.Sleep(3 * time.Second) // some of its turns
	p.saysOf(t, "settings", map[string]string{"limit": "twenty"})
	p.refused(t, "writes", "one", "cannot patch")
	p.remove(t, "writes")
	p.mustBeGone(t, told)
}
