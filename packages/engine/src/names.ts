/** Engines by the name of their command, in the order of preference. */
export const ENGINE_NAMES = ['docker', 'podman', 'nerdctl', 'finch'] as const;

export type EngineName = (typeof ENGINE_NAMES)[number];

export const isEngineName = (value: string): value is EngineName => (ENGINE_NAMES as readonly string[]).includes(value);
