package lesson

import "testing"

func statements(t *testing.T, lines ...string) (all []Statement) {
	t.Helper()
	for _, l := range lines {
		s, err := ParseStatement(l)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

func TestWhichRequestsFit(t *testing.T) {
	vars := Vars{Namespace: "n"}
	apply := Answer{Status: 1, Header: []Header{{Name: "Content-Type", Value: "application/apply-patch+yaml"}}, Body: []byte(`{"a":"red"}`)}
	made := Made{Method: "PATCH", Path: "/api/v1/namespaces/n/configmaps/shop", Query: "fieldManager=ada&force=true", Sent: apply}
	goal := func(method, target string, sent ...Statement) Goal {
		return Goal{Kind: GoalSeen, Request: Request{Method: method, Target: target}, Sent: sent}
	}
	const path = "/api/v1/namespaces/{{namespace}}/configmaps/shop"
	for name, c := range map[string]struct {
		goal Goal
		made Made
		want bool
	}{
		"the same":                 {goal("PATCH", path+"?fieldManager=ada"), made, true},
		"another method":           {goal("PUT", path), made, false},
		"any method":               {goal("*", path), made, true},
		"any name":                 {goal("PATCH", "/api/v1/namespaces/{{namespace}}/configmaps/*"), made, true},
		"another name":             {goal("PATCH", "/api/v1/namespaces/{{namespace}}/configmaps/bar"), made, false},
		"a longer path":            {goal("PATCH", path+"/status"), made, false},
		"any value of a parameter": {goal("PATCH", path+"?fieldManager=*"), made, true},
		"a parameter is missing":   {goal("PATCH", path+"?fieldValidation=*"), made, false},
		"another value":            {goal("PATCH", path+"?force=false"), made, false},
		"what was sent":            {goal("PATCH", path, statements(t, "header Content-Type starts with application/apply-patch", "json .a = red")...), made, true},
		"what wasn't sent":         {goal("PATCH", path, statements(t, "json .a = blue")...), made, false},
		"a dry run doesn't count":  {goal("PATCH", path), Made{Method: made.Method, Path: made.Path, Query: "dryRun=All", Sent: apply}, false},
		"but where it is wanted":   {goal("PATCH", path+"?dryRun=All"), Made{Method: made.Method, Path: made.Path, Query: "dryRun=All", Sent: apply}, true},
		"somebody else":            {goal("PATCH", path), Made{As: "viewer", Method: made.Method, Path: made.Path, Sent: apply}, false},
	} {
		if got := c.goal.Fits(c.made, vars); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestWhatBreaksAGoal(t *testing.T) {
	g := Goal{Kind: GoalNever, Statements: statements(t, "json .object.spec.replicas < 3", "json .type = DELETED", "json .object.metadata.uid != {{uid}}")}
	event := func(text string) Answer { return Answer{Status: 200, Body: []byte(text)} }
	for text, want := range map[string]bool{
		`{"type":"MODIFIED","object":{"metadata":{"uid":"u"},"spec":{"replicas":3}}}`: false,
		`{"type":"MODIFIED","object":{"metadata":{"uid":"u"},"spec":{"replicas":2}}}`: true,
		`{"type":"DELETED","object":{"metadata":{"uid":"u"},"spec":{"replicas":3}}}`:  true,
		`{"type":"ADDED","object":{"metadata":{"uid":"v"},"spec":{"replicas":3}}}`:    true,
	} {
		if got := g.Breaks(event(text), Vars{"uid": "u"}); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestAnswers(t *testing.T) {
	g := Goal{Kind: GoalAnswer, Choices: []Choice{{Text: "{{name}}", Right: true}, {Text: "kubectl-edit"}, {Text: "*"}}}
	for answer, want := range map[string]int{"gitops": 0, " GitOps ": 0, "“gitops”": 0, "`gitops`": 0, "kubectl-edit": 1, "Kubectl-Edit": 1, "": 2, "git ops": 2} {
		c, ok := g.Chosen(answer, Vars{"name": "gitops"})
		if !ok || c.Text != g.Choices[want].Text {
			t.Errorf("%q: %+v", answer, c)
		}
	}
	kinds := Goal{Kind: GoalAnswer, Choices: []Choice{{Text: "pods", Right: true}, {Text: "pod"}}}
	for answer, want := range map[string]string{"pods": "pods", "pod": "pod", "Pods": "pod"} {
		if c, _ := kinds.Chosen(answer, nil); c.Text != want {
			t.Errorf("%q: %+v, although the task is about the difference", answer, c)
		}
	}
	if c, _ := (Goal{Choices: []Choice{{Text: "2", Right: true}}}).Chosen("two", nil); !c.Right {
		t.Error("a number in words isn't almost right")
	}
	if _, ok := (Goal{Choices: g.Choices[:1]}).Chosen("x", Vars{"name": "gitops"}); ok {
		t.Error("an answer without an explanation has one")
	}
}

func TestWhatCameIsSaidWithoutWhatWasExpected(t *testing.T) {
	object := Answer{Status: 200, Body: []byte(`{"metadata":{"managedFields":[{"manager":"ada","operation":"Apply","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}}}]},"data":{"a":"1"},"items":[1,2]}`)}
	for line, want := range map[string]string{
		"status = 404":         "The status code is 200.",
		"json .data.a = 2":     ".data.a is 1.",
		"json .data.b = 2":     ".data.b isn’t there.",
		"owners .data.a = ben": "Owners of .data.a: ada.",
		"owners .data.c = ben": "Nobody owns .data.c.",
		"managers = ben Apply": "Managers: ada Apply.",
		"count .items = 3":     "Items of .items: 2.",
		"header Warning = x":   "There is no header Warning.",
		"size = 3":             "size: 0",
	} {
		v, ok := Holds(statements(t, line), object, Vars{})
		if got := v.Words(); ok || got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
