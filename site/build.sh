#!/bin/sh
# Renders the docs as a site: site/build.sh DIR. A link that leads nowhere fails it, and a page that no menu names.
# Hugo is no requirement of go.mod, which pawl's users would download.
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")/.."
CGO_ENABLED=0 GOTOOLCHAIN=auto GOFLAGS=-mod=mod go run github.com/gohugoio/hugo@v0.152.2 \
	--source . --config site/hugo.toml --destination "$out" --cleanDestinationDir --noBuildLock --panicOnWarning
