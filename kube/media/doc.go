// Package media has the formats in which API servers send an object or a list. It makes no requests. It
//
//   - knows the media types, and the formats that a path can be requested in (Forms),
//   - reads the header Accept and tells which clause a response matches (ParseAccept, Taken),
//   - splits the envelope of Protobuf into its pieces (ParseEnvelope), and reads messages without their schema (Walk),
//   - writes CBOR in diagnostic notation (ParseCBOR),
//   - lays bytes out for a hex view (Hex).
//
// No input makes it panic. Its time and memory are bounded by the size of the input.
package media
