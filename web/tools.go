package web

// ToolPage is a tool that every cluster has, and that needs nothing to begin with. Menus and the palette list the same ones.
type ToolPage struct {
	Name       string // in addresses: see Tool
	Title      string
	Brief      string // what it is for, in a few words
	Hint       string // the same as a sentence
	Laboratory bool   // it is there to try the API out
}

// Tools are all of them, in the order of menus.
func Tools() []ToolPage {
	return []ToolPage{
		{Apply, "Apply preview", "what a manifest would change", "Shows what a manifest would change, and with whom it conflicts, before it does", false},
		{Contention, "Contention scan", "who fights over which field", "Watches many objects, and ranks who fights over which field", false},
		{Requests, "Requests", "every API request of the session", "Every API request that this session caused, as it happens", false},
		{Request, "Request console", "any request, made by hand", "Makes any request to the API, and shows its answer as it comes", false},
		{Discovery, "Discovery", "all that the API server says it serves", "All that this API server says it serves", true},
		{Representations, "Representations", "Protobuf, CBOR, YAML: one path in every form", "One path in every form: JSON, YAML, Table, metadata, Protobuf, CBOR, and what their bytes mean", true},
		{Chunks, "Chunk stepper", "a collection, limit by limit", "Lists a collection limit by limit, and shows what a token and a snapshot are", true},
		{Watch, "Watch laboratory", "a stream of events, cut and resumed", "A stream of events, cut and resumed by hand", true},
		{Versions, "Version laboratory", "what resourceVersion asks for", "What resourceVersion asks for, in every combination, as requests to send", true},
	}
}
