package contention

import "time"

// pulse counts the events of the last seconds.
type pulse struct {
	counts [pulseSeconds]int // by second, modulo pulseSeconds
	second int64             // the newest counted second, as Unix time
}

const pulseSeconds = 10

func (p *pulse) beat(now time.Time) {
	p.reach(now.Unix())
	p.counts[p.second%pulseSeconds]++
}

func (p *pulse) reach(second int64) {
	if second-p.second > pulseSeconds {
		p.second = second - pulseSeconds
	}
	for p.second < second {
		p.second++
		p.counts[p.second%pulseSeconds] = 0
	}
}

// rate is the number of events per second. It leaves out the current second, which isn't over.
func (p *pulse) rate(now time.Time) float64 {
	p.reach(now.Unix())
	sum := 0
	for i, n := range p.counts {
		if int64(i) != p.second%pulseSeconds {
			sum += n
		}
	}
	return float64(sum) / (pulseSeconds - 1)
}
