package kubelet

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// followInterval is how often a followed log gets another line.
const followInterval = 2 * time.Second

func serveLogs(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	started := time.Now()
	lines := tail([]string{
		"simulated node: no container runs here, so nothing was logged",
		fmt.Sprintf("asked for: container %s of pod %s in namespace %s",
			r.PathValue("container"), r.PathValue("pod"), r.PathValue("namespace")),
	}, query)
	for _, line := range lines {
		writeLine(w, query, line)
	}
	if query.Get("follow") != "true" {
		return
	}
	ticker := time.NewTicker(followInterval)
	defer ticker.Stop()
	for {
		if http.NewResponseController(w).Flush() != nil {
			return
		}
		select {
		case now := <-ticker.C:
			writeLine(w, query, fmt.Sprintf("still nothing after %s", now.Sub(started).Round(time.Second)))
		case <-r.Context().Done():
			return
		}
	}
}

// tail keeps as many of the last lines as the request wants.
func tail(lines []string, query url.Values) []string {
	n, err := strconv.Atoi(query.Get("tailLines"))
	if err != nil || n < 0 || n >= len(lines) {
		return lines
	}
	return lines[len(lines)-n:]
}

func writeLine(w http.ResponseWriter, query url.Values, line string) {
	if query.Get("timestamps") == "true" {
		line = time.Now().UTC().Format(time.RFC3339Nano) + " " + line
	}
	_, _ = fmt.Fprintln(w, line) // the client has gone; the caller notices by its context
}
