package app

import (
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/palette"
	"github.com/fieldmark/fieldmark/web/frame/saved"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// remind tells the page the values that it has kept in the browser.
func (a *App) remind() {
	keeper, ok := a.page.(page.Keeper)
	if !ok {
		return
	}
	values := map[string]string{}
	for _, key := range keeper.Keeps() {
		if value, ok := a.kept(key); ok {
			values[key] = value
		}
	}
	a.update(page.Kept{Values: values})
}

// stored handles what another tab has kept: who reads, or what the page shares with it. Other kept values are drafts, which each tab has for itself.
func (a *App) stored(key string) {
	if key == readerKey {
		a.handleReaderChange()
		return
	}
	if sharer, ok := a.page.(page.Sharer); ok && key == a.own(sharer.Shares()) {
		a.remind()
	}
}

// recentKey is the key of the types that the reader opened last, the newest first. The palette searches their objects early.
const recentKey = "recent"

const mostRecent = 8

// remember notes the type of the page as the one that was opened last.
func (a *App) remember() {
	frame := a.page.Framed().Shell
	t, known := frame.Catalog.Type(frame.Path.Group, frame.Path.Version, frame.Path.Resource)
	if !known || !frame.Path.IsResource() {
		return
	}
	was := a.recentNames()
	names := slices.DeleteFunc(slices.Clone(was), func(n string) bool { return n == t.FullName() })
	names = slices.Insert(names, 0, t.FullName())
	if names = names[:min(len(names), mostRecent)]; !slices.Equal(names, was) {
		a.keep(recentKey, strings.Join(names, "|"))
	}
}

func (a *App) recentNames() []string {
	value, _ := a.kept(recentKey)
	names := strings.SplitN(value, "|", mostRecent+1)
	return slices.DeleteFunc(names[:min(len(names), mostRecent)], func(n string) bool { return n == "" })
}

// recent are the types that the reader opened last, as far as the cluster has them.
func (a *App) recent(frame shell.Model) []palette.Known {
	var all []palette.Known
	listable := frame.Catalog.Listable()
	for _, name := range a.recentNames() {
		for _, t := range listable {
			if t.FullName() == name {
				all = append(all, palette.Known{Type: t})
			}
		}
	}
	return all
}

// views are the saved views of this browser.
func (a *App) book() saved.Book {
	value, _ := a.kept(saved.Key)
	return saved.Read(value)
}

// frame is the frame of the page, with the reader's newest preferences.
func (a *App) frame() shell.Model {
	frame := a.page.Framed().Shell
	if a.preferred != nil {
		frame.Preferences = *a.preferred
	}
	return frame
}

// favour adds a type to the favorites, or removes it, and shows the list of types again.
func (a *App) favour(name string) {
	frame := a.frame()
	next, ok := frame.Preferences.Toggled(name)
	if !ok {
		a.screen.Announce("You have too many favorites. Remove one first.")
		return
	}
	frame.Preferences = next
	a.preferred = &next
	a.screen.Prefer(shell.FavouritesCookie, next.FavouritesValue())
	a.screen.Show(Side, render(shell.Types(frame)))
	said := "Removed from favorites"
	if slices.Contains(next.Favourites, name) {
		said = "Added to favorites"
	}
	a.screen.Announce(said)
	a.update(page.Preferred{Preferences: next})
}

// unhurriedTyping is how long nothing must have been typed into the palette before it sends requests.
const unhurriedTyping = 250 * time.Millisecond

// pause is the event that nothing was typed for a while.
type pause struct{ typed int }

func (a *App) awaitPause() {
	a.typed++
	typed := a.typed
	time.AfterFunc(unhurriedTyping, func() { a.Post(pause{typed}) })
}

func (a *App) paused(e pause) {
	if e.typed == a.typed && a.over.palette != nil {
		a.adoptPalette(a.over.palette.Paused())
	}
}
