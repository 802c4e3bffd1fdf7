package c14

import (
	"context"
	"log"
	"net/http"
	"time"
)

// V1 closure, missed

type hook struct {
	url  string
	name string
}

func notifier(client *http.Client, hooks func(event string) []hook) func(event string) {
	return func(event string) {
		for _, h := range hooks(event) {
			go func() {
				ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
				defer cancel()
				req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.url, nil)
				if err != nil {
					log.Printf("hook %s: %v", h.name, err)
					return
				}
				resp, err := client.Do(req)
				if err != nil {
					log.Printf("hook %s: %v", h.name, err)
					return
				}
				resp.Body.Close()
			}()
		}
	}
}
