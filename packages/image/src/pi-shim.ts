import { AGENT_DIRECTORY, EXTENSION_FILE, SHIM_DIRECTORY } from './layout.ts';

/** First arguments with which Pi 1.6 does something else than run a session; they take no `-e`. */
const SUBCOMMANDS = ['install', 'remove', 'uninstall', 'update', 'list', 'config', 'auth', 'mcp'];

/**
 * POSIX sh script that starts the real `pi` with our extension, so that a person who empties Pi's settings or passes
 * `--no-extensions` is still brokered. It never starts itself, wherever it is linked to.
 */
export const piShim = (): string => `#!/bin/sh
shim=${SHIM_DIRECTORY}/pi
real=${AGENT_DIRECTORY}/node_modules/.bin/pi
if [ ! -x "$real" ]; then
  real=
  set -f
  IFS=:
  for directory in $PATH; do
    candidate=$directory/pi
    case $candidate in /*) ;; *) continue ;; esac
    if [ -f "$candidate" ] && [ -x "$candidate" ] && [ ! "$candidate" -ef "$shim" ]; then
      real=$candidate
      break
    fi
  done
  unset IFS
  set +f
fi
if [ -z "$real" ]; then
  echo 'pi: not installed in this image' >&2
  exit 127
fi
case "\${1-}" in
  ${SUBCOMMANDS.join('|')}) exec "$real" "$@" ;;
  *) exec "$real" -e ${EXTENSION_FILE} "$@" ;;
esac
`;
