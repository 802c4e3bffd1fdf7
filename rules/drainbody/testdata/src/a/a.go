package a

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

// Ping only looks at the status.
func Ping(client *http.Client, url string) error {
	resp, err := client.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close() // want `the body of resp is closed without being read, and the connection with it`
	if resp.StatusCode != http.StatusOK {
		return errors.New(resp.Status)
	}
	return nil
}

func Wait(url string) {
	for {
		resp, err := http.Get(url)
		if err == nil {
			resp.Body.Close() // want `closed without being read`
			if resp.StatusCode == 200 {
				return
			}
		}
		time.Sleep(time.Second)
	}
}

func Notify(ctx context.Context, client *http.Client, url string) (err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader("{}"))
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := resp.Body.Close(); cerr != nil && err == nil { // want `closed without being read`
			err = cerr
		}
	}()
	if resp.StatusCode >= 300 {
		return errors.New(resp.Status)
	}
	return nil
}

func Item(url string, item any) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close() // want `the body of resp is closed on the way to line 68 without being read`
	if resp.StatusCode == http.StatusNotFound {
		return os.ErrNotExist
	}
	return json.NewDecoder(resp.Body).Decode(item)
}

func Retry(url string) ([]byte, error) {
	var resp *http.Response
	for range 3 {
		var err error
		resp, err = http.Get(url)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode < 500 {
			break
		}
		_ = resp.Body.Close() // want `closed without being read`
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

// The close is part of a larger expression: no fix.
func Result(url string) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	return errors.Join(nil, resp.Body.Close()) // want `closed without being read`
}

// What follows is left alone.

func Read(url string) ([]byte, error) {
	resp, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

func Drained(url string) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	defer func() {
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
	}()
	return nil
}

func DrainedBefore(url string) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	defer io.Copy(io.Discard, resp.Body)
	return nil
}

// Passed hands the response to a function, which may read it.
func Passed(url string) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return check(resp)
}

func check(resp *http.Response) error {
	_, err := io.Copy(os.Stdout, resp.Body)
	return err
}

func Aliased(url string) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	body := resp.Body
	defer resp.Body.Close()
	_, err = io.Copy(os.Stdout, body)
	return err
}

func Wrapped(url string) (*http.Response, error) {
	resp, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode == 200 {
		return resp, nil
	}
	text, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	return nil, errors.New(string(text))
}

// Captured closes in a literal that someone calls, some time.
func Captured(url string) (func() error, error) {
	resp, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	return func() error { return resp.Body.Close() }, nil
}

func Head(url string) (int64, error) {
	resp, err := http.Head(url)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	return resp.ContentLength, nil
}

func HeadRequest(client *http.Client, url string) (int64, error) {
	req, err := http.NewRequest("HEAD", url, nil)
	if err != nil {
		return 0, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	return resp.ContentLength, nil
}

// Delete usually has no answer but its status.
func Delete(client *http.Client, url string) error {
	req, err := http.NewRequest(http.MethodDelete, url, nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func AnyMethod(client *http.Client, req *http.Request) error {
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func MethodSet(client *http.Client, url, method string) error {
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return err
	}
	req.Method = method
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func AskedToClose(client *http.Client, url string) error {
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return err
	}
	req.Close = true
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// OnError closes only where something failed.
func OnError(url, file string) error {
	resp, err := http.Get(url)
	if err != nil {
		if resp != nil {
			resp.Body.Close()
		}
		return err
	}
	defer resp.Body.Close()
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(f, resp.Body)
	return err
}

func NoBody(url string, item any) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusNotModified {
		return nil
	}
	switch resp.StatusCode {
	case http.StatusNoContent:
		return nil
	default:
		return json.NewDecoder(resp.Body).Decode(item)
	}
}

func Fatal(url string) {
	resp, err := http.Get(url)
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != 200 {
		log.Fatal(resp.Status)
	}
	_, _ = io.Copy(os.Stdout, resp.Body)
}

// NeverClosed is another defect.
func NeverClosed(url string) (int, error) {
	resp, err := http.Get(url)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, nil
}

// Own has a transport that nobody else uses.
func Own(url string) error {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get(url)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func Events(client *http.Client, url string) error {
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "text/event-stream")
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func init() {
	resp, err := http.Get("http://localhost/ready")
	if err == nil {
		resp.Body.Close()
	}
}
