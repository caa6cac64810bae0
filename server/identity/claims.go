package identity

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
)

// Claims are what a token says about itself, for people to read. Nobody has verified them: the API server decides who the sender of a
// request is.
type Claims struct {
	Issuer, Subject string
	Audiences       []string
	Expires         time.Time // zero: the token doesn't say
}

// maxToken bounds the tokens that are read, in bytes.
const maxToken = 64 << 10

// ClaimsOf reads a token. It is false if the token isn't a JSON Web Token. The result has no part of the signature.
func ClaimsOf(token string) (Claims, bool) {
	parts := strings.Split(token, ".")
	if len(token) > maxToken || len(parts) != 3 {
		return Claims{}, false
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return Claims{}, false
	}
	var said struct {
		Iss, Sub string
		Aud      audiences
		Exp      float64
	}
	if json.Unmarshal(text, &said) != nil {
		return Claims{}, false
	}
	c := Claims{Issuer: said.Iss, Subject: said.Sub, Audiences: said.Aud}
	if said.Exp > 0 && said.Exp < maxExpiry {
		c.Expires = time.Unix(int64(said.Exp), 0).UTC()
	}
	return c, true
}

// maxExpiry is the year 9999, the last that can be written as JSON.
const maxExpiry = 253402300800

// audiences are one text, or a list of texts.
type audiences []string

// UnmarshalJSON reads both forms.
func (a *audiences) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*a = audiences{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(a)) //nolint:wrapcheck // the reader of the whole token says that it is none
}
