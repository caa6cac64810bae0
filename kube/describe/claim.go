package describe

import (
	"maps"
	"slices"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

type claim struct {
	Metadata meta `json:"metadata"`
	Spec     struct {
		Class     *string  `json:"storageClassName"`
		Volume    string   `json:"volumeName"`
		Modes     []string `json:"accessModes"`
		Mode      string   `json:"volumeMode"`
		Resources amounts  `json:"resources"`
		Source    *struct {
			Kind string `json:"kind"`
			Name string `json:"name"`
		} `json:"dataSource"`
	} `json:"spec"`
	Status struct {
		Phase      string            `json:"phase"`
		Capacity   map[string]string `json:"capacity"`
		Conditions []podCondition    `json:"conditions"`
	} `json:"status"`
}

// class is the name of the StorageClass of a claim; empty: it has none.
func (c claim) class() string {
	if c.Spec.Class != nil {
		return *c.Spec.Class
	}
	return c.Metadata.Annotations["volume.beta.kubernetes.io/storage-class"]
}

// classless tells whether a claim says nothing about its class, so that it gets the default one.
func (c claim) classless() bool { return c.Spec.Class == nil && c.class() == "" }

type volume struct {
	Spec   map[string]any `json:"spec"`
	Status struct {
		Phase string `json:"phase"`
	} `json:"status"`
}

// notSources are the fields of a volume that don't say where its data is.
var notSources = []string{
	"accessModes", "capacity", "claimRef", "mountOptions", "nodeAffinity", "persistentVolumeReclaimPolicy", "storageClassName", "volumeAttributesClassName", "volumeMode",
}

func (v volume) short() *Volume {
	short := &Volume{Phase: v.Status.Phase, Reclaim: text(v.Spec, "persistentVolumeReclaimPolicy")}
	for _, key := range slices.Sorted(maps.Keys(v.Spec)) {
		if slices.Contains(notSources, key) {
			continue
		}
		fields, _ := v.Spec[key].(map[string]any)
		short.Source = join(nonEmpty(key, text(fields, "driver"), text(fields, "path")))
		break
	}
	return short
}

// selectedNode is the annotation with the node for which the scheduler wants a volume.
const selectedNode = "volume.kubernetes.io/selected-node"

// noProvisioner is the provisioner of classes whose volumes people create.
const noProvisioner = "kubernetes.io/no-provisioner"

func claimRequests(s Subject) (all []Request) {
	c := parse[claim](s.Object)
	all = append(all, s.list(askPods, "the pods of the namespace", apipath.Collection("", "v1", s.namespace(), "pods"), mostPods, "", ""))
	switch {
	case c.class() != "":
		all = append(all, s.one(askClass, "the StorageClass", pathOf("storage.k8s.io", "v1", "", "storageclasses", c.class()))...)
	case c.classless() && c.Spec.Volume == "":
		all = append(all, s.list(askClasses, "the StorageClasses", apipath.Collection("storage.k8s.io", "v1", "", "storageclasses"), mostOthers, "", ""))
	}
	return append(all, s.one(askVolume, "the PersistentVolume", pathOf("", "v1", "", "persistentvolumes", c.Spec.Volume))...)
}

func describeClaim(s Subject) Description {
	c := parse[claim](s.Object)
	d := Description{}
	s.claimFacts(&d, c)
	users := s.users()
	s.bindingWaits(&d, c, users)
	s.resizing(&d, c)
	if !s.Object.Deleted().IsZero() && slices.Contains(s.Object.Finalizers(), "kubernetes.io/pvc-protection") {
		for _, p := range users[:min(len(users), mostWaits)] {
			d.waitFor(Warn, "The claim stays until the pod "+p.Name+" no longer uses it.", "", Text{Text: "Describe the pod", Path: s.namespaced("pods", p.Name)})
		}
	}
	pods := Part{ID: askPods, Title: "Pods that mount it", Head: []string{"Pod", "State", "Restarts", "Age", "Node"}, Needs: []string{askPods}, Rows: s.podRows(users, onNode)}
	switch {
	case s.Found.More[askPods]:
		pods.More = "The namespace has more pods. Fieldmark read only the first 250."
		pods.None = "None of the pods that Fieldmark read mounts it."
	case s.heard(askPods):
		pods.None = "No pod mounts it."
	}
	d.Parts = append(d.Parts, pods, s.storage())
	return d
}

// users are the pods that mount the claim, and haven't ended.
func (s Subject) users() []Pod {
	return slices.DeleteFunc(slices.Clone(s.Found.Pods), func(p Pod) bool { return p.Over || !slices.Contains(p.Claims, s.Path.Name) })
}

func (s Subject) claimFacts(d *Description, c claim) {
	d.fact("Phase", Text{Text: c.Status.Phase, Tone: claimTones[c.Status.Phase]})
	switch name := c.class(); {
	case name != "":
		d.fact("Class", Text{Text: name, Path: pathOf("storage.k8s.io", "v1", "", "storageclasses", name)})
	case c.classless():
		d.fact("Class", Text{Text: "the default"})
	default:
		d.fact("Class", Text{Text: "none"})
	}
	d.fact("Volume", Text{Text: c.Spec.Volume, Path: pathOf("", "v1", "", "persistentvolumes", c.Spec.Volume)})
	d.fact("Requested", Text{Text: c.Spec.Resources.Requests["storage"]})
	d.fact("Capacity", Text{Text: c.Status.Capacity["storage"]})
	d.fact("Access modes", Text{Text: join(c.Spec.Modes)})
	if c.Spec.Mode != "Filesystem" {
		d.fact("Volume mode", Text{Text: c.Spec.Mode})
	}
	if c.Spec.Source != nil {
		d.fact("Filled from", Text{Text: c.Spec.Source.Kind + " " + c.Spec.Source.Name})
	}
}

// bindingWaits says what a claim waits for that isn't bound.
func (s Subject) bindingWaits(d *Description, c claim, users []Pod) {
	quoted := s.quote("", "ProvisioningFailed", "FailedBinding", "VolumeMismatch", "ClaimLost", "ClaimMisbound")
	switch c.Status.Phase {
	case "Bound":
		if s.Object.Deleted().IsZero() {
			d.wait(Good, "It is bound, and waits for nothing.", "")
		}
		return
	case "Lost":
		d.wait(Bad, "It has lost its volume "+c.Spec.Volume+", which doesn’t exist any more.", quoted)
		return
	}
	if c.Spec.Volume != "" {
		words := "It waits for the volume " + c.Spec.Volume + " to be bound to it."
		if s.heard(askVolume) && s.Found.Volume == nil {
			words = "It waits for the volume " + c.Spec.Volume + ", which doesn’t exist."
		}
		d.wait(Warn, words, quoted)
		return
	}
	switch name := c.class(); {
	case c.classless() && s.heard(askClasses) && !slices.ContainsFunc(s.Found.Classes, func(c Class) bool { return c.Default }):
		d.wait(Bad, "It waits for a default StorageClass. It names no class, and the cluster has no default one.", quoted)
	case c.classless():
		d.wait(Busy, "It names no class. It waits until the default StorageClass is written into it.", quoted)
	case name == "":
		d.wait(Warn, "It waits for a PersistentVolume without a class that fits it. Nobody creates one by itself.", quoted)
	case s.heard(askClass) && len(s.Found.Classes) == 0:
		d.wait(Bad, "It waits for the StorageClass "+name+", which doesn’t exist.", quoted)
	default:
		s.provisioning(d, c, users, quoted)
	}
}

// provisioning says what a claim with a class waits for.
func (s Subject) provisioning(d *Description, c claim, users []Pod, quoted string) {
	of := Class{}
	if len(s.Found.Classes) == 1 {
		of = s.Found.Classes[0]
	}
	node := c.Metadata.Annotations[selectedNode]
	switch {
	case of.Name == "":
		d.wait(Busy, "It waits for a volume of the class "+c.class()+".", quoted)
	case of.Binding == "WaitForFirstConsumer" && node == "" && s.heard(askPods) && len(users) == 0 && !s.Found.More[askPods]:
		d.wait(Busy, "It waits for the first pod that mounts it. Its class binds volumes only then (WaitForFirstConsumer).", quoted)
	case of.Binding == "WaitForFirstConsumer" && node == "":
		d.wait(Busy, "It waits for the scheduler to choose a node for a pod that mounts it (WaitForFirstConsumer).", quoted)
	case of.Provisioner == noProvisioner:
		d.wait(Warn, "It waits for a PersistentVolume of the class "+of.Name+" that fits it. Nobody creates one by itself.", quoted)
	case node != "":
		d.wait(Busy, "It waits for "+of.Provisioner+" to create a volume for the node "+node+".", quoted)
	default:
		d.wait(Busy, "It waits for "+of.Provisioner+" to create a volume.", quoted)
	}
}

// resizing says what a claim waits for that is to become larger.
func (s Subject) resizing(d *Description, c claim) {
	for _, condition := range c.Status.Conditions {
		switch {
		case condition.Status != "True":
		case condition.Type == "Resizing":
			d.wait(Busy, "It waits for its volume to become larger.", condition.Message)
		case condition.Type == "FileSystemResizePending":
			d.wait(Busy, "Its volume is larger now. It waits for a pod to mount it, so that the file system grows, too.", condition.Message)
		}
	}
}

// storage are the class and the volume of a claim.
func (s Subject) storage() Part {
	p := Part{ID: "storage", Title: "Storage", Head: []string{"What", "Name or state", "Details"}, Needs: []string{askClass, askClasses, askVolume}}
	for _, c := range s.Found.Classes {
		about := Cell{{Text: join(nonEmpty(c.Provisioner, c.Binding))}}
		if c.Expands {
			about = append(about, Text{Text: "volumes can become larger", Soft: true})
		}
		if c.Default {
			about = append(about, Text{Text: "default", Soft: true})
		}
		p.Rows = append(p.Rows, []Cell{line("StorageClass"), linked(c.Name, pathOf("storage.k8s.io", "v1", "", "storageclasses", c.Name)), about})
	}
	if v := s.Found.Volume; v != nil {
		about := line(v.Source)
		if v.Reclaim != "" {
			about = append(about, Text{Text: "when the claim is deleted: " + v.Reclaim, Soft: true})
		}
		p.Rows = append(p.Rows, []Cell{line("PersistentVolume"), {{Text: v.Phase, Tone: claimTones[v.Phase]}}, about})
	}
	return p
}
