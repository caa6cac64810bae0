// Package accept names the formats that clients request from API servers, as they are written in the header Accept.
package accept

// The formats. A Table, or metadata alone, is JSON that has another kind than the object.
const (
	JSON         = "application/json"
	Table        = JSON + ";as=Table;v=v1;g=meta.k8s.io"
	Metadata     = JSON + ";as=PartialObjectMetadata;v=v1;g=meta.k8s.io"     // of an object
	MetadataList = JSON + ";as=PartialObjectMetadataList;v=v1;g=meta.k8s.io" // of a collection
)

// OrJSON is added after a format that a server may not support. Such a server then sends plain JSON.
const OrJSON = "," + JSON
