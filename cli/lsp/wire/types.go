package wire

import (
	"encoding/json"

	"go.lsp.dev/jsonrpc2"
)

// Codes of errors: those of JSON-RPC, and those that LSP adds.
const (
	ParseError       = jsonrpc2.ParseError
	InvalidRequest   = jsonrpc2.InvalidRequest
	MethodNotFound   = jsonrpc2.MethodNotFound
	InvalidParams    = jsonrpc2.InvalidParams
	InternalError    = jsonrpc2.InternalError
	NotInitialized   = -32002
	RequestFailed    = -32803
	ServerCancelled  = -32802
	RequestCancelled = -32800
)

// Refuse is the error that answers a request.
func Refuse(code jsonrpc2.Code, words string) error {
	return jsonrpc2.NewError(code, words) //nolint:wrapcheck // the connection sends it as it is
}

// Position is a place in a document. Lines and characters count from 0. What a character is was negotiated.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// Range is a part of a document. End is the position after it.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// InitializeParams are what an editor says of itself.
type InitializeParams struct {
	Capabilities Capabilities `json:"capabilities"`
}

// Capabilities are what an editor can do.
type Capabilities struct {
	General struct {
		PositionEncodings []string `json:"positionEncodings"`
	} `json:"general"`
	// OffsetEncoding is what editors say that are older than version 3.17.
	OffsetEncoding []string `json:"offsetEncoding"`
	Window         struct {
		ShowMessage *struct{} `json:"showMessage"`
	} `json:"window"`
	Workspace struct {
		WorkspaceEdit struct {
			DocumentChanges bool `json:"documentChanges"`
		} `json:"workspaceEdit"`
	} `json:"workspace"`
	TextDocument struct {
		Hover struct {
			ContentFormat []string `json:"contentFormat"`
		} `json:"hover"`
		CodeAction struct {
			Literals *struct{} `json:"codeActionLiteralSupport"`
		} `json:"codeAction"`
		Diagnostics struct {
			Related bool `json:"relatedInformation"`
		} `json:"publishDiagnostics"`
	} `json:"textDocument"`
}

// InitializeResult is what the server says of itself.
type InitializeResult struct {
	Capabilities ServerCapabilities `json:"capabilities"`
	ServerInfo   ServerInfo         `json:"serverInfo"`
	// OffsetEncoding is PositionEncoding for editors that are older than version 3.17.
	OffsetEncoding string `json:"offsetEncoding,omitempty"`
}

// ServerInfo names the server.
type ServerInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// ServerCapabilities are what the server can do.
type ServerCapabilities struct {
	PositionEncoding string   `json:"positionEncoding"`
	TextDocumentSync Sync     `json:"textDocumentSync"`
	HoverProvider    bool     `json:"hoverProvider"`
	CodeAction       Actions  `json:"codeActionProvider"`
	ExecuteCommand   Commands `json:"executeCommandProvider"`
}

// Sync is how the server wants to learn of changes.
type Sync struct {
	OpenClose bool     `json:"openClose"`
	Change    int      `json:"change"` // 2: the changed parts only
	Save      struct{} `json:"save"`
}

// Incremental is the value of Sync.Change for the changed parts only.
const Incremental = 2

// Actions are the kinds of code actions.
type Actions struct {
	Kinds []string `json:"codeActionKinds"`
}

// Commands are the commands that the server executes.
type Commands struct {
	Commands []string `json:"commands"`
}

// Document names a document.
type Document struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
}

// VersionedDocument names a document of a workspace edit. Without a version, it isn't open.
type VersionedDocument struct {
	URI     string `json:"uri"`
	Version *int   `json:"version"`
}

// OpenParams are those of textDocument/didOpen.
type OpenParams struct {
	Document struct {
		Document
		Text string `json:"text"`
	} `json:"textDocument"`
}

// ChangeParams are those of textDocument/didChange.
type ChangeParams struct {
	Document Document `json:"textDocument"`
	Changes  []Change `json:"contentChanges"`
}

// Change is one change of a document. Without a range, Text is the whole text.
type Change struct {
	Range *Range `json:"range"`
	Text  string `json:"text"`
}

// DocumentParams are those of textDocument/didSave and textDocument/didClose.
type DocumentParams struct {
	Document Document `json:"textDocument"`
}

// PositionParams are those of textDocument/hover.
type PositionParams struct {
	Document Document `json:"textDocument"`
	Position Position `json:"position"`
}

// ActionParams are those of textDocument/codeAction.
type ActionParams struct {
	Document Document `json:"textDocument"`
	Range    Range    `json:"range"`
}

// CommandParams are those of workspace/executeCommand.
type CommandParams struct {
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments"`
}

// CancelParams are those of $/cancelRequest.
type CancelParams struct {
	ID json.RawMessage `json:"id"`
}

// The severities of diagnostics.
const (
	SeverityError       = 1
	SeverityWarning     = 2
	SeverityInformation = 3
	SeverityHint        = 4
)

// Diagnostic is a finding at its place.
type Diagnostic struct {
	Range    Range     `json:"range"`
	Severity int       `json:"severity"`
	Code     string    `json:"code,omitempty"`
	Source   string    `json:"source"`
	Message  string    `json:"message"`
	Related  []Related `json:"relatedInformation,omitempty"`
}

// Related is a sentence more about a diagnostic.
type Related struct {
	Location Location `json:"location"`
	Message  string   `json:"message"`
}

// Location is a part of a document.
type Location struct {
	URI   string `json:"uri"`
	Range Range  `json:"range"`
}

// PublishParams are those of textDocument/publishDiagnostics. Version is that of the text which the diagnostics are about.
type PublishParams struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// Hover is what an editor shows beside the pointer.
type Hover struct {
	Contents Markup `json:"contents"`
	Range    Range  `json:"range"`
}

// The kinds of Markup.
const (
	Markdown  = "markdown"
	PlainText = "plaintext"
)

// Markup is a text with its format.
type Markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

// TextEdit replaces a part of a document.
type TextEdit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
}

// WorkspaceEdit changes documents. It has either Changes or DocumentChanges.
type WorkspaceEdit struct {
	Changes         map[string][]TextEdit `json:"changes,omitempty"`
	DocumentChanges []DocumentEdit        `json:"documentChanges,omitempty"`
}

// DocumentEdit changes one version of a document.
type DocumentEdit struct {
	Document VersionedDocument `json:"textDocument"`
	Edits    []TextEdit        `json:"edits"`
}

// CodeAction is something that the person can choose: an edit, or a command.
type CodeAction struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []Diagnostic   `json:"diagnostics,omitempty"`
	Edit        *WorkspaceEdit `json:"edit,omitempty"`
	Command     *Command       `json:"command,omitempty"`
}

// QuickFix is the kind of all code actions. Editors run other kinds by themselves when a file is saved.
const QuickFix = "quickfix"

// Command is a command with its arguments.
type Command struct {
	Title     string   `json:"title"`
	Command   string   `json:"command"`
	Arguments []string `json:"arguments,omitempty"`
}

// MessageParams are those of window/showMessage and window/showMessageRequest.
type MessageParams struct {
	Type    int    `json:"type"`
	Message string `json:"message"`
	Actions []Item `json:"actions,omitempty"`
}

// The types of messages.
const (
	MessageWarning = 2
	MessageInfo    = 3
)

// Item is one choice of a message.
type Item struct {
	Title string `json:"title"`
}
