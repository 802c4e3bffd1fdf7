package scrub

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
)

// mark stands where a secret was.
const mark = "«…»"

// A Scrubber takes secrets out of texts. It may be used by several goroutines.
type Scrubber struct {
	values *strings.Replacer // nil where the environment holds none
}

// shortest is how long the value of a variable must be to be looked for
// everywhere: “1234” stands in too many figures. Beside its name it is found
// however short it is.
const shortest = 8

// New returns a Scrubber that knows the secret values of an environment, in
// the form of os.Environ.
func New(environ []string) *Scrubber {
	var values []string
	for _, kv := range environ {
		key, value, ok := strings.Cut(kv, "=")
		if !ok || !secretName(key) {
			continue
		}
		for line := range strings.SplitSeq(value, "\n") {
			line = strings.TrimSpace(line)
			if len(line) < shortest || common(line) || strings.Contains(line, mark) || strings.HasPrefix(line, "-----") {
				continue
			}
			values = append(values, line)
			if q := url.QueryEscape(line); q != line {
				values = append(values, q)
			}
			if q, err := json.Marshal(line); err == nil && string(q) != `"`+line+`"` {
				values = append(values, string(q[1:len(q)-1]))
			}
		}
	}
	if len(values) == 0 {
		return &Scrubber{}
	}
	slices.Sort(values)
	values = slices.Compact(values)
	// Where one is the beginning of another, the longer one goes first.
	slices.SortStableFunc(values, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, v := range values {
		pairs = append(pairs, v, mark)
	}
	return &Scrubber{values: strings.NewReplacer(pairs...)}
}

// common reports whether a value says nothing by itself: a word, a number, a
// path or an address without credentials. To blank those wherever they stand
// would garble a text and hide nothing.
func common(v string) bool {
	if strings.HasPrefix(v, "/") || strings.HasPrefix(v, "~/") || strings.HasPrefix(v, "./") {
		return true
	}
	if u, err := url.Parse(v); err == nil && u.Host != "" && u.User == nil && u.RawQuery == "" {
		return true
	}
	letters := strings.IndexFunc(v, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '_' }) < 0
	return letters && strings.ToLower(v) == v && len(v) < 16 && !strings.ContainsAny(v, "-_") && dictionary[v] || v == "localhost"
}

// dictionary holds values that are placeholders.
var dictionary = map[string]bool{"disabled": true, "required": true, "password": true, "undefined": true, "optional": true, "anonymous": true, "insecure": true, "default": true, "keychain": true, "osxkeychain": true}

// secretName reports whether a variable, a field or a header of this name holds
// a secret: PASSWORD, GITHUB_TOKEN, apiKey, aws_secret_access_key, Cookie.
func secretName(name string) bool {
	n := strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "", " ", "").Replace(name))
	for _, s := range []string{"tokenizer", "tokens", "tokentype", "tokenkind", "tokenurl", "tokenpath", "tokenfile", "keyfile", "keypath", "passwordfile", "secretname", "secretsdir", "authsock", "secretfile", "credentialsfile", "credentialfile"} {
		if strings.HasSuffix(n, s) {
			return false
		}
	}
	for _, s := range []string{"password", "passwd", "passphrase", "secret", "apikey", "accesskey", "privatekey", "signingkey", "encryptionkey", "credential", "authorization", "databaseurl", "cookie", "sessionid", "sessionkey", "authkey"} {
		if strings.Contains(n, s) {
			return n != "xdgsessionid"
		}
	}
	if n == "dsn" || strings.HasSuffix(n, "dsn") || n == "pat" || n == "auth" || strings.HasSuffix(name, "_AUTH") || strings.HasSuffix(name, "_PAT") || strings.HasSuffix(name, "_PASS") || n == "pgpass" {
		return true
	}
	if strings.ToUpper(name) == name && secretEnding(name) {
		return true
	}
	return strings.HasSuffix(n, "token") || strings.Contains(n, "token") && strings.ToUpper(name) == name
}

// secretEnding reports whether the name of a variable ends as those of secrets
// do.
func secretEnding(name string) bool {
	for _, s := range []string{"_PUBLIC_KEY", "_PRIMARY_KEY", "_FOREIGN_KEY", "_CACHE_KEY", "_SORT_KEY", "_PARTITION_KEY"} {
		if strings.HasSuffix("_"+name, s) {
			return false
		}
	}
	return slices.ContainsFunc([]string{"_KEY", "_PWD", "_PASS", "_PW", "_WEBHOOK", "_WEBHOOK_URL", "_CONNECTION_STRING", "_CONN_STR", "_SALT", "_PEM"}, func(s string) bool {
		return strings.HasSuffix(name, s)
	})
}

// Text returns s without secrets, and how many were taken out.
func (c *Scrubber) Text(s string) (string, int) {
	before := strings.Count(s, mark)
	if c != nil && c.values != nil {
		s = c.values.Replace(s)
	}
	s = keys(s)
	lower := strings.ToLower(s)
	for _, p := range patterns {
		if strings.Contains(lower, p.has) {
			s = p.replace(s)
		}
	}
	return s, max(0, strings.Count(s, mark)-before)
}

// A pattern is one form of secret. The group named “secret” is what goes; fit,
// if there is one, says whether it is one.
type pattern struct {
	has string // what a text must contain, in lower case, to be looked at
	re  *regexp.Regexp
	fit func(groups map[string]string) bool
}

func (p pattern) replace(s string) string {
	at := p.re.SubexpIndex("secret")
	var b strings.Builder
	last := 0
	for _, m := range p.re.FindAllStringSubmatchIndex(s, -1) {
		from, to := m[2*at], m[2*at+1]
		if from < last || strings.Contains(s[from:to], mark) {
			continue
		}
		if p.fit != nil {
			groups := map[string]string{}
			for i, name := range p.re.SubexpNames() {
				if name != "" && m[2*i] >= 0 {
					groups[name] = s[m[2*i]:m[2*i+1]]
				}
			}
			if !p.fit(groups) {
				continue
			}
		}
		b.WriteString(s[last:from])
		b.WriteString(mark)
		last = to
	}
	b.WriteString(s[last:])
	return b.String()
}

// schemes are ways to authorize, which stand before the secret.
var schemes = map[string]bool{"basic": true, "bearer": true, "token": true, "digest": true, "negotiate": true, "aws4-hmac-sha256": true}

var patterns = []pattern{
	// Tokens with a prefix of their own, as their issuers document them.
	{"aki", regexp.MustCompile(`\b(?P<secret>AKIA[0-9A-Z]{16})\b`), nil},
	{"asi", regexp.MustCompile(`\b(?P<secret>ASIA[0-9A-Z]{16})\b`), nil},
	{"gh", regexp.MustCompile(`\b(?P<secret>gh[pousr]_[0-9A-Za-z]{36,255})\b`), nil},
	{"github_pat_", regexp.MustCompile(`\b(?P<secret>github_pat_[0-9A-Za-z_]{22,255})\b`), nil},
	{"glpat-", regexp.MustCompile(`\b(?P<secret>glpat-[0-9A-Za-z_-]{20,255})`), nil},
	{"xox", regexp.MustCompile(`\b(?P<secret>xox[abeprs]-[0-9A-Za-z-]{10,255})`), nil},
	{"aiza", regexp.MustCompile(`\b(?P<secret>AIza[0-9A-Za-z_-]{35})`), nil},
	{"_live_", regexp.MustCompile(`\b(?P<secret>[rs]k_live_[0-9A-Za-z]{16,255})`), nil},
	{"abia", regexp.MustCompile(`\b(?P<secret>A(?:BIA|CCA)[0-9A-Z]{16})\b`), nil},
	{"_test_", regexp.MustCompile(`\b(?P<secret>[rs]k_test_[0-9A-Za-z]{16,255})`), nil},
	{"gl", regexp.MustCompile(`\b(?P<secret>gl(?:dt|ft|soat|rt|cbt|ptt|imt|agent|ffct)-[0-9A-Za-z_-]{20,255})`), nil},
	{"pypi-", regexp.MustCompile(`\b(?P<secret>pypi-AgEIcHlwaS5vcmc[0-9A-Za-z_-]{50,1000})`), nil},
	{"_v1_", regexp.MustCompile(`\b(?P<secret>do[opr]_v1_[0-9a-f]{64})\b`), nil},
	{"hf_", regexp.MustCompile(`\b(?P<secret>hf_[A-Za-z]{34})\b`), nil},
	{"sg.", regexp.MustCompile(`\b(?P<secret>SG\.[0-9A-Za-z_-]{16,32}\.[0-9A-Za-z_-]{16,64})`), nil},
	{"shp", regexp.MustCompile(`\b(?P<secret>shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32})\b`), nil},
	{"dckr_pat_", regexp.MustCompile(`\b(?P<secret>dckr_pat_[0-9A-Za-z_-]{20,64})`), nil},
	{"hv", regexp.MustCompile(`\b(?P<secret>hv[sb]\.[0-9A-Za-z_-]{24,300})`), nil},
	{"dapi", regexp.MustCompile(`\b(?P<secret>dapi[0-9a-f]{32}(?:-\d)?)\b`), nil},
	{"rubygems_", regexp.MustCompile(`\b(?P<secret>rubygems_[0-9a-f]{48})\b`), nil},
	{"ya29.", regexp.MustCompile(`\b(?P<secret>ya29\.[0-9A-Za-z_-]{20,300})`), nil},
	{"hooks.slack.com", regexp.MustCompile(`hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[0-9A-Za-z/_+-]{20,})`), nil},
	{"/api/webhooks/", regexp.MustCompile(`discord(?:app)?\.com/api/webhooks/(?P<secret>\d{10,}/[0-9A-Za-z_-]{20,})`), nil},
	{"webhook.office.com", regexp.MustCompile(`webhook\.office\.com/webhookb2/(?P<secret>[0-9A-Za-z/@-]{30,})`), nil},
	{"accountkey=", regexp.MustCompile(`(?i)\bAccountKey=(?P<secret>[0-9A-Za-z+/=]{40,})`), nil},
	{"age-secret-key-1", regexp.MustCompile(`(?P<secret>AGE-SECRET-KEY-1[0-9A-Z]{40,64})`), nil},
	{"npm_", regexp.MustCompile(`\b(?P<secret>npm_[0-9A-Za-z]{36})\b`), nil},
	{"sk-", regexp.MustCompile(`\b(?P<secret>sk-(?:[a-z]+-)*[0-9A-Za-z_-]{32,255})`), func(g map[string]string) bool { return random(g["secret"]) }},
	{"eyj", regexp.MustCompile(`\b(?P<secret>eyJ[0-9A-Za-z_-]{8,}\.eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,})`), nil},
	// Headers.
	{"authorization", regexp.MustCompile(`(?i)\bauthorization"?\s*[:=]\s*\[?"?(?:(?:basic|bearer|token|digest|negotiate|aws4-hmac-sha256)\s+)?(?P<secret>[^\s"'\],;«]{4,}[^\r\n"'\]«]*)`), func(g map[string]string) bool { return !schemes[strings.ToLower(strings.TrimSpace(g["secret"]))] }},
	{"cookie", regexp.MustCompile(`(?im)^[\s<>*]*(?:set-)?cookie:[ \t]*(?P<secret>[^\s«][^\r\n«]*)`), nil},
	{"bearer", regexp.MustCompile(`(?i)\bbearer[ \t]+(?P<secret>[0-9A-Za-z._~+/=-]{12,})`), func(g map[string]string) bool { return random(g["secret"]) }},
	{"basic", regexp.MustCompile(`(?i)\bbasic[ \t]+(?P<secret>[0-9A-Za-z+/]{12,}={0,2})`), func(g map[string]string) bool {
		return random(g["secret"]) || strings.HasSuffix(g["secret"], "=")
	}},
	// URLs.
	{"://", regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s/?#:@"'«]*:(?P<secret>[^\s/?#@"'«]+)@`), nil},
	{"://", regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://(?P<secret>[^\s/?#:@"'«]{16,})@`), func(g map[string]string) bool { return random(g["secret"]) }},
	{"signature=", regexp.MustCompile(`(?i)[?&](?:x-amz-|x-goog-)?(?:signature|credential|security-token)=(?P<secret>[^&\s"'«]{8,})`), nil},
	// Private keys, also where line breaks are written as \n, and cut off.
	{"private key", regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?P<secret>(?:[0-9A-Za-z+/=:,\s.-]|\\[nr])*?)(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$|[^0-9A-Za-z+/=:,\s.\\-])`),
		func(g map[string]string) bool { return strings.TrimSpace(g["secret"]) != "" }},
}

// named is a name and what leads to its value: NAME=, "name": , name := .
var named = regexp.MustCompile(`([A-Za-z][A-Za-z0-9_.-]{1,63})\\?["']?([ \t]?(?::=|=>|=|:)[ \t]?)`)

// keys blanks values that stand beside a name of a secret.
func keys(s string) string {
	var b strings.Builder
	last := 0
	for _, m := range named.FindAllStringSubmatchIndex(s, -1) {
		name, sep := s[m[2]:m[3]], strings.TrimSpace(s[m[4]:m[5]])
		if m[1] < last || !secretName(name) {
			continue
		}
		from, to, quoted := value(s, m[1])
		if from == to || !secretValue(name, sep, s[from:to], quoted) {
			continue
		}
		b.WriteString(s[last:from])
		b.WriteString(mark)
		last = to
	}
	b.WriteString(s[last:])
	return b.String()
}

// longest is where a value that does not end is cut off.
const longest = 4096

// value returns where the value lies that begins at i: between quotes, which
// may have backslashes before them, or up to what ends a word.
func value(s string, i int) (from, to int, quoted bool) {
	end := min(len(s), i+longest)
	stop := " \t\r\n\"'`,;(){}[]&|<>«"
	if j := i; j < end {
		if s[j] == '\\' && j+1 < end {
			j++
		}
		if strings.IndexByte("\"'`", s[j]) >= 0 {
			i, quoted, stop = j+1, true, "\\\r\n"+s[j:j+1]
		}
	}
	n := strings.IndexAny(s[i:max(i, end)], stop)
	if n < 0 {
		n = max(i, end) - i
		for n > 0 && i+n < len(s) && !utf8.RuneStart(s[i+n]) {
			n--
		}
	}
	return i, i + n, quoted
}

// secretValue reports whether what stands beside the name of a secret is one,
// and not a word of a message or of a program about such things.
func secretValue(name, sep, value string, quoted bool) bool {
	if strings.Contains(value, mark) || strings.Trim(value, "*xX.•-") == "" || placeholder(value) {
		return false
	}
	environment := sep == "=" && strings.ToUpper(name) == name && strings.Contains(name+"_", "_")
	switch {
	case environment:
		return true
	case random(value):
		return true
	case quoted:
		// A parser's tokens and keys are words, mostly.
		return len(value) >= 4 && !strings.HasSuffix(strings.ToLower(name), "token") && strings.ContainsFunc(value, func(r rune) bool { return !unicode.IsLetter(r) && r != ' ' })
	}
	return false
}

// placeholder reports whether a value stands for none.
func placeholder(v string) bool {
	switch strings.ToLower(v) {
	case "true", "false", "nil", "<nil>", "null", "none", "0", "1", "redacted", "[redacted]", "string", "error", "eof", "unset", "empty":
		return true
	}
	return strings.HasPrefix(v, "$") || strings.HasPrefix(v, "%") || strings.HasPrefix(v, "<") || strings.HasPrefix(v, "/") || strings.HasPrefix(v, "0x")
}

// random reports whether a text looks as if a machine had made it: long, of
// one piece, with letters and digits mixed.
func random(v string) bool {
	if len(v) < 12 || strings.ContainsAny(v, " ()") {
		return false
	}
	digits, letters, switches := 0, 0, 0
	was := ' '
	for _, r := range v {
		kind := ' '
		switch {
		case '0' <= r && r <= '9':
			digits++
			kind = '0'
		case 'a' <= r && r <= 'z':
			letters++
			kind = 'a'
		case 'A' <= r && r <= 'Z':
			letters++
			kind = 'A'
		}
		if kind != was {
			switches++
		}
		was = kind
	}
	return digits >= 2 && letters >= 2 && switches >= 6
}

// Note is the warning that goes with what n secrets were taken out of; what
// names it: "the report".
func Note(what string, n int) model.Warning {
	secrets := "what looks like a secret was"
	if n > 1 {
		secrets = fmt.Sprintf("%d texts that look like secrets were", n)
	}
	return model.Warning{
		Seen:  fmt.Sprintf("%s taken out of %s: %s stands in its place", secrets, what, mark),
		Cause: "a test, a setting or an error message has it",
		Try:   "if it is a real one, take it out of there, and change it where it was ever published",
	}
}
