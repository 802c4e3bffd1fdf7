package c50

import (
	"net/http"
	"runtime"
)

// V2 method
type importer struct {
	store func(*http.Request) error
}

func (im *importer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer runtime.GC()
	if err := im.store(r); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusCreated)
}
