package object

import "strconv"

// Older tells whether one resource version of an object is older than another one of it. Since Kubernetes 1.35, API servers promise that
// resource versions are decimal numbers that grow with each write; older ones write them so, too. False if one is no such number.
func Older(one, other string) bool {
	a, err := strconv.ParseUint(one, 10, 64)
	b, bad := strconv.ParseUint(other, 10, 64)
	return err == nil && bad == nil && a < b
}
