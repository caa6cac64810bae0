package chunk

import (
	"encoding/base64"
	"encoding/json"
	"strings"
)

// Inside is what the tokens of kube-apiserver hold in practice. No client may rely on it: a token means something to the server that
// made it, and to nobody else. Here it is only looked at.
type Inside struct {
	Form    string // of the token: meta.k8s.io/v1
	Version int64  // of the list; below 0: whichever is the newest
	Start   string // the key after which the next chunk begins
}

// Newest tells whether a token goes on at the newest version rather than at that of the list it came with.
func (i Inside) Newest() bool { return i.Version < 0 }

// maxToken bounds what is looked at.
const maxToken = 16 << 10

// Peek looks into a token; false: it is not of the form that is known.
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

// After is the key of the last object that was sent: the token's own ends with a zero byte, so that it is the first key behind it.
func (i Inside) After() string { return strings.TrimPrefix(strings.TrimSuffix(i.Start, "\x00"), "/") }
