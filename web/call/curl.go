package call

import "github.com/fieldmark/fieldmark/kube/request"

// Curl is the request as a curl command for a shell. The address of the server comes first in its URL.
func (x Call) Curl(server string) string {
	r := request.New(x.Method, x.Path)
	for _, h := range x.Header {
		r = r.With(h.Name, h.Value)
	}
	r.Body = x.Body
	return r.Curl(server)
}
