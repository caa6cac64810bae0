package apiserver

import (
	"os"
	"strconv"
	"strings"
)

// kubernetesEnv chooses the version of the control plane, such as 1.33. Empty: that of the practice cluster's program.
const kubernetesEnv = "FIELDMARK_TEST_KUBERNETES"

// structured is the minor version since which an AuthenticationConfiguration is stable. Before, it is a beta version of the same document.
const structured = 34

// configVersion is the API version of an AuthenticationConfiguration that the API server reads.
func configVersion(kubernetes string) string {
	_, minor, _ := strings.Cut(kubernetes, ".")
	if n, err := strconv.Atoi(minor); err == nil && n < structured {
		return "apiserver.config.k8s.io/v1beta1"
	}
	return "apiserver.config.k8s.io/v1"
}

// versionFlags choose the version.
func versionFlags() []string {
	if version := os.Getenv(kubernetesEnv); version != "" {
		return []string{"--kubernetes", version}
	}
	return nil
}
