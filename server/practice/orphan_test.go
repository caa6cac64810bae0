package practice

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// starterEnv makes the test binary a process that starts the program it names and then waits to be killed.
const starterEnv = "FIELDMARK_TEST_START"

func starter(binary string) int {
	p, err := Start(context.Background(), Options{Binary: binary})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	select {
	case <-p.APIReady():
		fmt.Println("ready")
	case <-p.Done():
		fmt.Println(p.Progress().Failed)
	}
	<-p.Done()
	return 1
}

// TestNothingOutlivesAKill kills us without warning: the practice cluster must notice, end, and take its
// folder along.
func TestNothingOutlivesAKill(t *testing.T) {
	temporary := t.TempDir()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), starterEnv+"="+realProgram(t), "TMPDIR="+temporary)
	said, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	word := make([]byte, 5)
	if _, err := said.Read(word); err != nil || string(word) != "ready" {
		t.Fatalf("it said %q, %v", word, err)
	}
	if left, _ := filepath.Glob(filepath.Join(temporary, "*", "kubeconfig")); len(left) != 1 {
		t.Errorf("kubeconfigs: %q", left)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		left, _ := os.ReadDir(temporary)
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s is still there", left[0].Name())
		}
	}
}
