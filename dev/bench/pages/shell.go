package pages

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/dev/bench/browser"
	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// echoes is how long keys take in a shell until they are shown, in milliseconds.
type echoes struct {
	Kubectl []float64 `json:"kubectl"` // kubectl exec, directly on the API server
	Page    []float64 `json:"page"`    // the Shell view, through Fieldmark, to the frame that shows the key
}

// echoRounds is how often kubectl and the page take turns, and echoKeys the number of keys of each in a round.
const (
	echoRounds = 5
	echoKeys   = 20
)

// measureShell types in a shell, in a real browser and with kubectl.
func measureShell(ctx context.Context, l *lab.Lab) (echoes, error) {
	var e echoes
	err := browser.Run(ctx, &e, "pages/shell", l.Fieldmark.Origin, l.Token, filepath.Join(l.Plan.Bin, "kubectl"), l.Kubeconfig(), lab.ContextName,
		strconv.Itoa(echoKeys), strconv.Itoa(echoRounds))
	return e, err
}

func (e echoes) WriteSection(b *strings.Builder, _ lab.Plan) {
	fmt.Fprintf(b, "A key in a shell of a simulated container, until its echo; milliseconds, medians of %d keys in %d rounds with the range beside them. For kubectl,\n"+
		"that is until it writes the echo into a terminal without a window. For the page, it is until the end of the frame that shows the key.\n\n"+
		"| kubectl exec | the Shell view | goal |\n|---|---|---|\n| %s | %s | ≤ 20 more |\n",
		len(e.Page), echoRounds, figures.Fine(e.Kubectl), figures.Fine(e.Page))
}
