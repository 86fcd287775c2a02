// A Memcached operator as the Go scaffold's tutorial has it, on controller-runtime: what ours is raced against.
package main

import (
	"flag"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func main() {
	var workers int
	var leaderElection ctrl.Options
	flag.IntVar(&workers, "workers", 16, "resources reconciled at a time")
	flag.BoolVar(&leaderElection.LeaderElection, "leader-elect", false, "work only while holding the lease")
	flag.StringVar(&leaderElection.LeaderElectionNamespace, "leader-election-namespace", "", "namespace of the lease")
	flag.StringVar(&leaderElection.LeaderElectionID, "leader-election-id", "controller-runtime-bench", "name of the lease")
	flag.Parse()
	ctrl.SetLogger(zap.New())
	log := ctrl.Log.WithName("main")

	if err := run(workers, leaderElection); err != nil {
		log.Error(err, "the operator ended")
		os.Exit(1)
	}
}

func run(workers int, options ctrl.Options) error {
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	options.Scheme = runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(options.Scheme); err != nil {
		return err
	}
	addMemcachedTo(options.Scheme)
	options.LeaderElectionReleaseOnCancel = true
	options.HealthProbeBindAddress = "0"
	options.Metrics = metricsserver.Options{BindAddress: "0"}
	manager, err := ctrl.NewManager(config, options)
	if err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(manager).
		For(&Memcached{}).
		Owns(&appsv1.Deployment{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
		Complete(&reconciler{Client: manager.GetClient(), image: os.Getenv("MEMCACHED_IMAGE")})
	if err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}
