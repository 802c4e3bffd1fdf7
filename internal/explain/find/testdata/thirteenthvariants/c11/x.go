package c11

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// V1 closure

func checkMirrors(ctx context.Context, mirrors []string) map[string]error {
	probe := func(base string) error {
		ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/healthz", nil)
		if err != nil {
			return err
		}
		client := &http.Client{Timeout: 5 * time.Second}
		resp, err := client.Do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		io.Copy(io.Discard, resp.Body)
		if resp.StatusCode != http.StatusOK {
			return fmt.Errorf("%s: %s", base, resp.Status)
		}
		return nil
	}
	results := make(map[string]error, len(mirrors))
	for _, m := range mirrors {
		results[m] = probe(m)
	}
	return results
}
