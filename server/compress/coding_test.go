package compress

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

const (
	here  = "127.0.0.1:50000"
	there = "192.0.2.7:50000"
)

// request is a request of a browser for a document, by its reader, with further headers in pairs.
func request(remote string, headers ...string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/c/practice/api/v1/pods", nil)
	r.RemoteAddr = remote
	r.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
	r.Header.Set("Sec-Fetch-Site", "none")
	r.Header.Set("Sec-Fetch-Mode", "navigate")
	r.Header.Set("Sec-Fetch-User", "?1")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Del(headers[i])
		if headers[i+1] != "" {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	return r
}

func TestWhoGetsWhichCoding(t *testing.T) {
	for what, c := range map[string]struct {
		remote  string
		headers []string
		shared  bool
		want    string
	}{
		"this machine":                    {here, nil, false, ""},
		"this machine, by IPv6":           {"[::1]:50000", nil, false, ""},
		"this machine, by a mapped IPv4":  {"[::ffff:127.0.0.1]:50000", nil, false, ""},
		"another machine":                 {there, nil, false, "zstd"},
		"another machine, by IPv6":        {"[2001:db8::7]:50000", nil, false, "zstd"},
		"an address that can't be read":   {"@", nil, false, "zstd"},
		"a proxy on this machine":         {here, []string{"X-Forwarded-For", "192.0.2.7"}, false, "zstd"},
		"another proxy on this machine":   {here, []string{"Forwarded", "for=192.0.2.7"}, false, "zstd"},
		"the shared mode":                 {here, nil, true, "zstd"},
		"only gzip":                       {there, []string{"Accept-Encoding", "gzip"}, false, "gzip"},
		"gzip is liked better":            {there, []string{"Accept-Encoding", "zstd;q=0.5, gzip"}, false, "gzip"},
		"anything":                        {there, []string{"Accept-Encoding", "*"}, false, "zstd"},
		"nothing":                         {there, []string{"Accept-Encoding", ""}, false, ""},
		"none of ours":                    {there, []string{"Accept-Encoding", "br, deflate"}, false, ""},
		"refused":                         {there, []string{"Accept-Encoding", "zstd;q=0, gzip;q=0"}, false, ""},
		"identity is liked better":        {there, []string{"Accept-Encoding", "identity, gzip;q=0.5"}, false, ""},
		"nothing may be transformed":      {there, []string{"Cache-Control", "max-age=0, No-Transform"}, false, ""},
		"a link of ours":                  {there, []string{"Sec-Fetch-Site", "same-origin"}, false, "zstd"},
		"a request of our program":        {there, []string{"Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "cors", "Sec-Fetch-User", ""}, false, "zstd"},
		"a page that opens itself again":  {there, []string{"Sec-Fetch-Site", "same-origin", "Sec-Fetch-User", ""}, false, ""},
		"a link of another site":          {there, []string{"Sec-Fetch-Site", "cross-site"}, false, ""},
		"a link of the same domain":       {there, []string{"Sec-Fetch-Site", "same-site"}, false, ""},
		"a client that doesn't say":       {there, []string{"Sec-Fetch-Site", ""}, false, ""},
		"the same, in the shared mode":    {there, []string{"Sec-Fetch-Site", ""}, true, ""},
		"another site in the shared mode": {there, []string{"Sec-Fetch-Site", "cross-site"}, true, ""},
	} {
		if got := Coding(request(c.remote, c.headers...), c.shared); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}

// If another site could make a browser request documents with words of its choice, their lengths would tell whether the words are in them.
func TestCompressedLength_NoOtherSiteChoosesWhatIsCompressed(t *testing.T) {
	for _, site := range []string{"cross-site", "same-site", "", "unknown", "SAME-ORIGIN", "none, none"} {
		for _, mode := range []string{"navigate", "cors", "no-cors", ""} {
			for _, user := range []string{"?1", ""} {
				for _, shared := range []bool{false, true} {
					r := request(there, "Sec-Fetch-Site", site, "Sec-Fetch-Mode", mode, "Sec-Fetch-User", user)
					if got := Coding(r, shared); got != "" {
						t.Errorf("%q, %q, %q gets %s", site, mode, user, got)
					}
				}
			}
		}
	}
}
