package status

import "fmt"

// reasons are the words kube-apiserver uses for an HTTP code, for answers that give none.
var reasons = map[int]string{
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

// CodeOf is the HTTP code that kube-apiserver sends with a reason; 0 for a reason that has none of its own.
func CodeOf(reason string) int {
	switch reason {
	case AlreadyExists:
		return CodeConflict
	case Expired:
		return CodeGone
	case "ServerTimeout":
		return CodeInternalError
	}
	for code, word := range reasons {
		if word == reason {
			return code
		}
	}
	return 0
}

var sentences = map[int]string{
	400: "the server could not read the request",
	401: "the server does not accept these credentials",
	403: "the server refuses this request",
	404: "the server has nothing at this path",
	405: "the server does not offer this verb here",
	406: "the server can not answer in the media type asked for",
	409: "the object has changed or exists already",
	410: "what was asked for is no longer kept",
	413: "the request is too large",
	415: "the server does not read this media type",
	422: "the server finds the object invalid",
	429: "the server asks to slow down",
	500: "the server failed inside",
	502: "a gateway before the server got no answer",
	503: "the server is not available right now",
	504: "the server took too long",
}

func words(code int) string {
	if s := sentences[code]; s != "" {
		return s
	}
	return fmt.Sprintf("the server answered %d and said nothing more", code)
}
