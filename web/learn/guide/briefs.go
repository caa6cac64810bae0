package guide

// BriefsType is the media type to request at the map's address for a Briefs as JSON: what a mark of a page opens in place.
const BriefsType = "application/vnd.fieldmark.briefs+json"

// Briefs are the guide's topics in two sentences each, as plain text, by the address of the topic: /learn/{lesson} or
// /learn/glossary#{term}.
type Briefs map[string]string
