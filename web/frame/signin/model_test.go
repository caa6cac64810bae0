package signin

import "testing"

func TestLinksIn(t *testing.T) {
	for _, c := range []struct {
		what  string
		model Model
		want  []string // addresses; the first is the primary one
	}{
		{"a refusal without a way in", Model{}, nil},
		{"not signed in", Model{Link: true}, []string{"/-/sign-in"}},
		{"come from another site", Model{Link: true, Again: "/c/practice?a=b"}, []string{"/c/practice?a=b", "/-/sign-in"}},
	} {
		links := c.model.links()
		if len(links) != len(c.want) {
			t.Errorf("%s: %+v", c.what, links)
			continue
		}
		for i, l := range links {
			if l.Href != c.want[i] || l.Primary != (i == 0) || l.Text == "" {
				t.Errorf("%s: %+v", c.what, l)
			}
		}
	}
}
