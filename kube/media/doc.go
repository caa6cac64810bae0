// Package media has the formats in which API servers send an object or a list. It knows the media types, reads the header Accept, and
// explains bytes: the envelope of Protobuf, Protobuf without its schema, and CBOR in diagnostic notation. No input makes it panic. Its
// time and memory are bounded by the size of the input.
package media
