import type { EngineErrorCode } from '@doompi-sandbox/engine';
import type { Explanations } from './explanation.ts';

export const ENGINE_MESSAGES: Explanations<EngineErrorCode> = {
  ENGINE_NOT_FOUND: {
    meaning:
      'No program of a container engine is on `PATH`. Entries of `PATH` that are relative or lie in the repository do not count: a program there may have come with the repository.',
    advice:
      'Install Docker Engine 20.10 or newer, or Podman 4.3 or newer. If one is installed, put its directory on `PATH` with its absolute path.',
  },
  ENGINE_UNREACHABLE: {
    meaning: "The engine's command is installed, but no server answers at its endpoint, or your user may not open its socket.",
    advice:
      'Start the server, or point `DOCKER_HOST` or the docker context at one that runs. Where permission is denied: join the group `docker` and log in again.',
  },
  ENGINE_ENDPOINT_INVALID: {
    meaning: 'The endpoint cannot be read, or the docker context that is named does not exist. The message says what named it.',
    advice: 'Correct it; the message lists the accepted forms, such as `unix:///path` and `tcp://host:port`.',
  },
  ENGINE_CONFIGURATION_REFUSED: {
    meaning:
      "A variable such as `DOCKER_CONFIG` points the engine's command at a directory that is relative or lies in the repository, whose author could then decide what the command does.",
    advice: 'Unset the variable, or point it at a directory of your own with its absolute path.',
  },
  ENGINE_OPTION_UNSUPPORTED: {
    meaning: 'The session needs something that this engine, or this way of running it, cannot do.',
    advice: 'Leave out the option that the message names, or use another engine with `--engine`.',
  },
  ENGINE_TIMEOUT: {
    meaning:
      'A command of the engine did not end within its deadline and was ended. The server may accept connections without answering them.',
    advice: 'Look at the state of the server (`docker version` by hand shows the same), and restart it if it hangs.',
  },
  ENGINE_UNSUPPORTED: {
    meaning:
      'A program with the name of an engine was found that cannot be used: too old, for other containers than Linux ones, or another program altogether.',
    advice: 'The message has the reason. Update the engine, or name another one with `--engine`.',
  },
  ENGINE_UNKNOWN: {
    meaning: '`--engine` or `DOOMPI_SANDBOX_ENGINE` names something that is not an engine.',
    advice: 'Give one of the names that the message lists, or none, to let the command choose.',
  },
  ENGINE_NOT_SPAWNED: {
    meaning: "The engine's program could not be started, although a file of that name is on `PATH`.",
    advice:
      'The cause has the reason of the operating system. Often the file is for another processor, or its interpreter is missing.',
  },
  ENGINE_COMMAND_FAILED: {
    meaning: "The engine's program ended with a failure.",
    advice:
      "The engine's own words are in the message or its details. Run `doompi-sandbox doctor` to see the state of the engine.",
  },
  ENGINE_ANSWER_UNREADABLE: {
    meaning: "The engine's program reported success with an answer that is not what its documentation says.",
    advice: 'A wrapper or alias around the engine may add text to its output. Remove it, or name the real program with `PATH`.',
  },
  ENGINE_BUILD_FAILED: {
    meaning: "A build of an image ended with a failure. The last lines of the builder's output come with the error.",
    advice: 'Read the last lines. Most often the network, a proxy, a certificate authority or a full disk is the reason.',
  },
};
