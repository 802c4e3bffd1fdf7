#!/bin/sh
# What the GitHub action does (action.yml), in a form that runs anywhere.
#
#   gate.sh setup     reports whether Go has to be set up, and by which file
#   gate.sh install   puts pawl on the PATH of the steps that follow
#   gate.sh run       fetches enough history, runs the gate, writes the summary
#   gate.sh comment   writes the report as one comment of the pull request, or
#                     updates it; needs curl and jq
#
# Everything that a user chooses comes in as environment variables and is only
# ever used as data: PAWL_PACKAGES, PAWL_BENCH, PAWL_BASE, PAWL_BUDGET,
# PAWL_MIN_EFFECT, PAWL_ALPHA, PAWL_BASELINE, PAWL_DIRECTORY, PAWL_ARGS,
# PAWL_FAIL_ON_UNDECIDED; PAWL_GO_VERSION for setup; PAWL_VERSION, PAWL_RELEASES
# and PAWL_ACTION, the checkout to build from, for install; PAWL_PULL, PAWL_NAME
# and PAWL_TOKEN for comment. Without PAWL_BASE, the base goes by the event:
# GITHUB_BASE_REF of a pull request, PAWL_MERGE_GROUP of a merge queue, and for a
# push to PAWL_DEFAULT_BRANCH the commit before it, PAWL_BEFORE. GITHUB_STEP_SUMMARY, GITHUB_OUTPUT, GITHUB_PATH and
# RUNNER_TEMP are files and a directory, as GitHub makes them; without RUNNER_TEMP
# the report goes to a new directory, which is named on stderr. The exit code of run
# is pawl's (docs/exit-codes.md), save that 4 becomes 0 where only time was
# undecided, unless PAWL_FAIL_ON_UNDECIDED=true.
set -eu

temp=${RUNNER_TEMP:-${TMPDIR:-/tmp}}

say() { printf 'gate: %s\n' "$*" >&2; }

# annotate writes an annotation: a level, and a text. Nothing in it is read as
# a command of its own.
annotate() {
	text=$(printf '%s' "$2" | sed 's/%/%25/g' | tr '\r\n' '  ')
	printf '::%s title=pawl gate::%s\n' "$1" "$text"
}

output() {
	[ -z "${GITHUB_OUTPUT:-}" ] || printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"
}

summary() { cat >>"${GITHUB_STEP_SUMMARY:-/dev/null}"; }

# usage ends with 2 and says why, also in the summary.
usage() {
	annotate error "$1"
	printf '**pawl gate did not run: %s**\n' "$1" | summary
	output exit-code 2
	output result usage
	exit 2
}

# setup leaves a Go alone that is there already: from 1.21 on it fetches the
# toolchain that go.mod asks for by itself.
setup() {
	dir=${PAWL_DIRECTORY:-.}
	file=$dir/go.mod
	[ -f "$file" ] || [ ! -f "$dir/go.work" ] || file=$dir/go.work
	output file "$file"
	needed=true
	if [ -z "${PAWL_GO_VERSION:-}" ] && [ "${GOTOOLCHAIN:-auto}" != local ]; then
		case $(go env GOVERSION 2>/dev/null || true) in
		'' | go1.? | go1.?.* | go1.1* | go1.20 | go1.20[!0-9]*) ;;
		*) needed=false ;;
		esac
	fi
	output setup "$needed"
}

# install ends with 3 and says so in the summary where there is no pawl after it.
install() {
	version=${PAWL_VERSION:-source}
	bin=$temp/pawl-bin
	mkdir -p "$bin"
	case $version in
	*[!A-Za-z0-9._+-]* | -*) usage 'pawl-version is no version, such as v0.3.0, latest or source' ;;
	esac
	if ! build "$version" || ! "$bin/pawl" version; then
		annotate error "pawl $version could not be installed"
		printf '**pawl gate did not run: pawl %s could not be installed**\n' "$version" | summary
		output exit-code 3
		output result failed
		exit 3
	fi
	[ -z "${GITHUB_PATH:-}" ] || printf '%s\n' "$bin" >>"$GITHUB_PATH"
}

# build makes $bin/pawl: from source, or by the release's binary, or else by the
# go command. The module's own GOFLAGS are not for building pawl, and pawl may
# need a newer toolchain than the module.
build() {
	if [ "$1" = source ]; then
		(cd "$PAWL_ACTION" && GOFLAGS='' GOTOOLCHAIN=auto GOWORK=off go build -o "$bin/pawl" ./cmd/pawl)
		return
	fi
	case $1 in
	v[0-9]*)
		released=0
		release "$1" || released=$?
		[ "$released" = 1 ] || return "$released"
		;;
	esac
	(cd "$bin" && GOFLAGS='' GOTOOLCHAIN=auto GOBIN=$bin go install "github.com/pawl-dev/pawl/cmd/pawl@$1")
}

# release gets the binary of a release. It fails with 1 where there is none for
# this system, and with 2 where its checksum is not that of the release.
release() {
	os=$(uname -s | tr 'A-Z' 'a-z')
	case $(uname -m) in
	x86_64 | amd64) arch=amd64 ;;
	aarch64 | arm64) arch=arm64 ;;
	*) return 1 ;;
	esac
	from=${PAWL_RELEASES:-https://github.com/pawl-dev/pawl/releases/download}/$1
	archive=pawl_${1#v}_${os}_$arch.tar.gz
	for name in checksums.txt "$archive"; do
		curl -fsSL --proto '=https,http' --retry 2 -o "$bin/$name" "$from/$name" 2>/dev/null || return 1
	done
	want=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' "$bin/checksums.txt")
	have=$({ sha256sum "$bin/$archive" 2>/dev/null || shasum -a 256 "$bin/$archive"; } | cut -d ' ' -f 1)
	if [ -z "$want" ] || [ "$want" != "$have" ]; then
		say "$archive has not the checksum that the release names"
		return 2
	fi
	tar -xzf "$bin/$archive" -C "$bin" pawl || return 2
}

# related reports whether the base is here and has a commit in common with HEAD.
related() {
	git rev-parse -q --verify "$1^{commit}" >/dev/null && git merge-base "$1" HEAD >/dev/null
}

# history fetches until the merge base is here: checkouts of CI hold one commit.
# It sets base to what pawl is to be told; empty lets pawl find out. What cannot
# be fetched is not the end: pawl says what is missing, and that it is.
history() {
	base=${PAWL_BASE:-}
	pushed=
	if [ -z "$base" ]; then
		case ${GITHUB_EVENT_NAME:-} in
		merge_group) base=${PAWL_MERGE_GROUP:-} ;;
		push)
			if [ "${GITHUB_REF:-}" = "refs/heads/${PAWL_DEFAULT_BRANCH:-}" ]; then
				pushed=$(printf '%s' "${PAWL_BEFORE:-}" | grep -v '^0*$' || true)
				base=$pushed
			fi
			;;
		esac
	fi
	name=${base:-${GITHUB_BASE_REF:-}}
	case $name in
	-* | +* | *:*) usage 'base is no branch, tag or commit' ;;
	esac
	git rev-parse -q --verify HEAD >/dev/null || return 0
	git remote get-url origin >/dev/null 2>&1 || return 0
	if [ -z "$name" ]; then
		name=$(git ls-remote --symref origin HEAD 2>/dev/null | sed -n 's|^ref: refs/heads/\(.*\)	HEAD$|\1|p')
		[ -n "$name" ] || return 0
	fi
	shallow=$(git rev-parse --is-shallow-repository)
	for depth in 0 50 250 1000 all; do
		ref=$name
		if git rev-parse -q --verify "refs/remotes/origin/$name^{commit}" >/dev/null; then
			ref=refs/remotes/origin/$name
		fi
		if related "$ref"; then break; fi
		fetch "$name" "$depth" "$shallow" || say "fetching history (depth $depth) failed"
		[ "$shallow" = true ] || break
	done
	if git rev-parse -q --verify "refs/remotes/origin/$name^{commit}" >/dev/null; then
		base=origin/$name
	elif [ -n "$pushed" ] && ! related "$base"; then
		say "what the push replaced ($pushed) is gone, as after a forced one: comparing with HEAD~1"
		base=HEAD~1
		related "$base" || git fetch --quiet --no-tags --deepen=1 origin 2>/dev/null || true
	fi
}

# fetch gets the base, which is a branch, or a tag, or a commit, and deepens its
# history and that of HEAD.
fetch() {
	deepen=
	if [ "$3" = true ]; then
		case $2 in
		0) deepen=--depth=1 ;;
		all) deepen=--unshallow ;;
		*) deepen=--deepen=$2 ;;
		esac
	fi
	head=$(git rev-parse HEAD)
	[ "$2" != 0 ] || head= # it is here
	for want in "+refs/heads/$1:refs/remotes/origin/$1" "+refs/tags/$1:refs/tags/$1" "$1" ''; do
		# Without a base to fetch, as for HEAD~1, HEAD alone is deepened.
		[ -n "$want$head" ] || continue
		# shellcheck disable=SC2086 # empty words are to vanish
		if git fetch --quiet --no-tags $deepen origin ${want:+"$want"} $head 2>/dev/null; then
			return 0
		fi
	done
	return 1
}

# gate runs pawl with what was chosen, and keeps its output from being read as
# commands: it quotes benchmarks.
gate() {
	set -- gate -o "$out" -strict
	[ -z "$base" ] || set -- "$@" -base "$base"
	[ -z "${PAWL_BENCH:-}" ] || set -- "$@" -bench "$PAWL_BENCH"
	[ -z "${PAWL_BUDGET:-}" ] || set -- "$@" -budget "$PAWL_BUDGET"
	[ -z "${PAWL_MIN_EFFECT:-}" ] || set -- "$@" -min-effect "$PAWL_MIN_EFFECT"
	[ -z "${PAWL_ALPHA:-}" ] || set -- "$@" -alpha "$PAWL_ALPHA"
	[ -z "${PAWL_BASELINE:-}" ] || set -- "$@" -baseline "$PAWL_BASELINE"
	set -f # packages are patterns of go, not of the shell
	# shellcheck disable=SC2086
	set -- "$@" ${PAWL_ARGS:-}
	# shellcheck disable=SC2086
	[ -z "${PAWL_PACKAGES:-}" ] || set -- "$@" -- $PAWL_PACKAGES
	set +f
	token=pawl-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
	printf '::stop-commands::%s\n' "$token"
	code=0
	# What it says is to be seen while it runs, and quoted afterwards.
	rm -f "$temp/saying"
	mkfifo "$temp/saying"
	tee "$temp/pawl.stderr" <"$temp/saying" >&2 &
	pawl "$@" 2>"$temp/saying" || code=$?
	wait "$!"
	rm -f "$temp/saying"
	printf '::%s::\n' "$token"
}

# beyond reports whether more than time is undecided: a benchmark fails on the
# candidate alone, or nothing was compared.
beyond() {
	case $first in
	'nothing compared'*) return 0 ;;
	esac
	grep -q '"standing": "failed"' "$out/gate.json" 2>/dev/null
}

# failed begins the summary of a gate that came to no answer.
failed() {
	printf '**%s**\n\n' "$1"
	grep -v ' · .* left$' "$temp/pawl.stderr" | tail -n 20 | tr -d '\r' | sed 's/^/    /' # without progress
	printf '\n'
}

run() {
	case ${PAWL_FAIL_ON_UNDECIDED:=false} in
	true | false) ;;
	*) usage 'fail-on-undecided is neither true nor false' ;;
	esac
	cd -- "${PAWL_DIRECTORY:-.}" || usage 'directory: there is no such directory'
	if [ -z "${RUNNER_TEMP:-}" ]; then
		# The directory is not the job's alone: what is there stays.
		temp=$(mktemp -d "$temp/pawl-gate.XXXXXX")
		say "report and samples go to $temp/pawl"
	fi
	out=$temp/pawl
	rm -rf "$out"
	mkdir -p "$out"
	history
	gate

	first=
	[ ! -s "$out/gate.md" ] || first=$(sed -n '1s/^\*\*\(.*\)\*\*$/\1/p' "$out/gate.md")
	case $code in
	0 | 1 | 4)
		# No report is no answer, whatever the code says.
		[ -n "$first" ] || code=3
		;;
	esac
	exit=$code
	case $code in
	0) result=clean ;;
	1)
		result=regressed
		annotate error "$first"
		;;
	2)
		result=usage
		annotate error "$(tail -n 1 "$temp/pawl.stderr")"
		;;
	4)
		result=undecided
		if [ "$PAWL_FAIL_ON_UNDECIDED" = true ] || beyond; then
			annotate error "$first"
		else
			annotate warning "$first"
			exit=0
		fi
		;;
	*)
		result=failed
		annotate error "pawl could not do the work (exit code $code): $(tail -n 1 "$temp/pawl.stderr")"
		;;
	esac
	case $result in
	usage | failed) failed "pawl gate came to no answer (exit code $code)" | summary ;;
	esac
	[ ! -s "$out/gate.md" ] || summary <"$out/gate.md"
	output exit-code "$code"
	output result "$result"
	output directory "$out"
	exit "$exit"
}

# api calls GitHub's API: a method, a path, and a file for the body. The token
# stands on no command line.
api() {
	printf 'header = "Authorization: Bearer %s"\n' "$PAWL_TOKEN" | curl -fsSL -K - -X "$1" \
		-H 'Accept: application/vnd.github+json' ${3:+-H 'Content-Type: application/json' --data-binary "@$3"} \
		"${GITHUB_API_URL:-https://api.github.com}/repos/$GITHUB_REPOSITORY$2"
}

# comment keeps one comment for each name up to date. What keeps it from being
# written, such as the token of a fork, is a warning and no failure: the summary
# has all of it.
comment() {
	report=${RUNNER_TEMP:?}/pawl/gate.md
	[ -s "$report" ] || return 0
	mark="<!-- pawl gate: $(printf '%s' "${PAWL_NAME:-}" | tr -cd 'A-Za-z0-9._ -') -->"
	# A comment may have 65,536 characters.
	{ printf '%s\n' "$mark" && head -c 60000 "$report"; } | jq -Rs '{body: .}' >"$RUNNER_TEMP/comment.json"
	if ! post; then
		annotate warning 'the comment on the pull request could not be written: it needs pull-requests: write, which a fork does not have; the summary has the report'
	fi
}

post() {
	id=
	page=1
	while [ -z "$id" ] && [ "$page" -le 20 ]; do
		list=$(api GET "/issues/$PAWL_PULL/comments?per_page=100&page=$page") || return 1
		id=$(printf '%s' "$list" | jq -r --arg mark "$mark" '[.[] | select(.body | startswith($mark)) | .id][0] // empty') || return 1
		[ "$(printf '%s' "$list" | jq length)" = 100 ] || break
		page=$((page + 1))
	done
	if [ -n "$id" ]; then
		api PATCH "/issues/comments/$id" "$RUNNER_TEMP/comment.json" >/dev/null
	else
		api POST "/issues/$PAWL_PULL/comments" "$RUNNER_TEMP/comment.json" >/dev/null
	fi
}

case ${1:-} in
setup) setup ;;
install) install ;;
run) run ;;
comment) comment ;;
*)
	say 'usage: gate.sh setup | install | run | comment'
	exit 2
	;;
esac
