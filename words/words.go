// Package words is the one vocabulary of Fieldmark: the labels, verdicts and states that pages, lessons and commands share, and plurals.
//
// A word is here if two places say it, or if it must be the same everywhere. A constant is a whole label or a whole sentence, never a
// piece to build a sentence from, so that each can be translated.
package words

// Verdicts on predictions.
const (
	Correct        = "Correct."               // the prediction was right
	Almost         = "Almost."                // right but for its spelling: a word for a number, upper case, a plural
	NotQuite       = "Not quite."             // the prediction was wrong
	CorrectAnswer  = "Correct answer:"        // before what should have been predicted
	HereIsWhat     = "Here is what happens."  // before the explanation, whatever was predicted
	CannotBeJudged = "This can’t be judged:"  // before the reason: the checks of the prediction's request failed
	NotPredicted   = "You didn’t predict it." // the request was sent without a prediction
)

// Verdicts on checks.
const (
	CheckPassed  = "Check passed"
	CheckFailed  = "Check failed"
	Checking     = "Checking" // the check is running
	NotChecked   = "Not checked yet"
	CheckSkipped = "Check skipped"
)

// States of connections.
const (
	Connected    = "Connected."
	Connecting   = "Connecting"
	Disconnected = "Disconnected"
	Reconnecting = "Reconnecting"
	Live         = "Live" // what is shown is what the server has now
)

// States of a step, of a request, or of anything else that takes time.
const (
	NotStarted = "Not started"
	Waiting    = "Waiting"
	Running    = "Running"
	Done       = "Done"
	Failed     = "Failed"
	Skipped    = "Skipped"
	Canceled   = "Canceled"
)

// Words of buttons that more than one page has.
const (
	StartOver     = "Start over"
	StartOverHint = "Deletes what you created and uses a new namespace" // the title of Start over in a lesson
	Send          = "Send"
	SendAgain     = "Send again"
	TryAgain      = "Try again"
	Copy          = "Copy"
	CopiedNow     = "Copied" // said after Copy
	Load          = "Load"   // take the settings of a form
	ShowMore      = "Show more"
	ShowMoreLines = "Show more lines"
	ShowMoreRows  = "Show more rows"
	Open          = "Open"
	Close         = "Close"
	Delete        = "Delete"
	Stop          = "Stop"
	Cancel        = "Cancel"
	Reload        = "Reload"
	Next          = "Next"
	Previous      = "Previous"
	Skip          = "Skip"
)

// Headings of a request and its response.
const (
	Request         = "Request"
	Response        = "Response"
	RequestHeaders  = "Request headers"
	ResponseHeaders = "Response headers"
	Body            = "Body"
	StatusCode      = "Status code"
)
