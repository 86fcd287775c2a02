// As driver.py, for a program of the page that is cache.go beside this file.
package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/bradfitz/gomemcache/memcache"
)

var kept *memcache.Client

func ask(question string) error {
	cache := kept
	if question == "new" || kept == nil {
		cache = newCache()
	}
	if kept == nil {
		kept = cache
	}
	if err := cache.Set(&memcache.Item{Key: "page", Value: []byte("told")}); err != nil {
		return err
	}
	item, err := cache.Get("page")
	if err == nil && string(item.Value) != "told" {
		return fmt.Errorf("the value is %q", item.Value)
	}
	return err
}

func main() {
	for questions := bufio.NewScanner(os.Stdin); questions.Scan(); {
		if err := ask(questions.Text()); err != nil {
			fmt.Printf("%q\n", err.Error())
		} else {
			fmt.Println("ok")
		}
	}
}
