package seal

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Sizes of cookies in bytes. Browsers accept 4,096 for a name with its value.
const (
	maxPart    = 3800
	maxParts   = 6
	maxContent = 64 << 10 // after decompression
)

// Jar keeps one value in sealed cookies of a browser. A long value is compressed, sealed as a whole, and then cut into several cookies.
// So parts of two values never make a third one.
type Jar struct {
	Sealer  *Sealer
	Purpose Purpose
	// Name is the name of the cookies, before the number of each.
	Name string
	// Secure is false only for a server on loopback without TLS. The cookies then have no prefix __Host-, which browsers refuse there.
	Secure   bool
	SameSite http.SameSite
	// MaxAge is after how long a value is refused. The browser forgets the cookies then.
	MaxAge time.Duration
}

// Errors of a jar.
var (
	// ErrNone is the error of a request without these cookies.
	ErrNone = errors.New("the request has no such cookie")
	// ErrTooLong is the error of a value that doesn't fit into the cookies.
	ErrTooLong = fmt.Errorf("the value needs more than %d cookies", maxParts)
)

// Parts are the values of the cookies that hold one content. They stay valid for the age of the jar, so they can be sent to a browser
// several times.
type Parts []string

// Pack seals a content. The error is ErrTooLong if it doesn't fit.
func (j Jar) Pack(content []byte) (Parts, error) {
	if len(content) > maxContent {
		return nil, ErrTooLong
	}
	small, err := compress(content)
	if err != nil {
		return nil, err
	}
	sealed, err := j.Sealer.Seal(j.Purpose, small)
	if err != nil {
		return nil, err
	}
	count := (len(sealed) + maxPart - 1) / maxPart
	if count > maxParts {
		return nil, ErrTooLong
	}
	var parts Parts
	for from := 0; from < len(sealed); from += maxPart {
		parts = append(parts, sealed[from:min(from+maxPart, len(sealed))])
	}
	parts[0] = strconv.Itoa(count) + "." + parts[0]
	return parts, nil
}

// Set sends the parts to the browser, and deletes cookies of the request that would follow them.
func (j Jar) Set(w http.ResponseWriter, r *http.Request, parts Parts) {
	for i, part := range parts {
		http.SetCookie(w, j.cookie(i, part, int(j.MaxAge.Seconds())))
	}
	j.deleteFrom(w, r, len(parts))
}

// Delete deletes the cookies of the request.
func (j Jar) Delete(w http.ResponseWriter, r *http.Request) { j.deleteFrom(w, r, 0) }

func (j Jar) deleteFrom(w http.ResponseWriter, r *http.Request, first int) {
	for i := first; i < maxParts; i++ {
		if len(r.CookiesNamed(j.name(i))) > 0 {
			http.SetCookie(w, j.cookie(i, "", -1))
		}
	}
}

// Open joins the cookies of a request, and returns their content. The error is ErrNone, ErrRefused or ErrOld.
func (j Jar) Open(r *http.Request) ([]byte, error) {
	first, err := j.part(r, 0)
	if err != nil {
		return nil, err
	}
	number, sealed, found := strings.Cut(first, ".")
	count, err := strconv.Atoi(number)
	if !found || err != nil || count < 1 || count > maxParts {
		return nil, ErrRefused
	}
	for i := 1; i < count; i++ {
		part, err := j.part(r, i)
		if err != nil {
			return nil, ErrRefused
		}
		sealed += part
	}
	small, _, err := j.Sealer.Open(j.Purpose, sealed, j.MaxAge)
	if err != nil {
		return nil, err
	}
	return decompress(small)
}

// part is the value of a cookie that the request has exactly once.
func (j Jar) part(r *http.Request, i int) (string, error) {
	switch cookies := r.CookiesNamed(j.name(i)); {
	case len(cookies) == 0:
		return "", ErrNone
	case len(cookies) > 1 || len(cookies[0].Value) > maxPart+len("6."):
		return "", ErrRefused
	default:
		return cookies[0].Value, nil
	}
}

func (j Jar) name(i int) string { return CookieName(j.Name, j.Secure) + "-" + strconv.Itoa(i) }

// CookieName adds the prefix with which browsers accept a cookie only from this host, over TLS, for all paths.
func CookieName(name string, secure bool) string {
	if secure {
		return "__Host-" + name
	}
	return name
}

func (j Jar) cookie(i int, value string, maxAge int) *http.Cookie {
	return &http.Cookie{
		Name: j.name(i), Value: value, Path: "/", MaxAge: maxAge, HttpOnly: true, Secure: j.Secure, SameSite: j.SameSite,
	}
}

func compress(content []byte) ([]byte, error) {
	var small bytes.Buffer
	w, err := flate.NewWriter(&small, flate.BestCompression)
	if err != nil {
		return nil, fmt.Errorf("compressing a cookie: %w", err)
	}
	if _, err := w.Write(content); err != nil {
		return nil, fmt.Errorf("compressing a cookie: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("compressing a cookie: %w", err)
	}
	return small.Bytes(), nil
}

func decompress(small []byte) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(small)), maxContent+1))
	if err != nil || len(content) > maxContent {
		return nil, ErrRefused
	}
	return content, nil
}
