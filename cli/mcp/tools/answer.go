package tools

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/inquiry"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/status"
)

// Answer is the result of a tool. Says and the other members are Fieldmark's own; nothing from a cluster is in them.
type Answer struct {
	Says        string `json:"says"` // the digest, in a sentence or two
	Accepted    *bool  `json:"accepted,omitempty"`
	SafeToForce *bool  `json:"safe_to_force,omitempty"`
	Allowed     *bool  `json:"allowed,omitempty"`
	More        int    `json:"more,omitempty"`        // how many items aren't in this answer; -1: unknown
	NextCursor  string `json:"next_cursor,omitempty"` // the value of cursor for the next part
	Guide       any    `json:"guide,omitempty"`       // what Fieldmark's guide says
	// Data has everything that a cluster, a manifest or a kubeconfig says.
	Data any `json:"data_from_cluster,omitempty"`
	// Failure is why there is no answer, in the words of a cluster or of a library.
	Failure string `json:"error_from_cluster,omitempty"`
}

// failure is an error that the assistant reads: Fieldmark's own words, and those of somebody else.
type failure struct{ says, theirs string }

func (f failure) Error() string { return strings.TrimSpace(f.says + " " + f.theirs) }

// sorry is a failure in Fieldmark's own words. Nothing from a cluster may be in them.
func sorry(says string) error { return failure{says: says} }

// refusedBy is a failure with the words of an API server.
func refusedBy(no *status.Status) error {
	switch {
	case no.Code == 0:
		return failure{"There was no response from the API server. Try again later, or check the connection.", no.Message}
	case no.Code == status.CodeForbidden:
		return failure{"The user has no permission for this request. who_can says who has it.", no.Message}
	case no.Code == status.CodeNotFound:
		return failure{"There is no such object, or the type doesn't exist. Check the name and the namespace with the tool list.", no.Message}
	case no.Code == status.CodeUnauthorized:
		return failure{"The API server doesn't accept the credentials. Ask the user to sign in again.", no.Message}
	}
	return failure{"The API server refused the request with status code " + strconv.Itoa(no.Code) + ".", no.Message}
}

// answerOf is an error as an answer.
func answerOf(err error) Answer {
	if f, is := errors.AsType[failure](err); is {
		return Answer{Says: f.says, Failure: f.theirs}
	}
	return Answer{Says: "The call failed.", Failure: err.Error()}
}

// asking is a request with a path and a query.
func asking(method, target string) (inquiry.Ask, error) {
	path, query, _ := strings.Cut(target, "?")
	p, err := apipath.Parse(path)
	if err != nil {
		return inquiry.Ask{}, failure{"No request was sent, because a name can't be in a path.", err.Error()}
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return inquiry.Ask{}, failure{"No request was sent, because the query is malformed.", err.Error()}
	}
	a := inquiry.Ask{Path: p, Query: values}
	if method != "GET" {
		a.Method = method
	}
	return a, nil
}

// maxAnswer bounds an answer, in bytes, so that it fits into a context window. Tools have smaller bounds of their own.
const maxAnswer = 48 << 10

// encode writes an answer as JSON. Texts from the cluster are cleaned, and markup in them is escaped.
func (a Answer) encode(hide func(string) string) ([]byte, error) {
	if a.Data != nil {
		data, err := json.Marshal(a.Data)
		if err != nil {
			return nil, fmt.Errorf("writing the answer: %w", err)
		}
		a.Data = json.RawMessage(cleaned(data))
	}
	a.Failure = visible(cut(hide(a.Failure), 2000))
	text, err := json.Marshal(a)
	if err == nil && len(text) > maxAnswer {
		return json.Marshal(Answer{Says: fmt.Sprintf("The answer has %d bytes, which is too long for a context window. Ask for less: one field, one namespace, or a smaller limit.", len(text))})
	}
	return text, err
}

// cleaned is JSON whose texts have no character that nobody sees. Names of members are texts, too. Its markup is escaped, as Go's encoder does it.
func cleaned(text []byte) []byte {
	var out bytes.Buffer
	for len(text) > 0 {
		from := bytes.IndexByte(text, '"')
		if from < 0 {
			out.Write(text)
			break
		}
		out.Write(text[:from])
		to := literalEnd(text, from)
		var s string
		if json.Unmarshal(text[from:to], &s) != nil {
			s = "" // the encoder wrote it, so it can be read
		}
		safe, err := json.Marshal(visible(s))
		if err == nil {
			out.Write(safe)
		}
		text = text[to:]
	}
	return out.Bytes()
}

// literalEnd is the index after the JSON string that begins at an index.
func literalEnd(text []byte, from int) int {
	for i := from + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// visible is a text in which every character can be seen. A line break becomes a sign for one.
func visible(text string) string {
	return plain.Replaced(strings.ToValidUTF8(text, "·"), func(r rune) string {
		if r == '\n' {
			return "⏎"
		}
		return "·"
	})
}

// cut is at most so many bytes of a text, with a mark where it was cut.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// A cursor has a letter for what it continues, and a value. It is encoded, so that nothing a cluster has chosen is readable in it.
const (
	byOffset = "o"
	byToken  = "t"
)

func cursorOf(kind, value string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(kind + value))
}

func readCursor(cursor, kind string) (value string, err error) {
	if cursor == "" {
		return "", nil
	}
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(text) < 2 || string(text[:1]) != kind {
		return "", sorry("The cursor isn't one of this tool. Call the tool again without it.")
	}
	return string(text[1:]), nil
}

// page is a part of a list: at most limit items from the cursor on.
func page[T any](all []T, cursor string, limit int, a *Answer) ([]T, error) {
	value, err := readCursor(cursor, byOffset)
	if err != nil {
		return nil, err
	}
	from := 0
	if value != "" {
		if from, err = strconv.Atoi(value); err != nil || from < 0 {
			return nil, sorry("The cursor isn't one of this tool. Call the tool again without it.")
		}
	}
	from = min(from, len(all))
	to := min(from+limit, len(all))
	if a.More = len(all) - to; a.More > 0 {
		a.NextCursor = cursorOf(byOffset, strconv.Itoa(to))
	}
	return all[from:to], nil
}

// bounded is a number of an argument between 1 and most; 0 means usual.
func bounded(given, usual, most int) int {
	if given <= 0 {
		return usual
	}
	return min(given, most)
}

func yes(is bool) *bool { return &is }
