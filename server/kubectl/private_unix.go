//go:build unix

package kubectl

import (
	"io/fs"
	"os"
	"syscall"
)

// ours tells whether the file belongs to this user, and nobody else may read or write it.
func ours(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid() && info.Mode().Perm()&0o077 == 0
}
