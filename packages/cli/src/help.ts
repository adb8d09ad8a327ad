const VARIABLES = `
Variables, each with the option that wins over it: DOOMPI_SANDBOX_AGENT, DOOMPI_SANDBOX_AGENT_PACKAGE,
DOOMPI_SANDBOX_BASE_IMAGE, DOOMPI_SANDBOX_ENGINE, DOOMPI_SANDBOX_ENDPOINT, DOOMPI_SANDBOX_TRANSPORT, DOOMPI_SANDBOX_RUNTIME,
DOOMPI_SANDBOX_BROKER=0, DOOMPI_SANDBOX_DEVCONTAINER=0.`;

export type CommandName = 'run' | 'plan' | 'build' | 'doctor';

/** What follows the options in each command's help. */
export const EPILOGUES: Readonly<Record<CommandName, string>> = {
  run: `
Everything after -- goes to the agent:
  doompi-sandbox                          the agent's own terminal interface
  doompi-sandbox -- -p "explain main.ts"  one answer on stdout
  echo hi | doompi-sandbox -- -p          prompt from a pipe

Exit status: the agent's own; 128+N when signal N ended it; 127 when the image has no agent;
2 for a mistake on this command line; 125 when the session could not be started, or lost its agent.
${VARIABLES}`,
  plan: `
Asks the engine and starts nothing: no image is built, no directory, volume or container is made. No secret is ever printed.
  doompi-sandbox plan                               what a launch here would do
  doompi-sandbox plan --env STRIPE_API_KEY -- -p x  with the options and agent arguments of a launch
  doompi-sandbox plan --json | jq .mounts           for programs

Exit status: 0; 2 for a mistake on this command line; 125 when a launch would be refused, with the same message.
${VARIABLES}`,
  build: `
The reference of the image is the only thing on stdout.
  doompi-sandbox build                       make the image now, unless it is there
  doompi-sandbox build --refresh             newest base image and packages (docker build --pull --no-cache)
  doompi-sandbox build --refresh --no-pull   newest packages on the copy of the base image that the engine has

A refreshed image takes the place of the old one when it is complete; until then, and after a failure, the old one works.

Exit status: 0 when the image is there; 2 for a mistake on this command line; 125 for a failure; 128+N when signal N ended it.
${VARIABLES}`,
  doctor: `
Shows every engine with the reason it was taken or skipped, image, transport, keys by name, terminal, repository and host, and one
line of advice for each problem. Starts nothing and changes nothing. No secret is ever printed.
  doompi-sandbox doctor                   everything about a launch from here
  doompi-sandbox doctor --engine podman   with this engine and no other
  doompi-sandbox doctor --json | jq .ready

Exit status: 0 when a session could start here, 1 when not; 2 for a mistake on this command line.
${VARIABLES}`,
};
