// Package status writes refusals and failures as the Kubernetes API does, as a metav1.Status in JSON, or as text where client-go reads
// no Status. So kubectl and every other client can show the message.
package status

import (
	"encoding/json"
	"net/http"
	"strconv"
)

// Status is the part of metav1.Status that a server fills in when it says no.
type Status struct {
	Kind       string   `json:"kind"`
	APIVersion string   `json:"apiVersion"`
	Metadata   struct{} `json:"metadata"`
	Status     string   `json:"status"`
	Message    string   `json:"message"`
	Reason     string   `json:"reason,omitempty"`
	Code       int      `json:"code"`
}

// New is a failure with the reason that the API attaches to the code.
func New(code int, message string) Status {
	return Status{
		Kind: "Status", APIVersion: "v1", Status: "Failure",
		Message: message, Reason: Reason(code), Code: code,
	}
}

var reasons = map[int]string{
	http.StatusBadRequest:            "BadRequest",
	http.StatusUnauthorized:          "Unauthorized",
	http.StatusForbidden:             "Forbidden",
	http.StatusNotFound:              "NotFound",
	http.StatusMethodNotAllowed:      "MethodNotAllowed",
	http.StatusRequestEntityTooLarge: "RequestEntityTooLarge",
	http.StatusTooManyRequests:       "TooManyRequests",
	http.StatusInternalServerError:   "InternalError",
	http.StatusServiceUnavailable:    "ServiceUnavailable",
	http.StatusGatewayTimeout:        "Timeout",
}

// Reason is metav1's StatusReason for a code; empty where the API has none.
func Reason(code int) string { return reasons[code] }

// Write answers with a Status. Header fields that the caller has set stay.
func Write(w http.ResponseWriter, code int, message string) {
	body, err := json.Marshal(New(code, message))
	if err != nil { // a struct of strings and numbers marshals
		body = nil
	}
	writeResponse(w, code, "application/json", body)
}

// WriteText answers with the message as plain text. Where client-go reads no Status (Request.Raw), it prints a text, and else “unknown”.
func WriteText(w http.ResponseWriter, code int, message string) {
	writeResponse(w, code, "text/plain; charset=utf-8", []byte(message))
}

func writeResponse(w http.ResponseWriter, code int, media string, body []byte) {
	h := w.Header()
	h.Set("Content-Type", media)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	_, _ = w.Write(body)
}
