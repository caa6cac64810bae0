package access

import "encoding/json"

// SelfPath is the path of a SelfSubjectReview. API servers have it since Kubernetes 1.28.
const SelfPath = "/apis/authentication.k8s.io/v1/selfsubjectreviews?dryRun=All"

// SelfReview is the body of a SelfSubjectReview.
func SelfReview() []byte {
	return []byte(`{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}`)
}

// User is who an API server takes the sender of a request for.
type User struct {
	Name   string              `json:"username"`
	UID    string              `json:"uid,omitempty"`
	Groups []string            `json:"groups,omitempty"`
	Extra  map[string][]string `json:"extra,omitempty"` // what the authenticator adds, such as the node of a pod
}

// ParseSelf reads the response to a SelfSubjectReview; ok is false if the body is none.
func ParseSelf(body []byte) (User, bool) {
	var review struct {
		Kind   string
		Status *struct {
			UserInfo User `json:"userInfo"`
		}
	}
	if json.Unmarshal(body, &review) != nil || review.Kind != "SelfSubjectReview" || review.Status == nil {
		return User{}, false
	}
	return review.Status.UserInfo, true
}
