// Package evidence asks a service whether it is up.
package evidence

import (
	"fmt"
	"net/http"
)

// Ping returns an error unless the service answers with 200.
func Ping(client *http.Client, url string) error {
	resp, err := client.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("ping: %s", resp.Status)
	}
	return nil
}
