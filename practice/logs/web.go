package logs

import (
	"fmt"
	"time"
)

// webVoice is a web server: lines in the combined log format on the standard output, its own messages on the standard error.
var webVoice = voice{rate: 0.7, opening: webOpening, line: webLine, closing: webClosing}

func notice(at time.Time, level, text string) Line {
	return Line{At: at, Stderr: true, Text: fmt.Sprintf("%s [%s] 1#1: %s", at.Format("2006/01/02 15:04:05"), level, text)}
}

func webOpening(s Source, at func() time.Time) []Line {
	return []Line{
		notice(at(), "notice", fmt.Sprintf("starting %s (%s)", program(s.Image), s.Image)),
		notice(at(), "notice", "reading the configuration from /etc/"+program(s.Image)),
		notice(at(), "notice", "start worker processes"),
		notice(at(), "notice", fmt.Sprintf("listening on 0.0.0.0:%d", max(s.Port, 80))),
	}
}

var (
	webPaths  = []string{"/", "/products", "/products/1042", "/cart", "/api/v1/items?page=2", "/static/app.css", "/static/logo.svg", "/search?q=pots", "/checkout"}
	webAgents = []string{
		"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15",
		"curl/8.14.1",
	}
)

func webLine(_ Source, at time.Time, d *dice) (string, bool) {
	if d.below(4) == 0 {
		return access(at, "10.244.0.1", "GET", "/healthz", 200, 2, "-", "kube-probe/1.37"), false
	}
	client := fmt.Sprintf("10.244.%d.%d", d.below(3), 2+d.below(250))
	page := pick(d, webPaths...)
	switch n := d.below(100); {
	case n < 2:
		upstream := fmt.Sprintf("upstream timed out (110: Operation timed out) while reading response header from upstream, client: %s, request: \"GET %s HTTP/1.1\"", client, page)
		return notice(at, "error", upstream).Text, true
	case n < 4:
		return access(at, client, "GET", page, 504, 167, "-", pick(d, webAgents...)), false
	case n < 9:
		return access(at, client, "GET", "/favicon.ico", 404, 153, "https://shop.example.com/", pick(d, webAgents...)), false
	case n < 18:
		return access(at, client, "POST", pick(d, "/cart", "/checkout", "/api/v1/orders"), pick(d, 201, 201, 303, 409), 90+d.below(400), "https://shop.example.com/cart", pick(d, webAgents...)), false
	}
	return access(at, client, "GET", page, pick(d, 200, 200, 200, 304), 500+d.below(20_000), "-", pick(d, webAgents...)), false
}

func access(at time.Time, client, method, path string, status, bytes int, referrer, agent string) string {
	return fmt.Sprintf("%s - - [%s] \"%s %s HTTP/1.1\" %d %d %q %q", client, at.Format("02/Jan/2006:15:04:05 -0700"), method, path, status, bytes, referrer, agent)
}

func webClosing(s Source, at func() time.Time) []Line {
	switch {
	case killed(s):
		return nil
	case terminated(s) || s.ExitCode == 0:
		return []Line{
			notice(at(), "notice", "signal 15 (SIGTERM) received, exiting"),
			notice(at(), "notice", fmt.Sprintf("exit with code %d", s.ExitCode)),
		}
	}
	return []Line{
		notice(at(), "emerg", "open() \"/var/cache/"+program(s.Image)+"/index\" failed (5: Input/output error)"),
		notice(at(), "emerg", fmt.Sprintf("fatal: exit with code %d (%s)", s.ExitCode, s.Reason)),
	}
}
