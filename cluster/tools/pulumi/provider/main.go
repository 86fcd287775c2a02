// Command pulumi-resource-kubernetes is the Kubernetes provider, with the schema and the mapping that the provider's
// own main package embeds; the build copies both from the provider's module.
package main

import (
	_ "embed"

	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/provider"
	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/version"
)

//go:embed schema-embed.json
var schema []byte

//go:embed terraform-mapping-embed.json
var mapping []byte

func main() { provider.Serve("kubernetes", version.Version, schema, mapping) }
