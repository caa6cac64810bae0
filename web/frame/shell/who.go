package shell

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/words"
)

// Viewed is whom the session views one cluster as; the zero value: it views every cluster as itself.
type Viewed struct {
	Cluster string   `json:"cluster,omitempty"` // its slug
	User    string   `json:"user,omitempty"`
	Groups  []string `json:"groups,omitempty"`
}

// None tells whether the session views every cluster as itself.
func (v Viewed) None() bool { return v.Cluster == "" }

// ViewingBar is the id of the element that marks a page while the session views a cluster as somebody else.
const ViewingBar = "viewing"

// Limit says why Fieldmark only reads, in whole sentences; empty: it may write.
func (m Model) Limit() string {
	switch {
	case !m.ReadOnly:
		return ""
	case m.Why != "":
		return components.Visible(m.Why)
	}
	return "Fieldmark was started with --read-only."
}

// viewWords say whom the session views a cluster as.
func (m Model) viewWords() string {
	where := "the cluster " + m.View.Cluster
	if m.View.Cluster == m.Cluster.Slug {
		where = "this cluster"
	}
	said := "You view " + where + " as " + m.View.User
	switch n := len(m.View.Groups); {
	case n == 0:
	case n == 1:
		said += ", in the group " + m.View.Groups[0]
	case n <= fewGroups:
		said += ", in the groups " + strings.Join(m.View.Groups, ", ")
	default:
		said += ", in " + words.Count(int64(n), "group", "groups")
	}
	return said + "."
}

// fewGroups is how many groups the bar names.
const fewGroups = 3

// viewRest says what else the view means on this page.
func (m Model) viewRest() string {
	if m.In() && m.View.Cluster != m.Cluster.Slug {
		return "You see this cluster as yourself. Fieldmark only reads until you stop."
	}
	return "Fieldmark only reads until you stop."
}

// askAgainWords say why the reader must sign in, and what becomes of the page.
func askAgainWords(why string) string {
	const page = "The page keeps what you typed, and continues when you’re signed in."
	if why == "" {
		return page
	}
	return components.Visible(words.Curly(why)) + " " + page
}

// signInFor leads to signing in, and then to an address.
func signInFor(address string) string {
	return web.SignIn + "?" + url.Values{"next": {address}}.Encode()
}

// userHint is what the reader's name in the bar leads to.
func (m Model) userHint() string {
	return m.User + ": who you are in this cluster, and what you may do"
}

// initials are up to two letters of a user's name, for narrow windows.
func initials(user string) string {
	if i := strings.LastIndexAny(user, ":/#"); i >= 0 && i < len(user)-1 { // system:serviceaccount:shop:web, or the claim of an issuer
		user = user[i+1:]
	}
	user, _, _ = strings.Cut(user, "@")
	var letters []rune
	for part := range strings.FieldsFuncSeq(user, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		first, _ := utf8.DecodeRuneInString(part)
		if letters = append(letters, unicode.ToUpper(first)); len(letters) == 2 {
			break
		}
	}
	return string(letters)
}
