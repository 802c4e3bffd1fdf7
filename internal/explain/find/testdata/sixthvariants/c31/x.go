package c31

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// V1 generic
func Decode[T any](r io.Reader) (T, error) {
	var v T
	data, err := io.ReadAll(r)
	if err != nil {
		return v, err
	}
	err = json.Unmarshal(data, &v)
	return v, err
}

// V2 method, early continue
type importer struct{ skipped int }

func (i *importer) Take(resp *http.Response) (hosts []string, err error) {
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	sc := bufio.NewScanner(bytes.NewReader(body))
	for sc.Scan() {
		line := sc.Text()
		if strings.HasPrefix(line, "#") {
			i.skipped++
			continue
		}
		hosts = append(hosts, line)
	}
	return hosts, sc.Err()
}
