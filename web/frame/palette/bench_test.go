package palette

import (
	"fmt"
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/page"
)

// crowd are pods as they come in crowds: named after what owns them, in some namespaces.
func crowd(n int) []Name {
	apps := []string{"web", "cart", "ledger", "checkout-api", "payments-worker", "search-indexer", "auth-gateway", "prometheus-node-exporter", "image-resizer", "cert-sync"}
	const letters = "bcdfghjklmnpqrstvwxz2456789"
	var names []Name
	for i := range n {
		suffix := make([]byte, 5)
		for j, x := 0, i*2654435761; j < 5; j, x = j+1, x/27 {
			suffix[j] = letters[(x%27+27)%27]
		}
		names = append(names, Name{fmt.Sprintf("team-%d", i%37), fmt.Sprintf("%s-7d4b9c6f5-%s", apps[i%len(apps)], suffix)})
	}
	return names
}

// BenchmarkTyping types a query letter by letter, and gives the time for one letter.
func BenchmarkTyping(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		frame := frameAt(b, "/api/v1/pods")
		m, _ := Open(frame, Everything, nil, Known{Type: kind(b, frame, "po"), Names: crowd(n)})
		for _, query := range []string{"payments", "team-7 web", "pod", "pwq"} {
			b.Run(fmt.Sprintf("%d/%s", n, query), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					m, _ = m.Update(page.Typed{Field: Field, Text: query[:i%len(query)+1]})
				}
			})
		}
		b.Run(fmt.Sprintf("%d/backspace", n), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				m, _ = m.Update(page.Typed{Field: Field, Text: "payments"[:8-i%8]})
			}
		})
	}
}

func BenchmarkNames(b *testing.B) {
	frame := frameAt(b, "/api/v1/pods")
	known := Known{Type: kind(b, frame, "po"), Names: crowd(100_000)}
	for b.Loop() {
		Open(frame, Everything, nil, known)
	}
}
