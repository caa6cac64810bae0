package draft

import (
	"strings"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/request"
)

// Media is a media type by its name.
type Media struct {
	Name, Type, Words string
}

// Other is the choice for a media type that has no name here.
const Other = "other"

// Accepts are the media types to choose from for the response.
var Accepts = []Media{
	{"any", "", "the server chooses"},
	{"JSON", "application/json", "application/json"},
	{"YAML", "application/yaml", "application/yaml"},
	{"Table", accept.Table, "columns, as kubectl get shows them"},
	{"metadata", accept.Metadata, "PartialObjectMetadata: objects without spec and status"},
	{"metadata-list", accept.MetadataList, "PartialObjectMetadataList: a list without spec and status"},
	{"Protobuf", "application/vnd.kubernetes.protobuf", "application/vnd.kubernetes.protobuf"},
	{"CBOR", "application/cbor", "application/cbor"},
}

// Contents are the media types to choose from for the body.
var Contents = []Media{
	{"JSON", "application/json", "application/json"},
	{"YAML", "application/yaml", "application/yaml"},
	{"apply", "application/apply-patch+yaml", "server-side apply: application/apply-patch+yaml"},
	{"merge", "application/merge-patch+json", "merge patch: application/merge-patch+json"},
	{"json-patch", "application/json-patch+json", "JSON Patch: application/json-patch+json"},
	{"strategic", "application/strategic-merge-patch+json", "strategic merge patch: application/strategic-merge-patch+json"},
	{"CBOR", "application/cbor", "application/cbor"},
	{"Protobuf", "application/vnd.kubernetes.protobuf", "application/vnd.kubernetes.protobuf"},
}

// MediaOf is the media type of a name. Any other text is a media type itself.
func MediaOf(all []Media, name string) string {
	for _, m := range all {
		if m.Name == name {
			return m.Type
		}
	}
	if name == Other {
		return ""
	}
	return name
}

// NameOf is the name of a media type, or the media type itself if it has none.
func NameOf(all []Media, mediaType string) string {
	for _, m := range all {
		if m.Type == mediaType {
			return strings.Replace(m.Name, "any", "", 1)
		}
	}
	return mediaType
}

// Named tells whether a media type has a name.
func Named(all []Media, mediaType string) bool {
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

// Retyped is the draft with a media type that its method accepts, after a change from another method.
func (d Draft) Retyped(before string) Draft {
	if d.HasBody() && (d.ContentType == "" || (d.Method == request.Patch) != (before == request.Patch)) {
		d.ContentType = d.usualType()
	}
	return d
}

// Form is the part of the media types that the parameters depend on, as parameter.For takes it.
func (d Draft) Form() string {
	switch {
	case strings.Contains(d.Accept, "as=Table"):
		return "Table"
	case strings.HasPrefix(d.ContentType, "application/apply-patch"):
		return "apply"
	}
	return ""
}

// Fitting are the media types to choose from for a path. The type for metadata of an object differs from that of a collection.
func (d Draft) Fitting() []Media {
	p, ok := d.Path()
	collection := ok && p.Kind == apipath.KindCollection && d.Request().Verb() == "list"
	var all []Media
	for _, m := range Accepts {
		if isList := strings.HasSuffix(m.Name, "-list"); (m.Name == "metadata" || isList) && isList != collection && m.Type != d.Accept {
			continue
		}
		all = append(all, m)
	}
	return all
}
