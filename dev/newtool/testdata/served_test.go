package pages

import (
	"net/http"
	"strings"
	"testing"
)

// TestThePantryIsServed: the server needs no code for the tool.
func TestThePantryIsServed(t *testing.T) {
	s := scripted(t, answers(http.StatusOK, "application/json", `{}`))
	s.want(http.StatusOK, "/c/odd/-/pantry?shelf=jam").says("On this shelf: jam")
	if menu := s.want(http.StatusOK, "/c/odd").body; !strings.Contains(menu, `href="/c/odd/-/pantry"`) {
		t.Errorf("no menu leads to the pantry: %s", menu)
	}
}
