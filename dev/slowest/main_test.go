package main

import (
	"strings"
	"testing"
)

const passing = `{"Action":"start","Package":"m/a"}
{"Action":"run","Package":"m/a","Test":"TestQuick"}
{"Action":"output","Package":"m/a","Test":"TestQuick","Output":"=== RUN   TestQuick\n"}
{"Action":"output","Package":"m/a","Test":"TestQuick","Output":"--- PASS: TestQuick (0.01s)\n"}
{"Action":"pass","Package":"m/a","Test":"TestQuick","Elapsed":0.01}
{"Action":"pass","Package":"m/a","Test":"TestSlow","Elapsed":7.25}
{"Action":"pass","Package":"m/a","Test":"TestSlower","Elapsed":8}
{"Action":"output","Package":"m/a","Output":"PASS\n"}
{"Action":"output","Package":"m/a","Output":"ok  \tm/a\t15.3s\n"}
{"Action":"pass","Package":"m/a","Elapsed":15.3}
{"Action":"output","Package":"m/none","Output":"?   \tm/none\t[no test files]\n"}
{"Action":"skip","Package":"m/none","Elapsed":0}
`

const failing = `go: something that is no event
{"ImportPath":"m/broken","Action":"build-output","Output":"broken.go:1: nonsense\n"}
{"Action":"output","Package":"m/broken","Output":"FAIL\tm/broken [build failed]\n"}
{"Action":"fail","Package":"m/broken","Elapsed":0}
{"Action":"output","Package":"m/b","Test":"TestGood","Output":"    b_test.go:3: said in vain\n"}
{"Action":"pass","Package":"m/b","Test":"TestGood","Elapsed":0}
{"Action":"output","Package":"m/b","Test":"TestBad","Output":"=== RUN   TestBad\n"}
{"Action":"output","Package":"m/b","Test":"TestBad","Output":"    b_test.go:9: wrong\n"}
{"Action":"output","Package":"m/b","Test":"TestBad","Output":"--- FAIL: TestBad (0.00s)\n"}
{"Action":"fail","Package":"m/b","Test":"TestBad","Elapsed":0}
{"Action":"output","Package":"m/b","Test":"TestCutOff","Output":"panic: gone\n"}
{"Action":"output","Package":"m/b","Output":"FAIL\tm/b\t0.1s\n"}
{"Action":"fail","Package":"m/b","Elapsed":0.1}
`

func TestReport(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"what passes is listed by how long it took": {passing, `The slowest tests:
     8.0 s  m/a TestSlower
     7.2 s  m/a TestSlow
ok  	m/a	15.3s
?   	m/none	[no test files]
`},
		"what fails is told, and what passes is not": {failing, `go: something that is no event
broken.go:1: nonsense
    b_test.go:9: wrong
--- FAIL: TestBad (0.00s)
panic: gone
FAIL	m/broken [build failed]
FAIL	m/b	0.1s
FAIL
`},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			if err := run(strings.NewReader(c.in), &out); err != nil || out.String() != c.want {
				t.Errorf("%v, got\n%s", err, out.String())
			}
		})
	}
}
