package shell

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestPreferencesAreReadFromTheirCookies(t *testing.T) {
	for _, c := range []struct {
		favourites, folds string
		want              Preferences
	}{
		{"", "", Preferences{}},
		{"pods|deployments.apps", "+batch|-apps", Preferences{Chosen: true, Favourites: []string{"pods", "deployments.apps"}, Folds: map[string]bool{"batch": true, "apps": false}}},
		{"-", "", Preferences{Chosen: true}},
		{"pods|pods||<b>|Pods", "x|+|-<b>|+core", Preferences{Chosen: true, Favourites: []string{"pods"}, Folds: map[string]bool{"core": true}}},
		{strings.Repeat("a", mostInCookie+1), strings.Repeat("+a|", mostInCookie), Preferences{}},
	} {
		if got := ReadPreferences(c.favourites, c.folds); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%.40q %.40q: %+v", c.favourites, c.folds, got)
		}
	}
	many := ReadPreferences("a1|a2|a3|a4|a5|a6|a7|a8|a9|b1|b2|b3|b4|b5|b6|b7|b8|b9|c1|c2|c3|c4|c5|c6|c7", "")
	if len(many.Favourites) != mostFavourites {
		t.Errorf("%d favorites", len(many.Favourites))
	}
	if _, ok := many.Toggled("one-more"); ok {
		t.Error("a favorite too many is added")
	}
	if next, ok := many.Toggled("a1"); !ok || len(next.Favourites) != mostFavourites-1 || many.Favourites[0] != "a1" {
		t.Errorf("%+v", next)
	}
}

func TestFavouritesAreTheReaders(t *testing.T) {
	m := at(t, "/api/v1/pods")
	if !m.IsFavourite(pod) || m.IsFavourite(daemonSet) {
		t.Error("the usual favorites are others")
	}
	m.Preferences, _ = m.Preferences.Toggled(daemonSet.FullName())
	m.Preferences, _ = m.Preferences.Toggled(pod.FullName())
	if got := texts(m.Sections()[0].Links); got != "Deployments ConfigMaps Nodes DaemonSets" {
		t.Errorf("%q", got)
	}
	if again := ReadPreferences(m.Preferences.FavouritesValue(), ""); !reflect.DeepEqual(again, m.Preferences) {
		t.Errorf("%+v", again)
	}
	for _, f := range m.Favourites() {
		m.Preferences, _ = m.Preferences.Toggled(f.FullName())
	}
	m.Preferences = ReadPreferences(m.Preferences.FavouritesValue(), "")
	if s := m.Sections()[0]; s.Title != "Favorites" || len(s.Links) != 0 || !m.Preferences.Chosen {
		t.Errorf("without favorites: %+v", s)
	}
	if _, ok := m.Preferences.Toggled("no type"); ok {
		t.Error("a name with a space is kept")
	}
}

func TestGroupsFold(t *testing.T) {
	open := func(m Model) string {
		var all []string
		for _, s := range slices.Concat(m.Sections(), m.tools()) {
			if s.Open {
				all = append(all, s.ID)
			}
		}
		return strings.Join(all, " ")
	}
	for _, c := range []struct{ path, folds, want string }{
		{"/", "", "favorites core apps tools laboratories"},
		{"/", "-core|-tools|+metrics.k8s.io", "favorites apps metrics.k8s.io laboratories"},
		{"/apis/metrics.k8s.io/v1beta1/pods", "-metrics.k8s.io", "favorites core apps metrics.k8s.io tools laboratories"}, // the current one
		{"/api/v1/pods", "-favorites|-core", "favorites apps tools laboratories"},
	} {
		m := at(t, c.path)
		m.Preferences = ReadPreferences("", c.folds)
		if got := open(m); got != c.want {
			t.Errorf("%s with %q: %q, want %q", c.path, c.folds, got, c.want)
		}
	}
}
