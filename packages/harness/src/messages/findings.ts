import type { FindingCode } from '../doctor/finding-code.ts';
import type { Explanations } from './explanation.ts';

export const FINDING_MESSAGES: Explanations<FindingCode> = {
  'base-image-missing': {
    meaning: 'The image has to be built, and the engine does not have its base image: the build will pull it.',
    advice: 'Make sure that the registry can be reached, or name an image that the engine has with `--base-image`.',
  },
  'broker-disabled': {
    meaning: 'The broker is switched off: nothing is redirected, and still no key enters unasked.',
    advice: 'Leave out `--no-broker` and unset `DOOMPI_SANDBOX_BROKER` to broker the keys that are set.',
  },
  'credentials-missing': {
    meaning: 'No variable of the host holds a key that can be brokered.',
    advice: 'Set the key variable of your provider, or log in inside the session.',
  },
  'engine-details-unknown': {
    meaning: 'The engine answers, but not the question for its details. Sessions do not need them.',
    advice: 'Nothing, unless sessions fail as well: then look at the state of the server.',
  },
  'git-directory-outside': {
    meaning:
      'The checkout is a worktree or a submodule whose git directory lies outside what is mounted, so git does not work inside.',
    advice: 'Start in the main checkout, or name with `--repo` a directory that holds both.',
  },
  'home-is-repository': {
    meaning: 'The home directory would be mounted: the agent could read and change everything in it, other keys too.',
    advice: 'Start in a repository, or name one with `--repo`.',
  },
  'image-missing': {
    meaning: 'The image is not there yet. The first session builds it.',
    advice: '`doompi-sandbox build` builds it now.',
  },
  'image-outdated': {
    meaning: 'The image is older than 30 days, so its packages miss that many days of security updates.',
    advice: '`doompi-sandbox build --refresh` builds it anew.',
  },
  'not-a-repository': {
    meaning: 'No `.git` of yours is at or above the working directory, so the working directory itself would be mounted.',
    advice: 'Start in a repository, or name one with `--repo`, if this is not what you want.',
  },
  'part-failed': {
    meaning: 'A part of the diagnosis could not be found out, for the reason that is printed or because it took too long.',
    advice: 'Run the command again; report it if it stays.',
  },
  'repository-read-only': {
    meaning: 'You cannot write the working directory, so the agent cannot either, and the session would be refused inside.',
    advice: 'Check the permissions of the directory and whether its file system is mounted read-only.',
  },
  'files-perhaps-not-shared': {
    meaning:
      'The engine is reached over tcp or ssh. If it runs on another machine, it does not see the repository, and a launch ends with `LAUNCH_FILES_NOT_SHARED`.',
    advice: 'Use an engine on this machine, unless that one has the same files at the same paths.',
  },
  'runtime-missing': {
    meaning: 'The OCI runtime that is asked for is none of those that the engine knows.',
    advice:
      "Register it in the engine's configuration (docker: `/etc/docker/daemon.json`, `runtimes`), or name one that the engine lists.",
  },
  'subordinate-ids-missing': {
    meaning: 'Your user has no range of subordinate ids in `/etc/subuid` or `/etc/subgid`, which a rootless engine needs.',
    advice: 'As root: `usermod --add-subuids 100000-165535 --add-subgids 100000-165535 USER`, then `podman system migrate`.',
  },
  'terminal-missing': {
    meaning: "Standard input or output is no terminal, so the agent's terminal interface cannot be shown.",
    advice: 'Start it on a terminal, or give the agent a prompt: `doompi-sandbox -- -p "…"`.',
  },
  'terminal-unknown': {
    meaning: '`TERM` is not set or says that the terminal can do nothing.',
    advice: 'Set `TERM` to the name of your terminal, such as `xterm-256color`.',
  },
};
