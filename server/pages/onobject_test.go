package pages

import (
	"net/http"
	"testing"
)

const storefrontAPI = "/apis/apps/v1/namespaces/shop/deployments/storefront"

func TestDeleteTellsWhatGoesAlong(t *testing.T) {
	s := practiceSite(t)
	p := s.want(http.StatusOK, "/c/practice/-/delete?path="+storefrontAPI).says("Deployment shop/storefront", "ReplicaSet", "Pod", "They are deleted after the object.", "DELETE "+storefrontAPI, "The dry run is the same request with dryRun=All in the query",
		"kubectl delete deployments.apps storefront -n shop --cascade=background --dry-run=server").inert()
	if links := p.all("a", "href=/c/practice"+storefrontAPI); len(links) == 0 {
		t.Error("nothing leads back to the object")
	}
	s.want(http.StatusOK, "/c/practice/-/delete?propagation=Orphan&path="+storefrontAPI).says(`"propagationPolicy": "Orphan"`, "All of them stay.")
	pods := s.want(http.StatusOK, "/c/practice/api/v1/namespaces/shop/pods?filter=carts-db-0").rows()
	s.want(http.StatusOK, "/c/practice/-/delete?grace=9&path=/api/v1/namespaces/shop/pods/"+pods[0]).says("Grace period", `"gracePeriodSeconds": 9`, "StatefulSet carts-db manages this object")
	s.want(http.StatusOK, "/c/practice/-/delete?path=/api/v1/namespaces/shop").says("deletes every object in it", "namespace controller", "What will be deleted", "configmaps", "deployments.apps", "objects of")
}

func TestAssistantsPlanWithoutTheProgram(t *testing.T) {
	s := practiceSite(t)
	const tool = "/c/practice/-/assist?path=" + storefrontAPI
	s.want(http.StatusOK, tool).says("Choose the fields that argocd-controller (Apply) hands over.", "Hand the number of replicas over to kube-controller-manager").inert()
	s.want(http.StatusOK, tool+"&field=.spec.replicas&name=kube-controller-manager&how=scale").says("PATCH "+storefrontAPI+"?fieldManager=handover-to-kube-controller-manager", "replicas: 3").inert()
	s.want(http.StatusOK, tool+"&do=release").says("Choose the manager that no longer exists.")
	s.want(http.StatusOK, tool+"&do=clear").says("application/merge-patch+json", "no field has an owner")
	s.want(http.StatusOK, tool+"&do=to-server-side").says("Found no client-side apply of this object")
	s.want(http.StatusOK, tool+"&do=to-client-side").says("last-applied-configuration")
}

func TestActsArePlannedWithoutTheProgram(t *testing.T) {
	s := practiceSite(t)
	const tool = "/c/practice/-/act?path=" + storefrontAPI
	p := s.want(http.StatusOK, tool).says("Deployment shop/storefront", "Changes the number of replicas.").inert()
	if links := p.all("a", "href=/c/practice/-/act?act=scale&path=%2Fapis%2Fapps%2Fv1%2Fnamespaces%2Fshop%2Fdeployments%2Fstorefront"); len(links) == 0 {
		t.Error("no act is offered")
	}
	s.want(http.StatusOK, tool+"&act=scale&replicas=7").says("PATCH "+storefrontAPI+"/scale?fieldManager=fieldmark", `"replicas": 7`, "You will own the field, as fieldmark (Update, scale).").inert()
	s.want(http.StatusOK, tool+"&act=scale&replicas=-1").says("can’t be negative").inert()
	s.want(http.StatusOK, tool+"&act=nosuch").says("no act with the name “nosuch”")
	several := tool + "&act=scale&replicas=7&path=/apis/apps/v1/namespaces/shop/deployments/"
	s.want(http.StatusOK, several+"catalog").says("Scale 2 Deployments", "shop/catalog", "shop/storefront .spec.replicas 3 → becomes 7 argocd-controller (Apply) loses .spec.replicas.").inert()
	s.want(http.StatusOK, several+"nosuch").says("shop/nosuch Not found.", "shop/storefront .spec.replicas").inert()
	s.want(http.StatusOK, "/c/practice/-/act?path=/api/v1&path=/x").says("This isn’t the path of an object").inert()
}

func TestToolsForAnObjectNeedOne(t *testing.T) {
	s := practiceSite(t)
	for _, tool := range []string{"delete", "assist", "act"} {
		at := "/c/practice/-/" + tool
		s.want(http.StatusBadRequest, at).says("This tool needs an object", "at the bottom of that page").inert()
		s.want(http.StatusBadRequest, at+"?path=/api/v1/pods").says("is not the API path of an object")
		s.want(http.StatusBadRequest, at+"?path=/api/v1/../x").says("is not the API path of an object")
		s.want(http.StatusNotFound, at+"?path=/api/v1/namespaces/shop/pods/nosuch").says("The object has been deleted").inert()
		s.want(http.StatusNotFound, at+"?path=/api/v1/namespaces/shop/nosuch/a").says("no type")
		s.want(http.StatusNotFound, "/c/nosuch/-/"+tool+"?path="+storefrontAPI)
		s.want(http.StatusForbidden, "/c/practice-viewer/-/"+tool+"?path=/api/v1/namespaces/shop/secrets/carts-db")
	}
	for _, tool := range []string{"delete", "assist"} { // they need a verb that this type doesn’t have
		s.want(http.StatusNotFound, "/c/practice/-/"+tool+"?path=/api/v1/componentstatuses/etcd-0").says("componentstatuses")
	}
}
