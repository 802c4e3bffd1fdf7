package c13

import (
	"fmt"
	"net/http"
)

// V5 two functions, missed
func ping(c *http.Client, url string) (*http.Response, error) {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	return c.Do(req)
}

func healthy(c *http.Client, urls []string) error {
	for _, url := range urls {
		resp, err := ping(c, url)
		if err != nil {
			return err
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return fmt.Errorf("%s: %s", url, resp.Status)
		}
	}
	return nil
}
