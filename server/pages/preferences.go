package pages

import (
	"net/http"

	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Favourite adds a type to the favorites, or removes it, and goes back to where the user did so. Pages with scripts change the cookie themselves.
func (p *Pages) Favourite(w http.ResponseWriter, r *http.Request) {
	if next, ok := visit.PreferencesOf(r).Toggled(r.PostFormValue(shell.FavouriteField)); ok {
		http.SetCookie(w, &http.Cookie{
			Name: shell.FavouritesCookie, Value: next.FavouritesValue(), Path: "/", SameSite: http.SameSiteStrictMode, MaxAge: 365 * 24 * 3600,
		})
	}
	visit.GoBack(w, r, r.PostFormValue("back"))
}
