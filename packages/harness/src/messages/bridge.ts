import type { BridgeErrorCode } from '@doompi-sandbox/bridge';
import type { Explanations } from './explanation.ts';

export const BRIDGE_MESSAGES: Explanations<BridgeErrorCode> = {
  BRIDGE_USAGE: {
    meaning: "The image's first process was started without the command of an agent.",
    advice: 'Start sessions with `doompi-sandbox`, not with the image by hand.',
  },
  BRIDGE_SESSION_MISSING: {
    meaning: "The session file is not in the container: the launcher's directory did not arrive there.",
    advice:
      'The engine may run on another machine or in a virtual machine that does not share this directory. `doompi-sandbox doctor` shows where it runs.',
  },
  BRIDGE_SESSION_INVALID: {
    meaning: 'The session file is not one that the bridge in the image can read: launcher and image are of different versions.',
    advice: 'Run `doompi-sandbox build`, and start the session again.',
  },
  BRIDGE_SOCKET_PATH_TOO_LONG: {
    meaning: 'The path of a Unix socket in the session file is longer than the kernel takes.',
    advice: 'Report it: the path is chosen by this program.',
  },
  BRIDGE_LISTEN_FAILED: {
    meaning: "The bridge cannot listen on its port of the container's loopback interface.",
    advice: 'With a network shared with the host, end the other session that uses it.',
  },
  BRIDGE_BROKER_UNREACHABLE: {
    meaning: 'The broker on the host cannot be reached from the container. The agent was not started.',
    advice:
      'The message has the reason. EACCES means a user that may not open the socket; EPERM a runtime, such as gVisor, that does not pass Unix sockets.',
  },
  BRIDGE_LIFELINE_UNREACHABLE: {
    meaning: 'The launcher cannot be reached from the container, so the session could outlive it. The agent was not started.',
    advice:
      'The message has the reason for each transport that was tried, in the words of BRIDGE_BROKER_UNREACHABLE; ETIMEDOUT means that nobody proved to be the launcher. Leave `--transport` to `auto`, or use `--transport tunnel`.',
  },
  BRIDGE_DIAL_FAILED: {
    meaning: 'The launcher dialled into the container and nothing waited there. It dials again.',
    advice: 'Nothing; when the session does not start, LAUNCH_TRANSPORT_FAILED says more.',
  },
  BRIDGE_WORKSPACE_NOT_WRITABLE: {
    meaning: "The agent's user cannot write the working directory inside the container. The agent was not started.",
    advice:
      'Check that you can write the directory yourself, that it is not on a read-only file system, and that its disk is not full. `doompi-sandbox doctor` shows how the engine maps users.',
  },
  BRIDGE_VOLUME_NOT_WRITABLE: {
    meaning: "The agent's user cannot write one of the session's volumes: another user filled it. The agent was not started.",
    advice: 'Remove that volume, which `doompi-sandbox plan` names; the next session makes a new one.',
  },
  BRIDGE_AGENT_NOT_FOUND: {
    meaning: "The image has no command of the agent's name. The exit status is 127.",
    advice: 'Check the package named with `--agent-package`: it must have a `bin` of that name.',
  },
  BRIDGE_AGENT_NOT_EXECUTABLE: {
    meaning: "The agent's command is there and cannot be executed. The exit status is 126.",
    advice: 'Check the package named with `--agent-package`.',
  },
};
