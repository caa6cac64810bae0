package seal

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

func jar(t *testing.T, keys ...[]byte) Jar {
	t.Helper()
	return Jar{
		Sealer: sealer(t, Options{}, keys...), Purpose: "session", Name: "fieldmark", Secure: true,
		SameSite: http.SameSiteStrictMode, MaxAge: time.Hour,
	}
}

// large is what a session can be: an id_token of 6 KiB, a refresh token, and 200 groups.
func large(seed byte) []byte {
	noise := make([]byte, 6<<10)
	_, _ = rand.NewChaCha8([32]byte{seed}).Read(noise)
	text := base64.RawURLEncoding.EncodeToString(noise)[:6<<10+512]
	for i := range 200 {
		text += fmt.Sprintf(",platform-engineering-team-%03d", i)
	}
	return []byte(text)
}

// sent are the cookies that a browser has after a response.
func sent(t *testing.T, j Jar, content []byte) []*http.Cookie {
	t.Helper()
	parts, err := j.Pack(content)
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	j.Set(w, httptest.NewRequest(http.MethodGet, "/", nil), parts)
	return w.Result().Cookies()
}

func with(cookies ...*http.Cookie) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	for _, c := range cookies {
		r.AddCookie(c)
	}
	return r
}

func TestCookiesOfALargeSessionFit(t *testing.T) {
	j := jar(t, key(1))
	cookies := sent(t, j, large(1))
	total := 0
	for i, c := range cookies {
		size := len(c.Name) + len(c.Value)
		total += size
		if size > 4096 || c.Name != fmt.Sprintf("__Host-fieldmark-%d", i) || !c.Secure || !c.HttpOnly || c.Path != "/" || c.Domain != "" ||
			c.SameSite != http.SameSiteStrictMode || c.MaxAge != 3600 {
			t.Errorf("cookie %d has %d bytes: %s", i, size, strings.ReplaceAll(c.String(), c.Value, "…"))
		}
	}
	if len(cookies) < 2 || total > 8<<10 {
		t.Errorf("%d cookies with %d bytes: several are expected, and a line of 8 KiB for all", len(cookies), total)
	}
	if content, err := j.Open(with(cookies...)); err != nil || !bytes.Equal(content, large(1)) {
		t.Errorf("%d bytes, %v", len(content), err)
	}
}

func TestForgedCookie_PartsOfCookies(t *testing.T) {
	j := jar(t, key(1))
	ada, ben := sent(t, j, large(1)), sent(t, j, large(2))
	named := func(as int, value string) *http.Cookie {
		return &http.Cookie{Name: j.name(as), Value: value}
	}
	_, rest, _ := strings.Cut(ada[0].Value, ".")
	for name, c := range map[string]struct {
		cookies []*http.Cookie
		want    error
	}{
		"all":                        {ada, nil},
		"in another order":           {reversed(ada), nil},
		"another one follows":        {append(slices.Clone(ada), named(len(ada), "left over")), nil},
		"none":                       {nil, ErrNone},
		"without the first":          {ada[1:], ErrNone},
		"without the last":           {ada[:len(ada)-1], ErrRefused},
		"the last is shorter":        {append(slices.Clone(ada[:1]), named(1, ada[1].Value[:40])), ErrRefused},
		"two exchanged":              {[]*http.Cookie{named(0, ada[1].Value), named(1, ada[0].Value)}, ErrRefused},
		"of two people":              {append(slices.Clone(ada[:1]), ben[1:]...), ErrRefused},
		"a name twice":               {append(slices.Clone(ada), ben[0]), ErrRefused},
		"the number is too large":    {append([]*http.Cookie{named(0, "7."+rest)}, ada[1:]...), ErrRefused},
		"the number is 0":            {append([]*http.Cookie{named(0, "0."+rest)}, ada[1:]...), ErrRefused},
		"no number":                  {append([]*http.Cookie{named(0, rest)}, ada[1:]...), ErrRefused},
		"longer than any we make":    {[]*http.Cookie{named(0, "1."+strings.Repeat("A", 5000))}, ErrRefused},
		"sealed with a key not here": {sent(t, jar(t, key(2)), large(1)), ErrRefused},
	} {
		content, err := j.Open(with(c.cookies...))
		if !errors.Is(err, c.want) || err == nil && !bytes.Equal(content, large(1)) || err != nil && content != nil {
			t.Errorf("%s: %d bytes, %v", name, len(content), err)
		}
	}
}

func reversed(cookies []*http.Cookie) []*http.Cookie {
	cookies = slices.Clone(cookies)
	slices.Reverse(cookies)
	return cookies
}

func TestTooLongValuesAreRefused(t *testing.T) {
	j := jar(t, key(1))
	noise := make([]byte, 3*6<<10)
	_, _ = rand.NewChaCha8([32]byte{9}).Read(noise)
	for name, content := range map[string][]byte{"for the cookies": noise, "for the memory": make([]byte, maxContent+1)} {
		if parts, err := j.Pack(content); !errors.Is(err, ErrTooLong) || parts != nil {
			t.Errorf("too long %s: %d parts, %v", name, len(parts), err)
		}
	}
}

func TestShorterValueDeletesTheCookiesThatFollow(t *testing.T) {
	j := jar(t, key(1))
	old := sent(t, j, large(1))
	parts, err := j.Pack([]byte("short"))
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	j.Set(w, with(old...), parts)
	now := w.Result().Cookies()
	if len(now) != len(old) || now[0].MaxAge != 3600 {
		t.Fatalf("%d cookies", len(now))
	}
	for _, c := range now[1:] {
		if c.MaxAge != -1 || c.Value != "" {
			t.Errorf("%s stays", c.Name)
		}
	}
	gone := httptest.NewRecorder()
	j.Delete(gone, with(old...))
	if deleted := gone.Result().Cookies(); len(deleted) != len(old) || deleted[0].MaxAge != -1 {
		t.Errorf("%d of %d cookies were deleted", len(deleted), len(old))
	}
}

func TestLoopbackWithoutTLSHasNamesThatBrowsersAccept(t *testing.T) {
	j := jar(t, key(1))
	j.Secure = false
	if c := sent(t, j, []byte("x"))[0]; c.Name != "fieldmark-0" || c.Secure {
		t.Errorf("%v", c)
	}
}
