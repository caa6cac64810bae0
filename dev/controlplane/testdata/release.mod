module k8s.io/kubernetes

go 1.24.0

godebug default=go1.24

require (
	github.com/davecgh/go-spew v1.1.1
	go.etcd.io/etcd/client/v3 v3.5.21
	k8s.io/api v0.0.0
	k8s.io/client-go v0.0.0
	k8s.io/klog/v2 v2.130.1
)

require go.etcd.io/etcd/server/v3 v3.5.21 // indirect

replace (
	k8s.io/api => ./staging/src/k8s.io/api
	k8s.io/client-go => ./staging/src/k8s.io/client-go
)
