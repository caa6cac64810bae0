package lesson

// Furnishing is an object that a controller creates in each new namespace. It comes a moment after the namespace, and later if the controllers restart.
type Furnishing struct{ Kind, Resource, Name string }

// Furnishings are the objects that have to exist before a lesson or a task begins. Otherwise a list that a lesson counts could have one object more or less, and
// pods could be refused.
func Furnishings() [2]Furnishing {
	return [2]Furnishing{{"ServiceAccount", "serviceaccounts", "default"}, {"ConfigMap", "configmaps", "kube-root-ca.crt"}}
}
