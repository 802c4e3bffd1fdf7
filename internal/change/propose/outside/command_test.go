package outside

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const minute = time.Minute

func ask(t *testing.T, line string, env ...string) (Answer, error) {
	t.Helper()
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip(err)
	}
	return Command{Line: line, Env: env}.Ask(t.Context(), Request{Schema: Schema, Module: "example.com/<m>"}, minute)
}

// A proposer gets the question, the variables that it was given, and an empty
// directory. Nothing of it stays.
func TestAsk(t *testing.T) {
	t.Setenv("SECRET", "hidden")
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	a, err := ask(t, `echo "$(ls -A | wc -l) $SECRET $SHOWN $HOME" why; cat > /dev/null; printf '%s\n' '--- a/a.go' '+++ b/a.go' '@@ -1 +1 @@' -a +b`, "SHOWN=seen")
	if err != nil || len(a.Proposals) != 1 {
		t.Fatalf("%+v, %v", a, err)
	}
	if got := a.Proposals[0].Reason; got != "0 seen why" {
		t.Errorf("it saw %q", got)
	}
	if left, _ := filepath.Glob(temp + "/*"); len(left) > 0 {
		t.Errorf("left over: %s", left)
	}
	a, err = ask(t, `grep -c '"module": "example.com/<m>"'; echo; printf '%s\n' '--- a/a.go' '+++ b/a.go' '@@ -1 +1 @@' -a +b`)
	if err != nil || len(a.Proposals) != 1 || a.Proposals[0].Reason != "1" {
		t.Errorf("%+v, %v: the question did not come as it is", a, err)
	}
}

// What a proposer does wrong is said, and ends with it.
func TestAskRefuses(t *testing.T) {
	for _, tt := range []struct{ name, line, want string }{
		{"fails", "echo no key >&2; exit 3", "ended with code 3: no key"},
		{"is not there", "/nowhere/at/all", "ended with code 127"},
		{"prints garbage", "head -c 1000 /dev/urandom; printf '\\377'", "no text"},
		{"prints a gigabyte", "head -c 1000000000 /dev/zero", "more than 256 KiB"},
		{"prints for ever", "yes", "more than 256 KiB"},
		{"prints for ever in the background", "yes &", "more than 256 KiB"},
	} {
		if a, err := ask(t, tt.line); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("a proposer that %s: %+v, %v", tt.name, a, err)
		}
	}
}

// One that hangs ends with its time, and with the run, and so does what it
// started.
func TestAskHangs(t *testing.T) {
	c := Command{Line: "sleep 1000 & sleep 1000"}
	if _, err := c.Ask(t.Context(), Request{}, 50*time.Millisecond); err == nil || !strings.Contains(err.Error(), "no answer in 50ms") {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := c.Ask(ctx, Request{}, minute); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// The examples speak with a server as they are documented.
func TestExamples(t *testing.T) {
	content := map[string]string{
		"openai.sh": "It is shorter.\n```diff\n" + diff + "```\n",
		"openai.py": `{"proposals":[{"diff":` + quoted(diff) + `,"reason":"It is shorter."}]}`,
	}
	for name, tools := range map[string][]string{"openai.sh": {"/bin/sh", "curl", "jq"}, "openai.py": {"python3"}} {
		t.Run(name, func(t *testing.T) {
			for _, tool := range tools {
				if _, err := exec.LookPath(tool); err != nil {
					t.Skip(err)
				}
			}
			server := fakeModel(t, content[name])
			script, err := filepath.Abs("../../../../examples/propose/" + name)
			if err != nil {
				t.Fatal(err)
			}
			env := []string{
				"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "PAWL_LLM_URL=" + server.URL + "/v1", "PAWL_LLM_MODEL=small", "PAWL_LLM_KEY=a key",
			}
			run := tools[0] + " " + script
			a, err := ask(t, run, env...)
			if err != nil || len(a.Proposals) != 1 || a.Proposals[0].Diff != diff || a.Proposals[0].Reason != "It is shorter." || a.Cost != 0.0025 {
				t.Errorf("%+v, %v", a, err)
			}
			server.Close()
			if a, err := ask(t, run, env...); err == nil {
				t.Errorf("without a server it answers %+v", a)
			}
		})
	}
}

func quoted(s string) string {
	out, _ := json.Marshal(s)
	return string(out)
}

// fakeModel is a server that answers every question with one text.
func fakeModel(t *testing.T, content string) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var q struct {
			Model    string
			Messages []struct{ Role, Content string }
		}
		if err := json.Unmarshal(body, &q); err != nil || q.Model != "small" || len(q.Messages) != 2 || !strings.Contains(q.Messages[1].Content, `"schema": 1`) {
			t.Errorf("the question is %s, %v", body, err)
		}
		if r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer a key" {
			t.Errorf("%s with %q", r.URL.Path, r.Header.Get("Authorization"))
		}
		answer := map[string]any{
			"choices": []any{map[string]any{"message": map[string]string{"content": content}}}, "usage": map[string]int{"total_tokens": 2500},
		}
		_ = json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(server.Close)
	return server
}
