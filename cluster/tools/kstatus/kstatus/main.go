// Command kstatus tells what kstatus, by which Flux, kpt and others wait, makes of the objects on standard input: a JSON
// array of them. For each it writes a line: the status, a tab, and the message.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
)

func main() {
	var objects []json.RawMessage
	if err := json.NewDecoder(os.Stdin).Decode(&objects); err != nil {
		log.Fatal(err)
	}
	for _, object := range objects {
		// It reads whole numbers as such, which plain JSON makes floating.
		var read unstructured.Unstructured
		if err := read.UnmarshalJSON(object); err != nil {
			log.Fatal(err)
		}
		result, err := status.Compute(&read)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s\t%s\n", result.Status, result.Message)
	}
}
