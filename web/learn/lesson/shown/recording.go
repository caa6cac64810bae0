package shown

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/compared"
	"github.com/fieldmark/fieldmark/kube/compare"
	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
)

// recordedWords say where a recording comes from, and which server's response is compared with it.
func recordedWords(r lesson.Recorded, server release.Version, whose string) string {
	if !server.Known() {
		return fmt.Sprintf("Recorded from Kubernetes %s. The version of %s is unknown.", r.Version, whose)
	}
	return fmt.Sprintf("Recorded from Kubernetes %s. %s", r.Version, components.Sentence(fmt.Sprintf("%s has %s", whose, server)))
}

// beside compares a recording with the response of the reader's server; false: a value that the recording needs is missing.
func beside(r lesson.Recorded, a *sent.Request, vars lesson.Vars) (compare.Difference, bool) {
	d, err := r.Beside(a.Answer(), vars)
	return d, err == nil
}

// foundWords say how the two responses differ.
func foundWords(d compare.Difference, r lesson.Recorded, whose string) string {
	switch c := d.Count(false); {
	case !c.None():
		return compared.Words(c)
	case c.LeftOut > 0:
		return components.Sentence(fmt.Sprintf("%s’s response is the same as that of %s, apart from what always differs", whose, r.Version))
	}
	return components.Sentence(fmt.Sprintf("%s’s response is the same as that of %s", whose, r.Version))
}

// differingHeads are the status code and the headers that differ, each in a sentence without a full stop.
func differingHeads(d compare.Difference, r lesson.Recorded, a *sent.Request) (all [][3]string) {
	if d.Status {
		all = append(all, [3]string{"status", fmt.Sprint(r.Status), fmt.Sprint(a.Call.Status)})
	}
	for _, h := range d.Headers {
		if h.What == compare.Only || h.What == compare.Changes {
			all = append(all, [3]string{h.Name, cmp.Or(h.Left, "none"), cmp.Or(h.Right, "none")})
		}
	}
	return all
}

// mostCompared bounds the lines of a comparison that are shown.
const mostCompared = 120

// bodies are the lines of both bodies that differ, one below the other; false: none does.
func bodies(d compare.Difference, r lesson.Recorded, whose string) (components.Difference, bool) {
	shown, _ := compared.Of(&d, compared.Look{
		Label: "The bodies of both responses", First: "Kubernetes " + r.Version.String(), Second: whose, Around: around, Most: mostCompared,
	})
	return shown, d.Count(false).Lines > 0
}

// recordedText is a recording as HTTP writes a response.
func recordedText(r lesson.Recorded, vars lesson.Vars) string {
	var b strings.Builder
	fmt.Fprintln(&b, r.Status)
	for _, h := range r.Header {
		fmt.Fprintf(&b, "%s: %s\n", h.Name, h.Value)
	}
	fmt.Fprintf(&b, "\n%s", vars.Plain(r.Body))
	return b.String()
}
