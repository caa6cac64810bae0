package chunk

import (
	"encoding/base64"
	"encoding/json"
	"strings"
)

// Inside is the content of a continue token of kube-apiserver. No client may rely on it, because only the server that made a token may
// interpret it. Fieldmark only shows the content.
type Inside struct {
	Form    string // the token's format: meta.k8s.io/v1
	Version int64  // of the list; below 0: the newest one
	Start   string // the key after which the next chunk begins
}

// Newest tells whether the list continues at the newest version, and not at the version of the chunk that had the token.
func (i Inside) Newest() bool { return i.Version < 0 }

// maxToken is the longest token, in bytes, that is read.
const maxToken = 16 << 10

// Peek decodes a token; ok is false if the token has another format.
func Peek(token string) (Inside, bool) {
	if token == "" || len(token) > maxToken {
		return Inside{}, false
	}
	text, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(token, "="))
	if err != nil {
		return Inside{}, false
	}
	var w struct {
		V     *string `json:"v"`
		RV    *int64  `json:"rv"`
		Start *string `json:"start"`
	}
	if err := json.Unmarshal(text, &w); err != nil || w.V == nil || w.RV == nil || w.Start == nil || *w.Start == "" {
		return Inside{}, false
	}
	return Inside{Form: *w.V, Version: *w.RV, Start: *w.Start}, true
}

// After is the key of the last object that was sent. The token's key has a zero byte at its end, so it is the first possible key after
// that object.
func (i Inside) After() string { return strings.TrimPrefix(strings.TrimSuffix(i.Start, "\x00"), "/") }
