//go:build linux

package program

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

const (
	anotherUser = 54321 // a uid that nobody has
	dialEnv     = "FIELDMARK_USERS_DIAL"
)

// TestHelper is what runs as another user: it asks for /healthz, and tells what comes.
func TestHelper(t *testing.T) {
	address := os.Getenv(dialEnv)
	if address == "" {
		t.Skip("this is no test: others start it")
	}
	c, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", address)
	if err != nil {
		fmt.Printf("told: no connection: %v\n", err)
		return
	}
	_, _ = io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: "+address+"\r\nConnection: close\r\n\r\n")
	text, err := io.ReadAll(c)
	fmt.Printf("told: %q %v\n", text, err)
}

// asAnotherUser starts the helper, and gives what it told.
func asAnotherUser(t *testing.T, address string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED, NOT TESTED: only root can start a program as another user")
	}
	helper := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run=^TestHelper$", "-test.v")
	helper.Env = []string{dialEnv + "=" + address}
	helper.Dir = "/"
	helper.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: anotherUser, Gid: anotherUser}}
	out, err := helper.CombinedOutput()
	_, told, found := strings.Cut(string(out), "told: ")
	if err != nil || !found {
		t.Fatalf("the helper says %s %v", out, err)
	}
	told, _, _ = strings.Cut(told, "\n")
	return told
}

func TestOtherUsersOfTheMachineStayOutside(t *testing.T) {
	for _, listen := range []string{"127.0.0.1:0", "localhost:0", ":0"} {
		f := start(t, nil, "--practice", "off", "--listen", listen)
		address := strings.TrimPrefix(f.base, "http://")
		if told := asAnotherUser(t, address); strings.Contains(told, "HTTP") || strings.Contains(told, "no connection") {
			t.Errorf("%s: another user is told %s", listen, told)
		}
		if got := f.ask("GET", "/healthz"); got.code != 200 {
			t.Errorf("%s: our own user gets %d", listen, got.code)
		}
		if got := f.stop(); !strings.Contains(got.stderr, "uid 54321") || !strings.Contains(got.stderr, "--allow-other-users") {
			t.Errorf("%s: the log says %s", listen, got.stderr)
		}
		f = start(t, nil, "--practice", "off", "--allow-other-users", "--listen", listen)
		if told := asAnotherUser(t, strings.TrimPrefix(f.base, "http://")); !strings.Contains(told, "200 OK") {
			t.Errorf("%s, with --allow-other-users: another user is told %s", listen, told)
		}
	}
}
