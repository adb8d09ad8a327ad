export { runCommand, type CommandContext } from './command.ts';
export { main } from './main.ts';
export type { ProgressStream } from './progress.ts';
