package pages

import (
	"net/http"

	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// preferencesOf reads what the user chose for the list of types. Scripts write the same cookies, so they aren't HttpOnly. They hold no secret.
func preferencesOf(r *http.Request) shell.Preferences {
	value := func(name string) string {
		c, err := r.Cookie(name)
		if err != nil {
			return ""
		}
		return c.Value
	}
	return shell.ReadPreferences(value(shell.FavouritesCookie), value(shell.FoldsCookie))
}

// Favourite adds a type to the favorites, or removes it, and goes back to where the user did so. Pages with scripts change the cookie themselves.
func (p *Pages) Favourite(w http.ResponseWriter, r *http.Request) {
	if next, ok := preferencesOf(r).Toggled(r.PostFormValue(shell.FavouriteField)); ok {
		http.SetCookie(w, &http.Cookie{
			Name: shell.FavouritesCookie, Value: next.FavouritesValue(), Path: "/", SameSite: http.SameSiteStrictMode, MaxAge: 365 * 24 * 3600,
		})
	}
	goBack(w, r, r.PostFormValue("back"))
}
