package zoo

import (
	"os"
	"testing"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// situations are all of them, in the order of the page.
var situations = []situation{
	dryRun, helmItself, helmFolds, scale, autoscaler, fluxIgnores, stuck, itself, names, beforeFirst, listEntry, listEntryLost, defaults, defaultInside, injected, extra, gui,
	fluxFolds, argoFolds, argoSwitches,
}

func TestZoo(t *testing.T) {
	if os.Getenv(kubeconfigEnv) == "" {
		t.Skip("needs a practice cluster: make test-zoo")
	}
	log.SetLogger(logr.Discard()) // controller-runtime's and Flux's
	all := make([]seen, len(situations))
	t.Run("case", func(t *testing.T) {
		for i, c := range situations {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				all[i] = play(t, c)
			})
		}
	})
	for _, v := range all {
		if v.name == "" {
			t.Log("The page is not compared, because not all cases were played.")
			return
		}
	}
	holdPage(t, all)
}
