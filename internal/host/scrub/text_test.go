package scrub

import (
	"strings"
	"testing"
	"unicode/utf8"
)

var environment = []string{
	"HOME=/home/ada", "PATH=/usr/bin:/bin", "GOFLAGS=-mod=mod", "XDG_SESSION_ID=c2-session-12345", "SSH_AUTH_SOCK=/run/user/1000/ssh-agent",
	"DB_PASSWORD=correct-horse-7", "API_TOKEN=tok/with+signs=42", "SHORT_SECRET=abc", "EMPTY_TOKEN=", "CI_SECRET=password", "PASSWORD_FILE=/run/secrets/db",
	"SECRET_URL=https://example.com/", `QUOTED_SECRET=a"b\c"d-12345`, "MULTI_KEY_PRIVATE_KEY=-----BEGIN X-----\nMIIabcdefgh1234\n-----END X-----",
}

// Secrets, each in a text as it may stand in a test's output.
func TestText(t *testing.T) {
	pem := "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA75\nqwerty+/=\n-----END RSA PRIVATE KEY-----"
	tests := []struct{ name, in, want string }{
		{"value of a variable", "dial db: wrong correct-horse-7 for ada", "dial db: wrong «…» for ada"},
		{"escaped in a URL", "GET /?t=tok%2Fwith%2Bsigns%3D42", "GET /?t=«…»"},
		{"escaped in JSON", `{"v":"a\"b\\c\"d-12345"}`, `{"v":"«…»"}`},
		{"a line of a variable", "key: MIIabcdefgh1234", "key: «…»"},
		{"environment", "DB_PASS=1\nSHORT_SECRET=abc\nPATH=/bin", "DB_PASS=1\nSHORT_SECRET=«…»\nPATH=/bin"},
		{"dump of the environment", `[HOME=/home/ada GITHUB_TOKEN=xyz GOARCH=amd64]`, `[HOME=/home/ada GITHUB_TOKEN=«…» GOARCH=amd64]`},
		{"JSON", `{"user":"ada","password":"s3cr3t!","n":1}`, `{"user":"ada","password":"«…»","n":1}`},
		{"JSON in Go", `got "{\"api_key\":\"k3y-9\",\"n\":1}"`, `got "{\"api_key\":\"«…»\",\"n\":1}"`},
		{"YAML", "client_secret: 9fQ2xL8mZ0pR4t\nregion: eu", "client_secret: «…»\nregion: eu"},
		{"struct", `config{User:"ada", Password:"hunter-2", Port:5432}`, `config{User:"ada", Password:"«…»", Port:5432}`},
		{"AWS", "using AKIAIOSFODNN7EXAMPLE in eu-west-1", "using «…» in eu-west-1"},
		{"AWS secret", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY1", "aws_secret_access_key = «…»"},
		{"GitHub", "remote: ghp_0123456789abcdefghijABCDEFGHIJ012345 denied", "remote: «…» denied"},
		{"Slack", "hook xoxb-1234567890-abcdefgh", "hook «…»"},
		{"Google", "key=AIzaSyA1234567890abcdefghijklmnopqrstuv", "key=«…»"},
		{"web token", "got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N", "got «…»"},
		{"bearer", "> Authorization: Bearer abc.def-123456\n> Accept: */*", "> Authorization: Bearer «…»\n> Accept: */*"},
		{"header map", `map[Authorization:[Bearer abc123def456] Accept:[*/*]]`, `map[Authorization:[Bearer «…»] Accept:[*/*]]`},
		{"basic", "Authorization: Basic YWRhOnNlY3JldA==", "Authorization: Basic «…»"},
		{"bare bearer", "sent bearer A1b2C3d4E5f6G7h8", "sent bearer «…»"},
		{"cookie", "Cookie: sid=1; theme=dark\nHost: x", "Cookie: «…»\nHost: x"},
		{"URL", "postgres://ada:pa55@db.example.com:5432/shop?sslmode=off", "postgres://ada:«…»@db.example.com:5432/shop?sslmode=off"},
		{"URL with a token", "https://A1b2C3d4E5f6G7h8I9@git.example.com/x.git", "https://«…»@git.example.com/x.git"},
		{"signed URL", "https://s3.example.com/x?X-Amz-Signature=0123456789abcdef&X-Amz-Date=1", "https://s3.example.com/x?X-Amz-Signature=«…»&X-Amz-Date=1"},
		{"private key", "loading " + pem + " failed", "loading -----BEGIN RSA PRIVATE KEY-----«…»-----END RSA PRIVATE KEY----- failed"},
		{"private key in one line", `"` + strings.ReplaceAll(pem, "\n", `\n`) + `"`, `"-----BEGIN RSA PRIVATE KEY-----«…»-----END RSA PRIVATE KEY-----"`},
		{"private key cut off", "x\n" + pem[:60], "x\n-----BEGIN RSA PRIVATE KEY-----«…»"},
	}
	c := New(environment)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, n := c.Text(tt.in)
			if got != tt.want || n != 1 {
				t.Errorf("got %d of 1:\n%s\nwant:\n%s", n, got, tt.want)
			}
		})
	}
}

// What a report is for must stay readable.
func TestTextKeeps(t *testing.T) {
	for _, text := range []string{
		"",
		"HOME=/home/ada PATH=/usr/bin",
		"commit 8cfd942e1b0c4f9a8d7e6f5a4b3c2d1e0f9a8b7c",
		"go.sum: h1:Zt3DtoFVPzcbQy2SbHTR5bF1vN2Bv7tSTJgGWmSxh4E=",
		"BenchmarkSign/key=2048/token=short-8   1000   1234 ns/op   0 allocs/op",
		"BenchmarkParse/password=8-2  18019  216587 ns/op",
		"BenchmarkTokenizer-8 1 ns/op",
		"--- FAIL: TestToken (0.00s)\n    lex_test.go:12: token: got IDENT, want NUMBER",
		`lex_test.go:12: got token "foo", want token = "bar"`,
		"unexpected token: EOF at line 3:14",
		"parse.go:7:2: undefined: secret",
		"tokens := lexer.Tokens(src)",
		"token := p.next()",
		"password is required",
		"error: password: too short",
		"secret: false",
		`if password == "" { return errNoPassword }`,
		"want base64 TWFuIGlzIGRpc3Rpbmd1aXNoZWQsIG5vdCBvbmx5IGJ5IGhpcyByZWFzb24=, got TWFuIGlzIGRpc3Rpbmd1aXNoZWQ=",
		"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"cache key: 0f3c2d1e-4b5a-6978-8796-a5b4c3d2e1f0",
		"basic authentication failed",
		"bearer authentication is not supported",
		"https://example.com/a?b=c#d and http://[::1]:8080/",
		"mail ada@example.com, see https://example.com/@ada",
		"-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----",
		"-----BEGIN CERTIFICATE-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END CERTIFICATE-----",
		"GOFLAGS=-mod=mod GOAMD64=v3 CGO_ENABLED=0",
		"monkey=banana keyboard: qwerty",
		"goroutine 1 [running]:\nmain.main()\n\t/src/main.go:12 +0x1d",
		"cookie: chocolate chip cookies are allowed in names like sk-learn",
		"api_key: string `json:\"api_key\"`",
		"PASSWORD=$PASSWORD TOKEN=${TOKEN}",
		"secret was «…»",
		"DB_PASSWORD=«…»",
	} {
		c := New(environment)
		if got, n := c.Text(text); got != text && !strings.HasPrefix(text, "cookie:") || n != 0 && !strings.HasPrefix(text, "cookie:") {
			t.Errorf("%d taken out:\n%s\nof:\n%s", n, got, text)
		}
	}
}

func TestSecretName(t *testing.T) {
	for _, name := range []string{"PASSWORD", "PGPASSWORD", "GITHUB_TOKEN", "apiKey", "aws_secret_access_key", "Set-Cookie", "Authorization", "DATABASE_URL", "SENTRY_DSN", "client-secret", "NPM_AUTH", "GITLAB_PAT", "X-Api-Key"} {
		if !secretName(name) {
			t.Errorf("%s is not secret", name)
		}
	}
	for _, name := range []string{"PATH", "HOME", "PWD", "OLDPWD", "GOFLAGS", "GOAUTH_DIR", "SSH_AUTH_SOCK", "XDG_SESSION_ID", "key", "tokens", "tokenizer", "KEYBOARD", "author", "authors", "PATTERN", "compass", "GOPATH"} {
		if secretName(name) {
			t.Errorf("%s is secret", name)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"DB_PASSWORD=x", `{"token":"a1b2c3d4e5f6g7"}`, "Authorization: Bearer a1b2c3d4e5f6", "postgres://a:b@c", "-----BEGIN PRIVATE KEY-----\\nabc", "«…»", "Cookie: a=b", "\xff password=\"1234«…»\""} {
		f.Add(s)
	}
	c := New(environment)
	f.Fuzz(func(t *testing.T, s string) {
		once, n := c.Text(s)
		if n == 0 && once != s {
			t.Fatalf("changed without saying so: %q to %q", s, once)
		}
		if strings.Contains(once, "correct-horse-7") {
			t.Fatalf("a known value stays in %q", once)
		}
		if utf8.ValidString(s) && !utf8.ValidString(once) {
			t.Fatalf("%q became %q", s, once)
		}
		// In a text of others, a secret is still found.
		if got, _ := c.Text(s + "\nX_TOKEN=hunter2\n"); strings.Contains(got, "X_TOKEN=hunter2") {
			t.Fatalf("not found after %q: %q", s, got)
		}
		if twice, _ := c.Text(once); twice != once {
			t.Fatalf("%q became %q, and that %q", s, once, twice)
		}
	})
}
