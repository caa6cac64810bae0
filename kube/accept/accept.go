// Package accept names the formats that clients request from API servers, as they are written in the header Accept.
package accept

// The forms. Table and metadata are JSON, of another kind than the object's own.
const (
	JSON         = "application/json"
	Table        = JSON + ";as=Table;v=v1;g=meta.k8s.io"
	Metadata     = JSON + ";as=PartialObjectMetadata;v=v1;g=meta.k8s.io"     // of an object
	MetadataList = JSON + ";as=PartialObjectMetadataList;v=v1;g=meta.k8s.io" // of a collection
)

// OrJSON stands behind a form that a server may not have: it answers with plain JSON then.
const OrJSON = "," + JSON
