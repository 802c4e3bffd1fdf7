package c47

import (
	"os"
	"os/signal"
	"time"
)

// V2 method
type app struct{ files []*os.File }

func (a *app) run() {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, os.Interrupt)
	<-ch
	for _, f := range a.files {
		f.Sync()
		f.Close()
	}
	time.Sleep(2 * time.Second)
	os.Exit(0)
}
