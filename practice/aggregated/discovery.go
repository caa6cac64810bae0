package aggregated

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// The discovery documents, in the forms from before aggregated discovery.

func apiGroup() metav1.APIGroup {
	version := metav1.GroupVersionForDiscovery{GroupVersion: Group + "/" + Version, Version: Version}
	return metav1.APIGroup{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "APIGroup"}, Name: Group,
		Versions: []metav1.GroupVersionForDiscovery{version}, PreferredVersion: version,
	}
}

func apiGroups() metav1.APIGroupList {
	return metav1.APIGroupList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "APIGroupList"}, Groups: []metav1.APIGroup{apiGroup()}}
}

func apiResources() metav1.APIResourceList {
	list := metav1.APIResourceList{
		TypeMeta:     metav1.TypeMeta{APIVersion: "v1", Kind: "APIResourceList"},
		GroupVersion: Group + "/" + Version,
	}
	for _, r := range served {
		list.APIResources = append(list.APIResources, metav1.APIResource{
			Name: r.name, SingularName: singular(r), Namespaced: r.namespaced, Kind: r.kind, Verbs: r.verbs,
		})
	}
	return list
}

func singular(r *resource) string { return r.name[:len(r.name)-1] }
