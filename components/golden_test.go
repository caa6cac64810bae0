package components_test

import (
	"flag"
	"testing"

	"github.com/fieldmark/fieldmark/components/golden"
	"github.com/fieldmark/fieldmark/components/specimen"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestGolden(t *testing.T) {
	golden.Check(t, *update, append(specimen.All(), hostileCases()...))
}
