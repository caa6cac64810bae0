package visit

import (
	"net/http"
	"net/url"

	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// ThemeCookie keeps the choice of colours. It holds no secret, so plain HTTP may carry it.
const ThemeCookie = "fieldmark-theme"

func themeOf(r *http.Request) string {
	c, err := r.Cookie(ThemeCookie)
	if err != nil || (c.Value != "light" && c.Value != "dark") {
		return ""
	}
	return c.Value
}

// GoBack leads back to where a choice was made.
func GoBack(w http.ResponseWriter, r *http.Request, back string) {
	http.Redirect(w, r, Local(back), http.StatusSeeOther)
}

// Local is an address on this server: the one that a form names, or the first page.
func Local(back string) string {
	if !web.Local(back) {
		back = web.Home
	}
	u := url.URL{Path: back}
	if parsed, err := url.Parse(back); err == nil {
		u = *parsed
	}
	return u.String()
}

// PreferencesOf reads what the user chose for the list of types. Scripts write the same cookies, so they aren't HttpOnly. They hold no secret.
func PreferencesOf(r *http.Request) shell.Preferences {
	value := func(name string) string {
		c, err := r.Cookie(name)
		if err != nil {
			return ""
		}
		return c.Value
	}
	return shell.ReadPreferences(value(shell.FavouritesCookie), value(shell.FoldsCookie))
}
