package subpath

import "testing"

func TestHTML(t *testing.T) {
	const below = Path("/fieldmark")
	for given, want := range map[string]string{
		`<a href="/c/practice?x=1#y">/c/practice</a>`: `<a href="/fieldmark/c/practice?x=1#y">/c/practice</a>`,
		`<a href="/">`: `<a href="/fieldmark/">`,
		`<a class="x" href="/a"><img src="/b"><form action="/c">`:       `<a class="x" href="/fieldmark/a"><img src="/fieldmark/b"><form action="/fieldmark/c">`,
		`<a href="https://example.com/a"><a href="//example.com/a">`:    `<a href="https://example.com/a"><a href="//example.com/a">`,
		`<a href="#here"><a href="?tab=json">`:                          `<a href="#here"><a href="?tab=json">`,
		`<meta http-equiv="refresh" content="0;url=/c/a">`:              `<meta http-equiv="refresh" content="0;url=/fieldmark/c/a">`,
		`<p title=" href=&#34;/c/a&#34;"> href=&#34;/c/a</p>`:           `<p title=" href=&#34;/c/a&#34;"> href=&#34;/c/a</p>`,
		`<script type="application/json">{"a":" href=\"/c/a"}</script>`: `<script type="application/json">{"a":" href=\"/c/a"}</script>`,
		`<!doctype html><html lang="en"><a href="/a">`:                  `<!doctype html><html data-base="/fieldmark" lang="en"><a href="/fieldmark/a">`,
		``: ``,
	} {
		if got := below.HTML(given); got != want {
			t.Errorf("%s\n became %s\n   want %s", given, got, want)
		}
		if got := Path("").HTML(given); got != given {
			t.Errorf("at the root, %s became %s", given, got)
		}
	}
}

func TestAddresses(t *testing.T) {
	const below = Path("/fieldmark")
	for local, outside := range map[string]string{
		"/": "/fieldmark/", "/c/practice": "/fieldmark/c/practice", "/learn?x=/": "/fieldmark/learn?x=/", "/fieldmark": "/fieldmark/fieldmark",
	} {
		if got := below.Address(local); got != outside {
			t.Errorf("%s became %s, want %s", local, got, outside)
		}
		if got, ok := below.Local(outside); !ok || got != local {
			t.Errorf("%s became %s, %v, want %s", outside, got, ok, local)
		}
	}
	for _, other := range []string{"https://example.com/", "//example.com", "", "?x=1"} {
		if got := below.Address(other); got != other {
			t.Errorf("%s became %s", other, got)
		}
	}
	for _, other := range []string{"/", "/fieldmarks", "/field", "/c/fieldmark/", ""} {
		if got, ok := below.Local(other); ok {
			t.Errorf("%s is below the path, as %s", other, got)
		}
	}
	for outside, local := range map[string]string{"/fieldmark": "/", "/fieldmark?x": "/?x", "/fieldmark#x": "/#x"} {
		if got, ok := below.Local(outside); !ok || got != local {
			t.Errorf("%s became %s", outside, got)
		}
	}
	if got, ok := Path("").Local("/c/a"); !ok || got != "/c/a" {
		t.Errorf("at the root, an address became %s", got)
	}
}
