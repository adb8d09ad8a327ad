import { TEST_USER } from './places.mjs';

/** @typedef {import('./record.mjs').VariantId} VariantId */

/**
 * What decides how the variants are had. Observed, nothing changed.
 * @typedef {object} VariantFacts
 * @property {boolean} canPrepare root on Debian
 * @property {boolean} dockerd a docker server's program is here, so that another one can be started
 * @property {boolean} userNamespaces for users without privileges
 * @property {'absent' | 'closed' | 'open'} tun `closed`: to others than root
 * @property {boolean} user the test user is there, with subordinate ids
 * @property {Readonly<Record<string, readonly string[]>>} missing Debian packages, by what needs them
 * @property {readonly VariantId[]} answering daemons
 */

/**
 * One variant: either why it cannot be, or what must be done first.
 * @typedef {object} VariantPlan
 * @property {VariantId} id
 * @property {string} [unavailable]
 * @property {readonly string[]} install
 * @property {boolean} createUser
 * @property {boolean} openTun
 * @property {boolean} start
 */

/** @type {readonly { id: VariantId, tools: readonly string[], user: boolean, tun: boolean, daemon: boolean }[]} */
const NEEDS = [
  { id: 'podman', tools: ['podman'], user: false, tun: false, daemon: false },
  { id: 'podman-rootless', tools: ['podman', 'rootless'], user: true, tun: true, daemon: false },
  { id: 'docker-rootless', tools: ['rootless', 'docker-rootless'], user: true, tun: true, daemon: true },
  // Remaps to the test user's subordinate ids.
  { id: 'docker-userns', tools: ['namespace'], user: true, tun: false, daemon: true },
  { id: 'docker-gvisor', tools: ['namespace', 'gvisor'], user: false, tun: false, daemon: true },
];

/** @param {VariantFacts} facts @param {(typeof NEEDS)[number]} needs */
const obstacle = ({ canPrepare, dockerd, userNamespaces, tun }, needs) => {
  if (!canPrepare) return 'set-up prepares this engine only as root on Debian';
  if (needs.daemon && !dockerd) return 'there is no dockerd on this machine of which another one could be started';
  if (needs.tun && !userNamespaces) return 'this kernel lets no user without privileges make a user namespace';
  if (needs.tun && tun === 'absent') return 'this kernel has no tun device';
  return undefined;
};

/**
 * What each variant but `docker` needs. Pure.
 * @param {VariantFacts} facts
 * @returns {readonly VariantPlan[]}
 */
export const planVariants = (facts) =>
  NEEDS.map((needs) => {
    const unavailable = obstacle(facts, needs);
    if (unavailable !== undefined)
      return { id: needs.id, unavailable, install: [], createUser: false, openTun: false, start: false };
    return {
      id: needs.id,
      install: [...new Set(needs.tools.flatMap((tool) => facts.missing[tool] ?? []))],
      createUser: needs.user && !facts.user,
      openTun: needs.tun && facts.tun === 'closed',
      start: needs.daemon && !facts.answering.includes(needs.id),
    };
  });

/** Whether the variant changes the machine outside what set-up made before. */
export const changesMachine = (/** @type {VariantPlan} */ { install, createUser, openTun, start }) =>
  install.length > 0 || createUser || openTun || start;

/** Debian packages of all variants, each once. */
export const packagesOf = (/** @type {readonly VariantPlan[]} */ plans) => [...new Set(plans.flatMap(({ install }) => install))];

/** What the plans change on the machine, as the words of a question: "Set-up will …". Empty when they change nothing. */
export const describeVariants = (/** @type {readonly VariantPlan[]} */ plans) => {
  const packages = packagesOf(plans);
  const daemons = plans.filter(({ start }) => start).map(({ id }) => id);
  return [
    ...(packages.length > 0 ? [`install the Debian packages ${packages.join(', ')}`] : []),
    ...(plans.some(({ createUser }) => createUser) ? [`create the user ${TEST_USER}`] : []),
    ...(plans.some(({ openTun }) => openTun) ? ['open /dev/net/tun to all users'] : []),
    ...(daemons.length > 0 ? [`start the test engines ${daemons.join(', ')}`] : []),
  ].join(', ');
};
