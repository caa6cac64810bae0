package guide

// BriefsType is the media type to request at the map's address for a Briefs as JSON: what a mark of a page opens in place.
const BriefsType = "application/vnd.fieldmark.briefs+json"

// Briefs are the guide's topics, by the address of the topic: /learn/{lesson} or /learn/glossary#{term}.
type Briefs map[string]Brief

// Brief is a topic in two sentences.
type Brief struct {
	Text string `json:"text"`           // plain
	Task string `json:"task,omitempty"` // the address of the task that practises it; empty: there is none
}
