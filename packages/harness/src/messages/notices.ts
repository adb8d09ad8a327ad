import type { NoticeCode } from '../notice.ts';
import type { Explanations } from './explanation.ts';

const NOTHING = 'Nothing.';

export const NOTICE_MESSAGES: Explanations<NoticeCode> = {
  engine: { meaning: 'The engine that the session uses.', advice: '`--engine` chooses another one.' },
  'engine-skipped': {
    meaning: 'An engine that would have been taken first cannot be used, so the next one is.',
    advice: 'The notice has the reason. Correct it, or name the engine that you want with `--engine`.',
  },
  'image-waiting': { meaning: 'Another process builds the same image; this one waits for it.', advice: NOTHING },
  'image-building': {
    meaning: 'The image of this agent, base image and version is not there and is built now.',
    advice: 'Wait; later sessions start at once.',
  },
  'image-refreshing': {
    meaning: 'The image is built anew, without the cache of the builder, so that its packages are the newest ones.',
    advice: 'Wait; the image that is there works until the new one takes its tag.',
  },
  'image-present': {
    meaning: 'The image is there already, so `build` had nothing to do.',
    advice: '`doompi-sandbox build --refresh` builds it anew, with the newest packages.',
  },
  'image-build-output': { meaning: "A line of the builder's output.", advice: NOTHING },
  'image-built': { meaning: 'The image is there now.', advice: NOTHING },
  'image-pulling': { meaning: 'The newest base image is pulled from its registry.', advice: 'Wait.' },
  'image-replaced': { meaning: 'The image that had the tag before was removed, because nothing uses it.', advice: NOTHING },
  'image-kept': {
    meaning:
      'The image that had the tag before is still there, because a container or another tag uses it, or the engine refused.',
    advice: 'Remove it with the command in the message when its sessions have ended.',
  },
  brokering: { meaning: 'These providers are reached through the broker; their keys stay on the host.', advice: NOTHING },
  'upstream-overridden': {
    meaning: 'Calls to a provider go to the base URL that `--upstream` names, with its key.',
    advice: NOTHING,
  },
  'upstream-unused': {
    meaning: 'An `--upstream` has no effect, because the provider is not brokered.',
    advice: "Set the provider's key on the host, or leave the option out.",
  },
  'nothing-to-broker': {
    meaning: 'No variable of the host holds a key that can be brokered.',
    advice: 'Set one, or log in inside the session.',
  },
  'broker-off': {
    meaning: 'Nothing is redirected, as asked with `--no-broker` or `DOOMPI_SANDBOX_BROKER=0`, and still no key enters unasked.',
    advice: 'Name the variables that the agent needs with `--env`, or leave the option out.',
  },
  'variable-passed': {
    meaning: 'A variable of the host enters the container with its value, as asked with `--env`.',
    advice: 'A key that enters in clear can be read by everything that runs inside: pass it only where it cannot be brokered.',
  },
  'variable-unset': {
    meaning: '`--env` names a variable that the host does not have.',
    advice: 'Set it, or leave the option out.',
  },
  'base-url-dropped': {
    meaning: 'A variable that points a provider elsewhere stays on the host: the broker decides where keys go.',
    advice: 'Give `--upstream PROVIDER=URL` instead.',
  },
  'proxy-withheld': {
    meaning: 'A proxy variable stays on the host: it holds a password, points at the host itself, or is no URL.',
    advice: 'Use a proxy that the container can reach without a password, or name the variable with `--env`.',
  },
  'home-as-repository': {
    meaning: 'The home directory is the repository: the agent can read and change everything in it, other keys too.',
    advice: 'Start in a repository.',
  },
  'devcontainer-ignored': {
    meaning: 'The repository has a dev container configuration, which this version does not use.',
    advice: '`--no-devcontainer` or `DOOMPI_SANDBOX_DEVCONTAINER=0` leaves this notice out.',
  },
  'userns-remap-dropped': {
    meaning:
      "The docker server maps users (`userns-remap`). This container runs without that, in the host's user namespace, so that new files belong to you.",
    advice: 'Nothing; to keep the remap for sessions as well, use another engine.',
  },
  'shadow-skipped': {
    meaning: 'A path that gets a volume of its own is a symbolic link or a file, which is not followed or replaced.',
    advice: 'Make it a directory, so that packages that the agent installs stay off the host.',
  },
  'home-of-another-repository': {
    meaning:
      "The volumes for this path belong to a repository that was there before. This one got new ones, so that it does not inherit the other one's logins and packages.",
    advice: 'On a terminal the command asks, and a yes uses the old ones. `docker volume rm` removes what is not wanted.',
  },
  refused: {
    meaning: 'The broker refused calls from inside the session. The reason is one of the refusals below.',
    advice: 'Look the reason up.',
  },
  transport: {
    meaning:
      "The session reaches the launcher by another way than the mounted sockets: by tcp, or through the engine's exec (the tunnel). When others were tried before, their reasons are told.",
    advice: NOTHING,
  },
  'loopback-opened': {
    meaning: "With tcp on podman the container's network leads to every service on the host's loopback interface.",
    advice: 'Leave `--transport` to `auto`, or use `--transport tunnel`, unless you want that.',
  },
  'start-waiting': {
    meaning: 'Another session with the same volumes starts just now. podman hangs when it starts two of them at once.',
    advice: NOTHING,
  },
  starting: { meaning: 'The container is started.', advice: NOTHING },
};
