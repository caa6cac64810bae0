package upstream

import (
	"errors"
	"fmt"
	"net/http"

	"golang.org/x/net/http/httpguts"
)

// check refuses a request that a server could read as more than one request.
func check(r *http.Request) error {
	if !httpguts.ValidHeaderFieldName(r.Method) {
		return fmt.Errorf("invalid method %q", r.Method)
	}
	for name, values := range r.Header {
		if !httpguts.ValidHeaderFieldName(name) {
			return fmt.Errorf("invalid header name %q", name)
		}
		for _, value := range values {
			if !httpguts.ValidHeaderFieldValue(value) {
				return fmt.Errorf("invalid value in header %s", name) // the value may be a credential
			}
		}
	}
	if !httpguts.ValidHostHeader(host(r)) {
		return errors.New("invalid host")
	}
	return checkQuery(r.URL.RawQuery)
}

// checkQuery checks the query, which net/url doesn't escape.
func checkQuery(raw string) error {
	for i := 0; i < len(raw); i++ {
		if raw[i] <= ' ' || raw[i] == 0x7f {
			return errors.New("a space or a control character in the query")
		}
	}
	return nil
}

func host(r *http.Request) string {
	if r.Host != "" {
		return r.Host
	}
	return r.URL.Host
}

// framingField tells whether a header is one that only this client may write.
func framingField(name string) bool {
	switch name {
	case "Host", "Content-Length", "Transfer-Encoding", "Connection", "Trailer", "Expect", "Upgrade":
		return true
	}
	return false
}

func closeBody(r *http.Request) {
	if r.Body != nil {
		_ = r.Body.Close()
	}
}
