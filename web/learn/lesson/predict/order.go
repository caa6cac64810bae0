package predict

import "hash/fnv"

// Order is the order in which choices are shown: for each place, the index of the choice. The same seed gives the same order.
func Order(choices int, seed string) []int {
	h := fnv.New64a()
	h.Write([]byte(seed))
	state := h.Sum64()
	order := Unshuffled(choices)
	for i := choices - 1; i > 0; i-- {
		state += 0x9e3779b97f4a7c15
		j := int(mixed(state) % uint64(i+1))
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// Unshuffled is the order of the lesson.
func Unshuffled(choices int) []int {
	order := make([]int, choices)
	for i := range order {
		order[i] = i
	}
	return order
}

// mixed spreads the bits of a number, so that neighbors share nothing (the last step of splitmix64).
func mixed(n uint64) uint64 {
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}
