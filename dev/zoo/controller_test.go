package zoo

import (
	"strings"

	"github.com/fluxcd/pkg/ssa/utils"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// controller is a client as a controller that was built with controller-runtime has it, which writes under a name.
func (s *scene) controller(name string) client.Client {
	s.t.Helper()
	c, err := client.New(s.config, client.Options{})
	if err != nil {
		s.t.Fatal(err)
	}
	return client.WithFieldOwner(client.NewNamespacedClient(c, s.namespace), name)
}

// object is the object of a manifest.
func (s *scene) object(text string) *unstructured.Unstructured {
	s.t.Helper()
	objects, err := utils.ReadObjects(strings.NewReader(text))
	if err != nil || len(objects) != 1 {
		s.t.Fatal(err, len(objects))
	}
	objects[0].SetNamespace(s.namespace)
	return objects[0]
}

// patch patches an object as a client that names itself only by its User-Agent, as graphical tools do.
func (s *scene) patch(agent, object, patch string) {
	s.t.Helper()
	kind, name, _ := strings.Cut(object, "/")
	config := rest.CopyConfig(s.config)
	config.UserAgent = agent + "/1.0"
	c, err := client.New(config, client.Options{})
	if err != nil {
		s.t.Fatal(err)
	}
	o := s.object("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\n")
	if err := c.Patch(s.t.Context(), o, client.RawPatch(types.MergePatchType, []byte(patch))); err != nil {
		s.t.Fatal(err)
	}
	s.tell("# "+agent+" patches the "+kind+": "+patch, "")
}
