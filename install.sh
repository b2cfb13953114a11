#!/bin/sh
# Installs Bellwether on this machine, or upgrades the installation in the same folder.
#
#   sh install.sh [--dir FOLDER] [--docker | --node] [--dry-run]
#
# With Docker Compose it runs PostgreSQL, one API and two workers; otherwise one Node.js process with an embedded
# PostgreSQL. It asks nothing: settings are in FOLDER/.env (docs/configuration.md), which it creates once and never changes.
# The first run takes another port from PORT: PORT=3100 sh install.sh. It needs no root, and writes only to FOLDER and to Docker.
set -eu

VERSION=0.1.0
# The repository of the release, which the release writes here; empty in a checkout.
REPOSITORY=

fail() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }
say() { printf '%s\n' "$*"; }
has() { command -v "$1" > /dev/null 2>&1; }
run() { if [ "$dry" ]; then say "would run: $*"; else "$@"; fi; }
random() { od -An -v -N "$1" -tx1 /dev/urandom | tr -d ' \n'; }
setting() { [ ! -f "$dir/.env" ] || sed -n "s/^$1=//p" "$dir/.env" | tail -n 1 | tr -d "\"'"; }

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
dir='' mode='' dry='' started=''
while [ $# -gt 0 ]; do
  case "$1" in
    --dir) [ $# -gt 1 ] || fail '--dir needs a folder.'; dir=$2; shift ;;
    --docker | --node) mode=${1#--} ;;
    --dry-run) dry=yes ;;
    -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) fail "unknown option $1; --help lists them." ;;
  esac
  shift
done

# A checkout is installed in place; a release downloads its files.
checkout=''
if [ -z "$REPOSITORY" ]; then
  [ -f "$here/bin/bellwether.js" ] || fail 'run it in a checkout, or take it from a release.'
  checkout=$here
fi
dir=${dir:-${checkout:-$PWD/bellwether}}
installed=''
if [ -f "$dir/.env" ]; then
  # Only an installation with Docker has this password. The other mode would start a second, empty database.
  if grep -q '^POSTGRES_PASSWORD=' "$dir/.env"; then installed=docker; else installed=node; fi
  [ "${mode:-$installed}" = "$installed" ] || fail "$dir is an installation with --$installed: use that, or another --dir."
  mode=$installed
fi

# --- checks ---
case "$(uname -s) $(uname -m)" in
  'Linux x86_64' | 'Linux aarch64' | 'Darwin arm64') ;;
  *) fail "$(uname -s) on $(uname -m) is not supported: use Linux on x64 or ARM64, or macOS on Apple silicon." ;;
esac
has curl || fail 'install curl first.'
if [ -z "$mode" ]; then
  if has docker && docker compose version > /dev/null 2>&1 && docker info > /dev/null 2>&1; then mode=docker
  elif has npm; then mode=node
  else fail 'install Docker with its Compose plugin, or Node.js 24, first.'; fi
fi
if [ "$mode" = docker ]; then
  docker info > /dev/null 2>&1 || fail 'Docker does not respond: start it, or add your user to its group.'
  docker compose version > /dev/null 2>&1 || fail 'Docker has no Compose plugin: install docker-compose-plugin.'
else
  has npm || fail 'install Node.js 24, which has npm, first.'
  has ps || fail 'install ps (procps) first: an upgrade finds the running process with it.'
  [ "$(npm --version | cut -d. -f1)" -ge 10 ] || fail "npm 10 or later is needed, this is $(npm --version)."
  if ldd --version 2>&1 | grep -qi musl; then fail 'the embedded PostgreSQL needs glibc, and this system has musl: use Docker.'; fi
fi

[ "$dry" ] || mkdir -p "$dir"
[ ! -d "$dir" ] || dir=$(CDPATH='' cd -- "$dir" && pwd)
if [ "$mode" = docker ] && [ "$checkout" ] && [ "$dir" != "$checkout" ]; then fail '--dir is for --node: Docker builds and runs a checkout in place.'; fi

above=$dir
while [ ! -d "$above" ]; do above=$(dirname -- "$above"); done
free=$(df -Pk "$above" | awk 'NR == 2 { print $4 }')
[ "$free" -ge 5000000 ] || fail "$above has $((free / 1000)) MB free, and 5 GB are needed."

if [ "$mode" = docker ]; then name=BELLWETHER_PORT; else name=PORT; fi
port=$(setting "$name")
port=${port:-${PORT:-3000}}
refuse_used_port() {
  if curl --silent --output /dev/null --max-time 5 "http://127.0.0.1:$port/"; then
    fail "another program uses port $port: $1"
  fi
}
if [ -z "$installed" ]; then
  [ ! -d "$dir/data" ] || [ "$mode" = node ] || fail "$dir/data is of an installation without Docker: use --node, or another --dir."
  if [ "$mode" = docker ] && docker volume inspect bellwether_database > /dev/null 2>&1; then
    fail "the volume bellwether_database has data, but $dir/.env with its password and key is missing: restore that file."
  fi
  refuse_used_port 'run it again with another one, such as PORT=3100.'
fi

# --- files ---
say "$([ "$installed" ] && echo Upgrading || echo Installing) Bellwether $VERSION in $dir ($mode)."
if [ -z "$installed" ] && [ "$dry" ]; then say "would write: $dir/.env"; fi
if [ -z "$installed" ] && [ -z "$dry" ]; then
  # Only its owner may read it.
  (umask 077; {
    say "$name=$port"
    if [ "$mode" = node ]; then say "DATA_DIR='$dir/data'"; fi
    if [ "$mode" = docker ]; then say "SECRETS_KEY=$(random 32)"; say "POSTGRES_PASSWORD=$(random 24)"; fi
  } > "$dir/.env")
fi
release="https://github.com/$REPOSITORY"
program=${checkout:-$dir/bellwether-$VERSION}
if [ -z "$checkout" ] && [ "$mode" = docker ]; then
  run curl --fail --silent --show-error --location --output "$dir/compose.yaml.new" "$release/releases/download/v$VERSION/compose.yaml"
  run mv "$dir/compose.yaml.new" "$dir/compose.yaml"
elif [ -z "$checkout" ]; then
  run mkdir -p "$program"
  run curl --fail --silent --show-error --location --output "$program.tar.gz" "$release/archive/refs/tags/v$VERSION.tar.gz"
  run tar -xzf "$program.tar.gz" -C "$program" --strip-components 1
  run rm "$program.tar.gz"
fi

# --- start ---
# From here on .env decides, not what the shell exports for other programs.
own='PORT HOST PUBLIC_URL DATABASE_URL DATA_DIR SECRETS_KEY POSTGRES_PASSWORD BELLWETHER_PORT'
# shellcheck disable=SC2086
unset $own
if [ "$mode" = docker ]; then
  # The workers follow below: Compose would wait without an end for an API that restarts because of a wrong setting.
  run docker compose --project-directory "$dir" up --detach ${checkout:+--build} api
  command="docker compose --project-directory $dir exec api bin/bellwether.js"
  bellwether() { docker compose --project-directory "$dir" exec -T api bin/bellwether.js "$@"; }
else
  command=$dir/bellwether
  data=$(setting DATA_DIR)
  case "$data" in /*) ;; *) data=$dir/${data:-data} ;; esac
  bellwether() { "$command" "$@"; }
  # Whether systemd runs this installation (docs/operating.md).
  enabled() { [ "$(readlink "${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user/bellwether.service" || true)" = "$command.service" ]; }
  stop() {
    if enabled; then run systemctl --user stop bellwether; fi
    # The number in the file alone could be that of another process.
    pid=$(cut -d' ' -f1 "$data/bellwether.pid" 2> /dev/null || true)
    [ "$pid" ] && ps -o args= -p "$pid" | grep -q bellwether.js || return 0
    run kill "$pid"
    while [ -z "$dry" ] && kill -0 "$pid" 2> /dev/null; do sleep 1; done
  }
  # npm replaces the files of a checkout; those of a release are in a folder of their own.
  if [ "$checkout" ]; then stop; fi
  # The install scripts set Node.js and PostgreSQL up, so that warnings about an older Node.js do not matter.
  run npm ci --prefix "$program" --ignore-scripts=false --include=dev --include=optional --no-audit --no-fund --loglevel=error
  stop
  if [ "$dry" ]; then say "would start: $program/bin/bellwether.js serve, with its log in $dir/bellwether.log"; exit 0; fi
  # Its answer would be taken for that of the new process.
  refuse_used_port "stop it, or change PORT in $dir/.env."
  cat > "$command" << END
#!/bin/sh
# Runs a command of this installation with its settings, such as: bellwether doctor
unset $own
exec '$program/node_modules/node/bin/node' --env-file='$dir/.env' '$program/bin/bellwether.js' "\$@"
END
  chmod +x "$command"
  sed "s|FOLDER|$dir|" "$program/deploy/bellwether.service" > "$command.service"
  # The log has the first API key.
  (umask 077; : >> "$dir/bellwether.log")
  if enabled; then
    systemctl --user daemon-reload && systemctl --user start bellwether
  else
    (cd "$dir"; exec nohup "$command" serve < /dev/null >> bellwether.log 2>&1) &
    started=$!
  fi
fi
if [ "$dry" ]; then say "would run: docker compose --project-directory $dir up --detach"; exit 0; fi

waited=0
until curl --fail --silent --output /dev/null --max-time 5 "http://127.0.0.1:$port/readyz"; do
  waited=$((waited + 1))
  if [ "$waited" -gt 180 ] || { [ "$started" ] && ! kill -0 "$started" 2> /dev/null; }; then
    if [ "$mode" = docker ]; then docker compose --project-directory "$dir" logs --tail 20 api; else tail -n 20 "$dir/bellwether.log"; fi
    fail 'it has stopped, or is not ready after three minutes; the last lines of its log are above.'
  fi
  sleep 1
done
if [ "$mode" = docker ]; then docker compose --project-directory "$dir" up --detach; fi
say "Bellwether is ready at http://127.0.0.1:$port. Settings and keys are in $dir/.env: keep a copy."
say "Commands: $command --help. \"doctor\" checks the installation, \"sign-in\" prints a link that signs a browser in."
if [ -z "$installed" ]; then
  say 'Open this link to sign in, once, within 15 minutes:'
  bellwether sign-in 2> /dev/null
fi
