/** Engines by the name of their command, in the order of preference. */
export const ENGINE_NAMES = ['docker', 'podman', 'nerdctl', 'finch'] as const;

export type EngineName = (typeof ENGINE_NAMES)[number];

export const isEngineName = (value: string): value is EngineName => (ENGINE_NAMES as readonly string[]).includes(value);

/** The ways in which an engine runs containers that differ in what a run may ask for. */
export const ENGINE_VARIANTS = [
  'docker',
  'docker-rootless',
  'docker-userns',
  'podman',
  'podman-rootless',
  'nerdctl',
  'nerdctl-rootless',
  'finch',
] as const;

export type EngineVariant = (typeof ENGINE_VARIANTS)[number];
