package call

import "github.com/fieldmark/fieldmark/kube/request"

// Curl is the request as a line for a shell, given the server's address.
func (x Call) Curl(server string) string {
	r := request.New(x.Method, x.Path)
	for _, h := range x.Header {
		r = r.With(h.Name, h.Value)
	}
	r.Body = x.Body
	return r.Curl(server)
}
