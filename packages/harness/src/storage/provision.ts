import { provisionVolume, type Engine } from '@doompi-sandbox/engine';
import type { SessionVolume } from './volumes.ts';

/** Makes volumes that the engine does not hold yet, side by side. */
export const provisionVolumes = async (
  engine: Engine,
  options: {
    readonly missing: readonly SessionVolume[];
    /** Reference of the session's image, which the engine holds. */
    readonly image: string;
    /** Of the session: what kills the launcher in between leaves containers, which only these tell from somebody else's. */
    readonly containerLabels: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  },
): Promise<void> => {
  const { missing, image, containerLabels, signal } = options;
  await Promise.all(
    missing.map(async ({ name, labels, seed }) =>
      provisionVolume(engine, {
        name,
        labels,
        seed: { image, directory: seed },
        containerLabels,
        signal,
      }),
    ),
  );
};
