package cluster

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/fieldmark/fieldmark/practice/access"
	"github.com/fieldmark/fieldmark/practice/progress"
	"github.com/fieldmark/fieldmark/practice/supervise"
)

// shutDown ends every process and, if the cluster is ephemeral, removes what
// it made. It reports the failure that led here, if one did.
func (c *Cluster) shutDown(failure error) error {
	if failure != nil {
		c.reportFailure(failure)
	}
	if c.folder == nil {
		return nil
	}
	c.keeping.Wait() // after this, no component is started again
	var err error
	if c.aggregated != nil {
		err = c.aggregated.Close()
	}
	c.stopProcesses()
	if c.folder.Ephemeral() {
		err = errors.Join(err, access.RemoveCopy(c.options.KubeconfigOut, c.folder.Path()))
	}
	for _, port := range []*reservation{c.port, c.etcdPort} {
		if port != nil {
			port.release()
		}
	}
	if c.logFile != nil {
		err = errors.Join(err, c.logFile.Close())
	}
	err = errors.Join(err, c.folder.Close())
	if c.janitor != nil {
		c.janitor.Kill() // nothing is left for it to do
	}
	if c.spawner != nil {
		err = errors.Join(err, c.spawner.Close())
	}
	return err
}

// stopProcesses stops etcd last, because the others write to it.
func (c *Cluster) stopProcesses() {
	stop := func(process *supervise.Process) { process.Stop(grace) }
	if c.folder.Ephemeral() {
		stop = (*supervise.Process).Kill // the data is not kept
	}
	var all sync.WaitGroup
	for _, keeper := range append(slices.Clone(c.others), c.apiServer) {
		if keeper != nil {
			all.Go(func() { stop(keeper.Process()) })
		}
	}
	all.Wait()
	if c.etcd != nil {
		stop(c.etcd.Process())
	}
}

func (c *Cluster) reportFailure(failure error) {
	step := progress.Ready
	var during *stepError
	if errors.As(failure, &during) {
		step = during.step
	}
	var death *supervise.Death
	if errors.As(failure, &death) {
		c.rescueLog(death)
	}
	c.report.Report(step, progress.Failed, "%s", failure)
}

// rescueLog copies the log of a component that died out of a folder that is
// about to be removed.
func (c *Cluster) rescueLog(death *supervise.Death) {
	if c.folder == nil || !c.folder.Ephemeral() {
		return
	}
	log, err := os.ReadFile(death.LogPath)
	if err != nil {
		return
	}
	rescued, err := os.CreateTemp("", fmt.Sprintf("%s-%s-*.log", supervise.Name, death.Component))
	if err != nil {
		return
	}
	_, err = rescued.Write(log)
	if errors.Join(err, rescued.Close()) == nil {
		death.LogPath = rescued.Name()
	}
}
