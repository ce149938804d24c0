#!/bin/bash
# compare.sh PROVENDER [WORKDIR]: terraform and provender on the same jobs, in turn, in one run.
#
# Prints one line a job: median seconds and peak memory of each, and how many times faster provender is. Absolute
# times mean nothing on a shared machine; the ratios do. ROUNDS (3) is how often each job runs, JOBS a pattern of
# job names. The registry, 2 GiB, is built once in WORKDIR, which is a temporary directory unless given; all of it is on
# loopback. Needs terraform, git, nginx, GNU time, openssl, gpg and python3 (3.11).
set -eu
here=$(cd "$(dirname "$0")" && pwd)/compare
[ $# -ge 1 ] || { sed -n '2,/^set/{/^#/s/^# \?//p}' "$0" >&2; exit 2; }
bin=$(realpath "$1")
for tool in terraform git nginx openssl gpg python3 /usr/bin/time; do
  command -v "$tool" >/dev/null || { echo "compare.sh needs $tool" >&2; exit 1; }
done

proxy='' own=''
if [ $# -ge 2 ]; then mkdir -p "$2"; dir=$(realpath "$2"); else dir=$(mktemp -d); own=$dir; fi
chmod 755 "$dir" # The web server's worker may be another user.
reg=$dir/registry
rm -rf "$dir/run"
mkdir "$dir/run"
stop() {
  [ ! -f "$reg/nginx.pid" ] || "$here/nginx.sh" stop "$reg"
  [ -z "$proxy" ] || kill "$proxy"
  cd /
  rm -rf "${own:-$dir/run}"
}
trap stop EXIT
trap 'exit 130' INT TERM

say() { printf '%s\n' "$*" >&2; }
[ -f "$reg/complete" ] || { say "building the registry, which takes minutes"; python3 "$here/mkregistry.py" "$reg" "$here/spec.json"; }

# Nothing keeps the ports until nginx listens on them, so it may take more than one try.
start() {
  local ports
  for _ in 1 2 3 4 5; do
    ports=$(python3 -c 'import socket
both = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(one.getsockname()[1] for one in both))')
    # shellcheck disable=SC2086
    if "$here/nginx.sh" start "$reg" $ports 2>"$dir/run/nginx.out"; then
      host=localhost:${ports% *} slow=${ports#* }
      return
    fi
  done
  cat "$dir/run/nginx.out" >&2
  exit 1
}
start
python3 "$here/delay.py" "$slow" 25 "$dir/run/port" &
proxy=$!
until [ -f "$dir/run/port" ]; do kill -0 "$proxy"; sleep 0.05; done
slow_host=localhost:$(cat "$dir/run/port")

cd "$dir/run"
export HOME=$dir/run/home SSL_CERT_FILE=$reg/ca.pem CHECKPOINT_DISABLE=1
export TF_CLI_CONFIG_FILE=$dir/run/empty.tfrc PROVENDER_CACHE_DIR=$dir/run/cache
mkdir "$HOME"
: >"$TF_CLI_CONFIG_FILE"

# root DIR HOST TYPE...: a root module that requires these providers.
root() {
  local name=$1 on=$2 ty
  shift 2
  mkdir "$name"
  {
    echo "terraform {"; echo "  required_providers {"
    for ty; do echo "    $ty = { source = \"$on/acme/$ty\" }"; done
    echo "  }"; echo "}"
  } >"$name/main.tf"
}
equal=$(seq -f 'equal%02g' 1 24)
root usual "$host" small medium large
# shellcheck disable=SC2086
root slow "$slow_host" $equal
# shellcheck disable=SC2086
root fast "$host" $equal
root huge "$host" huge

# measure JOB TOOL COMMAND... Seconds count `times` times.
measure() {
  local job=$1 tool=$2 figures
  shift 2
  if ! /usr/bin/time -f '%e\t%M' -o time.out "$@" >command.out 2>&1; then
    tail -n 5 command.out >&2
    say "failed: $*"
    exit 1
  fi
  figures=$(tail -n 1 time.out | awk -v times="${times:-1}" '{ print $1 * times "\t" $2 }')
  printf '%s\t%s\t%s\n' "$job" "$tool" "$figures" >>results
  say "$(printf '%-40s %-10s %s' "$job" "$tool" "$figures")"
}
terraform_() { measure "$job" terraform terraform "$@"; }
provender_() { measure "$job" provender "$bin" "$@"; }
clean() { rm -rf ./*/.terraform ./*/.terraform.lock.hcl tree/*/.terraform.lock.hcl mirror cache plugins; }
cleanly() { clean; "$@"; }

platforms=(linux_amd64 linux_arm64 darwin_arm64 windows_amd64)

install_cold() {
  cleanly terraform_ -chdir=usual init -input=false
  cleanly provender_ -C usual install
}

# Locked, everything in each tool's own cache, nothing installed.
install_warm() {
  clean
  mkdir plugins
  TF_PLUGIN_CACHE_DIR=$PWD/plugins terraform -chdir=usual init -input=false >/dev/null
  rm -rf usual/.terraform
  TF_PLUGIN_CACHE_DIR=$PWD/plugins terraform_ -chdir=usual init -input=false
  clean
  "$bin" -C usual install >/dev/null
  rm -rf usual/.terraform
  provender_ -C usual install
}

install_slow() {
  cleanly terraform_ -chdir=slow init -input=false
  cleanly provender_ -C slow install
}

install_huge() {
  cleanly terraform_ -chdir=huge init -input=false
  cleanly provender_ -C huge install
}

install_16() {
  cleanly provender_ -C fast install --jobs 16
}

mirror_() {
  clean
  terraform -chdir=usual init -input=false >/dev/null
  cp usual/.terraform.lock.hcl lock.hcl
  job="mirror of 4 platforms, cold"
  terraform_ -chdir=usual providers mirror "${platforms[@]/#/-platform=}" ../mirror
  job="mirror of 4 platforms, nothing new"
  terraform_ -chdir=usual providers mirror "${platforms[@]/#/-platform=}" ../mirror
  clean
  cp lock.hcl usual/.terraform.lock.hcl
  job="mirror of 4 platforms, cold"
  provender_ mirror --root usual "${platforms[@]/#/--platform=}" --to mirror
  job="mirror of 4 platforms, nothing new"
  provender_ mirror --root usual "${platforms[@]/#/--platform=}" --to mirror
}

mirror_many() {
  cleanly provender_ mirror "$host/acme/many" --all-versions --platform all --to mirror --dry-run
}

lock_() {
  "$bin" lock --help >/dev/null 2>&1 || return 0
  cleanly terraform_ -chdir=usual providers lock "${platforms[@]/#/-platform=}"
  cleanly provender_ -C usual lock "${platforms[@]/#/--platform=}"
}

# Terraform takes them one after the other: five are measured, and the time is scaled to all.
lock_tree() {
  local number
  mkdir -p tree
  for number in $(seq 200); do [ -d "tree/r$number" ] || cp -r usual "tree/r$number"; done
  times=40 cleanly measure "$job" terraform sh -ec 'for number in 1 2 3 4 5; do terraform -chdir=tree/r$number providers lock "$@"; done' \
    sh "${platforms[@]/#/-platform=}"
  rm -f tree/*/.terraform.lock.hcl
  provender_ -C tree lock --recursive "${platforms[@]/#/--platform=}"
  job="$job, again" provender_ -C tree lock --recursive --check "${platforms[@]/#/--platform=}"
}

# Every run in a new directory: some file systems are slow for a minute where thousands of files were deleted.
modules_60() {
  local tool
  [ -d modules ] || python3 "$here/mkmodules.py" modules/repository.git modules/root
  for tool in terraform provender; do mkdir -p "modules/$tool$round"; cp modules/root/main.tf "modules/$tool$round"; done
  terraform_ -chdir="modules/terraform$round" get
  rm -rf cache
  provender_ -C "modules/provender$round" install --modules-only
  mkdir "modules/again$round"
  cp modules/root/main.tf "modules/again$round"
  job="$job, cached" provender_ -C "modules/again$round" install --modules-only
}

job() {
  job=$1
  # shellcheck disable=SC2254
  case $job in ${JOBS:-*}) "$2" ;; esac
}

for round in $(seq "${ROUNDS:-3}"); do
  job "install, cold" install_cold
  job "install, warm cache" install_warm
  job "install, 24 behind a slow line" install_slow
  job "install, 1 GiB unpacked" install_huge
  job "install, 24 with 16 in flight" install_16
  job "mirror of 4 platforms" mirror_
  job "mirror --dry-run, 10,000 entries" mirror_many
  job "lock, 4 platforms" lock_
  job "lock, 200 root modules" lock_tree
  job "modules, 60 calls of one repository" modules_60
done
python3 "$here/table.py" results
