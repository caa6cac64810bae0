package signin

import (
	"maps"

	"github.com/fieldmark/fieldmark/server/issuer"
)

const settingsChanged = "The settings of Fieldmark have changed since you signed in. Sign in again."

// settled is a session without the sign-ins that were made with other settings: at an issuer that is gone, or that has another URL or other
// claims now, or with a pasted token for a cluster that is another one now. ok is false if the sign-in that says who it is has gone. Cookies
// outlive a restart, so without this check the tokens of one server could be sent to another (threat: issuer mix-up).
func (d *Door) settled(s *session) (_ *session, ok bool) {
	good := 0
	for name, t := range s.Logins {
		if d.holds(name, t) {
			good++
		}
	}
	for slug, p := range s.Pasted {
		if d.holdsPasted(slug, p) {
			good++
		}
	}
	if good == len(s.Logins)+len(s.Pasted) {
		return s, good > 0
	}
	c := s.clone()
	maps.DeleteFunc(c.Logins, func(name string, t issuer.Tokens) bool { return !d.holds(name, t) })
	maps.DeleteFunc(c.Pasted, func(slug string, p pasted) bool { return !d.holdsPasted(slug, p) })
	_, login := c.Logins[c.FirstLogin]
	_, token := c.Pasted[c.FirstPasted]
	return c, login || token
}

// holds tells whether tokens were verified with the settings that the issuer has now.
func (d *Door) holds(name string, t issuer.Tokens) bool {
	i := d.issuers[name]
	return i != nil && t.Mark == i.Mark()
}

func (d *Door) holdsPasted(slug string, p pasted) bool {
	c, known := d.clusters[slug]
	return known && d.AllowToken && p.Mark == c.Mark
}
