#!/bin/sh
# What the GitHub action does (action.yml), in a form that runs anywhere.
#
#   gate.sh install   puts pawl on the PATH of the steps that follow
#   gate.sh run       fetches enough history, runs the gate, writes the summary
#
# Everything that a user chooses comes in as environment variables and is only
# ever used as data: PAWL_PACKAGES, PAWL_BENCH, PAWL_BASE, PAWL_BUDGET,
# PAWL_MIN_EFFECT, PAWL_ALPHA, PAWL_BASELINE, PAWL_DIRECTORY,
# PAWL_FAIL_ON_UNDECIDED, and for install PAWL_VERSION and PAWL_ACTION, the
# checkout to build from. GITHUB_STEP_SUMMARY, GITHUB_OUTPUT, GITHUB_PATH and
# RUNNER_TEMP are files and a directory, as GitHub makes them; without RUNNER_TEMP
# the report goes to a new directory, which is named on stderr. The exit code of run
# is pawl's (docs/exit-codes.md), save that 4 becomes 0 where only time was
# undecided, unless PAWL_FAIL_ON_UNDECIDED=true.
set -eu

temp=${RUNNER_TEMP:-${TMPDIR:-/tmp}}

say() { printf 'gate: %s\n' "$*" >&2; }

# annotate writes an annotation: a level, and a text of which nothing is read as
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

install() {
	version=${PAWL_VERSION:-source}
	bin=$temp/pawl-bin
	mkdir -p "$bin"
	# The module's own GOFLAGS are not for building pawl, and pawl may need a
	# newer toolchain than the module.
	if [ "$version" = source ]; then
		(cd "$PAWL_ACTION" && GOFLAGS='' GOTOOLCHAIN=auto GOWORK=off go build -o "$bin/pawl" ./cmd/pawl)
	else
		case $version in
		*[!A-Za-z0-9._+-]* | -*) usage 'pawl-version is no version, such as v0.3.0, latest or source' ;;
		esac
		(cd "$bin" && GOFLAGS='' GOTOOLCHAIN=auto GOBIN=$bin go install "github.com/pawl-dev/pawl/cmd/pawl@$version")
	fi
	[ -z "${GITHUB_PATH:-}" ] || printf '%s\n' "$bin" >>"$GITHUB_PATH"
	"$bin/pawl" version
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
	set -- gate -o "$out"
	[ -z "$base" ] || set -- "$@" -base "$base"
	[ -z "${PAWL_BENCH:-}" ] || set -- "$@" -bench "$PAWL_BENCH"
	[ -z "${PAWL_BUDGET:-}" ] || set -- "$@" -budget "$PAWL_BUDGET"
	[ -z "${PAWL_MIN_EFFECT:-}" ] || set -- "$@" -min-effect "$PAWL_MIN_EFFECT"
	[ -z "${PAWL_ALPHA:-}" ] || set -- "$@" -alpha "$PAWL_ALPHA"
	[ -z "${PAWL_BASELINE:-}" ] || set -- "$@" -baseline "$PAWL_BASELINE"
	if [ -n "${PAWL_PACKAGES:-}" ]; then
		set -f # packages are patterns of go, not of the shell
		# shellcheck disable=SC2086
		set -- "$@" -- $PAWL_PACKAGES
		set +f
	fi
	token=pawl-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
	printf '::stop-commands::%s\n' "$token"
	code=0
	pawl "$@" 2>"$temp/pawl.stderr" || code=$?
	cat "$temp/pawl.stderr" >&2
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
	tail -n 20 "$temp/pawl.stderr" | tr -d '\r' | sed 's/^/    /'
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

case ${1:-} in
install) install ;;
run) run ;;
*)
	say 'usage: gate.sh install | run'
	exit 2
	;;
esac
