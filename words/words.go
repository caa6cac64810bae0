// Package words is the one vocabulary of Fieldmark: the labels, verdicts and states that pages, lessons and commands share, and plurals.
//
// A word is here if two places say it, or if it must be the same everywhere. A constant is a whole label or a whole sentence, never a
// piece to build a sentence from, so that each can be translated.
package words

// Verdicts on predictions.
const (
	Correct       = "Correct."              // the prediction was right
	Almost        = "Almost."               // right but for its spelling: a word for a number, upper case, a plural
	NotQuite      = "Not quite."            // the prediction was wrong
	CorrectAnswer = "Correct answer:"       // before what should have been predicted
	HereIsWhat    = "Here is what happens." // before the explanation, whatever was predicted
	NotJudged     = "Not judged."           // before the reason: the checks of the prediction's request failed
	NotCorrect    = "Not correct:"          // before a wrong choice

	PredictionsCorrect = "Predictions: %d of %d correct." // a format
)

// Verdicts on checks.
const (
	CheckPassed = "Check passed"
	CheckFailed = "Check failed"
	NotChecked  = "Not checked yet"
	FailedCheck = "Failed check:" // before the check, as a lesson writes it
)

// States of requests.
const (
	Canceled  = "Canceled"
	OutOfTime = "Fieldmark ran out of time" // why a request of a search or a count was not sent
)

// Words of buttons that more than one page has.
const (
	StartOver     = "Start over"
	StartOverHint = "Deletes what you created and uses a new namespace" // the title of Start over in a lesson
	TryAgain      = "Try again"
	Copy          = "Copy"
	CopiedNow     = "Copied" // said after Copy
	Load          = "Load"   // take the settings of a form
	Choose        = "Choose" // choose what a form names
	ShowMoreLines = "Show more lines"
	ShowMoreRows  = "Show more rows"
	Close         = "Close"
	Delete        = "Delete"
	Reload        = "Reload"
)

// Copies say what became of something that was copied as Markdown or as an image.
var Copies = map[string]string{
	"markdown": "Copied as Markdown.",
	"image":    "Copied as an image.",
	"file":     "The browser doesn’t let this page copy images, so it downloaded the image as a file.",
	"refused":  "The browser doesn’t let this page copy text. Use HTTPS or localhost, and allow access to the clipboard.",
	"broken":   "The browser couldn’t draw the image. Copy it as Markdown instead.",
}

// Headings of a request and its response.
const (
	Response        = "Response"
	ResponseHeaders = "Response headers"
)
