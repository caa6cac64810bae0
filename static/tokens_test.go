package static

import (
	"slices"
	"testing"
)

func TestTokens(t *testing.T) {
	files := tree()
	files["css/tokens.css"] = text(`@layer tokens {
  :root {
    /* surfaces: what lies below */
    --paper: light-dark(#fff, rgb(0 0 0 / 50%));
    --shadow: 0 1px light-dark(rgb(1 2 3), #000), 0 2px light-dark(#123, #456);

    /* space */
    --s3: 12px;
  }
}`)
	want := []Token{
		{"surfaces: what lies below", "paper", "#fff", "rgb(0 0 0 / 50%)"},
		{"surfaces: what lies below", "shadow", "0 1px rgb(1 2 3), 0 2px #123", "0 1px #000, 0 2px #456"},
		{"space", "s3", "12px", "12px"},
	}
	if got := loaded(t, files).Tokens(); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestTokensOfTheRealStylesheet(t *testing.T) {
	tokens := loaded(t, files).Tokens()
	if len(tokens) < 40 {
		t.Errorf("only %d tokens", len(tokens))
	}
	for _, k := range tokens {
		if k.Group == "" || k.Light == "" || k.Dark == "" {
			t.Errorf("%+v", k)
		}
	}
}

func TestSideOfWhatIsMalformed(t *testing.T) {
	for value, want := range map[string]string{"light-dark(": "light-dark(", "light-dark(a": "light-dark(a", "light-dark(a)": "light-dark(a)", "light-dark(a, b) c": "b c"} {
		if got := side(value, 1); got != want {
			t.Errorf("%s became %s, want %s", value, got, want)
		}
	}
}
