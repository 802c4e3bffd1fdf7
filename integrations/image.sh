#!/bin/sh
# Makes a container image of a pawl for Linux, without a container runtime:
#
#   image.sh PAWL OUT.tar [BASE]
#
# BASE has to have Go and git, such as golang:1.27; without it the image holds
# pawl alone, which shows that one can be made. Needs crane, of
# github.com/google/go-containerregistry. The same files give the same image.
set -eu

pawl=$1 out=$2 base=${3:-}
root=$(dirname "$0")/..
work=$(mktemp -d)
registry=
trap 'test -z "$registry" || kill "$registry"; rm -rf "$work"' EXIT

case $(od -An -tx1 -j18 -N1 "$pawl" | tr -d ' ') in
3e) platform=linux/amd64 ;;
b7) platform=linux/arm64 ;;
*)
	echo "image.sh: $pawl is no program for Linux on amd64 or arm64" >&2
	exit 2
	;;
esac

mkdir -p "$work/layer/usr/local/bin" "$work/layer/usr/share/doc/pawl"
cp "$pawl" "$work/layer/usr/local/bin/pawl"
cp "$root/LICENSE" "$root/THIRD_PARTY_NOTICES" "$work/layer/usr/share/doc/pawl/"
chmod -R u=rwX,go=rX "$work/layer"
tar -C "$work/layer" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf "$work/layer.tar" usr

# crane changes the settings of an image in a registry only: this one is on the
# loopback, and holds nothing else.
mkdir "$work/blobs"
: > "$work/serving" # which is there before it is read
crane registry serve --address 127.0.0.1:0 --disk "$work/blobs" 2>"$work/serving" &
registry=$!
port=
for _ in 1 2 3 4 5 6 7 8 9 10; do
	port=$(sed -n 's/.*serving on port \([0-9]*\).*/\1/p' "$work/serving")
	[ -z "$port" ] || break
	sleep 1
done
name=127.0.0.1:$port/pawl:latest
crane append ${base:+-b "$base"} --platform "$platform" -f "$work/layer.tar" -t "$name" >/dev/null
crane mutate "$name" --set-platform "$platform" -t "$name" \
	--entrypoint /usr/local/bin/pawl -w /src \
	-l org.opencontainers.image.source=https://github.com/pawl-dev/pawl \
	-l org.opencontainers.image.licenses=BSD-3-Clause >/dev/null
crane pull "$name" "$work/image.tar"
# docker load takes the name from the archive, which has that of the registry.
mkdir "$work/image"
tar -C "$work/image" -xf "$work/image.tar"
sed -i "s|$name|ghcr.io/pawl-dev/pawl:latest|" "$work/image/manifest.json"
tar -C "$work/image" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf "$out" $(ls "$work/image")
crane config "$name"
