package pages

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// The columns that a reader adds are in the first response, and sort the rows.
func TestPracticeColumnsOfTheReader(t *testing.T) {
	s := practiceSite(t)
	namespace := s.scratch(0)
	collection := "/api/v1/namespaces/" + namespace + "/configmaps"
	for name, color := range map[string]string{"a": "10", "b": "9", "c": ""} {
		s.write(collection, name, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"`+name+`","annotations":{"team":"core-`+name+`"},"labels":{"for":"columns"}},"data":{"color":"`+color+`"}}`)
	}
	address := "/c/practice" + collection + "?" + url.Values{"labelSelector": {"for=columns"}, "sort": {".data.color"}, "col": {"annotation:team", "data.color", "metadata.labels.for", "no path["}}.Encode()
	p := s.want(http.StatusOK, address).says(
		"core-a", "your columns: 1 request,", "for 3 objects", `The column no path[ isn’t shown: the path isn’t valid. Write it like .spec.containers[*].image. Remove it`).inert()
	if got := p.columns(); got != "Name, Data, Age, annotation:team, .data.color, label:for" {
		t.Errorf("%s", got)
	}
	if got := strings.Join(p.rows(), " "); got != "b a c" {
		t.Errorf("%s", got)
	}
	filtered := s.want(http.StatusOK, address+"&filter=annotation:team%3Dcore-b")
	if got := strings.Join(filtered.rows(), " "); got != "b" {
		t.Errorf("%s", got)
	}
}

// A page with many rows reads those of the first screen, and says which rows the order knows.
func TestPracticeColumnsOfManyRows(t *testing.T) {
	s := practiceSite(t)
	collection := "/c/practice/api/v1/namespaces/" + s.scratch(80) + "/configmaps?labelSelector=for%3Dchunks&col=.metadata.uid"
	s.want(http.StatusOK, collection).says("for 68 objects")
	p := s.want(http.StatusOK, collection+"&sort=.metadata.uid").says("Fieldmark has read none of the 80 rows for the columns that you have added.").inert()
	s.want(http.StatusOK, p.link("Show 68 rows at a time")).says("for 68 objects")
}

// The data of a Secret is never read for a column: not in the table, not in the model.
func TestPracticeColumnsOfSecrets(t *testing.T) {
	s := practiceSite(t)
	const password = "correct horse battery"
	coded := base64.StdEncoding.EncodeToString([]byte(password))
	collection := "/api/v1/namespaces/" + s.scratch(0) + "/secrets"
	s.write(collection, "hidden", `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"hidden","annotations":{"team":"core-a","kubectl.kubernetes.io/last-applied-configuration":"{\"data\":{\"password\":\"`+coded+`\"}}"}},"data":{"password":"`+coded+`"}}`)
	for _, column := range []string{".data", "data.password", `["data"]["password"]`, ".data[*]", "[*]", "annotation:kubectl.kubernetes.io/last-applied-configuration", ".metadata.annotations"} {
		p := s.want(http.StatusOK, "/c/practice"+collection+"?"+url.Values{"col": {column, "annotation:team"}}.Encode()).says("core-a").inert()
		if strings.Contains(p.body, coded) || strings.Contains(p.body, password) {
			t.Errorf("%s shows the password", column)
		}
		if column != ".metadata.annotations" {
			p.says("isn’t shown: the data of a Secret can’t be a column.")
		}
	}
}
