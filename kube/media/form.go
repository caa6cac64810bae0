package media

import (
	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
)

// Form is one way to write the answer to a request.
type Form struct {
	ID     ID
	Title  string
	Accept string // what asks for it, and for nothing else
	Means  string
}

// ID names a form.
type ID string

// The forms.
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

// Forms are those that what a path addresses may be asked for in, whether the server offers them or not.
func Forms(p apipath.Path) []Form {
	forms := []Form{
		{JSON, "JSON", TypeJSON, "What is answered unless something else is asked for. Every API server writes and reads it."},
		{YAML, "YAML", TypeYAML, "The same fields in another spelling, for people. kubectl does not ask for it: it asks for JSON, and writes YAML itself."},
	}
	if p.IsResource() {
		forms = append(forms,
			Form{Table, "Table", accept.Table, "Columns and cells that the server has chosen, with each object’s metadata beside them. It is what kubectl get prints."},
			Form{Metadata, "Metadata only", metadata(p), "Name, labels, annotations, owners and managedFields; no spec and no status. Controllers that need no more, such as the garbage collector, ask for it."})
	}
	return append(forms,
		Form{Protobuf, "Protobuf", TypeProtobuf, "Field numbers in place of names, in an envelope of Kubernetes’ own. Who reads it needs the schema, so built-in types have it, and custom resources do not. Controllers and kubelets ask for it."},
		Form{CBOR, "CBOR", TypeCBOR, "The fields of JSON, names and all, in binary: no quotes to look for, no digits to read. It needs no schema, so custom resources have it, too. Servers offer it behind a feature gate."})
}

func metadata(p apipath.Path) string {
	if p.Kind == apipath.KindCollection {
		return accept.MetadataList
	}
	return accept.Metadata
}

// CompressFrom is the size from which API servers compress an answer, if gzip is accepted: for less, the time is not worth it.
const CompressFrom = 128 << 10

// Binary tells whether a media type is none of text.
func Binary(mediaType string) bool { return mediaType == TypeProtobuf || mediaType == TypeCBOR }
