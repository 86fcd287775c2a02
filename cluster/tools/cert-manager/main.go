// Command cert-manager runs the parts of cert-manager that issue and renew certificates of its issuers SelfSigned and CA.
// Its own command is not served as a module, and takes ACME, Vault and half a dozen clouds with it.
package main

import (
	"context"
	"flag"
	"log"

	"github.com/cert-manager/cert-manager/pkg/controller"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/approver"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/ca"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/selfsigned"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/issuing"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/keymanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/readiness"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/requestmanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/revisionmanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/trigger"
	_ "github.com/cert-manager/cert-manager/pkg/controller/issuers"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/ca"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/selfsigned"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "file to reach the API server by")
	flag.Parse()
	ctx := context.Background()
	factory, err := controller.NewContextFactory(ctx, controller.ContextOptions{Kubeconfig: *kubeconfig})
	if err != nil {
		log.Fatal(err)
	}
	for name, construct := range controller.Known() {
		one, err := construct(factory)
		if err != nil {
			log.Fatalf("%s: %v", name, err)
		}
		go func() { log.Fatalf("%s: %v", name, one.Run(1, ctx)) }()
	}
	shared, err := factory.Build()
	if err != nil {
		log.Fatal(err)
	}
	shared.SharedInformerFactory.Start(ctx.Done())
	shared.KubeSharedInformerFactory.Start(ctx.Done())
	select {}
}
