# shellcheck shell=bash
# Checks for the programs that a command needs, and installs Debian's packages of them if it is allowed to.

toolchain=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

say() { printf 'posenc: %s\n' "$*" >&2; }
fail() {
  say "$@"
  exit 1
}

on_path() { type -P "$1" >/dev/null; }
exists() { for file; do [[ -e $file ]] || return; done; }
python_has() {
  local find="import importlib.util; raise SystemExit(not importlib.util.find_spec('$1'))"
  python3 -c "$find" || /usr/bin/python3 -c "$find"
}
# Runs a program without its messages, and stops it after a minute.
briefly() {
  local limit=() status=0
  ! on_path timeout || limit=(timeout --kill-after=5 60)
  "${limit[@]}" "$@" 2>/dev/null || status=$?
  [[ $status != 124 && $status != 137 ]] || say "$* did not end within a minute: it is left out"
  return "$status"
}
# at_least <version> <program>
at_least() {
  local output
  output=$(briefly "$2" --version) && [[ $output =~ [0-9]+(\.[0-9]+)+ ]] &&
    printf '%s\n' "$1" "${BASH_REMATCH[0]}" | sort -CV
}

missing=()
wanted=()
# need <Debian package> <check…>
need() {
  "${@:2}" && return
  missing+=("$1")
  [[ $2 != at_least ]] || set -- "$1 $3 or newer"
  wanted+=("$1")
}

find_missing() {
  missing=() wanted=()
  "$1"
  [[ ${#missing[@]} != 0 ]]
}

# settle <function that states needs>
settle() {
  find_missing "$1" || return 0

  local list install=(apt-get install --no-install-recommends --no-upgrade "${missing[@]}")
  list=$(printf ', %s' "${wanted[@]}")
  say "needed, and not found: ${list:2}"
  if ! on_path apt-get; then
    say "these are Debian's names: install them as this system does, then run the same command again"
    bash "$toolchain/emscripten.sh" root >/dev/null || bash "$toolchain/emscripten.sh" advice >&2
    exit 1
  elif [[ $EUID != 0 ]]; then
    say 'install them with this line, then run the same command again:'
    printf '  sudo %s\n' "${install[*]}" >&2
    exit 1
  fi

  say 'installing them'
  export DEBIAN_FRONTEND=noninteractive
  # An unrelated source may fail. Only the packages matter.
  apt-get update >&2 || say "not all of apt's sources could be read"
  "${install[@]}" --yes >&2
  ! find_missing "$1" || fail "this system's packages are too old: ${missing[*]}"
}
