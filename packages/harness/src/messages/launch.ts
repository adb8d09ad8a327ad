import type { LaunchErrorCode } from '../error.ts';
import type { Explanations } from './explanation.ts';

export const LAUNCH_MESSAGES: Explanations<LaunchErrorCode> = {
  LAUNCH_NESTED: {
    meaning: 'The command was started inside a sandbox. Sandboxes do not nest.',
    advice: 'Run the agent directly: this container is its sandbox already.',
  },
  LAUNCH_SETTINGS_INVALID: {
    meaning: 'Options or variables of the command cannot be used. Every mistake is listed.',
    advice: 'Correct them. `doompi-sandbox --help` lists what there is.',
  },
  LAUNCH_PLATFORM_UNSUPPORTED: {
    meaning: 'This version cannot run sessions on this operating system.',
    advice: 'Use Linux.',
  },
  LAUNCH_REPOSITORY_UNUSABLE: {
    meaning:
      'The repository or the working directory cannot be mounted: it is missing, is the whole file system, or would cover a directory of the container.',
    advice: 'Start in a repository, or name one with `--repo`.',
  },
  LAUNCH_FILES_NOT_SHARED: {
    meaning:
      "The engine's server is reached over tcp or ssh and could not make the container: most likely it does not see this machine's files.",
    advice: 'Use an engine on this machine, or start the session on the machine of the engine.',
  },
  LAUNCH_MOUNT_POINT_UNUSABLE: {
    meaning:
      'A directory below the repository on which a volume is mounted cannot be made, or a part of its path has become a symbolic link.',
    advice: 'Remove or rename what is at that path, or make the directory above it writable.',
  },
  LAUNCH_NO_SESSION_DIRECTORY: {
    meaning:
      'There is no private directory for the sockets of the session whose path is short enough and that lies outside the repository.',
    advice: 'Set `TMPDIR` to a short directory outside the repository that you can write.',
  },
  LAUNCH_TRANSPORT_UNSUPPORTED: {
    meaning: 'The transport that was named cannot lead from containers of this engine to this host.',
    advice: 'Leave `--transport` to `auto`, or use `--transport tunnel`, which works on every engine.',
  },
  LAUNCH_TRANSPORT_FAILED: {
    meaning: 'The container ran and found no way to this launcher. The agent was not started.',
    advice:
      'The message before it has the reason of each transport. Leave `--transport` to `auto`, or use `--transport tunnel`; for tcp look at firewalls of this host.',
  },
  LAUNCH_CLIENT_ENDED: {
    meaning:
      "The engine's client ended while the agent still ran. The container was removed, and the exit code is not the agent's.",
    advice: 'Start the session again. A client that was killed, or an engine that was restarted, is the usual reason.',
  },
  LAUNCH_CONTAINER_LEFT: {
    meaning: "The session's container may still run, because the engine could not be asked to remove it.",
    advice: 'Remove what the command in the message lists, once the engine answers again.',
  },
  LAUNCH_INTERRUPTED: {
    meaning:
      'A signal, such as Ctrl-C, ended the command before it was complete. The exit status is 128 + the number of the signal.',
    advice: 'Run it again, if you did not mean to.',
  },
};
