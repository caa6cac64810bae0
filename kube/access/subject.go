package access

import "encoding/json"

// SubjectReviewPath is the path of a SubjectAccessReview, by which somebody asks what others may do. A dry run of it gets the same response.
const SubjectReviewPath = "/apis/authorization.k8s.io/v1/subjectaccessreviews?dryRun=All"

// SubjectReview is the body of a SubjectAccessReview about a user and its groups. One of both may be empty.
func (a Attributes) SubjectReview(user string, groups []string) []byte {
	spec := map[string]any{"resourceAttributes": a}
	if user != "" {
		spec["user"] = user
	}
	if len(groups) > 0 {
		spec["groups"] = groups
	}
	body, _ := json.Marshal(map[string]any{"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": spec}) // strings always encode
	return body
}

// ParseSubjectReview reads the response; ok is false if the body is none.
func ParseSubjectReview(body []byte) (Answer, bool) { return parseReview(body, "SubjectAccessReview") }
