package tree

import (
	"path"
	"slices"
	"strings"
)

// secretFile reports whether a file of this name holds secrets by custom:
// .env, private keys, key stores, and the places where tools keep passwords
// and tokens. Such a file is never edited, so that it gets into no commit, no
// patch and no report; rel has forward slashes and may be a base name. Names
// that say they are a sample (.env.example), public keys (*.pub) and source
// code are none.
//
// A test's own key in testdata is one too: it is copied and read like any
// file of the tree, and only kept from being changed.
func secretFile(rel string) bool {
	rel = strings.ToLower(rel)
	dir, name := path.Split(rel)
	for _, ext := range []string{".go", ".pub", ".md", ".example", ".sample", ".template", ".dist", ".tmpl", ".s", ".h", ".c"} {
		if strings.HasSuffix(name, ext) {
			return false
		}
	}
	switch name {
	case ".env", ".envrc", ".netrc", "_netrc", ".npmrc", ".pypirc", ".git-credentials", ".dockercfg", ".htpasswd", ".pgpass",
		".my.cnf", ".vault-token", ".boto", ".s3cfg", "kubeconfig", "credentials", ".credentials", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519",
		"id_ecdsa_sk", "id_ed25519_sk", "terraform.tfvars":
		return true
	}
	switch ext := path.Ext(name); ext {
	case ".env", ".pem", ".key", ".p12", ".pfx", ".pkcs12", ".jks", ".keystore", ".kdbx", ".ppk", ".tfstate", ".ovpn":
		return true
	case ".json", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", ".properties", ".txt", ".enc":
		switch strings.TrimSuffix(name, ext) {
		case "credentials", "credential", "client_secret", "client-secret", "secret", "secrets", "service-account", "service_account", "serviceaccount":
			return true
		}
	}
	if strings.HasPrefix(name, ".env.") {
		return true
	}
	return slices.ContainsFunc([]string{".ssh/", ".gnupg/", ".aws/", ".azure/", ".kube/", ".docker/"}, func(private string) bool {
		return strings.HasPrefix(dir, private) || strings.Contains(dir, "/"+private)
	})
}
