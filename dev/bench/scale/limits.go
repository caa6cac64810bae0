package scale

import "math"

// Times of Fieldmark, in seconds.
const (
	// WatchSeconds is how long a watch lasts on average, until it is opened again.
	WatchSeconds = 23
	// CheckSeconds is after how long a person who follows the watch of another one is checked again.
	CheckSeconds = 20
	// RememberedSeconds is how long a replica remembers a session that nobody uses.
	RememberedSeconds = 30 * 60
)

// Size is how much one replica, or one API server, has. What is 0 has no limit.
type Size struct {
	Cores    float64
	Memory   float64 // bytes
	Sockets  float64
	Sessions float64
	Requests float64 // in progress
}

// Standard is a replica with the memory of the chart's default, one core, and the default quotas.
var Standard = Size{Cores: 1, Memory: 1 << 30, Sockets: 4000, Sessions: 5000}

// Server is a large API server: 16 cores, 64 GiB, and the default of --max-requests-inflight.
var Server = Size{Cores: 16, Memory: 64 << 30, Requests: 400}

// room is the share of a limit that may be used. The rest is for peaks, and for the moment in which a replica is missing.
const room = 0.7

// requestSeconds is an assumption: how long an API server works on a small request.
const requestSeconds = 0.005

// fits tells whether a replica has room for what it needs, and otherwise what doesn't fit.
func (s Size) fits(p Part) (by string, ok bool) {
	for _, one := range []struct {
		name        string
		need, limit float64
	}{
		{"memory", p.Resident, s.Memory}, {"processor", p.Cores, s.Cores}, {"sockets", p.Sockets, s.Sockets}, {"sessions", p.Sessions, s.Sessions},
	} {
		if one.limit > 0 && one.need > room*one.limit {
			return one.name, false
		}
	}
	return "", true
}

// MostReplicas is where Replicas stops looking.
const MostReplicas = 1 << 20

// Replicas is the smallest number of replicas, two or more, that has room for a load, with what one replica fewer wouldn't have enough of. ok is
// false if no number is enough.
func Replicas(c Costs, l Load, s Size) (n float64, by string, ok bool) {
	fits := func(n float64) (string, bool) {
		l.Replicas = n
		return s.fits(Predict(c, l).Replica)
	}
	low, high := 1.0, 2.0
	by = "availability"
	for {
		why, enough := fits(high)
		if enough {
			break
		}
		if low, by, high = high, why, 2*high; high > MostReplicas {
			return 0, by, false
		}
	}
	for high-low > 1 {
		middle := math.Floor((low + high) / 2)
		if why, enough := fits(middle); enough {
			high = middle
		} else {
			low, by = middle, why
		}
	}
	return high, by, true
}

// Most is the largest number of people, up to a billion, for which a need stays within its limit.
func Most(c Costs, l Load, within func(Need) bool) float64 {
	low, high := 0.0, 1e9
	for high-low > 1 {
		l.People = math.Floor((low + high) / 2)
		if within(Predict(c, l)) {
			low = l.People
		} else {
			high = l.People
		}
	}
	return low
}
