import type { Explanation } from './explanation.ts';
import { BRIDGE_MESSAGES } from './bridge.ts';
import { BROKER_MESSAGES, REFUSAL_MESSAGES } from './broker.ts';
import { ENGINE_MESSAGES } from './engine.ts';
import { FINDING_MESSAGES } from './findings.ts';
import { IMAGE_MESSAGES } from './image.ts';
import { LAUNCH_MESSAGES } from './launch.ts';
import { NOTICE_MESSAGES } from './notices.ts';

/** Codes of one kind and what they mean. */
export interface MessageGroup {
  readonly title: string;
  /** Where the person meets them. */
  readonly about: string;
  readonly messages: Readonly<Record<string, Explanation>>;
}

/** Errors of ours: a code means the same wherever it appears. */
const ERRORS: Readonly<Record<string, Explanation>> = {
  ...LAUNCH_MESSAGES,
  ...ENGINE_MESSAGES,
  ...IMAGE_MESSAGES,
  ...BROKER_MESSAGES,
  ...BRIDGE_MESSAGES,
};

/** The explanation of an error's code, or undefined when it is none of ours. */
export const explainError = (code: string): Explanation | undefined => (Object.hasOwn(ERRORS, code) ? ERRORS[code] : undefined);

/** Every code of a launch, grouped as a reader meets them. */
export const MESSAGE_GROUPS: readonly MessageGroup[] = [
  { title: 'Launch', about: 'A launch was refused or failed.', messages: LAUNCH_MESSAGES },
  { title: 'Engine', about: 'The container engine is missing, does not answer, or fails.', messages: ENGINE_MESSAGES },
  { title: 'Image', about: 'The image of the session cannot be defined, built or used.', messages: IMAGE_MESSAGES },
  { title: 'Broker', about: 'The broker on the host cannot start, or cannot use a key.', messages: BROKER_MESSAGES },
  {
    title: 'Bridge',
    about: "The container's first process cannot start the agent. It prints these from inside the container.",
    messages: BRIDGE_MESSAGES,
  },
  { title: 'Notices', about: 'What a launch says on stderr on its way. None of them ends it.', messages: NOTICE_MESSAGES },
  { title: 'Refusals', about: 'Why the broker refused a call from inside the session.', messages: REFUSAL_MESSAGES },
  { title: 'Findings', about: 'What `doompi-sandbox doctor` finds, beside the errors above.', messages: FINDING_MESSAGES },
];
