package scrub

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestInside(t *testing.T) {
	environ := func(in, more []string) []string {
		return slices.DeleteFunc(slices.Clone(in), func(kv string) bool { return !Inside(kv, more) })
	}
	in := []string{
		"PATH=/bin", "HOME=/h", "LC_ALL=C", "GOMAXPROCS=2", "CGO_ENABLED=0", "PAWL_N=1", "MYLIB_SIZE=10", "OTHER=1", "MYLIB_TOKEN=t0ps3cr3t",
		"DATABASE_URL=postgres://u:pw@h/d", "HTTPS_PROXY=http://u:pw@proxy", "GOPROXY=https://u:pw@proxy", "MYSQL_PWD=x", "NPM_AUTH=x", "SENTRY_DSN=x", "STRIPE_KEY=x",
		"SLACK_WEBHOOK=x", "AZURE_STORAGE_CONNECTION_STRING=x", "GOOGLE_API_KEY=x", "GOOGLE_APPLICATION_CREDENTIALS=/h/key.json", "GOAUTH=netrc", "GITHUB_TOKEN=x",
	}
	if diff := cmp.Diff([]string{"PATH=/bin", "HOME=/h", "LC_ALL=C", "GOMAXPROCS=2", "CGO_ENABLED=0", "PAWL_N=1"}, environ(in, nil)); diff != "" {
		t.Error(diff)
	}
	want := []string{"PATH=/bin", "HOME=/h", "LC_ALL=C", "GOMAXPROCS=2", "CGO_ENABLED=0", "PAWL_N=1", "MYLIB_SIZE=10", "GITHUB_TOKEN=x"}
	if diff := cmp.Diff(want, environ(in, []string{"MYLIB_*", "GITHUB_TOKEN"})); diff != "" {
		t.Error(diff)
	}
}

// What sandboxes were found to show before there was a list of what goes in.
func TestSecretNamesOfVariables(t *testing.T) {
	for _, name := range []string{"MYSQL_PWD", "NPM_AUTH", "SENTRY_DSN", "STRIPE_KEY", "ENCRYPTION_KEY", "SESSION_COOKIE", "MY_PASS", "SLACK_WEBHOOK", "AZURE_STORAGE_CONNECTION_STRING", "DATABASE_URL"} {
		if !secretName(name) {
			t.Errorf("%s is no secret", name)
		}
	}
	for _, name := range []string{"SSH_PUBLIC_KEY", "PRIMARY_KEY", "KEY", "primary_key", "OLDPWD", "PWD"} {
		if secretName(name) {
			t.Errorf("%s is a secret", name)
		}
	}
}

// Forms that issuers document, and public rule sets look for.
func TestTokenForms(t *testing.T) {
	var c Scrubber
	x := func(n int) string { // no real one
		s := ""
		for i := range n {
			s += string("a1b2c3d4e5f60789"[i%16])
		}
		return s
	}
	for _, text := range []string{
		"sk_" + "test_" + x(24), "glrt-" + x(20), "pypi-AgEIcHlwaS5vcmc" + x(60), "dop_v1_" + x(64), "SG." + x(22) + "." + x(43), "shpat_" + x(32), "dckr_pat_" + x(27),
		"hvs." + x(30), "dapi" + x(32), "rubygems_" + x(48), "ya29." + x(40), "https://hooks.slack.com/services/T0/B0/" + x(24), "https://discord.com/api/webhooks/123456789012/" + x(60),
		"AccountKey=" + x(86) + "==",
	} {
		if got, n := c.Text("x " + text + " y"); n == 0 {
			t.Errorf("nothing was taken out of %q", got)
		}
	}
}
