package rules

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// tracing is a program that needs what must stay of Go's tables: its stacks grow, garbage is collected below them, and a panic is recovered. It ends
// by a panic, whose trace says what is left of the tables.
const tracing = `package main

import (
	"fmt"
	"runtime"
)

func deep(n int, p *int) int {
	if n == 0 {
		runtime.GC()
		return *p
	}
	kept := []*int{p}
	return deep(n-1, kept[0])
}

func risky() (err error) {
	defer func() { err = fmt.Errorf("recovered: %v", recover()) }()
	var none map[string]int
	none["a"] = 1
	return nil
}

func main() {
	seven := 7
	for range 20 {
		got := make(chan int)
		go func() { got <- deep(3000, &seven) }()
		if n := <-got; n != 7 {
			fmt.Println("got", n)
		}
	}
	fmt.Println(risky())
	panic("the end")
}
`

// The build empties the tables of source lines in the browser's programs. Everything but a line in a trace must work as before.
func TestProgramsWithoutLinesRunAsBefore(t *testing.T) {
	folder := t.TempDir()
	source, program := filepath.Join(folder, "main.go"), filepath.Join(folder, "main.wasm")
	if err := os.WriteFile(source, []byte(tracing), 0o600); err != nil {
		t.Fatal(err)
	}
	output(t, "env", "GOOS=js", "GOARCH=wasm", "go", "build", "-ldflags=-s -w", "-o", program, source)
	output(t, "node", "dev/scripts/wasm-data.mjs", program)
	for _, want := range []string{"main.go:", "?:0 +0x"} {
		got := ended(t, program)
		for _, text := range []string{"recovered: assignment to entry in nil map\npanic: the end\n", "main.main()\n", want} {
			if !strings.Contains(got, text) {
				t.Errorf("the program said %q, want %q in it", got, text)
			}
		}
		output(t, "node", "dev/scripts/wasm-lines.mjs", program)
	}
	once, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	output(t, "node", "dev/scripts/wasm-lines.mjs", program)
	if twice, err := os.ReadFile(program); err != nil || !bytes.Equal(once, twice) {
		t.Errorf("a second run changed the program (%v)", err)
	}
	if bytes.Contains(once, []byte("runtime/symtab.go")) {
		t.Error("the program still has the names of its files")
	}
}

// ended is what a program says that ends by a panic.
func ended(t *testing.T, program string) string {
	t.Helper()
	goroot := strings.TrimSpace(string(output(t, "go", "env", "GOROOT")))
	said, err := exec.Command("node", "--stack-size=8192", filepath.Join(goroot, "lib", "wasm", "wasm_exec_node.js"), program).CombinedOutput()
	if err == nil {
		t.Error("the program ended well, want a panic")
	}
	return string(said)
}
