#!/usr/bin/env bash
# Finds the user's own Emscripten if it is new enough, or else one in a private prefix outside the system.
#   emscripten.sh root      prints the root of an Emscripten that is new enough, or fails
#   emscripten.sh xsimd     prints the folder of xsimd in the private prefix, or fails
#   emscripten.sh install   installs the private prefix unless there is such an Emscripten
#   emscripten.sh advice    prints how to install Emscripten by hand
#
# The prefix holds packages from a newer Debian than most machines have, downloaded by the machine's own apt. Their
# programs are patched to run with the C library in the prefix.
set -euo pipefail
shopt -s extglob
# shellcheck source=needs.sh
source "$(dirname "${BASH_SOURCE[0]}")/needs.sh"

minimum=6.0
release=forky
packages=(emscripten libxsimd-dev patchelf)

# Without HOME, bash looks up the user's folder in the system's list of users.
[[ -n ${HOME:-} ]] || unset HOME
home=${XDG_CACHE_HOME:-~/.cache}/posenc
[[ $home == /* ]] || fail "HOME is not set, and this user has no folder: set HOME, or XDG_CACHE_HOME to a folder's full path"
prefix=$home/emscripten
downloads=$home/downloads
root=$prefix/usr/share/emscripten
# The stamp is written last. A prefix from another recipe is not valid, and neither is one that was moved, because its
# programs contain the absolute path of their loader.
stamp=$prefix/installed
recipe="recipe 1, $prefix"

is_installed() { [[ -f $stamp && $(<"$stamp") == "$recipe" ]]; }

own_root() {
  local emcc directory
  for emcc in "$(type -P emcc)" "${EMSDK:-}/upstream/emscripten/emcc"; do
    if at_least "$minimum" "$emcc"; then
      directory=$(dirname "$(readlink -f "$emcc")")
      # Some systems put a wrapper on PATH.
      [[ -f $directory/emcc.py ]] || directory=$(briefly em-config EMSCRIPTEN_ROOT) || continue
      printf '%s\n' "$directory"
      return
    fi
  done
  return 1
}

find_root() {
  own_root && return
  is_installed || return
  refuse_foreign_configuration
  printf '%s\n' "$root"
}

# Emscripten would prefer this configuration to the file next to it.
refuse_foreign_configuration() {
  [[ -z ${EM_CONFIG:-} ]] || fail "EM_CONFIG names the configuration of another Emscripten, $EM_CONFIG: unset it"
}

advice() {
  cat <<END
Emscripten $minimum or newer is needed. These commands install it:
  git clone https://github.com/emscripten-core/emsdk.git
  emsdk/emsdk install latest
  emsdk/emsdk activate latest
  source emsdk/emsdk_env.sh
END
}

# The Debian mirror in the machine's own apt sources. Downloaded lists identify Debian; without them only the address
# can.
mirror() {
  # shellcheck disable=SC2016 # apt's variables
  local format='$(COMPONENT) $(RELEASE) $(ORIGIN) $(REPO_URI)'
  {
    apt-get indextargets --format "$format" 'Created-By: Packages'
    apt-get indextargets --no-release-info --format "$format" 'Created-By: Packages'
  } | awk '
    !found && $1 == "main" && $2 !~ /[-\/]/ && $4 ~ /^(https?|tor|mirror)[+:]/ &&
      ($3 == "Debian" || $4 ~ /\/debian(\.list)?\/?$/) { print $4; found = 1 }'
}

# Configures a private apt with the machine's transport (proxies, credentials, certificates) but without its state.
configure_apt() {
  local keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  mkdir -p "$downloads"/{lists,archives}/partial "$downloads/none"
  : >"$downloads/status"
  printf 'deb [target=Packages%s] %s %s main\n' "$([[ ! -e $keyring ]] || echo " signed-by=$keyring")" "$1" "$release" \
    >"$downloads/sources.list"
  # apt reads the file that APT_CONFIG names before the machine's settings, and Dir::Etc::main after them.
  printf 'Dir::Etc::main "%s/apt.conf";\n' "$downloads" >"$downloads/first.conf"
  {
    [[ ! -e /etc/apt/apt.conf ]] || echo '#include "/etc/apt/apt.conf";'
    cat <<END
#clear APT::Architectures;
#clear APT::Default-Release;
#clear APT::Update;
APT::Architectures { "$(dpkg --print-architecture)"; };
APT::Install-Recommends "false";
APT::Sandbox::User "root";
APT::Update::Error-Mode "any";
Acquire::Retries "3";
Dir::State "$downloads";
Dir::State::lists "lists";
Dir::State::status "$downloads/status";
Dir::Cache "$downloads";
Dir::Cache::archives "archives";
Dir::Etc::sourcelist "$downloads/sources.list";
Dir::Etc::sourceparts "$downloads/none";
Dir::Etc::preferences "$downloads/none/preferences";
Dir::Etc::preferencesparts "$downloads/none";
END
  } >"$downloads/apt.conf"
}

private_apt() { APT_CONFIG=$downloads/first.conf apt-get "$@"; }

# Removes archives of an earlier run that differ from the mirror's list, for example because a full disk truncated them.
remove_broken() {
  local uri file size hash
  private_apt download --print-uris "$@" | while read -r uri file size hash; do
    [[ ! -e $file ]] || sha256sum --check --status <<<"${hash#SHA256:}  $file" || rm "$file"
  done
}

# download <mirror>
download() {
  local names
  say "fetching Emscripten and what it needs, about 170 MB"
  configure_apt "$1"
  private_apt update >&2 || fail "apt could not read Debian $release from $1. If a key is missing, update the package" \
    "debian-archive-keyring; if the mirror has no $release, install Emscripten by hand. $(advice)"
  names=$(private_apt install --simulate "${packages[@]}" | awk '$1 == "Inst" { print $2 }')
  # Archives of an earlier run are kept unless the mirror has newer ones.
  private_apt autoclean -qq
  # shellcheck disable=SC2086 # many names
  (cd "$downloads/archives" && remove_broken $names && private_apt download $names >&2)
}

unpack() {
  local archive count=0 archives=("$downloads"/archives/*.deb)
  say "unpacking ${#archives[@]} packages into $prefix, about 800 MB"
  for archive in "${archives[@]}"; do
    [[ ! -t 2 ]] || printf '\r%d' "$((++count))" >&2
    dpkg-deb -x "$archive" "$prefix" || fail "$archive could not be unpacked"
  done
  [[ ! -t 2 ]] || printf '\r' >&2
}

is_elf() {
  local magic
  LC_ALL=C read -r -N 4 magic <"$1" && [[ $magic == $'\x7fELF' ]]
} 2>/dev/null

# Makes programs and libraries find their libraries only in the prefix.
relocate() {
  local libraries llvm loader file changes
  libraries=$(dirname "$prefix"/usr/lib/*/libc.so.6)
  llvm=$(echo "$prefix"/usr/lib/llvm-*)
  loader=$(echo "$libraries"/ld-linux*.so.*)
  say 'linking its programs to its own libraries'
  for file in "$prefix"/usr/bin/* "$llvm"/bin/* "$libraries"/!(ld-linux*|libc).so* "$llvm"/lib/*.so*; do
    if [[ ! -f $file || -L $file ]] || ! is_elf "$file"; then continue; fi
    changes=(--set-rpath "$libraries:$llvm/lib")
    [[ $file != */bin/* ]] || changes+=(--set-interpreter "$loader")
    # The output is a copy, because the file may be patchelf itself or one of its libraries.
    "$loader" --library-path "$libraries" "$prefix/usr/bin/patchelf" "${changes[@]}" --output "$file.new" "$file"
    chmod --reference="$file" "$file.new"
    mv "$file.new" "$file"
  done
}

configure_emscripten() {
  local llvm
  llvm=$(echo "$prefix"/usr/lib/llvm-*)
  # Emscripten reads this file, next to emcc.py, as Python. CFGDIR is its folder.
  cat >"$root/.emscripten" <<END
import shutil
LLVM_ROOT = '\$CFGDIR/../../lib/${llvm##*/}/bin'
BINARYEN_ROOT = '\$CFGDIR/../..'
NODE_JS = shutil.which('node')
CACHE = '\$CFGDIR/../../../cache'
END
  # Emscripten's launchers do not support spaces in their path.
  # shellcheck disable=SC2016 # their variable
  find "$root" -maxdepth 1 -name 'em*' -type f -exec sed -i 's/(readlink -f \$0)/(readlink -f "$0")/' {} +
}

# Copies xsimd out of usr/include, which also has the headers of the C library.
copy_xsimd() {
  mkdir -p "$prefix"/xsimd/{include,share/cmake}
  cp -r "$prefix/usr/include/xsimd" "$prefix/xsimd/include"
  cp -r "$prefix/usr/share/cmake/xsimd" "$prefix/xsimd/share/cmake"
}

# Compiles a program like the module and runs it. This also builds Emscripten's own libraries, once for all clones.
try_out() {
  local folder=$prefix/try
  mkdir "$folder"
  printf '#include <cstdio>\nint main() { std::puts("it works"); }\n' >"$folder/try.cpp"
  say "building Emscripten's own libraries"
  "$root/em++" -c "$folder/try.cpp" -o "$folder/try.o" -O3 -flto >&2
  "$root/em++" "$folder/try.o" -o "$folder/try.mjs" -O3 -flto -fno-exceptions -nostdlibxx -sSTRICT -sMALLOC=emmalloc \
    -sENVIRONMENT=node >&2
  [[ $(cd "$folder" && node -e 'import("./try.mjs").then((module) => module.default())') == 'it works' ]] ||
    fail 'the program that Emscripten compiled gives a wrong result'
  rm -r "$folder"
}

# The message if the set-up ends early.
say_unfinished() {
  local folder free
  for folder in "$home" "${TMPDIR:-/tmp}"; do
    free=$(df -Pk "$folder" | awk 'NR == 2 { print int($4 / 1024) }') || continue
    ((free >= 100)) || say "the disk of $folder is full: $free MB are free, and about 1200 MB are needed"
  done
  say 'Emscripten is not installed. The same command goes on from here'
}

install_prefix() {
  local lock uri
  on_path apt-get || fail "found neither Emscripten nor apt to install it with. $(advice)"
  uri=$(mirror)
  [[ -n $uri ]] || fail "found no Emscripten, and apt's sources name no Debian mirror to install it from. $(advice)"
  refuse_foreign_configuration
  mkdir -p "$home"
  exec {lock}>"$home/lock"
  flock --nonblock "$lock" || { say 'waiting for another set-up to end' && flock "$lock"; }
  is_installed && return

  trap say_unfinished EXIT
  download "${uri%/}"
  rm -rf "$prefix"
  mkdir "$prefix"
  unpack
  relocate
  configure_emscripten
  at_least "$minimum" "$root/emcc" || fail "Debian $release has an older Emscripten here. $(advice)"
  copy_xsimd
  try_out
  printf '%s\n' "$recipe" >"$stamp.new"
  mv "$stamp.new" "$stamp"
  rm -rf "$downloads"
  trap - EXIT
  say 'Emscripten is installed'
}

case ${1:-} in
  root) find_root ;;
  xsimd) is_installed && printf '%s\n' "$prefix/xsimd" ;;
  install) find_root >/dev/null || install_prefix ;;
  advice) advice ;;
  *) fail "usage: $0 root|xsimd|install|advice" ;;
esac
