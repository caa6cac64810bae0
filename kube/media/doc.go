// Package media is how the same thing of the API goes over the wire in different forms: which media types there are, how a list of them
// in Accept is read, and what their bytes mean: the envelope that Protobuf is sent in, Protobuf without its schema, CBOR in
// diagnostic notation. Whatever bytes are given, nothing here panics, and time and room are bounded by their number.
package media
