package identity

import "testing"

func TestDigestsTellImpersonationsApart(t *testing.T) {
	one := Impersonation{User: "ada", Groups: []string{"a", "b"}}
	cases := map[string]struct {
		other Impersonation
		same  bool
	}{
		"another order":     {Impersonation{User: "ada", Groups: []string{"b", "a"}}, true},
		"another user":      {Impersonation{User: "ben", Groups: []string{"a", "b"}}, false},
		"one group less":    {Impersonation{User: "ada", Groups: []string{"a"}}, false},
		"two groups as one": {Impersonation{User: "ada", Groups: []string{"ab"}}, false},
		"a group as user":   {Impersonation{User: "adaa", Groups: []string{"b"}}, false},
		"nobody":            {Impersonation{}, false},
	}
	for name, c := range cases {
		if same := one.Digest() == c.other.Digest(); same != c.same {
			t.Errorf("%s: same digest: %v", name, same)
		}
	}
	if one.Groups[0] != "a" || one.Groups[1] != "b" {
		t.Error("the groups were put into another order")
	}
	if KeyOf("https://a", "b") == KeyOf("https://", "ab") {
		t.Error("two persons have one key")
	}
}
