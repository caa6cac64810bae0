package stage

import "github.com/fieldmark/fieldmark/dev/team/dex"

// The people whom the comment of the package above introduces. Each test has a person of its own, because dex keeps one refresh token for each person and
// client. A second sign-in ends the first one, and on a slow machine each test waits for the end of a token.
var (
	Ada = dex.Person{Name: "ada", Groups: []string{"team-a"}}
	Ben = dex.Person{Name: "ben", Groups: []string{"team-b"}}
	// Carol has no rights.
	Carol = dex.Person{Name: "carol"}
	// Dora, Emil, Fay and Gil are in the team of Ada.
	Dora = dex.Person{Name: "dora", Groups: Ada.Groups}
	Emil = dex.Person{Name: "emil", Groups: Ada.Groups}
	Fay  = dex.Person{Name: "fay", Groups: Ada.Groups}
	Gil  = dex.Person{Name: "gil", Groups: Ada.Groups}
	// Nora may do everything, also act as somebody else.
	Nora = dex.Person{Name: "nora", Groups: []string{"admins"}}
)

// Everybody are all people that the issuers know.
func Everybody() []dex.Person {
	all := []dex.Person{Ada, Ben, Carol, Dora, Emil, Fay, Gil, Nora}
	for _, name := range []string{"hal", "ida", "jon", "kim", "lea", "max", "oda", "pia", "ron", "sue", "una", "zoe"} {
		all = append(all, dex.Person{Name: name, Groups: Ada.Groups})
	}
	for _, name := range []string{"ivy", "joe"} {
		all = append(all, dex.Person{Name: name, Groups: Ben.Groups})
	}
	// Tom only reads the namespace team-c, whose rights a test takes away.
	return append(all, dex.Person{Name: "tom", Groups: []string{"team-c"}})
}
