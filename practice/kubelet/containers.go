package kubelet

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/fieldmark/fieldmark/practice/filesystem"
	"github.com/fieldmark/fieldmark/practice/shell"
)

// mostFiles is how many containers keep what was changed in their files. What was used least recently is forgotten.
const mostFiles = 32

// containers are the file systems of containers that somebody has looked into. A container that starts again has new files.
type containers struct {
	mu    sync.Mutex
	files map[string]*filesystem.FS
	order []string // the least recently used first
}

// get returns the file system of one run of a container, and makes it if there is none.
func (c *containers) get(key string, made func() *filesystem.FS) *filesystem.FS {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.order = append(slices.DeleteFunc(c.order, func(other string) bool { return other == key }), key)
	if c.files[key] == nil {
		c.files[key] = made()
	}
	if len(c.order) > mostFiles {
		delete(c.files, c.order[0])
		c.order = c.order[1:]
	}
	return c.files[key]
}

// inside returns a container as those see it who run commands in it.
func (k *kubelet) inside(ctx context.Context, pod *corev1.Pod, c *corev1.Container) *shell.Container {
	env := k.environment(ctx, pod, c)
	started := statusOf(pod, c.Name).State.Running.StartedAt
	key := fmt.Sprint(pod.UID, "/", c.Name, "/", started.Unix())
	files := k.containers.get(key, func() *filesystem.FS {
		files := filesystem.New(time.Now)
		files.Add(image(pod, c, env))
		for dir, mount := range k.mounts(ctx, pod, c) {
			files.Add(filesystem.Image{Mounts: map[string]map[string][]byte{dir: mount}})
		}
		return files
	})
	dir := c.WorkingDir
	if info, err := files.Stat(dir); dir == "" || err != nil || !info.IsDir() {
		dir = "/"
	}
	return &shell.Container{
		Files: files, Hostname: hostname(pod), Env: env, Dir: dir, Main: mainCommand(c), Now: time.Now,
		Fetch: func(ctx context.Context, url string) (int, string, error) { return k.fetch(ctx, pod, url) },
	}
}

func hostname(pod *corev1.Pod) string {
	if pod.Spec.Hostname != "" {
		return pod.Spec.Hostname
	}
	return pod.Name
}

// mainCommand is the command line of process 1.
func mainCommand(c *corev1.Container) []string {
	if all := command(c); len(all) > 0 && len(c.Command) > 0 || hasShell(c) && len(all) > 0 && len(c.Args) == 0 {
		return all
	}
	return append([]string{"/usr/bin/" + imageName(c.Image)}, c.Args...)
}

// hasShell tells whether an image has a shell and other programs: those that are called distroless, static or scratch have none.
func hasShell(c *corev1.Container) bool {
	return !slices.ContainsFunc([]string{"distroless", "static", "scratch"}, func(word string) bool { return strings.Contains(c.Image, word) })
}

// image is what the files of a container are before anything changes them.
func image(pod *corev1.Pod, c *corev1.Container, env []string) filesystem.Image {
	i := filesystem.Image{
		Files: map[string]string{
			"/etc/hostname":    hostname(pod) + "\n",
			"/etc/hosts":       "# Kubernetes-managed hosts file.\n127.0.0.1\tlocalhost\n" + pod.Status.PodIP + "\t" + hostname(pod) + "\n",
			"/etc/os-release":  "NAME=\"Practice\"\nID=practice\nVERSION_ID=1\nPRETTY_NAME=\"Simulated container of Fieldmark's practice cluster\"\n",
			"/etc/passwd":      "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin\n",
			"/etc/group":       "root:x:0:\nnobody:x:65534:\n",
			"/etc/resolv.conf": "search " + pod.Namespace + ".svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n",
			"/root/":           "", "/tmp/": "", "/var/log/": "", "/usr/bin/": "",
		},
		Made: map[string]func() []byte{
			"/proc/1/cmdline": func() []byte { return []byte(strings.Join(mainCommand(c), "\x00") + "\x00") },
			"/proc/1/environ": func() []byte { return []byte(strings.Join(env, "\x00") + "\x00") },
			"/proc/1/comm":    func() []byte { return []byte(imageName(c.Image) + "\n") },
			"/proc/version":   func() []byte { return []byte("Linux version 6.12.0-simulated\n") },
		},
		Programs: []string{"/usr/bin/" + imageName(c.Image)},
	}
	if c.WorkingDir != "" {
		i.Files[strings.TrimSuffix(c.WorkingDir, "/")+"/"] = ""
	}
	if hasShell(c) {
		i.Programs = append(i.Programs, shell.Programs()...)
	}
	return i
}
