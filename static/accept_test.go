package static

import (
	"net/http"
	"testing"
)

var codings = []struct{ accept, program, text, font string }{
	{"", "", "", ""},
	{"br", "br", "", ""},
	{"gzip", "gzip", "gzip", ""},
	{"gzip, deflate, br, zstd", "br", "gzip", ""},
	{"GZIP", "gzip", "gzip", ""},
	{"x-gzip", "gzip", "gzip", ""},
	{"br;q=0, gzip", "gzip", "gzip", ""},
	{"br;q=0", "", "", ""},
	{"br; q=0.000, gzip ; Q=0", "", "", ""},
	{"br;q=0.5, gzip;q=0.8", "gzip", "gzip", ""},
	{"br;q=0.8,gzip;q=0.8", "br", "gzip", ""},
	{"br;q=0.001", "br", "", ""},
	{"*", "br", "gzip", ""},
	{"*;q=0", "", "", ""},
	{"br;q=0, *", "gzip", "gzip", ""},
	{"gzip, *;q=0", "gzip", "gzip", ""},
	{"identity", "", "", ""},
	{"identity, gzip;q=0.5, br;q=0.5", "", "", ""},
	{"identity;q=0.5, gzip, br;q=0.4", "gzip", "gzip", ""},
	{"identity;q=0, br;q=0", "", "", ""}, // nothing is left, so it is the plain file
	{"deflate, zstd, compress", "", "", ""},
	{"gzip;q=2", "", "", ""},
	{"gzip;q=-1", "", "", ""},
	{"gzip;q=NaN", "", "", ""},
	{"gzip;q=much, br", "br", "", ""},
	{"gzip;level=9", "gzip", "gzip", ""},
	{"gzip;level=9;q=0", "", "", ""},
	{"gzipped, xbr", "", "", ""},
	{",,;, ;q=1,", "", "", ""},
}

func TestCodingIsTheOneTheClientLikesBest(t *testing.T) {
	a := loaded(t, tree())
	font := only(t, a, "inter")
	for _, c := range codings {
		for url, want := range map[string]string{a.Program(Read): c.program, a.Script(): c.text, a.Stylesheet(): c.text, font: c.font} {
			w := serve(a, http.MethodGet, url, c.accept)
			if got := w.Header().Get("Content-Encoding"); w.Code != http.StatusOK || got != want {
				t.Errorf("Accept-Encoding %q, %s: %d in %q, wanted %q", c.accept, url, w.Code, got, want)
			}
		}
	}
}

func TestEveryAcceptEncodingLineCounts(t *testing.T) {
	a := loaded(t, tree())
	if w := serve(a, http.MethodGet, a.Program(Read), "deflate", "br"); w.Header().Get("Content-Encoding") != "br" {
		t.Errorf("two lines: %v", w.Header())
	}
}
