// Shop is a small service that costs more than it must: it answers what is in stock. The tutorial
// docs/slow-service.md finds out why, and fixes it.
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "address to listen on")
	flag.Parse()
	s := newShop(2000)
	http.HandleFunc("/items", s.items)
	log.Fatal(http.ListenAndServe(*addr, nil))
}

// items answers which items have the prefix that is asked for, and what they cost.
func (s *shop) items(w http.ResponseWriter, r *http.Request) {
	found, err := s.search(r.FormValue("prefix"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	fmt.Fprint(w, found)
}
