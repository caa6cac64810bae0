package kubelet

import (
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// shells are images whose own program is a shell.
var shells = []string{"busybox", "alpine", "debian", "ubuntu", "bash"}

// command returns what a container runs: its own command and arguments, or a shell if that is what its image runs or if it has a terminal. Other
// programs of images have no command here.
func command(c *corev1.Container) []string {
	all := slices.Concat(c.Command, c.Args)
	if len(all) == 0 && (slices.Contains(shells, imageName(c.Image)) || c.Stdin && c.TTY) {
		return []string{"sh"}
	}
	return all
}

// imageName is the last part of an image's name, without tag and digest.
func imageName(image string) string {
	image, _, _ = strings.Cut(image, "@")
	name, _, _ := strings.Cut(path.Base(image), ":")
	return name
}
