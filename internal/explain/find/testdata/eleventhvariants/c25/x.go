package c25

import (
	"log/slog"
	"net/http"
	"runtime/debug"
)

// V5 two functions

func whereAmI() string { return string(debug.Stack()) }

func serveQuote(w http.ResponseWriter, r *http.Request) {
	slog.Debug("quote requested", "symbol", r.FormValue("symbol"), "at", whereAmI())
	w.WriteHeader(http.StatusNoContent)
}
