package media

import (
	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
)

// Form is one format of a response.
type Form struct {
	ID     ID
	Title  string
	Accept string // the Accept header that requests only this format
	Means  string
}

// ID names a format.
type ID string

// The formats.
const (
	JSON     ID = "json"
	YAML     ID = "yaml"
	Table    ID = "table"
	Metadata ID = "metadata"
	Protobuf ID = "protobuf"
	CBOR     ID = "cbor"
)

// The media types that API servers know.
const (
	TypeJSON     = accept.JSON
	TypeYAML     = "application/yaml"
	TypeProtobuf = "application/vnd.kubernetes.protobuf"
	TypeCBOR     = "application/cbor"
)

// Forms returns the formats that can be requested at a path. The server doesn't have to support them.
func Forms(p apipath.Path) []Form {
	forms := []Form{
		{JSON, "JSON", TypeJSON, "The default format. Every API server reads and writes it."},
		{YAML, "YAML", TypeYAML, "The same fields in another notation, for people. kubectl doesn’t request YAML: it requests JSON, and writes the YAML itself."},
	}
	if p.IsResource() {
		forms = append(forms,
			Form{Table, "Table", accept.Table, "Columns and cells that the server selects, with the metadata of each object. kubectl get prints this format."},
			Form{Metadata, "Metadata only", metadata(p), "Only metadata, such as name, labels, owners and managedFields, without spec and status. Controllers that need no more, such as the garbage collector, request it."})
	}
	return append(forms,
		Form{Protobuf, "Protobuf", TypeProtobuf, "Field numbers in place of names, in an envelope that only Kubernetes uses. Readers need the schema, so built-in types have this format, and custom resources don’t. Controllers and kubelets request it."},
		Form{CBOR, "CBOR", TypeCBOR, "The fields of JSON, with their names, in a binary format. Programs read it faster than JSON. Readers need no schema, so custom resources have it, too. Servers support it behind a feature gate."})
}

func metadata(p apipath.Path) string {
	if p.Kind == apipath.KindCollection {
		return accept.MetadataList
	}
	return accept.Metadata
}

// CompressFrom is the size, in bytes, from which API servers compress a response if the client accepts gzip. Smaller responses aren't
// worth the time.
const CompressFrom = 128 << 10

// Binary tells whether a media type is binary.
func Binary(mediaType string) bool { return mediaType == TypeProtobuf || mediaType == TypeCBOR }
