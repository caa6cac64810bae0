package status

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/lazy"
)

// reasons are the reasons that kube-apiserver uses with an HTTP code, for responses without a reason.
var reasons = lazy.Value[map[int]string]{Make: func() map[int]string {
	return map[int]string{
		400: BadRequest,
		401: Unauthorized,
		403: Forbidden,
		404: NotFound,
		405: "MethodNotAllowed",
		406: "NotAcceptable",
		409: Conflict,
		410: Gone,
		413: "RequestEntityTooLarge",
		415: "UnsupportedMediaType",
		422: Invalid,
		429: "TooManyRequests",
		500: "InternalError",
		503: "ServiceUnavailable",
		504: "Timeout",
	}
}}

// CodeOf is the HTTP code that kube-apiserver sends with a reason; 0 if the reason has no fixed code.
func CodeOf(reason string) int {
	switch reason {
	case AlreadyExists:
		return CodeConflict
	case Expired:
		return CodeGone
	case "ServerTimeout":
		return CodeInternalError
	}
	for code, word := range reasons.Get() {
		if word == reason {
			return code
		}
	}
	return 0
}

var sentences = lazy.Value[map[int]string]{Make: func() map[int]string {
	return map[int]string{
		400: "the server couldn't read the request",
		401: "the server doesn't accept these credentials",
		403: "the server refuses this request",
		404: "the server has nothing at this path",
		405: "the server doesn't support this verb at this path",
		406: "the server can't respond in the requested media type",
		409: "the object has changed or exists already",
		410: "the server no longer keeps the requested version",
		413: "the request is too large",
		415: "the server doesn't read this media type",
		422: "the object isn't valid",
		429: "the server has too many requests",
		500: "the server had an internal error",
		502: "a gateway in front of the server got no response",
		503: "the server isn't available at the moment",
		504: "the server took too long to respond",
	}
}}

func codeText(code int) string {
	if s := sentences.Get()[code]; s != "" {
		return s
	}
	return fmt.Sprintf("the server responded with %d and no message", code)
}

// final are the words of servers for fields that can't be changed.
var final = []string{"immutable", "may not change", "may not add or remove", "cannot be changed", "may not be changed", "can not be changed"}

// Final tells whether a message about a field says that the field can't be changed after creation.
func Final(message string) bool {
	return strings.Contains(message, "updates to ") && strings.Contains(message, "forbidden") ||
		slices.ContainsFunc(final, func(words string) bool { return strings.Contains(message, words) })
}
