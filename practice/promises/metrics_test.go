package promises

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestKubectlTopHasFigures(t *testing.T) {
	p := sharedCluster(t)
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"top", "pods", "--namespace=shop", "--no-headers"}, []string{"storefront-", "catalog-", "carts-db-0"}},
		{[]string{"top", "pods", "--namespace=shop", "--selector=app=storefront", "--containers", "--no-headers"}, []string{"storefront-", " app "}},
		{[]string{"top", "pod", "carts-db-0", "--namespace=shop", "--no-headers"}, []string{"carts-db-0"}},
		{[]string{"top", "nodes", "--no-headers"}, []string{"node-1", "node-2", "node-3"}},
	} {
		eventually(t, strings.Join(c.args, " "), func() error {
			out, err := p.kubectl(t, "", c.args...)
			if err != nil {
				return err
			}
			for _, word := range c.want {
				if !strings.Contains(out, word) || !strings.Contains(out, "m ") || !strings.Contains(out, "Mi") {
					return fmt.Errorf("%q isn't in %s", word, out)
				}
			}
			return nil
		})
	}
}

func TestFinishedPodsHaveNoFigures(t *testing.T) {
	p := sharedCluster(t)
	out := p.mustKubectl(t, "", "get", "pods", "--namespace=shop", "--selector=job-name=import-products", "--output=name")
	name := strings.TrimPrefix(strings.TrimSpace(strings.SplitN(out, "\n", 2)[0]), "pod/")
	if got := p.get(t, admin, "/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods/"+name); got.code != http.StatusNotFound {
		t.Errorf("the finished pod %s: %d %s", name, got.code, got.body)
	}
}

func TestMetricsNeedPermission(t *testing.T) {
	p := sharedCluster(t)
	if got := p.get(t, viewer, "/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods"); got.code != http.StatusForbidden {
		t.Errorf("the viewer: %d %s", got.code, got.body)
	}
}
