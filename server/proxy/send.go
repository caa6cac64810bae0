package proxy

import (
	"net/http"

	"github.com/fieldmark/fieldmark/server/guard/judged"
)

// sendRequest sends a request to the API server if it is the request that the guard judged. All rewriting comes before.
func (p *Proxy) sendRequest(out *http.Request, c *call) (*http.Response, error) {
	same, differs := judged.From(out.Context()).Check(out, c.target.Base, c.cluster)
	if differs == "" {
		differs = unlisted(out.Header)
	}
	if differs != "" {
		p.opt.Log.Error("a bug in Fieldmark changed a request after the check that allowed it; the request was not sent",
			"cluster", c.cluster, "method", out.Method, "path", c.path.String(), "differs", differs)
		return nil, &failure{http.StatusInternalServerError, "A bug in Fieldmark changed this request after the check that allowed it. " +
			"So Fieldmark did not send the request to the API server. Fieldmark's log says what changed."}
	}
	return c.via.RoundTrip(same)
}
