package upstream

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
)

// Cause is the reason why there was no response.
type Cause string

// The causes.
const (
	Refused     Cause = "refused"     // nothing listens there
	DNS         Cause = "dns"         // the host name is not known
	NoRoute     Cause = "no-route"    // the network or host can not be reached
	Timeout     Cause = "timeout"     // nothing came in time
	Untrusted   Cause = "untrusted"   // the server's certificate is not trusted
	Handshake   Cause = "tls"         // the TLS handshake failed
	NotTLS      Cause = "not-tls"     // the server speaks plain HTTP
	Proxied     Cause = "proxy"       // the proxy before the server failed
	Credentials Cause = "credentials" // the context's credentials are not available
	Closed      Cause = "closed"      // the connection broke off
	Canceled    Cause = "canceled"    // the caller canceled the request
	Other       Cause = "other"
)

// Unreachable is a request without a response. Text and Advice are Fieldmark's own words. From the network they have only host
// names and facts about certificates.
type Unreachable struct {
	Cause Cause
	// Text says what happened, Advice what to do about it; one sentence each, for people.
	Text   string
	Advice string
	// SignIn is true if the person has to sign in.
	SignIn bool
	// Err is the cause, only for errors.Is. Never show it: it may contain secrets of a credentials plugin.
	Err error
}

// Error is what happened.
func (u *Unreachable) Error() string { return u.Text }

// Words are what happened and what to do about it, as sentences.
func (u *Unreachable) Words() string {
	return strings.ToUpper(u.Text[:1]) + u.Text[1:] + ". " + u.Advice
}

// HTTPStatus is the status code to respond with.
func (u *Unreachable) HTTPStatus() int {
	switch {
	case u.SignIn:
		return http.StatusUnauthorized
	case u.Cause == Refused:
		return http.StatusServiceUnavailable
	case u.Cause == Timeout:
		return http.StatusGatewayTimeout
	default:
		return http.StatusBadGateway
	}
}

// Unwrap gives the error underneath.
func (u *Unreachable) Unwrap() error { return u.Err }

// CredentialsError is the error of a transport that could not get the credentials for a request. It has no output of a plugin.
type CredentialsError struct {
	Text, Advice string
	// SignIn is true if the person has to sign in.
	SignIn bool
}

// Error is what happened. It begins as client-go's error does.
func (e *CredentialsError) Error() string { return "getting credentials: " + e.Text }

// Unreach puts a transport's error into words. An *Unreachable stays what it is.
func Unreach(err error) *Unreachable {
	if u, ok := errors.AsType[*Unreachable](err); ok {
		return u
	}
	for _, classify := range []func(error) *Unreachable{fromCredentials, fromProxy, fromCertificate, fromTLS, fromDNS, fromNetwork} {
		if u := classify(err); u != nil {
			u.Err = err
			return u
		}
	}
	return &Unreachable{
		Cause: Other, Err: err,
		Text:   "the request got no response",
		Advice: "Try again. If it fails again, try kubectl with the same context.",
	}
}

func fromCredentials(err error) *Unreachable {
	if e, ok := errors.AsType[*CredentialsError](err); ok {
		return &Unreachable{Cause: Credentials, Text: e.Text, Advice: e.Advice, SignIn: e.SignIn}
	}
	// client-go's own error may quote the output of a plugin, so its text is not used.
	if strings.Contains(err.Error(), "getting credentials:") {
		return &Unreachable{
			Cause: Credentials, Text: "the credentials plugin of this context failed",
			Advice: "Run the plugin in a terminal to see why. You may have to sign in again.",
		}
	}
	return nil
}

func fromProxy(err error) *Unreachable {
	op, ok := errors.AsType[*net.OpError](err)
	if !ok || op.Op != "proxyconnect" && op.Op != "socks connect" {
		return nil
	}
	return &Unreachable{
		Cause: Proxied, Text: "the proxy between Fieldmark and the API server refuses the connection",
		Advice: "Check the context's proxy-url, or HTTPS_PROXY and NO_PROXY where Fieldmark runs.",
	}
}

func fromCertificate(err error) *Unreachable {
	u := &Unreachable{Cause: Untrusted}
	if e, ok := errors.AsType[x509.CertificateInvalidError](err); ok {
		u.Text, u.Advice = invalid(e)
		return u
	}
	if e, ok := errors.AsType[x509.HostnameError](err); ok {
		u.Text = fmt.Sprintf("the server's certificate is not for the name %q", e.Host)
		u.Advice = "Use a host name that is in the certificate, or set tls-server-name in the kubeconfig's cluster."
		return u
	}
	_, unknown := errors.AsType[x509.UnknownAuthorityError](err)
	_, failed := errors.AsType[*tls.CertificateVerificationError](err)
	if unknown || failed {
		u.Text = "the server's certificate is signed by an authority that the kubeconfig does not trust"
		u.Advice = "Put the cluster's current CA into certificate-authority-data. The CA changes when a cluster is created again."
		return u
	}
	return nil
}

func invalid(e x509.CertificateInvalidError) (text, advice string) {
	if e.Reason != x509.Expired || e.Cert == nil {
		return "the server's certificate is not valid for a server", "An administrator of the API server must give it a valid serving certificate."
	}
	if strings.Contains(e.Detail, "before") {
		return fmt.Sprintf("the server's certificate is not valid before %s", e.Cert.NotBefore.UTC().Format("2006-01-02 15:04 UTC")),
			"Check the clock of this machine, then the server's certificate."
	}
	return fmt.Sprintf("the server's certificate expired on %s", e.Cert.NotAfter.UTC().Format("2006-01-02 15:04 UTC")),
		"An administrator of the API server must renew its serving certificate."
}

func fromTLS(err error) *Unreachable {
	_, record := errors.AsType[tls.RecordHeaderError](err)
	if record || errors.Is(err, http.ErrSchemeMismatch) {
		return &Unreachable{
			Cause: NotTLS, Text: "the server at this address does not use TLS",
			Advice: "Check the server URL in the kubeconfig. Its port may be wrong, or it must begin with http.",
		}
	}
	// crypto/tls doesn't export its alert type, so the operation's name identifies it.
	if op, ok := errors.AsType[*net.OpError](err); ok && (op.Op == "remote error" || op.Op == "local error") {
		return &Unreachable{
			Cause: Handshake, Text: fmt.Sprintf("the TLS handshake failed (%s)", op.Err),
			Advice: "If the error is about a certificate, check the context's client certificate. It may have expired, or it belongs to another cluster.",
		}
	}
	return nil
}

func fromDNS(err error) *Unreachable {
	e, ok := errors.AsType[*net.DNSError](err)
	if !ok || e.IsTimeout {
		return nil
	}
	return &Unreachable{
		Cause: DNS, Text: fmt.Sprintf("the host name %q is not known", e.Name),
		Advice: "Check the server URL in the kubeconfig, the network, and a VPN if the cluster needs one.",
	}
}

func fromNetwork(err error) *Unreachable {
	switch {
	case errors.Is(err, context.Canceled):
		return &Unreachable{Cause: Canceled, Text: "the request was canceled before a response arrived", Advice: "Try again."}
	case timedOut(err):
		return &Unreachable{
			Cause: Timeout, Text: "the API server does not respond in time",
			Advice: "Check the network, and a VPN if the cluster needs one. The server may also be overloaded.",
		}
	case errors.Is(err, syscall.ECONNREFUSED):
		return &Unreachable{
			Cause: Refused, Text: "nothing listens at the API server's address",
			Advice: "Start the cluster, or check host and port of the server URL in the kubeconfig.",
		}
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return &Unreachable{
			Cause: NoRoute, Text: "no route leads to the API server's address",
			Advice: "Check the network, and a VPN if the cluster needs one.",
		}
	case brokenOff(err):
		return &Unreachable{
			Cause: Closed, Text: "the connection broke before the response was complete",
			Advice: "The API server may be restarting. Try again in a moment.",
		}
	}
	return nil
}

func timedOut(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, syscall.ETIMEDOUT) {
		return true
	}
	n, ok := errors.AsType[net.Error](err)
	return ok && n.Timeout()
}

func brokenOff(err error) bool {
	for _, end := range []error{io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE, net.ErrClosed, fs.ErrClosed} {
		if errors.Is(err, end) {
			return true
		}
	}
	return strings.Contains(err.Error(), "server closed idle connection") || strings.Contains(err.Error(), "connection lost") ||
		strings.Contains(err.Error(), "GOAWAY")
}
