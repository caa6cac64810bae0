package component

import (
	"errors"
	"io"
	"os"
)

// lifelineFD is the number under which a child inherits the lifeline.
const lifelineFD = 3

// ErrNoSupervisor says that a component was not started by a supervisor.
var ErrNoSupervisor = errors.New("this is a part of `fieldmark-practice up` and can't be started by itself")

// Child is called first in a component: from then on the process exits as soon
// as its supervisor is gone.
func Child() error {
	lifeline := os.NewFile(lifelineFD, "lifeline")
	info, err := lifeline.Stat()
	if err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return ErrNoSupervisor
	}
	go func() {
		_, _ = io.Copy(io.Discard, lifeline)
		os.Exit(0)
	}()
	return nil
}
