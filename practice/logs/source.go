package logs

import (
	"hash/fnv"
	"io"
	"strconv"
	"time"
)

// Source says whose log it is.
type Source struct {
	Namespace, Pod, UID string
	PodIP               string
	Container, Image    string
	// Owner is the kind of the pod's controller: ReplicaSet, Job; empty means none.
	Owner string
	// Init tells an init container that runs to its end.
	Init bool
	// Port is a port on which the container listens; 0 means none.
	Port int32
	// Command is what the container runs instead of its image's own program.
	Command []string
	// Style replaces how such a container usually writes: one of the styles. Any other text is none.
	Style string
	// Rate is how many lines a second the container writes; 0 means as many as it is usual for its kind.
	Rate float64
	// Started is when this run of the container began, and Ended when it ended; zero means that it runs.
	Started, Ended time.Time
	// ExitCode and Reason are those of its status, if it has ended.
	ExitCode int32
	Reason   string
}

// seed differs for each run of each container.
func (s Source) seed() uint64 {
	h := fnv.New64a()
	for _, part := range []string{s.UID, s.Namespace, s.Pod, s.Container, strconv.FormatInt(s.Started.Unix(), 10)} {
		_, _ = io.WriteString(h, part+"\x00") // a hash takes everything
	}
	return h.Sum64()
}

// dice are numbers that look random and follow from where they are thrown.
type dice struct{ state uint64 }

func newDice(seed uint64, slot int64, i int) *dice {
	d := &dice{seed ^ uint64(slot)*0x9e3779b97f4a7c15 ^ uint64(i+1)*0xc2b2ae3d27d4eb4f}
	d.nextNumber()
	return d
}

// nextNumber is splitmix64.
func (d *dice) nextNumber() uint64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// share is at least 0 and less than 1.
func (d *dice) share() float64 { return float64(d.nextNumber()>>11) / (1 << 53) }

// below is at least 0 and less than n.
func (d *dice) below(n int) int { return int(d.nextNumber() % uint64(n)) }

func pick[T any](d *dice, of ...T) T { return of[d.below(len(of))] }
