package upstream

import (
	"errors"
	"fmt"
	"io"
	"net"
	"testing"
)

func TestErrorsAreToldApart(t *testing.T) {
	for err, cause := range map[error]Cause{
		errors.New("strange"): Other,
		io.ErrUnexpectedEOF:   Closed,
		errors.New("http2: server sent GOAWAY and closed"):          Closed,
		errors.New("getting credentials: exec: secret"):             Credentials,
		&CredentialsError{Text: "a", Advice: "b"}:                   Credentials,
		&net.OpError{Op: "proxyconnect", Err: errors.New("x")}:      Proxied,
		&net.OpError{Op: "remote error", Err: errors.New("tls: x")}: Handshake,
		&Unreachable{Cause: DNS}:                                    DNS,
	} {
		if got := Unreach(fmt.Errorf("around: %w", err)); got.Cause != cause {
			t.Errorf("%v is told as %s", err, got.Cause)
		}
	}
}
