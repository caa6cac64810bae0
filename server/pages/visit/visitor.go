package visit

import (
	"errors"
	"net/http"

	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// WhoIs is what is known about the sender of a request.
func (p *Site) WhoIs(r *http.Request) identity.Visitor {
	if p.Who == nil {
		return identity.Visitor{}
	}
	return p.Who(r)
}

// mark says on a page whom the session views a cluster as, and why it only reads.
func (p *Site) mark(r *http.Request, m *shell.Model) {
	who := p.WhoIs(r)
	m.ReadOnly = p.ReadOnly || who.ReadOnly != ""
	if !p.ReadOnly {
		m.Why = who.ReadOnly
	}
	if who.Person != nil {
		m.Reader = who.Person.Key
	}
	m.View = shell.Viewed{Cluster: who.View.Cluster, User: who.View.As.User, Groups: who.View.As.Groups}
}

// readerName is the name by which the visit's cluster knows the reader, without asking: what the API server said last, or the issuer. Empty: it isn't known
// yet.
func (v *Visit) readerName() string {
	if last, known := v.cluster.Last(); known {
		return last.User
	}
	who := v.site.WhoIs(v.request)
	if who.View.Cluster == v.cluster.Slug() {
		return who.View.As.User
	}
	if who.Person == nil {
		return ""
	}
	if _, in := who.Person.Grants[v.cluster.Slug()]; !in {
		return "" // the name is one for another cluster
	}
	return who.Person.Name
}

// KeepView makes the browser's next requests view a cluster as somebody else. The zero View ends that. Its errors are for people to read.
func (p *Site) KeepView(w http.ResponseWriter, r *http.Request, v identity.View) error {
	if p.SetView == nil {
		return errors.New("this Fieldmark has no views as somebody else")
	}
	return p.SetView(w, r, v)
}

// ClientAs makes requests to the cluster as somebody else.
func (v *Visit) ClientAs(as identity.Impersonation) (*api.Client, error) {
	target, err := v.cluster.As(as).Target()
	if err != nil {
		return nil, err
	}
	tapped := v.site.Tap.Transport(target.Transport, wiretap.Who{Session: v.Session(), Cluster: v.cluster.Slug(), Origin: wiretap.Page})
	return api.New(upstream.Target{Base: target.Base, Transport: tapped}), nil
}
