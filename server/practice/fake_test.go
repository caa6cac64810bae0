package practice

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// fakeEnv makes the test binary a practice program that is at fault in the way it names. What works is
// tested on the real program.
const fakeEnv = "FIELDMARK_TEST_FAKE_PRACTICE"

func TestMain(m *testing.M) {
	if how := os.Getenv(fakeEnv); how != "" {
		os.Exit(fake(how))
	}
	if binary := os.Getenv(starterEnv); binary != "" {
		os.Exit(starter(binary))
	}
	os.Exit(m.Run())
}

func fake(how string) int {
	said := func(step, state, message string) {
		fmt.Printf("{\"step\":%q,\"state\":%q,\"message\":%q,\"elapsedMs\":5}\n", step, state, message)
	}
	if slices.Contains(os.Args, "--beside") {
		return fakeBuild(how)
	}
	switch how {
	case "is built":
		said("apiserver", "done", "")
		waitForEnd()
	case "exits":
		fmt.Fprintln(os.Stderr, "first line\nno space left on device")
		return 3
	case "tells its environment":
		for _, variable := range os.Environ() {
			name, _, _ := strings.Cut(variable, "=")
			fmt.Fprint(os.Stderr, " ", name)
		}
		return 3
	case "leaves":
		return 0
	case "fails":
		said("folder", "started", "")
		said("folder", "failed", "the folder /x is in use by another practice cluster")
		return 1
	case "fails wordlessly":
		said("etcd", "failed", "")
		return 1
	case "garbles":
		garble()
		said("etcd", "started", "Starting \x1b[31metcd")
		waitForEnd()
	case "is deaf":
		said("etcd", "started", "")
		time.Sleep(time.Minute) // longer than Stop waits
	case "is interrupted":
		said("apiserver", "done", "")
		said("apiserver", "restarting", "kube-apiserver stopped by itself (signal: killed) and starts again")
		waitForEnd()
	case "dies later":
		said("apiserver", "done", "")
		fmt.Fprintln(os.Stderr, "panic: gone")
		time.Sleep(200 * time.Millisecond) // it lives for a time first
		return 2
	}
	return 0
}

// fakeBuild is a build at fault, or one that goes well.
func fakeBuild(how string) int {
	fmt.Println(`{"step":"download","done":3}`)
	fmt.Println("no JSON at all")
	fmt.Println(`{"step":"compile","done":-1,"total":100}`)
	fmt.Println(`{"step":"compile","done":7,"total":3}`)
	fmt.Println(`{"step":"explode","done":1,"total":100}`)
	fmt.Println(`{"step":"compile","done":40,"total":100}`)
	switch how {
	case "can't be built":
		fmt.Fprintln(os.Stderr, "# k8s.io/kubernetes/pkg/apis/core\ntypes.go:12:2: no space left on device")
		return 1
	case "builds without an end":
		waitForEnd()
		return 1
	case "builds and is deaf":
		time.Sleep(time.Minute) // longer than Stop waits
	}
	fmt.Println(`{"step":"link"}`)
	return 0
}

func garble() {
	fmt.Println("no JSON at all")
	fmt.Println(`{"step":"etcd","state":"exploded"}`)
	fmt.Println(`{"step":7}`)
	fmt.Println(`[]`)
	fmt.Println(strings.Repeat("x", 3*maxLine))
	for i := range 200 {
		fmt.Printf("{\"step\":\"made-up-%d\",\"state\":\"done\"}\n", i)
	}
	fmt.Fprintln(os.Stderr, strings.Repeat("y", 3*maxStderr))
}

// waitForEnd is how the real program learns that nobody needs it any more.
func waitForEnd() { _, _ = io.Copy(io.Discard, os.Stdin) }
