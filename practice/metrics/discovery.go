package metrics

import (
	"net/http"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// kind is one of the types.
type kind struct {
	name, singular, kind string
	namespaced           bool
}

var kinds = [Types]kind{
	{"nodes", "", "NodeMetrics", false},
	{"pods", "", "PodMetrics", true},
}

// kindOf is the type that a request is about.
func kindOf(r *http.Request) kind {
	if strings.HasPrefix(r.URL.Path, root+"/"+Version+"/nodes") {
		return kinds[0]
	}
	return kinds[1]
}

func group() metav1.APIGroup {
	version := metav1.GroupVersionForDiscovery{GroupVersion: Group + "/" + Version, Version: Version}
	return metav1.APIGroup{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "APIGroup"}, Name: Group,
		Versions: []metav1.GroupVersionForDiscovery{version}, PreferredVersion: version,
	}
}

func resources() metav1.APIResourceList {
	list := metav1.APIResourceList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "APIResourceList"}, GroupVersion: Group + "/" + Version}
	for _, k := range kinds {
		list.APIResources = append(list.APIResources, metav1.APIResource{
			Name: k.name, SingularName: k.singular, Namespaced: k.namespaced, Kind: k.kind, Verbs: metav1.Verbs{"get", "list"},
		})
	}
	return list
}
