package upstream

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// Trouble is a failure to reach an API server, in words that say what to do. The error's own text is kept for
// logs only: it may quote addresses or what a credentials plugin printed.
type Trouble struct {
	// Code is the HTTP status to answer with.
	Code int
	// Kind is one word for state displays and metrics: refused, unresolved, untrusted, expired, rejected, timeout, plugin, cut, not-tls, unreachable.
	Kind string
	// Words are fit for showing to anyone who may use the cluster.
	Words string
	// Err is what happened, for the log.
	Err error
}

// Error gives the words; what lies beneath is found with errors.Unwrap.
func (t *Trouble) Error() string { return t.Words }

// Unwrap gives the error that was explained.
func (t *Trouble) Unwrap() error { return t.Err }

// HTTPStatus is the status to answer with.
func (t *Trouble) HTTPStatus() int { return t.Code }

// Explain tells what an error from a Target's Transport means. at is the API server's address, for the words.
func Explain(err error, at string) *Trouble {
	for _, explain := range []func(error, string) *Trouble{
		explainPlugin, explainTrust, explainTLS, explainDial, explainTimeout,
	} {
		if t := explain(err, at); t != nil {
			t.Err = err
			return t
		}
	}
	return &Trouble{http.StatusBadGateway, "cut", "The API server at " + at + " closed the connection without a whole answer. It may be restarting; try again.", err}
}

func bad(kind, words string) *Trouble {
	return &Trouble{Code: http.StatusBadGateway, Kind: kind, Words: words}
}

func explainTrust(err error, at string) *Trouble {
	var (
		authority x509.UnknownAuthorityError
		hostname  x509.HostnameError
		invalid   x509.CertificateInvalidError
	)
	switch {
	case errors.As(err, &authority):
		return bad("untrusted", "The certificate of the API server at "+at+" is signed by an authority that this context does not trust. "+
			"If the cluster was rebuilt, fetch its kubeconfig again; Fieldmark never skips this check.")
	case errors.As(err, &hostname):
		return bad("untrusted", "The API server's certificate does not name "+at+". Use an address that it names, or set tls-server-name in the kubeconfig.")
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return bad("expired", "The certificate of the API server at "+at+" has expired or is not valid yet. Renew it, and check this computer's clock.")
	case errors.As(err, &invalid):
		return bad("untrusted", "The certificate of the API server at "+at+" is not valid for a server.")
	}
	return nil
}

func explainTLS(err error, at string) *Trouble {
	var (
		alert  tls.AlertError
		record tls.RecordHeaderError
		remote *net.OpError
	)
	switch {
	case errors.As(err, &record), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return bad("not-tls", "What listens at "+at+" does not speak TLS. Is the address in the kubeconfig the API server's?")
	case errors.As(err, &alert), errors.As(err, &remote) && remote.Op == "remote error":
		return bad("rejected", "The API server at "+at+" refused the TLS handshake. The client certificate of this context may have expired or belong to another cluster.")
	}
	return nil
}

func explainDial(err error, at string) *Trouble {
	var lookup *net.DNSError
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return &Trouble{Code: http.StatusServiceUnavailable, Kind: "refused", Words: "Nothing listens at " + at +
			": the connection was refused. Is the cluster running?"}
	case errors.As(err, &lookup):
		return bad("unresolved", "The name in "+at+" can't be resolved. Is the VPN up, and the address in the kubeconfig right?")
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return bad("unreachable", "There is no route to "+at+". Is the network or the VPN up?")
	}
	return nil
}

func explainTimeout(err error, at string) *Trouble {
	var timeout interface{ Timeout() bool }
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) ||
		errors.Is(err, syscall.ETIMEDOUT) || errors.As(err, &timeout) && timeout.Timeout() {
		return &Trouble{Code: http.StatusGatewayTimeout, Kind: "timeout", Words: "The API server at " + at +
			" did not answer in time. It may be overloaded, or a firewall drops what is sent to it."}
	}
	return nil
}

// pluginFailed picks the two facts out of client-go's message that hold nothing the plugin printed.
var pluginFailed = regexp.MustCompile(`exec: (executable [\w./ -]{1,120}? (?:not found|failed with exit code \d+))`)

func explainPlugin(err error, _ string) *Trouble {
	text := err.Error()
	if !strings.Contains(text, "getting credentials:") {
		return nil
	}
	words := "The credentials plugin of this context failed"
	if m := pluginFailed.FindStringSubmatch(text); m != nil {
		words += " (" + m[1] + ")"
	}
	return bad("plugin", words+". Run it in a terminal to see why; it may want you to sign in again.")
}

// A connection attempt that lasts longer than this is given up: the words of a time-out are worth more than the wait.
const (
	dialTimeout      = 10 * time.Second
	handshakeTimeout = 10 * time.Second
)
