package fleet

import (
	"fmt"
	"strings"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
	"github.com/fieldmark/fieldmark/dev/bench/scale"
)

// WriteSection writes the costs as a table.
func (s *study) WriteSection(b *strings.Builder, p lab.Plan) {
	c := s.costs()
	fmt.Fprintf(b, "What single things cost in the shared mode, measured with %d people at one replica, in teams of %d, with %d subscriptions each. Each reading\n"+
		"takes %s. A cost is the difference of two readings that differ in one thing. `%s` has the numbers, and `docs/scale.md` what follows\n"+
		"from them. Memory of the API server is resident, and so only a rough number.\n\n"+
		"| | replica: processor | memory | API server: processor | memory | requests |\n|---|---|---|---|---|---|\n",
		c.People, teamSize, s.subscriptions, p.Hold, costsFile)
	for _, row := range scale.Rows(c) {
		b.WriteString(row + "\n")
	}
	fmt.Fprintf(b, "\nSharing and its check were measured with %s. Beside memory in use and garbage, a replica takes %s.\n", c.SharedBy, scale.Bytes(c.Other))
}
