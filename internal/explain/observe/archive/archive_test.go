package archive

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/host/fetch"
)

var from, until = time.UnixMilli(1767366000123), time.UnixMilli(1767366060456)

// A recorder answers as a server does, and keeps what it was asked.
type recorder struct {
	status  int
	answer  string
	request *http.Request
	body    []byte
}

func (r *recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.request = req
	r.body, _ = io.ReadAll(req.Body)
	if r.status != 0 {
		w.WriteHeader(r.status)
	}
	io.WriteString(w, r.answer)
}

func serve(t *testing.T, r *recorder) string {
	srv := httptest.NewServer(r)
	t.Cleanup(srv.Close)
	return srv.URL
}

// fields reads a protobuf message of texts and numbers.
func fields(t *testing.T, b []byte) map[int]any {
	t.Helper()
	out := map[int]any{}
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		x, m := binary.Uvarint(b[n:])
		if n <= 0 || m <= 0 {
			t.Fatal("no protobuf")
		}
		b = b[n+m:]
		if out[int(tag>>3)] = int64(x); tag&7 == 2 {
			out[int(tag>>3)], b = string(b[:x]), b[x:]
		}
	}
	return out
}

func TestPyroscope(t *testing.T) {
	r := &recorder{answer: "a profile"}
	url := serve(t, r)
	q, err := Parse("pyroscope:"+strings.Replace(url, "//", "//42@", 1)+"/at?api", "s3cret")
	if err != nil {
		t.Fatal(err)
	}
	data, err := q.Merged(t.Context(), from, until)
	if err != nil || string(data) != "a profile" {
		t.Fatal(string(data), err)
	}
	want := map[int]any{1: "process_cpu:cpu:nanoseconds:cpu:nanoseconds", 2: `{service_name="api"}`, 3: from.UnixMilli(), 4: until.UnixMilli()}
	if diff := cmp.Diff(want, fields(t, r.body)); diff != "" {
		t.Error(diff)
	}
	if got := r.request.Method + " " + r.request.URL.Path + " " + r.request.Header.Get("Content-Type"); got != "POST /at/querier.v1.QuerierService/SelectMergeProfile application/proto" {
		t.Error(got)
	}
	if user, password, _ := r.request.BasicAuth(); user != "42" || password != "s3cret" {
		t.Error(user, password)
	}
	if strings.Contains(q.String(), "s3cret") {
		t.Error(q)
	}
}

// framed is an answer of gRPC-Web.
func framed(message []byte, lines string) string {
	var b []byte
	for i, content := range []string{string(message), lines} {
		b = binary.BigEndian.AppendUint32(append(b, byte(i)<<7), uint32(len(content)))
		b = append(b, content...)
	}
	return string(b)
}

func TestParca(t *testing.T) {
	answer := appendText(appendNumber(nil, 9, 7), 6, "a profile")
	r := &recorder{answer: framed(answer, "grpc-status: 0\r\n")}
	q, err := Parse("parca:"+serve(t, r)+`?memory:alloc_space:bytes:space:bytes:delta{job="api",zone="a"}`, "s3cret")
	if err != nil {
		t.Fatal(err)
	}
	data, err := q.Merged(t.Context(), from, until)
	if err != nil || string(data) != "a profile" {
		t.Fatal(string(data), err)
	}
	if r.request.URL.Path != "/api/parca.query.v1alpha1.QueryService/Query" || r.request.Header.Get("Authorization") != "Bearer s3cret" || r.request.Header.Get("Content-Type") != "application/grpc-web+proto" {
		t.Error(r.request.URL, r.request.Header)
	}
	got := fields(t, r.body[frameHead:])
	merge := fields(t, []byte(got[3].(string)))
	for i, at := range map[int]time.Time{2: from, 3: until} {
		want := map[int]any{1: at.Unix(), 2: int64(at.Nanosecond())}
		if diff := cmp.Diff(want, fields(t, []byte(merge[i].(string)))); diff != "" {
			t.Error(diff)
		}
	}
	delete(merge, 2)
	delete(merge, 3)
	want := map[int]any{1: int64(2), 3: map[int]any{1: `memory:alloc_space:bytes:space:bytes:delta{job="api",zone="a"}`}, 5: int64(1)}
	got[3] = merge
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// What cannot be had is said, without the token.
func TestMergedErrors(t *testing.T) {
	for _, tt := range []struct {
		target string
		r      recorder
		want   string
	}{
		{"pyroscope:URL?api", recorder{}, "no profile matches"},
		{"parca:URL?api", recorder{answer: framed(nil, "grpc-status: 0\r\n")}, "no profile matches"},
		{"parca:URL?api", recorder{answer: framed(nil, "grpc-status: 5\r\ngrpc-message: no%20data found\r\n")[5:]}, "no profile matches in this time (no data found)"},
		{"parca:URL?api", recorder{answer: framed(nil, "grpc-status: 16\r\n")}, "give a token"},
		{"parca:URL?api", recorder{answer: framed([]byte{1 << 3, 0xff}, "grpc-status: 0\r\n")}, "damaged"},
		{"parca:URL?api", recorder{answer: framed([]byte("\x32\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), "")}, "damaged"},
		{"pyroscope:URL?api", recorder{status: 404, answer: `{"code":"not_found","message":"no data"}`}, "no profile matches"},
		{"parca:URL?api", recorder{status: 404, answer: `{"code":5,"message":"Not Found"}`}, "is this the address of the server"},
		{"pyroscope:URL?api", recorder{status: 404, answer: "404 page not found"}, "is this the address of the server"},
		{"pyroscope:URL?api", recorder{status: 401, answer: "no"}, "give a token"},
		{"pyroscope:URL?api", recorder{status: 400, answer: `{"code":"invalid_argument","message":"invalid profile ID"}`}, "invalid profile ID"},
		{"parca:URL?api", recorder{answer: "<html>login</html>"}, "is this the address of the server"},
	} {
		q, err := Parse(strings.Replace(tt.target, "URL", serve(t, &tt.r), 1), "s3cret")
		if err != nil {
			t.Fatal(err)
		}
		_, err = q.Merged(t.Context(), from, until)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s %+v: %v", tt.target, tt.r, err)
		}
		if errors.Is(err, ErrNothing) != strings.Contains(tt.want, "matches") {
			t.Errorf("%v", err)
		}
	}
	for _, target := range []string{"pyroscope:http://h", "parca:h?api", `pyroscope:http://h?{a="b"`, "pyroscope:ftp://h?api", `parca:http://h?memory:alloc_space:bytes:space:bytes{job="api"}`} {
		var misuse *fetch.Misuse
		if _, err := Parse(target, ""); !errors.As(err, &misuse) {
			t.Errorf("%s: %v", target, err)
		}
	}
}

func TestPush(t *testing.T) {
	r := &recorder{answer: "{}"}
	s, err := NewSink(serve(t, r)+"/", "s3cret")
	if err != nil {
		t.Fatal(err)
	}
	profile := []byte{1, 2, 0xff}
	if err := s.Push(t.Context(), "api", "pod-1", map[string][]byte{"profile": profile, "goroutineleak": {3}}); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Series []struct {
			Labels  []struct{ Name, Value string }
			Samples []struct{ RawProfile []byte }
		}
	}
	if err := json.Unmarshal(r.body, &got); err != nil || len(got.Series) != 1 || len(got.Series[0].Labels) != 3 {
		t.Fatalf("%s, %v", r.body, err)
	}
	one := got.Series[0]
	if one.Labels[0].Value != "process_cpu" || one.Labels[1].Value != "api" || one.Labels[2].Value != "pod-1" || !bytes.Equal(one.Samples[0].RawProfile, profile) {
		t.Errorf("%s", r.body)
	}
	if r.request.URL.Path != "/push.v1.PusherService/Push" || r.request.Header.Get("Authorization") != "Bearer s3cret" {
		t.Error(r.request.URL, r.request.Header)
	}
	r.status, r.answer = 429, "too much"
	if err := s.Push(t.Context(), "api", "", map[string][]byte{"heap": profile}); err == nil || !strings.Contains(err.Error(), "too much") || strings.Contains(err.Error(), "s3cret") {
		t.Error(err)
	}
}
