package apipath

import "strings"

// Collection addresses a collection. An empty group is the core group, an empty namespace means all
// namespaces or a cluster-scoped resource.
func Collection(group, version, namespace, resource string) Path {
	return Path{Kind: KindCollection, Group: group, Version: version, Namespace: namespace, Resource: resource}
}

// Object addresses one object.
func Object(group, version, namespace, resource, name string) Path {
	p := Collection(group, version, namespace, resource)
	p.Kind, p.Name = KindObject, name
	return p
}

// NameSelector is the field selector that selects one object of a collection by its name.
func NameSelector(name string) string { return "metadata.name=" + inSelector.Replace(name) }

// inSelector escapes what has a meaning in a field selector.
var inSelector = strings.NewReplacer(`\`, `\\`, `,`, `\,`, `=`, `\=`)

// CollectionOf returns the collection of an object or a subresource. Other paths don't change.
func CollectionOf(p Path) Path {
	if !p.IsResource() {
		return p
	}
	return Collection(p.Group, p.Version, p.Namespace, p.Resource)
}

// ObjectOf returns the object of a subresource. Other paths don't change.
func ObjectOf(p Path) Path {
	if p.Kind != KindSubresource {
		return p
	}
	return Object(p.Group, p.Version, p.Namespace, p.Resource, p.Name)
}

// SubresourceOf addresses a subresource of an object, such as scale or status.
func SubresourceOf(object Path, subresource string) Path {
	object.Kind, object.Subresource, object.Rest, object.Watch = KindSubresource, subresource, "", false
	return object
}

// In is the same collection or object in another namespace. An empty namespace means all of them.
func (p Path) In(namespace string) Path {
	p.Namespace = namespace
	return p
}

// DiscoveryOf addresses the list of what a group version, a group, or (if both are empty) the core group serves.
func DiscoveryOf(group, version string) Path {
	return Path{Kind: KindDiscovery, Group: group, Version: version}
}
