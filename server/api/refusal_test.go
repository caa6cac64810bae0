package api

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
	"testing"

	"github.com/fieldmark/fieldmark/kube/status"
)

// unresolved is an error that says which code it means, as the program's own resolving of clusters does.
type unresolved struct{}

func (unresolved) Error() string   { return "no such cluster" }
func (unresolved) HTTPStatus() int { return 404 }

func TestStatusOf(t *testing.T) {
	refused := &Error{Status: status.Status{Code: 403, Reason: status.Forbidden, Message: "no", Told: true, RetryAfterSeconds: 3}}
	for name, c := range map[string]struct {
		err     error
		code    int
		message string
		told    bool
	}{
		"refused":         {refused, 403, "no", true},
		"refused, within": {fmt.Errorf("listing: %w", refused), 403, "no", true},
		"too large":       {&TooLarge{Limit: 7}, 413, "the response is larger than 7 bytes", false},
		"not sendable":    {&BadRequest{Why: "its path is malformed"}, 400, "the request can't be sent: its path is malformed", false},
		"not readable":    {&BadAnswer{Why: "its gzip data is damaged"}, 502, "the response can't be read: its gzip data is damaged", false},
		"of another part": {fmt.Errorf("asking: %w", unresolved{}), 404, "no such cluster", false},
		"nobody listens":  {&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, 503, "Nothing listens at the API server's address", false},
		"too late":        {context.DeadlineExceeded, 504, "does not respond in time", false},
		"anything else":   {errors.New("a secret"), 502, "The request got no response", false},
	} {
		got := StatusOf(c.err)
		if got.Code != c.code || !strings.Contains(got.Message, c.message) || got.Told != c.told || strings.Contains(got.Message, "secret") {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := StatusOf(refused); got.RetryAfterSeconds != 3 || got.Reason != status.Forbidden {
		t.Errorf("%+v", got)
	}
}
