#!/bin/sh
# Renders the docs as a site: site/build.sh DIR. A link that leads nowhere fails it, and a page that no menu names.
# Hugo is no requirement of go.mod, which pawl's users would download. Without it the exit code is 75.
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")/.."
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
if ! CGO_ENABLED=0 GOTOOLCHAIN=auto GOFLAGS=-mod=mod GOBIN="$tools" go install github.com/gohugoio/hugo@v0.152.2; then
	echo 'Hugo cannot be had here'
	exit 75
fi
"$tools/hugo" --source . --config site/hugo.toml --destination "$out" --cleanDestinationDir --noBuildLock --panicOnWarning
