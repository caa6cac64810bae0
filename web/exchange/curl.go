package exchange

import "strings"

// ProxyAddress is where `kubectl proxy` answers unless it is told otherwise: it adds the credentials, so that none are in a line to copy.
const ProxyAddress = "http://127.0.0.1:8001"

// usual is the method that curl takes by itself.
const usual = "GET"

// Curl is the request as a line for a shell, through `kubectl proxy`.
func Curl(x Exchange) string {
	words := []string{"curl"}
	if x.Method != usual {
		words = append(words, "-X "+x.Method)
	}
	for _, h := range x.Header {
		words = append(words, "-H "+quoted(h.Name+": "+h.Value))
	}
	if len(x.Body) > 0 {
		words = append(words, "--data-binary "+quoted(string(x.Body)))
	}
	return strings.Join(append(words, quoted(ProxyAddress+x.Path)), " ")
}

// quoted is a word as every shell reads it.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
