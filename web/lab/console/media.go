package console

import (
	"strings"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/request"
)

// media is a media type by its name.
type media struct {
	Name, Type, Words string
}

// otherName is the choice for a media type that has no name here.
const otherName = "other"

var accepts = []media{
	{"any", "", "the server chooses"},
	{"JSON", "application/json", "application/json"},
	{"YAML", "application/yaml", "application/yaml"},
	{"Table", accept.Table, "columns, as kubectl get shows them"},
	{"metadata", accept.Metadata, "PartialObjectMetadata: objects without spec and status"},
	{"metadata-list", accept.MetadataList, "PartialObjectMetadataList: a list without spec and status"},
	{"Protobuf", "application/vnd.kubernetes.protobuf", "application/vnd.kubernetes.protobuf"},
	{"CBOR", "application/cbor", "application/cbor"},
}

var contents = []media{
	{"JSON", "application/json", "application/json"},
	{"YAML", "application/yaml", "application/yaml"},
	{"apply", "application/apply-patch+yaml", "server-side apply: application/apply-patch+yaml"},
	{"merge", "application/merge-patch+json", "merge patch: application/merge-patch+json"},
	{"json-patch", "application/json-patch+json", "JSON Patch: application/json-patch+json"},
	{"strategic", "application/strategic-merge-patch+json", "strategic merge patch: application/strategic-merge-patch+json"},
	{"CBOR", "application/cbor", "application/cbor"},
	{"Protobuf", "application/vnd.kubernetes.protobuf", "application/vnd.kubernetes.protobuf"},
}

// mediaOf is the media type of a name. Any other text is a media type itself.
func mediaOf(all []media, name string) string {
	for _, m := range all {
		if m.Name == name {
			return m.Type
		}
	}
	if name == otherName {
		return ""
	}
	return name
}

// nameOf is the name of a media type, or the media type itself if it has none.
func nameOf(all []media, mediaType string) string {
	for _, m := range all {
		if m.Type == mediaType {
			return strings.Replace(m.Name, "any", "", 1)
		}
	}
	return mediaType
}

// named tells whether a media type has a name.
func named(all []media, mediaType string) bool {
	for _, m := range all {
		if m.Type == mediaType {
			return true
		}
	}
	return false
}

// usualType is the default media type of a body for the method.
func (d Draft) usualType() string {
	if d.Method == request.Patch {
		return "application/apply-patch+yaml"
	}
	return "application/json"
}

// retyped is the draft with a media type that its method accepts, after a change from another method.
func (d Draft) retyped(before string) Draft {
	if d.hasBody() && (d.ContentType == "" || (d.Method == request.Patch) != (before == request.Patch)) {
		d.ContentType = d.usualType()
	}
	return d
}

// form is the part of the media types that the parameters depend on, as parameter.For takes it.
func (d Draft) form() string {
	switch {
	case strings.Contains(d.Accept, "as=Table"):
		return "Table"
	case strings.HasPrefix(d.ContentType, "application/apply-patch"):
		return "apply"
	}
	return ""
}

// fitting are the media types to choose from for a path. The type for metadata of an object differs from that of a collection.
func fitting(d Draft) []media {
	p, ok := d.path()
	collection := ok && p.Kind == apipath.KindCollection && d.call().Verb() == "list"
	var all []media
	for _, m := range accepts {
		if isList := strings.HasSuffix(m.Name, "-list"); (m.Name == "metadata" || isList) && isList != collection && m.Type != d.Accept {
			continue
		}
		all = append(all, m)
	}
	return all
}
