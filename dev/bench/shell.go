package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
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
func (l *lab) measureShell(ctx context.Context) (echoes, error) {
	var e echoes
	command := exec.CommandContext(ctx, "node", "dev/bench/shell.mjs", l.fieldmark.origin, l.token, filepath.Join(l.plan.bin, "kubectl"), l.kubeconfig(), contextName,
		strconv.Itoa(echoKeys), strconv.Itoa(echoRounds))
	command.Stderr = os.Stderr
	answer, err := command.Output()
	if err != nil {
		return e, fmt.Errorf("the shell: %w", err)
	}
	if err := json.Unmarshal(answer, &e); err != nil {
		return e, fmt.Errorf("the shell's figures: %w", err)
	}
	return e, nil
}

func (e echoes) writeSection(b *strings.Builder, _ plan) {
	own := func(v float64) float64 { return v }
	fmt.Fprintf(b, "A key in a shell of a simulated container, until its echo; milliseconds, medians of %d keys in %d rounds with the range beside them. For kubectl,\n"+
		"that is until it writes the echo into a terminal without a window. For the page, it is until the end of the frame that shows the key.\n\n"+
		"| kubectl exec | the Shell view | goal |\n|---|---|---|\n| %s | %s | ≤ 20 more |\n",
		len(e.Page), echoRounds, fine(e.Kubectl, own), fine(e.Page, own))
}
