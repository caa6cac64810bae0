package web

import "slices"

// ToolPage is a page of a cluster that shows no part of its API, at Tool(slug, Name). This table is all that the product knows of it
// besides the page itself: routes, the sidebar, the palette, menus, lessons and the choice of a program for the browser read it.
type ToolPage struct {
	Name    string // in addresses
	Title   string // a noun, as in menus
	Brief   string // what it is for, in a few words; for menus, as the next one
	Hint    string // the same as a sentence
	Called  string // within a sentence, as in "Open it in the chunk stepper"
	Program string // for the browser, which runs its page
	Menu    Menu   // the sidebar's section that lists it
	Try     Try
	Acts    bool // it takes POST: a text that is too long or too secret for an address, or an act on this server, such as starting a scan
}

// Menu is a section of the sidebar.
type Menu string

// The sections. A tool without one needs something to begin with, such as an object.
const (
	NoMenu       Menu = ""
	Work         Menu = "Tools"
	Laboratories Menu = "Laboratories" // to try the API out
)

// Try says where a tool is offered for the path of a page, which it takes up as ?path=.
type Try struct {
	Title   string // in the menu there; empty: nowhere
	Verb    string // what the type must serve, such as "list"; empty: nothing
	Objects bool   // it takes up the path of an object, too
}

// Tools are all of them, in the order of menus.
func Tools() []ToolPage {
	all := []ToolPage{
		{
			Name: Apply, Title: "Apply preview", Called: "the apply preview", Program: WriteProgram, Menu: Work, Acts: true,
			Brief: "what a manifest would change", Hint: "Shows what a manifest would change, and with which managers it conflicts, before you apply it",
		},
		{
			Name: Check, Title: "Check", Called: "the check of manifests", Program: WriteProgram, Menu: Work, Acts: true,
			Brief: "what a folder of manifests would do", Hint: "Shows what an apply of many manifests would do: conflicts, changes, removed fields and fields that stay",
		},
		{
			Name: Explain, Title: "Explain a refusal", Called: "the page that explains refusals", Program: WriteProgram, Menu: Work, Acts: true,
			Brief: "why a request was refused, and the ways out", Hint: "Explains the text of a refusal: what happened, who owns the fields, and what to do",
		},
		{
			Name: Contention, Title: "Contention scan", Called: "the contention scan", Program: LabProgram, Menu: Work, Acts: true,
			Brief: "who fights over which field", Hint: "Watches many objects, and ranks who fights over which field",
		},
		{
			Name: Happened, Title: "Cluster events", Called: "the cluster’s events", Program: ReadProgram, Menu: Work,
			Brief: "what happened in the cluster, grouped", Hint: "The cluster’s Events, grouped by object and reason, warnings first",
		},
		{
			Name: WhoAmI, Title: "Who am I", Called: "the page that says who you are", Program: ReadProgram, Menu: Work, Acts: true,
			Brief: "your name, your groups, and what you may do", Hint: "Says who you are in this cluster, how the server knows you, and what you may do",
		},
		{
			Name: Watched, Title: "Watched objects", Called: "the list of watched objects", Program: ReadProgram, Menu: Work, Acts: true,
			Brief: "what happened to the objects that you watch", Hint: "Lists the objects that Fieldmark’s server watches for you, and what happened to them",
		},
		{
			Name: Requests, Title: "Requests", Called: "the wire log", Program: LabProgram, Menu: Work,
			Brief: "every API request of the session", Hint: "Every API request that this session caused, as it happens",
		},
		{
			Name: Request, Title: "Request console", Called: "the request console", Program: LabProgram, Menu: Work, Try: Try{Title: "Request", Objects: true},
			Brief: "send any request", Hint: "Sends any request to the API, and shows the response as it arrives",
		},
	}
	return slices.Concat(all, laboratories(), forObjects())
}

// laboratories are the tools to try the API out.
func laboratories() []ToolPage {
	return []ToolPage{
		{
			Name: Discovery, Title: "Discovery", Called: "the discovery explorer", Program: LabProgram, Menu: Laboratories,
			Brief: "every type that the API server serves", Hint: "Every group, version and type that this API server serves",
		},
		{
			Name: Representations, Title: "Representations", Called: "the representations laboratory", Program: LabProgram, Menu: Laboratories, Try: Try{Title: "Representations", Objects: true},
			Brief: "Protobuf, CBOR, YAML: one path in every format", Hint: "One path in every format: JSON, YAML, Table, metadata, Protobuf, CBOR, and what their bytes mean",
		},
		{
			Name: Compare, Title: "Two servers, one request", Called: "the comparison of two servers", Program: LabProgram, Menu: Laboratories, Try: Try{Title: "Two servers", Objects: true},
			Brief: "what two servers respond to one request", Hint: "Sends one request to two clusters, and shows how the responses differ",
		},
		{
			Name: Chunks, Title: "Chunk stepper", Called: "the chunk stepper", Program: LabProgram, Menu: Laboratories, Try: Try{Title: "Chunks", Verb: "list"},
			Brief: "a collection, chunk by chunk", Hint: "Lists a collection chunk by chunk, and shows what a token and a snapshot are",
		},
		{
			Name: Watch, Title: "Watch laboratory", Called: "the watch laboratory", Program: LabProgram, Menu: Laboratories, Try: Try{Title: "Watch", Verb: "watch", Objects: true},
			Brief: "a stream of events, cut and resumed", Hint: "A stream of events, cut and resumed by hand",
		},
		{
			Name: Versions, Title: "Version laboratory", Called: "the version laboratory", Program: LabProgram, Menu: Laboratories, Try: Try{Title: "Versions", Verb: "list"},
			Brief: "what resourceVersion means", Hint: "What resourceVersion means in every combination with other parameters, as requests that you can send",
		},
	}
}

// forObjects are the tools that need an object to begin with.
func forObjects() []ToolPage {
	return []ToolPage{
		{Name: Delete, Title: "Delete", Called: "the page that deletes it", Program: WriteProgram},
		{Name: Act, Title: "Acts", Called: "the page of acts", Program: RunProgram},
		{Name: Assist, Title: "Ownership assistants", Called: "the assistant", Program: WriteProgram},
	}
}

// Listed are the tools of one section of the sidebar or, without a section, all that need nothing to begin with.
func Listed(in Menu) []ToolPage {
	return slices.DeleteFunc(Tools(), func(t ToolPage) bool { return t.Menu == NoMenu || in != NoMenu && t.Menu != in })
}

// ToolNamed finds a tool by its name in addresses.
func ToolNamed(name string) (ToolPage, bool) {
	all := Tools()
	i := slices.IndexFunc(all, func(t ToolPage) bool { return t.Name == name })
	if i < 0 {
		return ToolPage{}, false
	}
	return all[i], true
}
