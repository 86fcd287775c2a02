// Command network-policies enforces NetworkPolicies for the pods of one node. kube-network-policies judges the first packet
// of each connection; the node's firewall puts it into the queue. The module's own command only runs in a pod. It writes nftables
// rules of its own as well, and goes on where the kernel has no queues in nftables.
package main

import (
	"context"
	"flag"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	"sigs.k8s.io/kube-network-policies/pkg/networkpolicy"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "file to reach the API server by")
	node := flag.String("node", "", "name of the node")
	queue := flag.Int("queue", 0, "number of the netfilter queue")
	flag.Parse()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		klog.Fatal(err)
	}
	ctx := context.Background()
	client := kubernetes.NewForConfigOrDie(config)
	watch := informers.NewSharedInformerFactory(client, 0)
	policies, core := watch.Networking().V1().NetworkPolicies(), watch.Core().V1()
	settings := networkpolicy.Config{QueueID: *queue, NodeName: *node}
	controller, err := networkpolicy.NewController(
		client, policies, core.Namespaces(), core.Pods(), nil, nil, nil, nil, settings)
	if err != nil {
		klog.Fatal(err)
	}
	watch.Start(ctx.Done())
	klog.Fatal(controller.Run(ctx))
}
