/** A docker command without a server. */
export const DEAD_DOCKER = `
case "$1" in
  version) echo '{"Client":{"Version":"28.2.2","ApiVersion":"1.50","Os":"linux","Arch":"amd64"},"Server":null}'; echo "Cannot connect to the Docker daemon" >&2; exit 1 ;;
  *) echo "Cannot connect to the Docker daemon" >&2; exit 1 ;;
esac`;

/** A podman without images and volumes. */
export const PODMAN = `
case "$1 $2" in
  "version --format") echo '{"Client":{"APIVersion":"4.3.1","Version":"4.3.1","OsArch":"linux/amd64","Os":"linux"}}' ;;
  "info --format") echo '{"host":{"cgroupVersion":"v1","kernel":"6.1","ociRuntime":{"name":"crun"},"security":{}},"store":{"graphDriverName":"overlay"}}' ;;
  "volume ls") ;;
  "image inspect") echo '[]'; echo "Error: inspecting object: $3: image not known" >&2; exit 125 ;;
  *) echo "unexpected: $*" >&2; exit 64 ;;
esac`;

/** Debian's package finch. */
export const CHAT_CLIENT = 'echo "finch 2.14.1"; exit 0';

/**
 * A podman that keeps its images as files beside itself, named by reference or id, with the id as their content.
 * @param build - shell text that sees `$reference` and `make <id>`, which gives the reference to a new image
 */
export const buildingPodman = (build: string): string => `
here=\${0%/*}
file() { printf '%s/image-' "$here"; printf '%s' "$1" | /usr/bin/tr '/:' '--'; }
make() { printf '%s' "$1" > "$(file "$reference")"; printf '%s' "$1" > "$(file "$1")"; }
case "$1 $2" in
  "version --format") echo '{"Client":{"APIVersion":"4.3.1","Version":"4.3.1","OsArch":"linux/amd64","Os":"linux"}}' ;;
  "image inspect")
    image=$(file "$3")
    if [ -e "$image" ]; then
      read -r id < "$image" || :
      echo '[{"Id":"'"$id"'","Os":"linux","Architecture":"amd64","RepoTags":[],"Created":"2026-01-01T00:00:00Z","Config":{}}]'
    else echo '[]'; echo "Error: inspecting object: $3: image not known" >&2; exit 125; fi ;;
  "volume ls") ;;
  "image rm") /bin/rm "$(file "$3")" ;;
  "pull "*) [ ! -e "$here/no-registry" ] || { echo "Error: connection refused" >&2; exit 125; } ;;
  "build "*) reference=$3; ${build} ;;
  *) echo "unexpected: $*" >&2; exit 64 ;;
esac`;
