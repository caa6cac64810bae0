package pages

import (
	"net/http"
	"strings"
	"testing"
)

const whoCan = "/c/practice/-/who-can"

func TestWhoCanNamesSubjectsBindingsAndRoles(t *testing.T) {
	s := practiceSite(t)
	p := s.want(http.StatusOK, whoCan+"?path=/apis/apps/v1/namespaces/shop/deployments/storefront&verb=change").inert()
	p.says("Who can update or patch deployments.apps storefront in the namespace shop?", "In the whole cluster, by ClusterRoleBindings", "system:masters", "cluster-admin", "Other authorizers", "Impersonation")
	if links := p.all("a", "href=/c/practice/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/cluster-admin"); len(links) == 0 {
		t.Error("the binding isn't linked")
	}
	s.want(http.StatusOK, whoCan+"?path=/apis/apps/v1/deployments&filter=nothing+is+like+this").says("No subject matches the filter", "Show all subjects")
	s.want(http.StatusOK, whoCan+"?path=/apis/apps/v1/namespaces/shop/deployments/storefront/scale").says("Who can update or patch deployments/scale.apps storefront")
	s.want(http.StatusOK, whoCan+"?path=/healthz").says("This path is not a collection or an object")
	s.want(http.StatusNotFound, whoCan+"?path=/apis/nosuch.example.com/v1/things").says("This resource type doesn’t exist")
}

// Somebody who can't read roles gets no answer that there is nobody.
func TestWhoCanSaysWhatCannotBeRead(t *testing.T) {
	p := practiceSite(t).want(http.StatusOK, strings.Replace(whoCan, "practice", "practice-viewer", 1)+"?path=/api/v1/nodes").inert()
	p.says("What couldn’t be read", "you don’t have the permission to list clusterrolebindings.rbac.authorization.k8s.io", "That isn’t proof that no subject can do it")
}
