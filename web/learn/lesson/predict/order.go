package predict

import (
	"hash/fnv"

	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// Order is the order in which the choices of a prediction are shown: for each place, the index of the choice. It depends on the lesson,
// on the block, and on a seed, which differs in each attempt. The choices of a value keep their order, because they are not shown.
func Order(p *lesson.Predict, id, block, seed string) []int {
	order := make([]int, len(p.Choices))
	for i := range order {
		order[i] = i
	}
	if p.Value != nil {
		return order
	}
	h := fnv.New64a()
	h.Write([]byte(id + " " + block + " " + seed))
	state := h.Sum64()
	for i := len(order) - 1; i > 0; i-- {
		state += 0x9e3779b97f4a7c15
		j := int(mixed(state) % uint64(i+1))
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// mixed spreads the bits of a number, so that neighbors share nothing (the last step of splitmix64).
func mixed(n uint64) uint64 {
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}
